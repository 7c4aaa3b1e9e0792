/* Sums and counts over stretches of rows: what rules are made of. */
#include "kernels.h"
#include "pages.h"

/* sums_within(points: int32[m], values: float32[m], marked: bool[m], starts: int32[r],
 * ends: int32[r], before: float64[2 * (m + 1)], out: float64[2, r]) -> None: the sum of the marked
 * values and that of all whose points lie in each stretch, as differences of sums from the first
 * on, which `before` is room for. Points rise. */
static PyObject *sums_within(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "if?ii|dd";
    Array a[7];
    if (!chaffinch_take("sums_within", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, stretches = a[3].count;
    const int32_t *points = a[0].data, *starts = a[3].data, *ends = a[4].data;
    const float *values = a[1].data;
    const uint8_t *marked = a[2].data;
    double *before = a[5].data, *all = before + count + 1, *out = a[6].data;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count &&
                                    a[4].count == stretches && a[5].count == 2 * (count + 1) &&
                                    a[6].count == 2 * stretches, "sums_within");
    if (fits)
        before[0] = all[0] = 0;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        before[i + 1] = before[i] + (marked[i] ? values[i] : 0);
        all[i + 1] = all[i] + values[i];
    }
    for (Py_ssize_t k = 0; fits && k < stretches; k++) {
        Py_ssize_t from = points_before(points, count, starts[k]);
        Py_ssize_t to = points_before(points, count, ends[k]);
        out[k] = before[to] - before[from];
        out[stretches + k] = all[to] - all[from];
    }
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* tags_within(tag: uint16[n], kinds: bool[k], marked: bool[n] or [0], starts: int32[r],
 * ends: int32[r], rows: int32[n], out: int32[r]) -> None: how many rows whose tag `kinds` marks, of
 * those that are marked or of all, lie in each stretch; `rows` is to work in. */
static PyObject *tags_within(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "H??ii|ii";
    Array a[7];
    if (!chaffinch_take("tags_within", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, stretches = a[3].count, found = 0;
    const uint8_t *marked = a[2].count ? a[2].data : NULL;
    const int32_t *starts = a[3].data, *ends = a[4].data;
    int32_t *rows = a[5].data, *out = a[6].data;
    bool fits = chaffinch_agree((marked == NULL || a[2].count == count) && count <= INT32_MAX &&
                                    a[4].count == stretches && a[5].count == count &&
                                    a[6].count == stretches, "tags_within");
    for (Py_ssize_t row = 0; fits && row < count; row++) {
        rows[found] = (int32_t)row; /* written over by the next one, if it isn't */
        found += chaffinch_kind(&a[0], &a[1], row) && (marked == NULL || marked[row]);
    }
    for (Py_ssize_t k = 0; fits && k < stretches; k++)
        out[k] = (int32_t)(points_before(rows, found, ends[k]) -
                           points_before(rows, found, starts[k]));
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* tags_between(tag: uint16[n], kinds: bool[k], marked: bool[n], first: int32[m], last: int32[m],
 * keep: bool[m], out: bool[n]) -> None: the marked rows whose tag `kinds` marks that lie in a kept
 * one of the stretches first:last or between two that follow each other. Stretches are checked. */
static PyObject *tags_between(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "H??ii?|?";
    Array a[7];
    if (!chaffinch_take("tags_between", args, given, kinds, a))
        return NULL;
    Py_ssize_t rows = a[0].count, count = a[3].count;
    const uint8_t *marked = a[2].data, *keep = a[5].data;
    const int32_t *first = a[3].data, *last = a[4].data;
    uint8_t *out = a[6].data;
    bool fits = a[2].count == rows && a[4].count == count && a[5].count == count &&
                a[6].count == rows;
    for (Py_ssize_t i = 0; fits && i < count; i++)
        fits = first[i] >= (i > 0 ? last[i - 1] : 0) && first[i] <= last[i] && last[i] <= rows;
    if (fits)
        memset(out, 0, (size_t)rows);
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        Py_ssize_t row = i > 0 && keep[i - 1] ? last[i - 1] : first[i];
        for (; keep[i] && row < last[i]; row++)
            out[row] = marked[row] && chaffinch_kind(&a[0], &a[1], row);
    }
    fits = chaffinch_agree(fits, "tags_between");
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_stretches[] = {
    {"sums_within", (PyCFunction)(void (*)(void))sums_within, METH_FASTCALL, NULL},
    {"tags_between", (PyCFunction)(void (*)(void))tags_between, METH_FASTCALL, NULL},
    {"tags_within", (PyCFunction)(void (*)(void))tags_within, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
