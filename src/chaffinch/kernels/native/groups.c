/* Blocks that hang alike, and what repeats on a page; see plain/groups.py. */
#include "kernels.h"
#include "pages.h"
#include "sorting.h"

#define FIRST_ODD UINT64_C(0x9E3779B97F4A7C15)
#define SECOND_ODD UINT64_C(0xC2B2AE3D27D4EB4F)
#define THIRD_ODD UINT64_C(0x165667B19E3779F9)
#define LAST_ODD UINT64_C(0xD6E8FEB86659FD93)
#define BINS (1 << 14)
#define BIN_SHIFT (64 - 14)
#define LEVELS 3
#define REPEATS (2 * LEVELS)

typedef struct {
    const uint16_t *tag;
    const int32_t *alike, *parent, *near, *around, *sums; /* [n], [n], [m, 4], [>= 3, m], [>= 2, m] */
    int32_t *of_block;
    int64_t *order, *edges;
    float *counts, *shares; /* [REPEATS + 2, m], [5, m] */
    Py_ssize_t n, m;
} Blocks;

/* What tells one element from another: its tag and its names but for digits. */
static inline uint64_t sign_of(const Blocks *b, int32_t row)
{
    return b->tag[row] + ((uint64_t)(int64_t)b->alike[row] << 9);
}

static inline uint64_t bin_beside(const Blocks *b, int32_t row)
{
    uint64_t parent = (uint64_t)row_above(b->parent, row);
    return (sign_of(b, row) * FIRST_ODD ^ parent * SECOND_ODD) >> BIN_SHIFT;
}

static inline uint64_t bin_alike(const Blocks *b, int32_t row)
{
    uint64_t over = sign_of(b, row_above(b->parent, row));
    return ((sign_of(b, row) * FIRST_ODD ^ over * THIRD_ODD) * LAST_ODD) >> BIN_SHIFT;
}

/* Bins of which few are read: which those are stands in bits, that a cache holds whole. */
typedef struct {
    uint64_t is_read[BINS / 64];
    int32_t *counts; /* [BINS], set only where they are read */
} Bins;

static inline void read_later(Bins *bins, uint64_t bin)
{
    bins->is_read[bin / 64] |= UINT64_C(1) << bin % 64;
    bins->counts[bin] = 0;
}

static inline void count_in(const Bins *bins, uint64_t bin)
{
    if (bins->is_read[bin / 64] >> bin % 64 & 1)
        bins->counts[bin]++;
}

/* Write how many siblings of each container are like it, and how many elements of the page;
 * `counts` is room for int32[2, BINS]. */
static void write_repeats(const Blocks *b, int32_t *counts)
{
    Bins beside = {.counts = counts}, alike = {.counts = counts + BINS};
    for (Py_ssize_t k = 0; k < LEVELS * b->m; k++) {
        read_later(&beside, bin_beside(b, b->around[k]));
        read_later(&alike, bin_alike(b, b->around[k]));
    }
    for (int32_t row = 0; row < b->n; row++) {
        count_in(&beside, bin_beside(b, row));
        count_in(&alike, bin_alike(b, row));
    }
    for (Py_ssize_t k = 0; k < LEVELS * b->m; k++) {
        b->counts[k] = (float)beside.counts[bin_beside(b, b->around[k])] + 1;
        b->counts[LEVELS * b->m + k] = (float)alike.counts[bin_alike(b, b->around[k])] + 1;
    }
}

/* Write the key of each block: one hash of the signs of its owner, of what is above that, two up,
 * and of the element of its first text. */
static void write_keys(const Blocks *b, Sortable *items)
{
    const int32_t *near = b->near;
    for (Py_ssize_t j = 0; j < b->m; j++, near += 4) {
        uint64_t key = sign_of(b, near[1]);
        const int32_t further[] = {near[2], row_above(b->parent, near[2]), near[0]};
        for (int k = 0; k < 3; k++) {
            key = key * FIRST_ODD + sign_of(b, further[k]);
            key ^= key >> 29;
        }
        items[j] = (Sortable){key, j};
    }
}

/* Write who belongs to which group, of blocks sorted by key; return how many groups there are. */
static Py_ssize_t write_groups(const Blocks *b, const Sortable *items)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t k = 0; k < b->m; k++) {
        if (k == 0 || items[k].key != items[k - 1].key)
            b->edges[count++] = k;
        b->order[k] = items[k].number;
        b->of_block[items[k].number] = (int32_t)count - 1;
    }
    b->edges[count] = b->m;
    return count;
}

/* Write the columns of a group to all its blocks, the rank not yet. */
static void write_group(const Blocks *b, Py_ssize_t group, const int64_t *held, const int64_t *total)
{
    Py_ssize_t m = b->m, start = b->edges[group], stop = b->edges[group + 1];
    float *counts = b->counts + REPEATS * m;
    double size = (double)(stop - start), units = (double)held[0], linked = (double)held[1];
    double span = (double)(b->order[stop - 1] - b->order[start]);
    for (Py_ssize_t k = start; k < stop; k++) {
        int64_t j = b->order[k];
        counts[j] = (float)size + 1;
        counts[m + j] = (float)(units / size) + 1;
        b->shares[j] = (float)(linked / units);
        b->shares[m + j] = (float)(units / (double)total[0]);
        b->shares[2 * m + j] = (float)(linked / (double)(total[1] > 1 ? total[1] : 1));
        b->shares[3 * m + j] = (float)(span / (double)m);
    }
}

/* Write the columns of all groups; `items` and `room` are room for one item a group. */
static void write_columns(const Blocks *b, Py_ssize_t count, Sortable *items, Sortable *room)
{
    int64_t total[2] = {0, 0};
    for (Py_ssize_t j = 0; j < b->m; j++)
        total[0] += b->sums[j], total[1] += b->sums[b->m + j];
    for (Py_ssize_t group = 0; group < count; group++) {
        int64_t held[2] = {0, 0};
        for (int64_t k = b->edges[group]; k < b->edges[group + 1]; k++)
            held[0] += b->sums[b->order[k]], held[1] += b->sums[b->m + b->order[k]];
        write_group(b, group, held, total);
        items[group] = (Sortable){(uint64_t)INT64_MAX - (uint64_t)held[0], group};
    }
    items = chaffinch_sorted(items, room, count);
    for (Py_ssize_t rank = 0; rank < count; rank++) {
        int64_t group = items[rank].number;
        for (int64_t k = b->edges[group]; k < b->edges[group + 1]; k++)
            b->shares[4 * b->m + b->order[k]] = (float)(1 / (double)(rank + 1));
    }
}

/* Write everything; returns the number of groups, -1 where there is no memory. */
static Py_ssize_t group(const Blocks *b)
{
    Py_ssize_t count = -1;
    int32_t *bins = PyMem_RawMalloc(2 * BINS * sizeof *bins);
    Sortable *items = PyMem_RawMalloc((2 * (size_t)b->m + 1) * sizeof *items);
    if (bins != NULL && items != NULL) {
        write_repeats(b, bins);
        write_keys(b, items);
        count = write_groups(b, chaffinch_sorted(items, items + b->m, b->m));
        write_columns(b, count, items, items + b->m);
    }
    PyMem_RawFree(bins);
    PyMem_RawFree(items);
    return count;
}

/* groups(tag: uint16[n], alike: int32[n], parent: int32[n], near: int32[m, 4], around: int32[4, m],
 * sums: int32[3, m], of_block: int32[m], order: intp[m], edges: intp[m + 1],
 * counts: float32[8, m], shares: float32[5, m]) -> int: the g groups of blocks that hang alike, in
 * the order of their keys, g + 1 items of `edges`; and the columns of plain/groups.py,
 * logarithms not yet taken. Rows are checked. */
static PyObject *groups(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hiiiii|iqqff";
    Array a[11];
    if (!chaffinch_take("groups", args, given, kinds, a))
        return NULL;
    const Blocks b = {
        .tag = a[0].data, .alike = a[1].data, .parent = a[2].data, .near = a[3].data,
        .around = a[4].data, .sums = a[5].data, .of_block = a[6].data, .order = a[7].data,
        .edges = a[8].data, .counts = a[9].data, .shares = a[10].data,
        .n = a[0].count, .m = a[6].count,
    };
    Py_ssize_t n = b.n, m = b.m, count = -1;
    bool fits = a[1].count == n && a[2].count == n && a[3].count == 4 * m
                && a[4].count >= LEVELS * m && a[5].count >= 2 * m && a[7].count == m
                && a[8].count == m + 1 && a[9].count == (REPEATS + 2) * m && a[10].count == 5 * m;
    if (chaffinch_agree(fits && parents_hold(b.parent, n) && all_below(b.near, 4 * m, n)
                            && all_below(b.around, a[4].count, n), "groups")) {
        PyThreadState *unlocked = chaffinch_unlock(n);
        count = group(&b);
        chaffinch_lock(unlocked);
        if (count < 0)
            PyErr_NoMemory();
    }
    chaffinch_release(kinds, a);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

PyMethodDef chaffinch_groups[] = {
    {"groups", (PyCFunction)(void (*)(void))groups, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
