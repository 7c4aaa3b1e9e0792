/* Where the head says what a page is: the kernels of model/head_signals.py. */
#include "kernels.h"

typedef struct {
    const int32_t *starts, *numbers, *ends; /* [n + 1], [a], [a + 1] */
    const uint8_t *valueless, *values;
    Py_ssize_t rows, attributes, size;
} Columns;

enum { TAG, STARTS, NUMBERS, ENDS, VALUELESS, VALUES, CODE, PROPERTY, NAME, CONTENT, ARRAYS };
static const char ARRAY_KINDS[] = "HBBBBBnnnnO";

/* See the columns of page/attributes.py in the arguments: false if they don't fit each other. */
static bool see_columns(const Array *arrays, Columns *all)
{
    Py_ssize_t item = sizeof(int32_t);
    *all = (Columns){
        arrays[STARTS].data, arrays[NUMBERS].data, arrays[ENDS].data, arrays[VALUELESS].data,
        arrays[VALUES].data, arrays[TAG].count, arrays[VALUELESS].count, arrays[VALUES].count,
    };
    return arrays[STARTS].count == (all->rows + 1) * item &&
           arrays[NUMBERS].count == all->attributes * item &&
           arrays[ENDS].count == (all->attributes + 1) * item;
}

/* The place of an attribute of `row` that isn't empty; -1 where there is none. */
static int32_t place_of(const Columns *all, Py_ssize_t row, int32_t number)
{
    int32_t start = all->starts[row], stop = all->starts[row + 1];
    if (start < 0 || stop > all->attributes)
        return -1;
    for (int32_t at = start; at < stop; at++) {
        if (all->numbers[at] == number && !all->valueless[at])
            return all->ends[at] < all->ends[at + 1] ? at : -1;
    }
    return -1;
}

/* Whether the value at a place is a word in lower case, whatever its own case. */
static bool is_word(const Columns *all, int32_t at, const char *word, Py_ssize_t length)
{
    int32_t start = all->ends[at], stop = all->ends[at + 1];
    if (start < 0 || stop > all->size || stop - start != length)
        return false;
    for (Py_ssize_t i = 0; i < length; i++) {
        uint8_t letter = all->values[start + i];
        if ((letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter) != (uint8_t)word[i])
            return false;
    }
    return true;
}

/* The wanted name that stands at a place, borrowed; NULL if none does, or with an exception set. */
static PyObject *name_at(const Columns *all, int32_t at, PyObject *wanted)
{
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(wanted); k++) {
        Py_ssize_t length;
        const char *word = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(wanted, k), &length);
        if (word == NULL || is_word(all, at, word, length))
            return word == NULL ? NULL : PyTuple_GET_ITEM(wanted, k);
    }
    return NULL;
}

static PyObject *text_at(const Columns *all, int32_t at)
{
    int32_t start = at < 0 ? 0 : all->ends[at], stop = at < 0 ? 0 : all->ends[at + 1];
    if (!chaffinch_agree(start >= 0 && start <= stop && stop <= all->size, "named_contents"))
        return NULL;
    return PyUnicode_DecodeUTF8((const char *)all->values + start, stop - start, NULL);
}

/* Put the content of a row under its name, if that is a wanted one not seen yet. */
static void note(const Columns *all, Py_ssize_t row, const Array *arrays, PyObject *wanted,
                 PyObject *found)
{
    int32_t at = place_of(all, row, (int32_t)arrays[PROPERTY].count);
    at = at < 0 ? place_of(all, row, (int32_t)arrays[NAME].count) : at;
    PyObject *name = at < 0 ? NULL : name_at(all, at, wanted);
    if (name == NULL || PyDict_Contains(found, name) != 0)
        return;
    PyObject *text = text_at(all, place_of(all, row, (int32_t)arrays[CONTENT].count));
    if (text != NULL)
        PyDict_SetItem(found, name, text);
    Py_XDECREF(text);
}

/* named_contents(tag: uint16[n], starts, numbers, ends, valueless, values: bytes of
 * `AttributeColumns`, code, property, name, content: int, wanted: tuple of str) -> dict[str, str]:
 * the content of the first row with the tag `code` that bears each of the wanted names.
 *
 * A row bears the value of the attribute with number `property` or, if that is empty, of `name`, in
 * lower case. Only ASCII is lowered: no other letter but the Kelvin sign has one of ASCII for its
 * lower case, so that no wanted name may have a k. */
static PyObject *named_contents(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array arrays[ARRAYS];
    if (!chaffinch_take("named_contents", args, given, ARRAY_KINDS, arrays))
        return NULL;
    Columns all;
    const uint16_t *tag = arrays[TAG].data;
    PyObject *wanted = args[given - 1], *found = NULL;
    bool fits = see_columns(arrays, &all) && PyTuple_Check(wanted);
    if (chaffinch_agree(fits, "named_contents"))
        found = PyDict_New();
    for (Py_ssize_t row = 0; found != NULL && row < all.rows; row++) {
        if (tag[row] != arrays[CODE].count)
            continue;
        note(&all, row, arrays, wanted, found);
        if (PyErr_Occurred())
            Py_CLEAR(found);
        else if (PyDict_GET_SIZE(found) == PyTuple_GET_SIZE(wanted))
            break;
    }
    chaffinch_release(ARRAY_KINDS, arrays);
    return found;
}

/* first_outside(tag: uint16[n], end: int32[n], code: int, around: int) -> int: the first row with
 * the tag `code` that stands in no row with the tag `around`; -1 if there is none. */
static PyObject *first_outside(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array arrays[4];
    if (!chaffinch_take("first_outside", args, given, "Hinn", arrays))
        return NULL;
    Py_ssize_t code = arrays[2].count, around = arrays[3].count;
    const uint16_t *tag = arrays[0].data;
    const int32_t *end = arrays[1].data;
    Py_ssize_t count = arrays[0].count, row = 0;
    bool done = chaffinch_agree(arrays[1].count == count, "first_outside");
    while (done && row < count && tag[row] != code)
        row = tag[row] == around && end[row] > row ? end[row] : row + 1;
    chaffinch_release("Hinn", arrays);
    return done ? PyLong_FromSsize_t(row < count ? row : -1) : NULL;
}

PyMethodDef chaffinch_head[] = {
    {"named_contents", (PyCFunction)(void (*)(void))named_contents, METH_FASTCALL, NULL},
    {"first_outside", (PyCFunction)(void (*)(void))first_outside, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
