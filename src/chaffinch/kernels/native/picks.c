/* Picks among rows, sums over groups of blocks: what rules are made of. */
#include "kernels.h"
#include "pages.h"

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

/* kept_sums(values: float32[m], weights: float32[m], keep: bool[m]) -> (float, float, float): the
 * sum of values times weights, the same of what is kept, and the weights of what is kept, each
 * added one by one. */
static PyObject *kept_sums(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "ff?";
    Array a[3];
    if (!chaffinch_take("kept_sums", args, given, kinds, a))
        return NULL;
    const float *values = a[0].data, *weights = a[1].data;
    const uint8_t *keep = a[2].data;
    double all = 0, kept = 0, weight = 0;
    Py_ssize_t count = a[0].count;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count, "kept_sums");
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        double product = (double)values[i] * weights[i];
        all += product;
        if (keep[i]) {
            kept += product;
            weight += weights[i];
        }
    }
    chaffinch_release(kinds, a);
    return fits ? Py_BuildValue("ddd", all, kept, weight) : NULL;
}

/* group_means(number: int32[m], products: float64[m], weights: float32[m], means: float64[m],
 * room: float64[2 * m]) -> None: the sum of `products` over that of `weights`, or over 1 if that is
 * less, of the items with each item's number; `means` stays where the number is below 0. Numbers
 * are below m and checked, `room` is to work in. */
static PyObject *group_means(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "idf|dd";
    Array a[5];
    if (!chaffinch_take("group_means", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count;
    const int32_t *number = a[0].data;
    const double *products = a[1].data;
    const float *weights = a[2].data;
    double *means = a[3].data, *sums = a[4].data, *amounts = sums + count;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count && a[3].count == count &&
                                    a[4].count == 2 * count &&
                                    all_within(number, count, INT32_MIN, count), "group_means");
    if (fits) {
        memset(sums, 0, 2 * (size_t)count * sizeof *sums);
        for (Py_ssize_t i = 0; i < count; i++) {
            if (number[i] >= 0) {
                sums[number[i]] += products[i];
                amounts[number[i]] += weights[i];
            }
        }
        for (Py_ssize_t i = 0; i < count; i++) {
            if (number[i] >= 0)
                means[i] = sums[number[i]] / (amounts[number[i]] > 1 ? amounts[number[i]] : 1);
        }
    }
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* outermost(tag: uint16[n], end: int32[n], kinds: bool[k], further: int32[f], rows: int32[n])
 * -> int: write the rows whose tag `kinds` marks, and those of `further`, that stand in no other
 * such row; how many there are. `further` rises; ends are checked. */
static PyObject *outermost(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hi?i|i";
    Array a[5];
    if (!chaffinch_take("outermost", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, found = 0, next = 0;
    const int32_t *end = a[1].data, *further = a[3].data;
    int32_t *rows = a[4].data;
    bool fits = chaffinch_agree(a[1].count == count && a[4].count == count && ends_hold(end, count),
                                "outermost");
    for (int32_t row = 0; fits && row < count;) {
        while (next < a[3].count && further[next] < row)
            next++;
        bool marked = chaffinch_kind(&a[0], &a[2], row) ||
                      (next < a[3].count && further[next] == row);
        if (marked)
            rows[found++] = row;
        row = marked ? end[row] : row + 1;
    }
    chaffinch_release(kinds, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

/* topmost_without(parent: int32[n], marked: bool[n], rows: int32[r], out: int32[r]) -> None: the
 * highest row at or above each row up to which, from the next row above on, none is marked; the
 * first row is none. Parents and rows are checked. */
static PyObject *topmost_without(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "i?i|i";
    Array a[4];
    if (!chaffinch_take("topmost_without", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count;
    const int32_t *parent = a[0].data, *rows = a[2].data;
    const uint8_t *marked = a[1].data;
    int32_t *out = a[3].data;
    bool fits = chaffinch_agree(a[1].count == count && a[3].count == a[2].count &&
                                    parents_hold(parent, count) &&
                                    all_below(rows, a[2].count, count), "topmost_without");
    for (Py_ssize_t i = 0; fits && i < a[2].count; i++) {
        int32_t row = rows[i], above = row_above(parent, row);
        for (; above > 0 && !marked[above]; above = row_above(parent, row))
            row = above;
        out[i] = row;
    }
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* rows_of(tag: uint16[n], kinds: bool[k], marked: bool[n] or [0], rows: int32[n]) -> int: write the
 * rows whose tag `kinds` marks, of those that are marked or of all; how many there are. */
static PyObject *rows_of(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "H??|i";
    Array a[4];
    if (!chaffinch_take("rows_of", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, found = 0;
    const uint8_t *marked = a[2].count ? a[2].data : NULL;
    int32_t *rows = a[3].data;
    bool fits = chaffinch_agree((marked == NULL || a[2].count == count) && a[3].count == count &&
                                    count <= INT32_MAX, "rows_of");
    for (Py_ssize_t row = 0; fits && row < count; row++) {
        rows[found] = (int32_t)row; /* written over by the next one, if it isn't */
        found += chaffinch_kind(&a[0], &a[1], row) && (marked == NULL || marked[row]);
    }
    chaffinch_release(kinds, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

/* best_prefix(order: intp[m], values: float32[m], weights: float32[m], beta: float) -> int: how
 * many of the first in `order`, less one, give the highest (1 + beta^2) gain / (weight + beta^2
 * all gain), the gain being the sum of values times weights; the first such. Order is checked. */
static PyObject *best_prefix(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "qffO";
    Array a[3];
    if (!chaffinch_take("best_prefix", args, given, kinds, a))
        return NULL;
    double beta = PyFloat_AsDouble(args[3]);
    if (PyErr_Occurred()) {
        chaffinch_release(kinds, a);
        return NULL;
    }
    Py_ssize_t count = a[0].count, best = 0;
    const int64_t *order = a[0].data;
    const float *values = a[1].data, *weights = a[2].data;
    bool fits = count > 0 && a[1].count == count && a[2].count == count;
    double square = beta * beta, total = 0, gain = 0, taken = 0, most = -1;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        fits = order[i] >= 0 && order[i] < count;
        total += fits ? (double)(values[order[i]] * weights[order[i]]) : 0;
    }
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        gain += (double)(values[order[i]] * weights[order[i]]);
        taken += weights[order[i]];
        double expected = (1 + square) * gain / (taken + square * total + 1e-9);
        if (expected > most) {
            most = expected;
            best = i;
        }
    }
    fits = chaffinch_agree(fits, "best_prefix");
    chaffinch_release(kinds, a);
    return fits ? PyLong_FromSsize_t(best) : NULL;
}

PyMethodDef chaffinch_picks[] = {
    {"blocks_inside", (PyCFunction)(void (*)(void))blocks_inside, METH_FASTCALL, NULL},
    {"kept_sums", (PyCFunction)(void (*)(void))kept_sums, METH_FASTCALL, NULL},
    {"group_means", (PyCFunction)(void (*)(void))group_means, METH_FASTCALL, NULL},
    {"outermost", (PyCFunction)(void (*)(void))outermost, METH_FASTCALL, NULL},
    {"topmost_without", (PyCFunction)(void (*)(void))topmost_without, METH_FASTCALL, NULL},
    {"rows_of", (PyCFunction)(void (*)(void))rows_of, METH_FASTCALL, NULL},
    {"best_prefix", (PyCFunction)(void (*)(void))best_prefix, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
