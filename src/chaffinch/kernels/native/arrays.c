#include "arrays.h"

static Py_ssize_t item_size(char kind)
{
    switch (kind | 0x20) {
    case 'b': return 1;
    case 'h': return 2;
    case 'i': return 4;
    default: return 8;
    }
}

bool chaffinch_take(PyObject *const *args, Py_ssize_t given, const char *kinds, Array *arrays)
{
    Py_ssize_t wanted = (Py_ssize_t)strlen(kinds);
    if (given < wanted) {
        PyErr_Format(PyExc_TypeError, "%zd arguments, at least %zd wanted", given, wanted);
        return false;
    }
    for (Py_ssize_t i = 0; i < wanted; i++) {
        int flags = (kinds[i] & 0x20) ? PyBUF_SIMPLE : PyBUF_WRITABLE;
        Py_ssize_t size = item_size(kinds[i]);
        bool taken = PyObject_GetBuffer(args[i], &arrays[i].view, flags) == 0;
        if (taken && arrays[i].view.itemsize == size) {
            arrays[i].data = arrays[i].view.buf;
            arrays[i].count = arrays[i].view.len / size;
            continue;
        }
        if (taken) {
            PyErr_Format(PyExc_TypeError, "argument %zd has items of %zd bytes, not %zd", i,
                         arrays[i].view.itemsize, size);
            PyBuffer_Release(&arrays[i].view);
        }
        while (i-- > 0)
            PyBuffer_Release(&arrays[i].view);
        return false;
    }
    return true;
}

void chaffinch_release(const char *kinds, Array *arrays)
{
    for (Py_ssize_t i = 0; kinds[i] != 0; i++)
        PyBuffer_Release(&arrays[i].view);
}

bool chaffinch_agree(bool holds, const char *kernel)
{
    if (!holds)
        PyErr_Format(PyExc_TypeError, "%s: arrays that don't fit each other", kernel);
    return holds;
}
