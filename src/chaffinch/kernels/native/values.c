/* Values of attributes: many of the columns of page/attributes.py at once. */
#include "attributes.h"
#include "kernels.h"
#include "pages.h"
#include "wanted.h"

/* The columns in the arguments: of_row or starts, and numbers and ends, come before them. */
enum { VALUES = 3, AFTER_COLUMNS };

/* Rows by value, with those of the last value at hand: neighbours are often equal. */
typedef struct {
    PyObject *found, *rows; /* dict; list, borrowed from it, NULL at first */
    const char *value;
    Py_ssize_t length;
} ByValue;

/* See the rows of a value, a new list if need be; false with an exception. */
static bool see_value(ByValue *all, const char *value, Py_ssize_t length)
{
    if (all->rows != NULL && all->length == length &&
        memcmp(all->value, value, (size_t)length) == 0)
        return true;
    PyObject *value_text = PyUnicode_DecodeUTF8(value, length, NULL), *new = NULL;
    all->rows = value_text == NULL ? NULL : PyDict_GetItemWithError(all->found, value_text);
    if (all->rows == NULL && value_text != NULL && !PyErr_Occurred()) {
        new = PyList_New(0);
        if (new != NULL && PyDict_SetItem(all->found, value_text, new) == 0)
            all->rows = new;
    }
    all->value = value;
    all->length = length;
    Py_XDECREF(new);
    Py_XDECREF(value_text);
    return all->rows != NULL;
}

/* Add a row to those of a value; false with an exception. */
static bool add_row(ByValue *all, const char *value, Py_ssize_t length, int32_t row)
{
    PyObject *number = PyLong_FromLong(row);
    bool added = number != NULL && see_value(all, value, length) &&
                 PyList_Append(all->rows, number) == 0;
    Py_XDECREF(number);
    return added;
}

/* rows_by_value(rows, numbers, ends, values: bytes of `AttributeColumns`, number: int)
 *     -> dict[str, list[int]]: each value of the attribute with that number, "" for none, and the
 * rows that have it. Columns are checked. */
static PyObject *rows_by_value(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "BBBBn";
    Array arrays[5];
    if (!chaffinch_take("rows_by_value", args, given, KINDS, arrays))
        return NULL;
    AttributeColumns all;
    Py_ssize_t number = arrays[AFTER_COLUMNS].count;
    bool fits = chaffinch_see_attributes(arrays, BY_ATTRIBUTE, &arrays[VALUES], NULL, &all);
    PyObject *found = chaffinch_agree(fits, "rows_by_value") ? PyDict_New() : NULL;
    ByValue by_value = {.found = found};
    for (Py_ssize_t at = 0; found != NULL && at < all.count; at++) {
        if (all.numbers[at] != number)
            continue;
        const char *value = all.values + all.ends[at];
        if (!chaffinch_agree(chaffinch_value_holds(&all, at), "rows_by_value") ||
            !add_row(&by_value, value, all.ends[at + 1] - all.ends[at], all.of_row[at]))
            Py_CLEAR(found);
    }
    chaffinch_release(KINDS, arrays);
    return found;
}

/* Whether an attribute surely holds none of the words, as `is_silent`; its value holds. */
static bool attribute_lacks_words(const AttributeColumns *all, Py_ssize_t at, const Wanted *wanted)
{
    int32_t start = all->ends[at], stop = all->ends[at + 1];
    return chaffinch_is_silent(all->values + start, stop - start, all->size - start, wanted);
}

static bool holds_one(const char *value, Py_ssize_t length, const Wanted *wanted)
{
    for (Py_ssize_t at = 0; at + 1 < length; at++) {
        uint32_t may = wanted->first[(uint8_t)value[at]] & wanted->second[(uint8_t)value[at + 1]];
        for (int i = 0; may != 0; i++, may >>= 1) {
            if ((may & 1) && wanted->sizes[i] <= length - at &&
                memcmp(value + at, wanted->words[i], (size_t)wanted->sizes[i]) == 0)
                return true;
        }
    }
    return false;
}

/* Whether a row holds one of the words in one of two attributes: 1, 0, or -1 where columns don't
 * fit. */
static int row_holds(const AttributeColumns *all, Py_ssize_t row, const int32_t *attributes,
                     const Wanted *wanted)
{
    int32_t start = all->starts[row], stop = all->starts[row + 1];
    if (start < 0 || stop > all->count)
        return -1;
    for (int32_t at = start; at < stop; at++) {
        if (all->numbers[at] != attributes[0] && all->numbers[at] != attributes[1])
            continue;
        if (!chaffinch_value_holds(all, at))
            return -1;
        if (!attribute_lacks_words(all, at, wanted) &&
            holds_one(all->values + all->ends[at], all->ends[at + 1] - all->ends[at], wanted))
            return 1;
    }
    return 0;
}

/* any_contained(starts, numbers, ends, values: bytes of `AttributeColumns`, tag: uint16[n],
 *          attributes: int32[2], code: int, words: tuple[bytes, ...]) -> bool: whether a row with
 * the tag `code`, or any row where that is below 0, holds one of the words in an attribute with one
 * of the numbers. Columns are checked. */
static PyObject *any_contained(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "BBBBHinO";
    enum { TAG = AFTER_COLUMNS, ATTRIBUTES, CODE, ARRAYS };
    Array arrays[ARRAYS];
    Wanted wanted;
    if (!chaffinch_take("any_contained", args, given, KINDS, arrays))
        return NULL;
    AttributeColumns all;
    Py_ssize_t rows = arrays[TAG].count, code = arrays[CODE].count;
    bool fits = chaffinch_see_attributes(arrays, BY_ROW, &arrays[VALUES], NULL, &all) &&
                all.rows == rows && arrays[ATTRIBUTES].count == 2 &&
                chaffinch_want(args[ARRAYS], &wanted);
    const uint16_t *tag = arrays[TAG].data;
    int found = fits ? 0 : -1;
    PyThreadState *unlocked = chaffinch_unlock(all.size);
    for (Py_ssize_t row = 0; found == 0 && row < rows; row++) {
        if (code < 0 || tag[row] == code)
            found = row_holds(&all, row, arrays[ATTRIBUTES].data, &wanted);
    }
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(found >= 0, "any_contained");
    chaffinch_release(KINDS, arrays);
    return fits ? PyBool_FromLong(found) : NULL;
}

static char in_lower_case(char one)
{
    return one >= 'A' && one <= 'Z' ? (char)(one + ('a' - 'A')) : one;
}

/* Whether a value of ASCII has a word at `at`, in any case; its end counts as a line break. */
static bool has_word_at(const char *value, Py_ssize_t length, Py_ssize_t at, const Wanted *wanted,
                      int i)
{
    for (Py_ssize_t step = 0; step < wanted->sizes[i]; step++, at++) {
        char one = at < length ? in_lower_case(value[at]) : '\n';
        if (at > length || one != wanted->words[i][step])
            return false;
    }
    return true;
}

/* Whether a value may hold one of the words: it does, in any case, or isn't all ASCII. */
static bool may_contain(const char *value, Py_ssize_t length, const Wanted *wanted)
{
    uint32_t may = 0;
    bool ascii = true;
    for (Py_ssize_t at = 0; at < length && ascii; at++) {
        ascii = (uint8_t)value[at] < 0x80;
        char after = at + 1 < length ? in_lower_case(value[at + 1]) : '\n';
        may = wanted->first[(uint8_t)in_lower_case(value[at])] & wanted->second[(uint8_t)after];
        for (int i = 0; may != 0; i++, may >>= 1) {
            if ((may & 1) && has_word_at(value, length, at, wanted, i))
                return true;
        }
    }
    return !ascii;
}

/* rows_containing(rows, numbers, ends, values: bytes of `AttributeColumns`, number: int,
 *                   words: tuple[bytes, ...]) -> dict[str, list[int]]: what `rows_by_value` gives,
 * of those values only that hold one of the words (lower case, ASCII) in any case, or letters
 * beyond ASCII. A line break at the end of a word stands for the end of a value, too. Columns are
 * checked. */
static PyObject *rows_containing(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char NAME[] = "rows_containing", KINDS[] = "BBBBnO";
    Array arrays[5];
    Wanted wanted;
    if (!chaffinch_take(NAME, args, given, KINDS, arrays))
        return NULL;
    AttributeColumns all;
    Py_ssize_t number = arrays[AFTER_COLUMNS].count;
    bool fits = chaffinch_see_attributes(arrays, BY_ATTRIBUTE, &arrays[VALUES], NULL, &all) &&
                chaffinch_want(args[5], &wanted);
    PyObject *found = chaffinch_agree(fits, NAME) ? PyDict_New() : NULL;
    ByValue by_value = {.found = found};
    for (Py_ssize_t at = 0; found != NULL && at < all.count; at++) {
        if (all.numbers[at] != number)
            continue;
        bool fine = chaffinch_agree(chaffinch_value_holds(&all, at), NAME);
        if (fine && attribute_lacks_words(&all, at, &wanted))
            continue;
        const char *value = fine ? all.values + all.ends[at] : "";
        Py_ssize_t length = fine ? all.ends[at + 1] - all.ends[at] : 0;
        if (fine && may_contain(value, length, &wanted))
            fine = add_row(&by_value, value, length, all.of_row[at]);
        if (!fine)
            Py_CLEAR(found);
    }
    chaffinch_release(KINDS, arrays);
    return found;
}

/* Append an object, which is released, to a list. */
static bool append(PyObject *list, PyObject *one)
{
    bool added = one != NULL && PyList_Append(list, one) == 0;
    Py_XDECREF(one);
    return added;
}

/* having(rows, numbers, ends, values, valueless: bytes of `AttributeColumns`, among: bool[n],
 *        number: int) -> (list[int], list[str | None]): the rows that have the attribute with that
 * number, and its value in each; only rows marked in `among`, or all where that is empty. Columns
 * are checked. */
static PyObject *having(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    enum { VALUELESS = AFTER_COLUMNS, AMONG, NUMBER, ARRAYS };
    static const char KINDS[] = "BBBBB*n";
    Array arrays[ARRAYS];
    if (!chaffinch_take("having", args, given, KINDS, arrays))
        return NULL;
    AttributeColumns all;
    Py_ssize_t number = arrays[NUMBER].count;
    bool fits = chaffinch_see_attributes(arrays, BY_ATTRIBUTE, &arrays[VALUES], &arrays[VALUELESS],
                                         &all) &&
                (arrays[AMONG].letter == '?' || arrays[AMONG].count == 0);
    PyObject *found = chaffinch_agree(fits, "having") ? PyList_New(0) : NULL;
    PyObject *value_text = found != NULL ? PyList_New(0) : NULL;
    const uint8_t *among = arrays[AMONG].data;
    Py_ssize_t most = arrays[AMONG].count;
    bool fine = value_text != NULL;
    for (Py_ssize_t at = 0; fine && at < all.count; at++) {
        if (all.numbers[at] != number)
            continue;
        int32_t row = all.of_row[at];
        fine = chaffinch_value_holds(&all, at) && row >= 0 && (most == 0 || row < most);
        if (!chaffinch_agree(fine, "having") || (most > 0 && !among[row]))
            continue;
        const char *value = all.values + all.ends[at];
        Py_ssize_t length = all.ends[at + 1] - all.ends[at];
        fine = append(found, PyLong_FromLong(row)) &&
               append(value_text, all.valueless[at] ? Py_NewRef(Py_None)
                                              : PyUnicode_DecodeUTF8(value, length, NULL));
    }
    chaffinch_release(KINDS, arrays);
    PyObject *both = fine ? PyTuple_Pack(2, found, value_text) : NULL;
    Py_XDECREF(found);
    Py_XDECREF(value_text);
    return both;
}

/* The value of one of a row's attributes, "" where it has none, None where the row doesn't have it;
 * NULL with an exception. */
static PyObject *value_in(const AttributeColumns *all, int32_t row, int32_t number)
{
    int32_t at = all->starts[row], stop = all->starts[row + 1];
    if (!chaffinch_agree(at >= 0 && stop <= all->count, "values_of"))
        return NULL;
    while (at < stop && all->numbers[at] != number)
        at++;
    if (at >= stop)
        return Py_NewRef(Py_None);
    if (!chaffinch_agree(chaffinch_value_holds(all, at), "values_of"))
        return NULL;
    const char *value = all->values + all->ends[at];
    return PyUnicode_DecodeUTF8(value, all->ends[at + 1] - all->ends[at], NULL);
}

/* values_of(starts, numbers, ends, values: bytes of `AttributeColumns`, rows: int32[r],
 *           wanted: int32[w]) -> list[tuple[str | None, ...]]: for each of the rows the values of
 * the attributes with these numbers, as `value_in`. Columns and rows are checked. */
static PyObject *values_of(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    enum { ROWS = AFTER_COLUMNS, NUMBERS, ARRAYS };
    static const char KINDS[] = "BBBBii";
    Array arrays[ARRAYS];
    if (!chaffinch_take("values_of", args, given, KINDS, arrays))
        return NULL;
    AttributeColumns all;
    const int32_t *rows = arrays[ROWS].data, *numbers = arrays[NUMBERS].data;
    Py_ssize_t count = arrays[ROWS].count, width = arrays[NUMBERS].count;
    bool fits = chaffinch_see_attributes(arrays, BY_ROW, &arrays[VALUES], NULL, &all) &&
                all_below(rows, count, all.rows);
    PyObject *found = chaffinch_agree(fits, "values_of") ? PyList_New(count) : NULL;
    for (Py_ssize_t i = 0; found != NULL && i < count; i++) {
        PyObject *own = PyTuple_New(width);
        for (Py_ssize_t k = 0; own != NULL && k < width; k++) {
            PyObject *value = value_in(&all, rows[i], numbers[k]);
            if (value == NULL)
                Py_CLEAR(own);
            else
                PyTuple_SET_ITEM(own, k, value);
        }
        if (own == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, own);
    }
    chaffinch_release(KINDS, arrays);
    return found;
}

PyMethodDef chaffinch_values[] = {
    {"having", (PyCFunction)(void (*)(void))having, METH_FASTCALL, NULL},
    {"rows_containing", (PyCFunction)(void (*)(void))rows_containing, METH_FASTCALL, NULL},
    {"rows_by_value", (PyCFunction)(void (*)(void))rows_by_value, METH_FASTCALL, NULL},
    {"any_contained", (PyCFunction)(void (*)(void))any_contained, METH_FASTCALL, NULL},
    {"values_of", (PyCFunction)(void (*)(void))values_of, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
