/* What stands at or above each row, and sums over what stands at or below it. */
#include "kernels.h"
#include "pages.h"

/* nearest(parent: int32[n], marked: bool[n], out: int32[n]) -> None: the nearest marked row at or
 * above each row, -1 where there is none. Parents are checked. */
static PyObject *nearest(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "i?|i";
    Array a[3];
    if (!chaffinch_take("nearest", args, given, KINDS, a))
        return NULL;
    Py_ssize_t n = a[0].count;
    const int32_t *parent = a[0].data;
    bool fits = chaffinch_agree(a[1].count == n && a[2].count == n && parents_hold(parent, n),
                                "nearest");
    if (fits) {
        const uint8_t *marked = a[1].data;
        int32_t *out = a[2].data;
        PyThreadState *unlocked = chaffinch_unlock(n);
        for (int32_t row = 0; row < n; row++)
            out[row] = marked[row] ? row : row == 0 ? -1 : out[row_above(parent, row)];
        chaffinch_lock(unlocked);
    }
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* highest(parent: int32[n], values: float64[n], out: float64[n]) -> None: the highest of `values`
 * at or above each row; one that isn't a number wins. Parents are checked. */
static PyObject *highest(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "id|d";
    Array a[3];
    if (!chaffinch_take("highest", args, given, KINDS, a))
        return NULL;
    Py_ssize_t n = a[0].count;
    const int32_t *parent = a[0].data;
    bool fits = chaffinch_agree(a[1].count == n && a[2].count == n && parents_hold(parent, n),
                                "highest");
    if (fits) {
        const double *values = a[1].data;
        double *out = a[2].data;
        PyThreadState *unlocked = chaffinch_unlock(n);
        for (int32_t row = 0; row < n; row++) {
            double own = values[row], above = row == 0 ? own : out[row_above(parent, row)];
            out[row] = own >= above || own != own ? own : above;
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* Write the sum of `own` over each row's subtree: sums from the last row up, then differences. */
#define SUM_SUBTREES(OWN, SUM)                                                                     \
    do {                                                                                           \
        const OWN *own = a[1].data;                                                                \
        SUM *out = a[2].data, sum = 0;                                                             \
        for (Py_ssize_t row = n - 1; row >= 0; row--)                                              \
            out[row] = sum += (SUM)own[row];                                                       \
        for (Py_ssize_t row = 0; row < n; row++)                                                   \
            out[row] -= end[row] < n ? out[end[row]] : 0; /* rows further on are still sums */     \
    } while (0)

/* Whether numbers of one type have sums of the other; sets an exception where not. */
static bool types_add_up(char from, char to)
{
    bool adds_up = (from == '?' && to == 'i') || ((from == 'i' || from == 'q') && to == 'q');
    if (!adds_up)
        PyErr_SetString(PyExc_TypeError, "total: arguments 2 and 3 should be arrays of bool and "
                                         "int32, int32 and int64, or int64 and int64");
    return adds_up;
}

/* total(end: int32[n], own: bool[n], out: int32[n]) or (end, own: int32[n] or int64[n], out:
 * int64[n]) -> None: the sum of `own` over each row's subtree. Ends are checked. */
static PyObject *total(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "i*|*";
    Array a[3];
    if (!chaffinch_take("total", args, given, KINDS, a))
        return NULL;
    Py_ssize_t n = a[0].count;
    const int32_t *end = a[0].data;
    const char from = a[1].letter, to = a[2].letter;
    bool fits = types_add_up(from, to) &&
                chaffinch_agree(a[1].count == n && a[2].count == n && ends_hold(end, n), "total");
    PyThreadState *unlocked = chaffinch_unlock(n);
    if (fits && from == '?')
        SUM_SUBTREES(uint8_t, uint32_t);
    else if (fits && from == 'i')
        SUM_SUBTREES(int32_t, uint64_t);
    else if (fits)
        SUM_SUBTREES(int64_t, uint64_t);
    chaffinch_lock(unlocked);
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* Write what counts before each row, and of it what is kept: int64[2][n + 1]. */
static void sum_before(const Array *a, Py_ssize_t n, int64_t *before)
{
    const int32_t *own = a[2].data;
    const uint8_t *left_out = a[3].data, *kept = a[4].data;
    int64_t *all = before, *some = before + n + 1;
    all[0] = some[0] = 0;
    for (Py_ssize_t row = 0; row < n; row++) {
        int64_t counted = left_out[row] ? 0 : own[row];
        all[row + 1] = all[row] + counted;
        some[row + 1] = some[row] + (kept[row] ? counted : 0);
    }
}

/* sums_around(parent: int32[n], end: int32[n], own: int32[n], left_out: bool[n], kept: bool[n],
 * rows: int32[r], least: int | before: int64[2, n+1], boxes: int32[2, r], sums: int64[2, 2, r])
 * -> None: the nearest row above each that holds enough, the row above it, and what each of these
 * holds: all, and what is kept. Parents, ends and rows are checked. */
static PyObject *sums_around(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "iii??in|qiq";
    Array a[10];
    if (!chaffinch_take("sums_around", args, given, KINDS, a))
        return NULL;
    Py_ssize_t n = a[0].count, r = a[5].count, least = a[6].count;
    const int32_t *parent = a[0].data, *end = a[1].data, *rows = a[5].data;
    bool fits = a[1].count == n && a[2].count == n && a[3].count == n && a[4].count == n &&
                a[7].count == 2 * (n + 1) && a[8].count == 2 * r && a[9].count == 4 * r;
    fits = fits && parents_hold(parent, n) && ends_hold(end, n) && all_below(rows, r, n);
    if (chaffinch_agree(fits, "sums_around")) {
        int64_t *all = a[7].data, *some = all + n + 1, *sums = a[9].data;
        int32_t *boxes = a[8].data;
        PyThreadState *unlocked = chaffinch_unlock(n);
        sum_before(a, n, all);
        for (Py_ssize_t i = 0; i < r; i++) {
            int32_t at = parent[rows[i]];
            while (at >= 0 && all[end[at]] - all[at] < least)
                at = at == 0 ? -1 : row_above(parent, at);
            for (int level = 0; level < 2; level++, at = at < 0 ? -1 : parent[at]) {
                Py_ssize_t place = level * r + i;
                boxes[place] = at;
                sums[place] = at < 0 ? 0 : all[end[at]] - all[at];
                sums[2 * r + place] = at < 0 ? 0 : some[end[at]] - some[at];
            }
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_ancestry[] = {
    {"nearest", (PyCFunction)(void (*)(void))nearest, METH_FASTCALL, NULL},
    {"highest", (PyCFunction)(void (*)(void))highest, METH_FASTCALL, NULL},
    {"sums_around", (PyCFunction)(void (*)(void))sums_around, METH_FASTCALL, NULL},
    {"total", (PyCFunction)(void (*)(void))total, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
