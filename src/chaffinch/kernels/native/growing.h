/* Columns whose length isn't known beforehand, and text in UTF-8. */
#ifndef CHAFFINCH_GROWING_H
#define CHAFFINCH_GROWING_H

#include "arrays.h"

typedef struct {
    char *data;
    Py_ssize_t used, room; /* bytes */
} Growing;

/* Make room for `more` bytes; false, with nothing changed and no exception, where there is none. */
bool chaffinch_grow(Growing *column, Py_ssize_t more);

void chaffinch_free(Growing *column);

/* The column as bytes; NULL with an exception. */
PyObject *chaffinch_bytes(const Growing *column);

static inline bool chaffinch_append(Growing *column, const void *data, Py_ssize_t size)
{
    if (size > column->room - column->used && !chaffinch_grow(column, size))
        return false;
    if (size > 0)
        memcpy(column->data + column->used, data, (size_t)size);
    column->used += size;
    return true;
}

static inline bool chaffinch_append_int(Growing *column, int32_t value)
{
    return chaffinch_append(column, &value, sizeof value);
}

static inline int32_t *chaffinch_ints(const Growing *column)
{
    return (int32_t *)(void *)column->data;
}

/* How many code points `data` has; -1 where it isn't UTF-8 as Python's strict decoder wants it. */
Py_ssize_t chaffinch_letters(const unsigned char *data, Py_ssize_t size);

/* Whether `word` stands in `data`. */
bool chaffinch_holds(const unsigned char *data, size_t length, const char *word);

/* The same in any case of ASCII; `word` is in lower case. */
bool chaffinch_says(const unsigned char *data, size_t length, const char *word);

#endif
