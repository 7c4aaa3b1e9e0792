/* Hashes of the paths to all rows, as page/hashing.py makes them. */
#include "kernels.h"

enum { POWERS = 1024 }; /* of the depth; deeper rows begin anew */

static const uint64_t BASE = UINT64_C(0x9E3779B97F4A7C15);

static inline uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Add to `change` what each row brings and what ends with it; false where an end is outside. */
static bool weigh(const uint64_t *symbols, const int16_t *depth, const int32_t *end,
                  Py_ssize_t count, uint64_t *change)
{
    uint64_t powers[POWERS] = {1};
    for (int i = 1; i < POWERS; i++)
        powers[i] = powers[i - 1] * BASE;
    for (Py_ssize_t row = 0; row < count; row++) {
        if (end[row] < 0 || end[row] > count)
            return false;
        uint64_t weighted = mix(symbols[row]) * powers[depth[row] & (POWERS - 1)];
        change[row] += weighted;
        change[end[row]] -= weighted;
    }
    return true;
}

/* path_hashes(symbols: uint64[n], depth: int16[n], end: int32[n], hashes: uint64[n+1]) -> None
 *
 * The hash of the path of symbols from the root to each row; `hashes` holds zeros before, and its
 * last is left over. Ends are checked. */
static PyObject *path_hashes(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[4];
    if (!chaffinch_take("path_hashes", args, given, "Qhi|Q", a))
        return NULL;
    Py_ssize_t count = a[0].count;
    uint64_t *hashes = a[3].data, sum = 0;
    bool fits = a[1].count == count && a[2].count == count && a[3].count == count + 1;
    PyThreadState *unlocked = chaffinch_unlock(count);
    fits = fits && weigh(a[0].data, a[1].data, a[2].data, count, hashes);
    for (Py_ssize_t row = 0; fits && row < count; row++)
        hashes[row] = mix(sum += hashes[row]);
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, "path_hashes");
    chaffinch_release("Qhi|Q", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_path_hashes[] = {
    {"path_hashes", (PyCFunction)(void (*)(void))path_hashes, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
