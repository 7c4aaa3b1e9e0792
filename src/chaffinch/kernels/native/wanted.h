/* Words that are looked for in many short texts, or in a long one. */
#ifndef CHAFFINCH_WANTED_H
#define CHAFFINCH_WANTED_H

#include "arrays.h"

enum { MOST_WORDS = 32 };

/* Words that are looked for; a bit for each at the bytes that it begins with. */
typedef struct {
    const char *words[MOST_WORDS];
    Py_ssize_t sizes[MOST_WORDS]; /* 2 or more */
    int count;
    bool may_end;   /* a word's second byte is the end of a value */
    uint8_t beyond; /* bits of a byte that decides, whatever the words */
    uint32_t first[256], second[256];
} Wanted;

/* Fill `wanted` from a tuple of bytes, which it borrows; false, without an exception, where it isn't
 * that, or holds too many or too short ones. */
bool chaffinch_want(PyObject *words, Wanted *wanted);

/* Whether a text surely neither holds one of a few words, in any case, nor has a byte beyond ASCII,
 * unless `wanted->beyond` is cleared: many bytes at a time are compared with the first two of each word. `left` is the bytes from the
 * text's first to the end of what may be read. */
bool chaffinch_is_silent(const char *text, Py_ssize_t length, Py_ssize_t left,
                         const Wanted *wanted);

#endif
