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

/* The same columns as AttributeColumns of chaffinch/page/attributes.py gives them back, of which a
 * kernel may be given only some: the first four are always there, others NULL where they aren't. */
typedef struct {
    const int32_t *numbers, *ends; /* [count], [count + 1] */
    const char *values;
    Py_ssize_t count, size;        /* attributes, bytes of values */
    const int32_t *of_row;         /* [count]: the row of each */
    const int32_t *starts;         /* [rows + 1]: the first of each row */
    Py_ssize_t rows;
    const char *valueless;         /* [count] */
} AttributeColumns;

/* What the first of the arrays of columns holds. */
typedef enum { BY_ROW, BY_ATTRIBUTE } FirstColumn;

/* See the columns in arrays of bytes: `starts` or `of_row`, numbers, ends, then in any order values
 * and, unless it is NULL, valueless. False, without an exception, where they don't fit each other.
 * What the numbers in them mean isn't checked. */
bool chaffinch_see_attributes(const Array *arrays, FirstColumn first, const Array *values,
                              const Array *valueless, AttributeColumns *all);

/* Whether the value of an attribute lies within the values. */
static inline bool chaffinch_value_holds(const AttributeColumns *all, Py_ssize_t place)
{
    const int32_t *ends = all->ends + place;
    return ends[0] >= 0 && ends[0] <= ends[1] && ends[1] <= all->size;
}

/* The kernels that read those of one row and of all; see their comments. */
PyObject *chaffinch_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given);
PyObject *chaffinch_all_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given);

#endif
