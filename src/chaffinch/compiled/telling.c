/* Which names of elements may tell what an element is for: the others needn't be looked at. */
#include "kernels.h"

#define MOST_STEMS 31

/* Words in lower case of two letters at least, and which have each byte as their first or second. */
typedef struct {
    int count;
    const char *text[MOST_STEMS];
    Py_ssize_t length[MOST_STEMS];
    uint32_t having[2][256];
} Stems;

static bool read_stems(PyObject *given, Stems *stems)
{
    memset(stems->having, 0, sizeof stems->having);
    stems->count = 0;
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) > MOST_STEMS) {
        PyErr_SetString(PyExc_TypeError, "stems are a tuple of a few");
        return false;
    }
    for (int i = 0; i < (int)PyTuple_GET_SIZE(given); i++) {
        PyObject *stem = PyTuple_GET_ITEM(given, i);
        if (!PyUnicode_Check(stem) || !PyUnicode_IS_ASCII(stem) || PyUnicode_GET_LENGTH(stem) < 2) {
            PyErr_SetString(PyExc_TypeError, "a stem is an ASCII string of two letters at least");
            return false;
        }
        stems->text[i] = (const char *)PyUnicode_1BYTE_DATA(stem);
        stems->length[i] = PyUnicode_GET_LENGTH(stem);
        for (int at = 0; at < 2; at++)
            stems->having[at][(unsigned char)stems->text[i][at]] |= (uint32_t)1 << i;
        stems->count++;
    }
    return true;
}

static inline unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static bool starts_with(const unsigned char *text, const char *stem, Py_ssize_t length)
{
    Py_ssize_t i = 0;
    while (i < length && lower(text[i]) == (unsigned char)stem[i])
        i++;
    return i == length;
}

/* Names beyond ASCII may hold any stem: their cases are for others to fold. */
static bool may_hold(PyObject *name, const Stems *stems)
{
    if (!PyUnicode_Check(name))
        return false;
    if (!PyUnicode_IS_ASCII(name))
        return true;
    const unsigned char *text = PyUnicode_1BYTE_DATA(name);
    Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    for (Py_ssize_t at = 0; at + 1 < length; at++) {
        uint32_t some = stems->having[0][lower(text[at])] & stems->having[1][lower(text[at + 1])];
        for (int i = 0; some >> i; i++)
            if ((some >> i & 1) && stems->length[i] <= length - at &&
                starts_with(text + at, stems->text[i], stems->length[i]))
                return true;
    }
    return false;
}

/* sets_telling(sets: list of tuples of str or None, stems: tuple of str in lower case) -> list: the
 * numbers of the sets with a third name, which is their role, or whose first name, their class, may
 * hold a stem in any case. */
static PyObject *sets_telling(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Stems stems;
    if (given != 2 || !PyList_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "sets_telling wants a list and a tuple of stems");
        return NULL;
    }
    PyObject *found = read_stems(args[1], &stems) ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *names = PyList_GET_ITEM(args[0], i);
        Py_ssize_t size = PyTuple_Check(names) ? PyTuple_GET_SIZE(names) : 0;
        bool tells = (size > 2 && PyTuple_GET_ITEM(names, 2) != Py_None) ||
                     (size > 0 && may_hold(PyTuple_GET_ITEM(names, 0), &stems));
        if (!tells)
            continue;
        PyObject *number = PyLong_FromSsize_t(i);
        if (number == NULL || PyList_Append(found, number) < 0)
            Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

PyMethodDef chaffinch_telling[] = {
    {"sets_telling", (PyCFunction)(void (*)(void))sets_telling, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
