/* What an automaton puts out while it reads bytes, and sums of what stands for it in a table. */
#include "kernels.h"

/* automaton_outputs(moves: uint32[256*r], rows: uint16[s], outputs: int32[s], data: bytes,
 *                   found: int32[at least the length of data]) -> int
 *
 * From state 0, the state after a byte is moves[256 * rows[state] + byte]; its output goes to
 * `found` unless it is below 0. Returns how many there are. Rows and states are checked. */
static PyObject *automaton_outputs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[5];
    if (!chaffinch_take("automaton_outputs", args, given, "IHiB|i", a))
        return NULL;
    const uint32_t *moves = a[0].data;
    const uint16_t *rows = a[1].data;
    const int32_t *outputs = a[2].data;
    const uint8_t *data = a[3].data;
    int32_t *found = a[4].data;
    size_t rows_of_moves = (size_t)a[0].count / 256, states = (size_t)a[1].count, state = 0;
    Py_ssize_t count = 0;
    bool fits = a[2].count == a[1].count && a[4].count >= a[3].count;
    PyThreadState *unlocked = chaffinch_unlock(a[3].count);
    for (Py_ssize_t at = 0; fits && at < a[3].count; at++) {
        if (state >= states || rows[state] >= rows_of_moves) {
            fits = false;
            break;
        }
        state = moves[(size_t)rows[state] * 256 + data[at]];
        if (state >= states) {
            fits = false;
            break;
        }
        if (outputs[state] >= 0)
            found[count++] = outputs[state];
    }
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, "automaton_outputs");
    chaffinch_release("IHiB|i", a);
    return fits ? PyLong_FromSsize_t(count) : NULL;
}

#ifdef __GNUC__
#define FETCH(at) __builtin_prefetch(at)
#else
#define FETCH(at) ((void)(at))
#endif
enum { AHEAD = 8, LINE = 32 }; /* rows that are fetched before they are summed; halves in a line */
static const float EXPONENTS = 0x1p112f; /* by which a half's bits, where a float has them, are too
                                            small */

/* Add a row of halves, given by their bits, to sums of as many floats. */
static void add_row(const int16_t *row, float weight, float *sums, Py_ssize_t count)
{
    float scaled = weight * EXPONENTS; /* by a power of two: no bit of a product changes */
    for (Py_ssize_t i = 0; i < count; i++) {
        uint32_t bits = ((uint32_t)(int32_t)row[i] << 13) & UINT32_C(0x8fffffff);
        float half;
        memcpy(&half, &bits, sizeof half);
        sums[i] += scaled * half;
    }
}

/* half_sums(table: uint16[n*c], rows: int32[k], weights: float32[k], sums: float32[c])
 *
 * Fills `sums` with those of some rows of a table of float16, given by their bits, each times its
 * weight, which is below 65536: one row after the other. Rows are checked. */
static PyObject *half_sums(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char ARRAY_KINDS[] = "Hif|f";
    Array a[4];
    if (!chaffinch_take("half_sums", args, given, ARRAY_KINDS, a))
        return NULL;
    const int16_t *table = a[0].data;
    const int32_t *rows = a[1].data;
    const float *weights = a[2].data;
    float *sums = a[3].data;
    Py_ssize_t classes = a[3].count, in_table = classes > 0 ? a[0].count / classes : 0;
    bool fits = classes > 0 && a[0].count % classes == 0 && a[1].count == a[2].count;
    for (Py_ssize_t k = 0; fits && k < a[1].count; k++)
        fits = rows[k] >= 0 && rows[k] < in_table && weights[k] < 65536.0f;
    if (fits) {
        PyThreadState *unlocked = chaffinch_unlock(a[1].count * classes / 8);
        memset(sums, 0, (size_t)classes * sizeof *sums);
        for (Py_ssize_t k = 0; k < a[1].count; k++) {
            if (k + AHEAD < a[1].count) {
                const int16_t *next = table + rows[k + AHEAD] * classes;
                for (Py_ssize_t i = 0; i < classes; i += LINE)
                    FETCH(next + i);
            }
            add_row(table + rows[k] * classes, weights[k], sums, classes);
        }
        chaffinch_lock(unlocked);
    }
    fits = chaffinch_agree(fits, "half_sums");
    chaffinch_release(ARRAY_KINDS, a);
    if (!fits)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef chaffinch_automaton[] = {
    {"automaton_outputs", (PyCFunction)(void (*)(void))automaton_outputs, METH_FASTCALL, NULL},
    {"half_sums", (PyCFunction)(void (*)(void))half_sums, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
