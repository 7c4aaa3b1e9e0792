/* Columns that follow from tags and shape: what stands in or around marked rows, lines. */
#include "kernels.h"

/* inside(end: int32[n], rows: bool[n], out: bool[n]) -> None: the marked rows and all their
 * descendants. */
static PyObject *inside(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[3];
    if (!chaffinch_take("inside", args, given, "i?|?", a))
        return NULL;
    Py_ssize_t count = a[0].count;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count, "inside");
    if (fits) {
        const int32_t *end = a[0].data;
        const uint8_t *rows = a[1].data;
        uint8_t *out = a[2].data;
        int32_t reach = 0;
        PyThreadState *unlocked = chaffinch_unlock(count);
        for (Py_ssize_t row = 0; row < count; row++) {
            int32_t own = rows[row] ? end[row] : 0;
            reach = own > reach ? own : reach;
            out[row] = reach > row;
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release("i?|?", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* inside_tags(tag: uint16[n], end: int32[n], kinds: bool[k], out: bool[n]) -> None: the rows whose
 * tag `kinds` marks, and all their descendants. */
static PyObject *inside_tags(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[4];
    if (!chaffinch_take("inside_tags", args, given, "Hi?|?", a))
        return NULL;
    Py_ssize_t count = a[0].count;
    bool fits = chaffinch_agree(a[1].count == count && a[3].count == count, "inside_tags");
    if (fits) {
        const int32_t *end = a[1].data;
        uint8_t *out = a[3].data;
        int32_t reach = 0;
        PyThreadState *unlocked = chaffinch_unlock(count);
        for (Py_ssize_t row = 0; row < count; row++) {
            int32_t own = chaffinch_kind(&a[0], &a[2], row) ? end[row] : 0;
            reach = own > reach ? own : reach;
            out[row] = reach > row;
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release("Hi?|?", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* around(end: int32[n], rows: bool[n], out: bool[n]) -> None: the marked rows and all their
 * ancestors. */
static PyObject *around(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[3];
    if (!chaffinch_take("around", args, given, "i?|?", a))
        return NULL;
    Py_ssize_t count = a[0].count;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count, "around");
    if (fits) {
        const int32_t *end = a[0].data;
        const uint8_t *rows = a[1].data;
        uint8_t *out = a[2].data;
        Py_ssize_t next = INT32_MAX; /* the first marked row from here on */
        PyThreadState *unlocked = chaffinch_unlock(count);
        for (Py_ssize_t row = count - 1; row >= 0; row--) {
            next = rows[row] ? row : next;
            out[row] = next < end[row];
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release("i?|?", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

enum { STARTS = 1, BREAKS = 2 };

/* Write 1 to `line` where a line starts, 0 elsewhere; false where a tag or an end is no such. */
static bool mark_starts(const uint16_t *tag, const int32_t *end, Py_ssize_t count,
                        const Array *kinds, int32_t *line)
{
    const uint8_t *kind_of = kinds->data;
    memset(line, 0, (size_t)count * sizeof *line);
    for (Py_ssize_t row = 0; row < count; row++) {
        if (tag[row] >= kinds->count || end[row] <= row || end[row] > count)
            return false;
        uint8_t kind = kind_of[tag[row]];
        if (kind == 0)
            continue;
        line[row] = 1;
        if ((kind & BREAKS) && row + 1 < count)
            line[row + 1] = 1;
        if ((kind & STARTS) && end[row] < count)
            line[end[row]] = 1;
    }
    return true;
}

/* line_ids(tag: uint16[n], end: int32[n], kinds: uint8[tags], line: int32[n]) -> None
 *
 * The number of the line of each row; kinds: 1 for blocks, 2 for breaks. Tags and ends are
 * checked. */
static PyObject *line_ids(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[4];
    if (!chaffinch_take("line_ids", args, given, "HiB|i", a))
        return NULL;
    Py_ssize_t count = a[0].count;
    int32_t *line = a[3].data;
    bool fits = a[1].count == count && a[3].count == count;
    PyThreadState *unlocked = chaffinch_unlock(count);
    fits = fits && mark_starts(a[0].data, a[1].data, count, &a[2], line);
    for (Py_ssize_t row = 1; fits && row < count; row++)
        line[row] += line[row - 1];
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, "line_ids");
    chaffinch_release("HiB|i", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_columns[] = {
    {"inside", (PyCFunction)(void (*)(void))inside, METH_FASTCALL, NULL},
    {"inside_tags", (PyCFunction)(void (*)(void))inside_tags, METH_FASTCALL, NULL},
    {"around", (PyCFunction)(void (*)(void))around, METH_FASTCALL, NULL},
    {"line_ids", (PyCFunction)(void (*)(void))line_ids, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
