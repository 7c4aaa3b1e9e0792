/* The attributes of a page in columns, in document order. */
#ifndef CHAFFINCH_ATTRIBUTES_H
#define CHAFFINCH_ATTRIBUTES_H

#include "growing.h"
#include "lexbor.h"

/* How a step of the walk went: ODD means that the page is left to the walk in Python. */
typedef enum { FINE, ODD, FAILED } Outcome;

typedef struct {
    const void *name; /* where the parser keeps it; NULL in an empty place */
    int32_t number;
} KnownName;

typedef struct {
    PyObject *names;   /* dict: name -> number, in order of first sight */
    KnownName *known;  /* the same by address: a hash table with `places` places, a power of two */
    Py_ssize_t places, filled;
    Growing last_row;  /* int32 by number: the last row that has the name */
    Growing rows;      /* int32[a] */
    Growing numbers;   /* int32[a] */
    Growing value_at;  /* int32[a + 1]: where each value starts in `values` */
    Growing valueless; /* uint8[a] */
    Growing values;    /* UTF-8 */
} Attributes;

/* Begin with nothing; FAILED with an exception. End with `chaffinch_free_attributes` always. */
Outcome chaffinch_begin_attributes(Attributes *all);
void chaffinch_free_attributes(Attributes *all);

/* Add the attributes of an element of the parser, that of `row`. */
Outcome chaffinch_add_attributes(Attributes *all, const Lexbor *lexbor, void *element, int32_t row);

/* The value of one attribute of an element; NULL where it is absent or has none. */
const unsigned char *chaffinch_attribute(const Lexbor *lexbor, void *element, const char *name,
                                         size_t *length, bool *is_there);

/* The same columns as AttributeColumns of chaffinch/page/attributes.py gives them back. */
typedef struct {
    const int32_t *starts, *numbers, *ends;
    const char *valueless, *values;
    Py_ssize_t rows, count, size; /* rows, attributes, bytes of values */
    PyObject *names;
} AttributeColumns;

/* Fill `all` from five bytes and a tuple; false, without an exception, where they don't fit each
 * other. What the numbers in them mean isn't checked. */
bool chaffinch_take_attributes(PyObject *const *args, AttributeColumns *all);

/* Whether a place has the number of a name, and its value lies within the values. */
bool chaffinch_place_holds(const AttributeColumns *all, int32_t place);

/* The kernels that read those of one row and of all; see their comments. */
PyObject *chaffinch_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given);
PyObject *chaffinch_all_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given);

#endif
