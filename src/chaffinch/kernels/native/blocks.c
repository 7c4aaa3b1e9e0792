/* Text blocks and the elements above them. */
#include "kernels.h"
#include "pages.h"

/* The nearest block element at or above a row, or the root. */
static int32_t owner_of(int32_t row, const uint16_t *tag, const int32_t *parent, const uint8_t *block)
{
    while (row > 0 && !block[tag[row]])
        row = row_above(parent, row);
    return row;
}

/* Write the columns of blocks (`n` items apart) and each row's block; return how many there are. */
static Py_ssize_t cut(const Array *arrays, Py_ssize_t n)
{
    const uint16_t *tag = arrays[0].data;
    const int32_t *parent = arrays[1].data, *line = arrays[2].data;
    const uint8_t *shown = arrays[3].data, *written = arrays[4].data, *is_block = arrays[5].data;
    int32_t *first = arrays[6].data, *last = first + n, *owner = last + n, *block = arrays[7].data;
    int32_t before = -1;
    Py_ssize_t count = 0;
    for (int32_t row = 0; row < n; row++) {
        block[row] = -1;
        if (tag[row] != 0 || !shown[row] || !written[row])
            continue;
        if (before < 0 || line[row] != line[before]) {
            first[count] = row;
            owner[count++] = owner_of(row, tag, parent, is_block);
        }
        last[count - 1] = row + 1;
        block[row] = (int32_t)count - 1;
        before = row;
    }
    return count;
}

/* text_blocks(tag: uint16[n], parent: int32[n], line: int32[n], shown: bool[n], written: bool[n],
 * is_block: bool[tags], columns: int32[3, n], block: int32[n]) -> int: the m text blocks of a page.
 * Writes m first rows, last rows and owners, and the block of each row; tags and parents are
 * checked. */
static PyObject *text_blocks(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hii???|ii";
    Array a[8];
    if (!chaffinch_take("text_blocks", args, given, kinds, a))
        return NULL;
    Py_ssize_t n = a[0].count, count = -1;
    bool fits = a[1].count == n && a[2].count == n && a[3].count == n && a[4].count == n
                && a[6].count == 3 * n && a[7].count == n;
    if (chaffinch_agree(fits && tags_hold(a[0].data, n, a[5].count) && parents_hold(a[1].data, n),
                        "text_blocks")) {
        PyThreadState *unlocked = chaffinch_unlock(n);
        count = cut(a, n);
        chaffinch_lock(unlocked);
    }
    chaffinch_release(kinds, a);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

/* Write how many blocks begin before each row, and which rows hold any. */
static void count_begun(const int32_t *first, Py_ssize_t m, const int32_t *end, Py_ssize_t n,
                        int32_t *begun, uint8_t *holds)
{
    Py_ssize_t row = 0;
    for (int32_t j = 0; j < m; j++)
        while (row <= first[j])
            begun[row++] = j;
    while (row <= n)
        begun[row++] = (int32_t)m;
    for (row = 0; row < n; row++)
        holds[row] = begun[end[row]] > begun[row];
}

/* above(tag: uint16[n], parent: int32[n], end: int32[n], first: int32[m], begun: int32[n + 1],
 * holds: bool[n], rows: intp[n], place: int32[n], up: int32[n], over: int32[m]) -> int: the r
 * elements that hold blocks, which begin at `first`; see plain/blocks.py for what is
 * written, r items of `rows` and `up`. Rows are checked. */
static PyObject *above(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hiii|i?qiii";
    Array a[10];
    if (!chaffinch_take("above", args, given, kinds, a))
        return NULL;
    Py_ssize_t n = a[0].count, m = a[3].count, count = -1;
    const uint16_t *tag = a[0].data;
    const int32_t *parent = a[1].data, *first = a[3].data;
    bool fits = a[1].count == n && a[2].count == n && a[4].count == n + 1 && a[5].count == n
                && a[6].count == n && a[7].count == n && a[8].count == n && a[9].count == m;
    if (chaffinch_agree(fits && parents_hold(parent, n) && ends_hold(a[2].data, n)
                            && all_rise(first, m, n), "above")) {
        const uint8_t *holds = a[5].data;
        int64_t *rows = a[6].data;
        int32_t *place = a[7].data, *up = a[8].data, *over = a[9].data;
        PyThreadState *unlocked = chaffinch_unlock(n);
        count_begun(first, m, a[2].data, n, a[4].data, a[5].data);
        count = 0;
        for (int32_t row = 0; row < n; row++) {
            bool is = holds[row] && tag[row] != 0;
            place[row] = is ? (int32_t)count : 0;
            rows[count] = row; /* written over by the next one, if it isn't */
            up[count] = place[row_above(parent, row)];
            count += is;
        }
        for (Py_ssize_t j = 0; j < m; j++)
            over[j] = place[row_above(parent, first[j])];
        chaffinch_lock(unlocked);
    }
    chaffinch_release(kinds, a);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

PyMethodDef chaffinch_blocks[] = {
    {"text_blocks", (PyCFunction)(void (*)(void))text_blocks, METH_FASTCALL, NULL},
    {"above", (PyCFunction)(void (*)(void))above, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
