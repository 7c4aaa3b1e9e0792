/* Characters that aren't white space. */
#include "kernels.h"

/* White space is what str.isspace calls so; none lies above U+3000. */
static inline bool is_space(Py_UCS4 c)
{
    if (c < 0x80)
        return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
    return c <= 0x3000 && Py_UNICODE_ISSPACE(c);
}

/* written_places(text: str, out: intp[len(text)]) -> int: where the characters stand that aren't
 * white space; how many there are. */
static PyObject *written_places(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array out;
    if (given != 2 || !PyUnicode_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "written_places wants a str and an array");
        return NULL;
    }
    if (!chaffinch_take(args + 1, 1, "Q", &out))
        return NULL;
    Py_ssize_t count = PyUnicode_GET_LENGTH(args[0]), found = -1;
    if (chaffinch_agree(out.count >= count, "written_places")) {
        int64_t *places = out.data;
        found = 0;
        int kind = PyUnicode_KIND(args[0]);
        const void *text = PyUnicode_DATA(args[0]);
        for (Py_ssize_t i = 0; i < count; i++) {
            places[found] = i;
            found += !is_space(PyUnicode_READ(kind, text, i));
        }
    }
    chaffinch_release("Q", &out);
    return found < 0 ? NULL : PyLong_FromSsize_t(found);
}

PyMethodDef chaffinch_lengths[] = {
    {"written_places", (PyCFunction)(void (*)(void))written_places, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
