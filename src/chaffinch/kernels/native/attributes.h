/* The attributes of a page in columns, as AttributeColumns of chaffinch/page/attributes.py has them. */
#ifndef CHAFFINCH_ATTRIBUTES_H
#define CHAFFINCH_ATTRIBUTES_H

#include "kernels.h"

/* A kernel may be given only some: the first four are always there, others NULL where they aren't. */
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
 * and, unless it is NULL, valueless. False where they don't fit each other. What the numbers in them
 * mean isn't checked. */
bool chaffinch_see_attributes(const Array *arrays, FirstColumn first, const Array *values,
                              const Array *valueless, AttributeColumns *all);

/* A value in UTF-8; `at` is NULL where an attribute is absent or has none. */
typedef struct {
    const uint8_t *at;
    Py_ssize_t size;
} Value;

/* See the value of an attribute, as if it had one; false where it doesn't lie within the values. */
static inline bool chaffinch_see_value(const AttributeColumns *all, Py_ssize_t place, Value *value)
{
    const int32_t *ends = all->ends + place;
    *value = (Value){(const uint8_t *)all->values + ends[0], ends[1] - ends[0]};
    return ends[0] >= 0 && ends[0] <= ends[1] && ends[1] <= all->size;
}

static inline PyObject *chaffinch_str(Value value)
{
    return PyUnicode_DecodeUTF8((const char *)value.at, value.size, NULL);
}

#endif
