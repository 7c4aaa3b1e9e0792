/* Columns that follow from the shape of a page: what stands in or around marked rows. */
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

PyMethodDef chaffinch_columns[] = {
    {"inside", (PyCFunction)(void (*)(void))inside, METH_FASTCALL, NULL},
    {"around", (PyCFunction)(void (*)(void))around, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
