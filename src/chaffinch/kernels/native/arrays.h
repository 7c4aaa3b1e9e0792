/* How kernels take their arguments: numpy's arrays as contiguous buffers of one type, and objects.
 *
 * A kernel names the types of its arguments in one string, a letter for each as in Python's module
 * `struct`:
 *
 *     ? bool   b int8   B uint8   h int16   H uint16   i int32   I uint32   q int64   Q uint64
 *     f float32   d float64   * any of these, which `Array.letter` then names
 *     n an int, which `Array.count` then holds, or the nearest that it can hold
 *     U a str   O any object; these two have no Array
 *
 * Arrays behind a bar are written to, up to a second bar if there is one: "i?|i" reads int32 and
 * bool, and writes int32. Types are compared by kind and size, so that C's long and long long are
 * one where both have 64 bits. `bytes` are uint8.
 *
 * Lengths a kernel checks against each other before it reads (`chaffinch_agree`); what the numbers
 * in arrays mean is its caller's promise unless its comment states that they are checked. No other
 * thread may change an array meanwhile: that is its caller's promise, too.
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
    char letter;      /* of the type */
    Py_buffer view;
} Array;

/* Fill `arrays` from as many arguments as `kinds` has letters, all that are given. Returns false
 * with a TypeError set, and nothing left to release: where there are more arguments or fewer, and
 * where one isn't of its type, isn't contiguous and aligned, or can't be written to. */
bool chaffinch_take(const char *kernel, PyObject *const *args, Py_ssize_t given, const char *kinds,
                    Array *arrays);

/* Release the arrays of `chaffinch_take`. */
void chaffinch_release(const char *kinds, Array *arrays);

/* Set an exception where `holds` is false: arrays of one call that don't fit each other. */
bool chaffinch_agree(bool holds, const char *kernel);

/* From so many items on a loop runs without the interpreter's lock. They take some 100 us, a
 * thousand times of what it takes to give the lock back and to get it where nobody else wants it;
 * where others do, getting it may take milliseconds. */
enum { LONG_LOOP = 1 << 16 };

/* Give the lock back before a loop over `items` that touches no object but to read a string or
 * bytes, if they are many: else NULL. `chaffinch_lock` takes it again. */
static inline PyThreadState *chaffinch_unlock(Py_ssize_t items)
{
    return items < LONG_LOOP ? NULL : PyEval_SaveThread();
}

static inline void chaffinch_lock(PyThreadState *unlocked)
{
    if (unlocked != NULL)
        PyEval_RestoreThread(unlocked);
}

/* What a table by code of tag, of bytes, holds for the tag of `row`; 0 for codes beyond it. */
static inline uint8_t chaffinch_kind(const Array *tag, const Array *table, Py_ssize_t row)
{
    uint16_t code = ((const uint16_t *)tag->data)[row];
    return code < table->count ? ((const uint8_t *)table->data)[code] : 0;
}

#endif
