/* Which blocks stand in which parts of the page, and what tells a part: its tag, its names. */
#include "kernels.h"

enum { LIST = 1, ITEM = 2, CODE = 4 }; /* kinds of tags, of whole_parts */

static bool is_simple(const Array *tag, const Array *kinds, Py_ssize_t row, Py_ssize_t stop,
                      Py_ssize_t blocks, Py_ssize_t most)
{
    if (!(chaffinch_kind(tag, kinds, row) & LIST))
        return true;
    Py_ssize_t items = 0;
    for (; row < stop; row++)
        items += (chaffinch_kind(tag, kinds, row) & ITEM) != 0;
    return blocks <= most * items;
}

static void number_parts(const Array *a, bool lists, Py_ssize_t most)
{
    const Array *tag = &a[0], *tables = &a[2], *first = &a[3], *kinds = &a[4];
    const int32_t *end = a[1].data, *table = tables->data, *starts = first->data;
    int32_t *out = a[5].data, number = 0;
    for (Py_ssize_t i = 0; i < a[5].count; i++)
        out[i] = -1;
    Py_ssize_t block = 0, next = 0;
    for (Py_ssize_t row = 0; row < tag->count; row++) {
        while (next < tables->count && table[next] < row)
            next++;
        bool whole = next < tables->count && table[next] == row;
        if (!whole && !(chaffinch_kind(tag, kinds, row) & (lists ? LIST | CODE : CODE)))
            continue;
        Py_ssize_t stop = end[row] < tag->count ? end[row] : tag->count, begin;
        while (block < first->count && starts[block] < row)
            block++;
        for (begin = block; block < first->count && starts[block] < stop;)
            block++;
        if (block > begin && is_simple(tag, kinds, row, stop, block - begin, most)) {
            for (Py_ssize_t i = begin; i < block; i++)
                out[i] = number;
            number++;
        }
        if (stop > row)
            row = stop - 1; /* what stands in a part belongs to it */
    }
}

/* whole_parts(tag: uint16[n], end: int32[n], tables: int32[t], first: int32[m], kinds: uint8[k],
 * out: int32[m], lists: bool, most: int) -> None: the number of the outermost list, data table or
 * code around each block, -1 for none; lists with more than `most` blocks an item are none. */
static PyObject *whole_parts(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "HiiiB|inn";
    Array a[8];
    if (!chaffinch_take("whole_parts", args, given, kinds, a))
        return NULL;
    Py_ssize_t most = a[7].count;
    bool fits = chaffinch_agree(a[1].count == a[0].count && a[5].count == a[3].count && most >= 0 &&
                                    most < INT32_MAX, "whole_parts");
    if (fits)
        number_parts(a, a[6].count != 0, most);
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* blocks_inside(tag: uint16[n], end: int32[n], first: int32[m], kinds: bool[k], of_row: int32[n] or
 * [0], named: bool[s], out: bool[m]) -> int: which blocks begin in elements whose tag `kinds` marks
 * or whose set of names `named` marks; how many do. */
static PyObject *blocks_inside(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hii?i?|?";
    Array a[7];
    if (!chaffinch_take("blocks_inside", args, given, kinds, a))
        return NULL;
    Py_ssize_t rows = a[0].count, blocks = a[2].count, inside = -1;
    const int32_t *end = a[1].data, *first = a[2].data, *of_row = a[4].data;
    const uint8_t *named = a[5].data;
    uint8_t *out = a[6].data;
    bool by_name = a[4].count > 0;
    if (chaffinch_agree(a[1].count == rows && (!by_name || a[4].count == rows) &&
                            a[6].count == blocks,
                        "blocks_inside")) {
        Py_ssize_t row = 0, reach = 0;
        inside = 0;
        for (Py_ssize_t i = 0; i < blocks; i++) {
            for (; row < rows && row <= first[i]; row++) {
                bool marks = chaffinch_kind(&a[0], &a[3], row) ||
                             (by_name && of_row[row] >= 0 && of_row[row] < a[5].count &&
                              named[of_row[row]]);
                if (marks && end[row] > reach)
                    reach = end[row];
            }
            out[i] = first[i] < reach;
            inside += out[i];
        }
    }
    chaffinch_release(kinds, a);
    return inside < 0 ? NULL : PyLong_FromSsize_t(inside);
}

/* link_lines(written_before: intp[n + 1], in_link: bool[n], first: int32[m], last: int32[m],
 * out: bool[m], linked: float) -> int: of the blocks that `out` marks, leave those marked whose
 * characters stand in links by a share of more than `linked`; how many are left. Rows are
 * checked. */
static PyObject *link_lines(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "q?ii|?O";
    Array a[5];
    if (!chaffinch_take("link_lines", args, given, kinds, a))
        return NULL;
    Py_ssize_t rows = a[1].count, blocks = a[2].count, left = 0;
    const int64_t *before = a[0].data;
    const uint8_t *in_link = a[1].data;
    const int32_t *first = a[2].data, *last = a[3].data;
    uint8_t *out = a[4].data;
    bool fits = a[0].count == rows + 1 && a[3].count == blocks && a[4].count == blocks;
    double share = fits ? PyFloat_AsDouble(args[5]) : 0;
    for (Py_ssize_t i = 0; fits && i < blocks; i++) {
        if (!out[i])
            continue;
        fits = first[i] >= 0 && first[i] <= last[i] && last[i] <= rows;
        if (!fits)
            break;
        int64_t linked = 0;
        for (Py_ssize_t row = first[i]; row < last[i]; row++)
            linked += in_link[row] ? before[row + 1] - before[row] : 0;
        out[i] = (double)linked > share * (double)(before[last[i]] - before[first[i]]);
        left += out[i];
    }
    fits = chaffinch_agree(fits, "link_lines") && !PyErr_Occurred();
    chaffinch_release(kinds, a);
    return fits ? PyLong_FromSsize_t(left) : NULL;
}

PyMethodDef chaffinch_parts[] = {
    {"whole_parts", (PyCFunction)(void (*)(void))whole_parts, METH_FASTCALL, NULL},
    {"blocks_inside", (PyCFunction)(void (*)(void))blocks_inside, METH_FASTCALL, NULL},
    {"link_lines", (PyCFunction)(void (*)(void))link_lines, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
