/* Weighed scores of blocks: their sums, means of groups, the threshold of the best choice. */
#include "kernels.h"
#include "pages.h"
#include "sorting.h"

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

/* One of `values` times its weight, as numpy multiplies numbers of their type. */
static inline double weighed(const Array *values, const float *weights, Py_ssize_t i)
{
    if (values->letter == 'f')
        return ((const float *)values->data)[i] * weights[i];
    return ((const double *)values->data)[i] * weights[i];
}

static inline double value_at(const Array *values, Py_ssize_t i)
{
    return values->letter == 'f' ? ((const float *)values->data)[i]
                                 : ((const double *)values->data)[i];
}

/* pulled_to_means(number: int32[m], weights: float32[m], values: float32[m] or float64[m],
 * share: float, out: float64[m], room: float64[2 * m]) -> None: the values, each moved by `share`
 * of the way to the mean by weight of those with its number; weights of less than 1 in all count
 * as 1. What has a number below 0 stays. Numbers are below m and checked, `room` is to work in. */
static PyObject *pulled_to_means(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "if*O|dd";
    Array a[5];
    if (!chaffinch_take("pulled_to_means", args, given, kinds, a))
        return NULL;
    double share = PyFloat_AsDouble(args[3]);
    if (PyErr_Occurred()) {
        chaffinch_release(kinds, a);
        return NULL;
    }
    Py_ssize_t count = a[0].count;
    const int32_t *number = a[0].data;
    const float *weights = a[1].data;
    double *out = a[3].data, *sums = a[4].data, *amounts = sums + count;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count && a[3].count == count &&
                                    a[4].count == 2 * count &&
                                    (a[2].letter == 'f' || a[2].letter == 'd') &&
                                    all_within(number, count, INT32_MIN, count), "pulled_to_means");
    if (fits)
        memset(sums, 0, 2 * (size_t)count * sizeof *sums);
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        if (number[i] >= 0) {
            sums[number[i]] += weighed(&a[2], weights, i);
            amounts[number[i]] += weights[i];
        }
    }
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        out[i] = value_at(&a[2], i);
        if (number[i] < 0)
            continue;
        double mean = sums[number[i]] / (amounts[number[i]] > 1 ? amounts[number[i]] : 1);
        out[i] = share == 1 ? mean : (mean - out[i]) * share + out[i];
    }
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* A key by which a number that is no NaN comes after all greater ones. */
static inline uint64_t falling(float value)
{
    float negative = 0 - value;
    uint32_t bits;
    memcpy(&bits, &negative, sizeof bits);
    return bits & UINT32_C(1) << 31 ? ~bits : bits | UINT32_C(1) << 31;
}

/* The value from which a choice has the highest F measure; see best_threshold. `items` is room for
 * twice as many. */
static double threshold_of(const float *values, const float *weights, Py_ssize_t count,
                           double beta, double least, Sortable *items)
{
    Py_ssize_t some = 0, next = -1;
    double total = 0, best = least;
    for (Py_ssize_t i = 0; i < count; i++) {
        total += (double)(values[i] * weights[i]);
        if (values[i] >= (float)least)
            items[some++] = (Sortable){falling(values[i]), i};
        else if (next < 0 || values[i] > values[next])
            next = i;
    }
    const Sortable *sorted = chaffinch_sorted(items, items + count, some);
    double square = beta * beta, gain = 0, taken = 0, most = -1;
    for (Py_ssize_t k = 0; k < some + (next >= 0); k++) {
        Py_ssize_t i = k < some ? (Py_ssize_t)sorted[k].number : next;
        gain += (double)(values[i] * weights[i]);
        taken += weights[i];
        double expected = (1 + square) * gain / (taken + square * total + 1e-9);
        if (expected > most) {
            most = expected;
            best = k < some && values[i] > least ? values[i] : least;
        }
    }
    return best;
}

/* best_threshold(values: float32[m], weights: float32[m], beta: float, least: float) -> float: the
 * value from which the items have the highest (1 + beta^2) gain / (weight + beta^2 all gain), the
 * gain being the sum of values times weights, or `least` if that is more. None is NaN. */
static PyObject *best_threshold(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "ffOO";
    Array a[2];
    if (!chaffinch_take("best_threshold", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count;
    double beta = PyFloat_AsDouble(args[2]), least = PyErr_Occurred() ? 0 : PyFloat_AsDouble(args[3]);
    PyObject *found = NULL;
    if (!PyErr_Occurred() && chaffinch_agree(a[1].count == count, "best_threshold")) {
        Sortable *items = PyMem_RawMalloc(2 * (size_t)(count + 1) * sizeof *items);
        if (items == NULL)
            PyErr_NoMemory();
        else
            found = PyFloat_FromDouble(
                threshold_of(a[0].data, a[1].data, count, beta, least, items));
        PyMem_RawFree(items);
    }
    chaffinch_release(kinds, a);
    return found;
}

PyMethodDef chaffinch_weighed[] = {
    {"best_threshold", (PyCFunction)(void (*)(void))best_threshold, METH_FASTCALL, NULL},
    {"kept_sums", (PyCFunction)(void (*)(void))kept_sums, METH_FASTCALL, NULL},
    {"pulled_to_means", (PyCFunction)(void (*)(void))pulled_to_means, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
