/* How kernels take numpy's arrays: as contiguous buffers of a known size of item, nothing else.
 *
 * A kernel checks its arrays' lengths against each other before it reads (`chaffinch_agree`); what
 * the numbers in them mean is its caller's promise unless its comment says that they are checked.
 */
#ifndef CHAFFINCH_ARRAYS_H
#define CHAFFINCH_ARRAYS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    void *data;
    Py_ssize_t count; /* items */
    Py_buffer view;
} Array;

/* Fill `arrays` from the first arguments, one for each letter of `kinds`: b 1 byte, h 2, i 4, q 8;
 * a capital is written to. Returns false with an exception set, and nothing left to release. */
bool chaffinch_take(PyObject *const *args, Py_ssize_t given, const char *kinds, Array *arrays);

/* Release the arrays of `chaffinch_take`. */
void chaffinch_release(const char *kinds, Array *arrays);

/* Set an exception where `holds` is false: arrays of one call that don't fit each other. */
bool chaffinch_agree(bool holds, const char *kernel);

/* What a table by code of tag, of bytes, says of the tag of `row`; 0 for codes beyond it. */
static inline uint8_t chaffinch_kind(const Array *tag, const Array *table, Py_ssize_t row)
{
    uint16_t code = ((const uint16_t *)tag->data)[row];
    return code < table->count ? ((const uint8_t *)table->data)[code] : 0;
}

#endif
