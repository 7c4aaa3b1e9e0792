/* Whether anything kept is told again: the kernel of decision/repeated_passages.py. */
#include "kernels.h"

enum { LENGTHS = 1 << 12 };

enum { WRITTEN_AT, WRITTEN_BEFORE, FIRST_ROW, LAST_ROW, KEEP, LEAST, ARRAYS };
static const char ARRAY_KINDS[] = "Uqqii?n";

static bool arrays_agree(const Array *arrays)
{
    const int64_t *before = arrays[WRITTEN_BEFORE].data;
    const int32_t *first = arrays[FIRST_ROW].data, *last = arrays[LAST_ROW].data;
    Py_ssize_t rows = arrays[WRITTEN_BEFORE].count, written = arrays[WRITTEN_AT].count;
    if (arrays[LAST_ROW].count != arrays[FIRST_ROW].count ||
        arrays[KEEP].count != arrays[FIRST_ROW].count)
        return false;
    for (Py_ssize_t b = 0; b < arrays[FIRST_ROW].count; b++) {
        if (first[b] < 0 || last[b] < first[b] || last[b] >= rows || before[first[b]] < 0 ||
            before[last[b]] < before[first[b]] || before[last[b]] > written)
            return false;
    }
    return true;
}

/* Put the text between two of the written characters into a set: 1 if it is there already, 0 if
 * not, -1 with an exception set. */
static int told_before(PyObject *told, PyObject *text, int64_t start, int64_t stop)
{
    Py_ssize_t known = PySet_GET_SIZE(told);
    PyObject *part = PyUnicode_Substring(text, start, stop);
    if (part == NULL)
        return -1;
    int failed = PySet_Add(told, part);
    Py_DECREF(part);
    return failed < 0 ? -1 : PySet_GET_SIZE(told) == known;
}

/* Look at the texts of those blocks only whose lengths others have, too, or lengths like them. */
static int any_again(PyObject *text, const Array *arrays, int64_t least, PyObject *told)
{
    const int64_t *at = arrays[WRITTEN_AT].data, *before = arrays[WRITTEN_BEFORE].data;
    const int32_t *first = arrays[FIRST_ROW].data, *last = arrays[LAST_ROW].data;
    const uint8_t *keep = arrays[KEEP].data;
    uint8_t times[LENGTHS] = {0};
    for (Py_ssize_t b = 0; b < arrays[KEEP].count; b++) {
        int64_t length = before[last[b]] - before[first[b]];
        uint8_t *found = times + length % LENGTHS;
        *found += keep[b] && length >= least && *found < 2;
    }
    int again = 0;
    for (Py_ssize_t b = 0; b < arrays[KEEP].count && again == 0; b++) {
        int64_t begins = before[first[b]], ends = before[last[b]];
        if (keep[b] && ends - begins >= least && times[(ends - begins) % LENGTHS] > 1)
            again = told_before(told, text, at[begins], at[ends - 1] + 1);
    }
    return again;
}

/* any_told_again(text: str, written_at: intp[w], written_before: intp[n + 1], first: int32[m],
 * last: int32[m], keep: bool[m], least: int, at least 1) -> bool: whether two kept blocks with at
 * least so many written characters have the same text. That blocks lie in the page is checked. */
static PyObject *any_told_again(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array arrays[ARRAYS];
    if (!chaffinch_take("any_told_again", args, given, ARRAY_KINDS, arrays))
        return NULL;
    int64_t least = arrays[LEAST].count;
    int again = -1;
    PyObject *told = PySet_New(NULL);
    if (told != NULL && chaffinch_agree(least > 0 && arrays_agree(arrays), "any_told_again"))
        again = any_again(args[0], arrays, least, told);
    Py_XDECREF(told);
    chaffinch_release(ARRAY_KINDS, arrays);
    return again < 0 ? NULL : PyBool_FromLong(again);
}

PyMethodDef chaffinch_repeats[] = {
    {"any_told_again", (PyCFunction)(void (*)(void))any_told_again, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
