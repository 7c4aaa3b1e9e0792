/* Text whose white space is folded: each run of it becomes one space. */
#ifndef CHAFFINCH_FOLDING_H
#define CHAFFINCH_FOLDING_H

#include "arrays.h"

/* A line that is being written: its text goes to `out`, in characters of the size of the page's. */
typedef struct {
    int kind;
    const void *text;
    void *out;
    Py_ssize_t length; /* characters in `out` */
    bool verbatim;
    bool space; /* nothing is written yet, or a space was last: the next isn't written */
} Line;

/* Begin lines of stretches of `text`, of which none is longer than `longest`; false with an
 * exception where there is no room. `chaffinch_end_lines` gives the room back. */
bool chaffinch_begin_lines(Line *line, PyObject *text, Py_ssize_t longest);
void chaffinch_end_lines(Line *line);

/* Write a stretch of the text behind what is written: folded, unless the line is verbatim. */
void chaffinch_write(Line *line, Py_ssize_t at, Py_ssize_t stop);

/* Take the line that is written, and begin the next: without newlines at the beginning of a verbatim
 * one, and white space at the end of any. NULL with an exception where there is no room. */
PyObject *chaffinch_taken(Line *line);

#endif
