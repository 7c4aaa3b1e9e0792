/* The containers above blocks, and in what the blocks stand. */
#include "kernels.h"
#include "pages.h"

/* Numbers of chaffinch.model.containers; the lengths of arrays tell if they differ. */
#define LEVELS 4
#define CHAIN 5
#define KINDS 8
#define LOGS (4 + KINDS)

typedef struct {
    const uint16_t *tag;
    const int32_t *parent, *end, *first, *owner, *begun, *place, *up;
    const int64_t *rows;
    const int32_t *sums, *kinds; /* [3, m], [tags, KINDS] */
    int32_t *around, *low, *high, *near;
    float *out;
    Py_ssize_t n, m, r;
} Containers;

/* Find the outermost element that holds no more blocks than each, up to 2 ** CHAIN up. */
static void find_tops(const Containers *c, int32_t *top)
{
    for (int32_t i = 0; i < c->r; i++) {
        int64_t row = c->rows[i], over = c->rows[c->up[i]];
        bool same = c->begun[c->end[row]] - c->begun[row] == c->begun[c->end[over]] - c->begun[over];
        top[i] = same ? c->up[i] : i;
    }
    for (int round = 0; round < CHAIN; round++)
        for (Py_ssize_t i = c->r - 1; i >= 0; i--) /* what is above is of the round before yet */
            top[i] = top[top[i]];
}

/* Write the containers of all levels, their blocks, and the rows near each block. */
static void write_containers(const Containers *c, const int32_t *top)
{
    for (Py_ssize_t j = 0; j < c->m; j++) {
        int32_t at = top[c->place[c->owner[j]]];
        for (Py_ssize_t level = 0; level < LEVELS; level++) {
            Py_ssize_t out = level * c->m + j;
            int32_t row = (int32_t)c->rows[at];
            c->around[out] = row;
            c->low[out] = c->begun[row];
            c->high[out] = c->begun[c->end[row]];
            at = top[c->up[at]];
        }
        c->near[4 * j] = row_above(c->parent, c->first[j]);
        c->near[4 * j + 1] = c->owner[j];
        c->near[4 * j + 2] = row_above(c->parent, c->owner[j]);
        c->near[4 * j + 3] = c->around[c->m + j];
    }
}

/* Write what text the containers hold; `before` is what stands before each block. */
static void write_text_held(const Containers *c, const uint32_t (*before)[3])
{
    Py_ssize_t all = LEVELS * c->m;
    float *amount = c->out, *units = amount + all, *ends = amount + 3 * all;
    float *linked = amount + LOGS * all, *place = linked + 2 * all;
    for (Py_ssize_t k = 0; k < all; k++) {
        int32_t low = c->low[k], high = c->high[k];
        amount[k] = (float)(high - low);
        units[k] = (float)(int32_t)(before[high][0] - before[low][0]);
        linked[k] = (float)(int32_t)(before[high][1] - before[low][1]);
        ends[k] = (float)(int32_t)(before[high][2] - before[low][2]);
    }
    for (Py_ssize_t level = 0; level < LEVELS; level++)
        for (int32_t j = 0; j < c->m; j++)
            place[level * c->m + j] = (float)(j - c->low[level * c->m + j]);
}

/* Divide what text the containers hold, so that counts and shares are written; 1 is added to
 * counts. */
static void divide_text_held(const Containers *c, float total)
{
    Py_ssize_t all = LEVELS * c->m;
    float *restrict amount = c->out, *restrict units = amount + all;
    float *restrict mean = amount + 2 * all, *restrict ends = amount + 3 * all;
    float *restrict linked = amount + LOGS * all;
    float *restrict share = linked + all, *restrict place = linked + 2 * all;
    for (Py_ssize_t k = 0; k < all; k++) {
        mean[k] = units[k] / amount[k] + 1;
        ends[k] = ends[k] / amount[k] + 1;
        place[k] /= amount[k];
        linked[k] /= units[k];
        share[k] = units[k] / total;
        units[k] += 1;
        amount[k] += 1;
    }
}

/* Write how many elements of each kind stand before each row. */
static void count_kinds(const Containers *c, int32_t (*before)[KINDS])
{
    int32_t seen[KINDS] = {0};
    for (Py_ssize_t row = 0; row < c->n; row++) {
        const int32_t *own = c->kinds + KINDS * c->tag[row];
        memcpy(before[row], seen, sizeof seen);
        for (int kind = 0; kind < KINDS; kind++)
            seen[kind] += own[kind];
    }
    memcpy(before[c->n], seen, sizeof seen);
}

/* Write how many elements of each kind the containers hold, plus 1. */
static void write_kinds_held(const Containers *c, const int32_t (*before)[KINDS])
{
    Py_ssize_t all = LEVELS * c->m;
    for (Py_ssize_t k = 0; k < all; k++) {
        const int32_t *from = before[c->around[k]], *to = before[c->end[c->around[k]]];
        float *restrict out = c->out + 4 * all + k;
        for (int kind = 0; kind < KINDS; kind++)
            out[kind * all] = (float)(to[kind] - from[kind]) + 1;
    }
}

/* Write everything; false where there is no memory. */
static bool look_around(const Containers *c)
{
    int32_t *top = PyMem_Calloc(c->r, sizeof *top);
    uint32_t (*text)[3] = PyMem_Calloc(c->m + 1, sizeof *text);
    int32_t (*kinds)[KINDS] = PyMem_Malloc((c->n + 1) * sizeof *kinds);
    bool room = top != NULL && text != NULL && kinds != NULL;
    if (room) {
        find_tops(c, top);
        write_containers(c, top);
        for (Py_ssize_t j = 0; j < c->m; j++)
            for (int sum = 0; sum < 3; sum++)
                text[j + 1][sum] = text[j][sum] + (uint32_t)c->sums[sum * c->m + j];
        write_text_held(c, (const uint32_t (*)[3])text);
        divide_text_held(c, (float)(int32_t)text[c->m][0]);
        count_kinds(c, kinds);
        write_kinds_held(c, (const int32_t (*)[KINDS])kinds);
    }
    PyMem_Free(top);
    PyMem_Free(text);
    PyMem_Free(kinds);
    return room;
}

/* Whether lengths fit and no row leads out of the page. */
static bool containers_hold(const Containers *c, const Array *a)
{
    Py_ssize_t n = c->n, m = c->m, r = c->r, all = LEVELS * m;
    bool fits = a[1].count == n && a[2].count == n && a[4].count == m && a[5].count == n + 1
                && a[6].count == n && a[8].count == r && a[9].count == 3 * m
                && a[11].count == all && a[12].count == all && a[13].count == all
                && a[14].count == 4 * m && a[15].count == (LOGS + 3) * all;
    bool holds = fits && tags_hold(c->tag, n, a[10].count / KINDS) && parents_hold(c->parent, n)
                 && ends_hold(c->end, n) && all_below(c->first, m, n) && all_below(c->owner, m, n)
                 && all_below(c->begun, n + 1, m + 1) && all_below(c->place, n, r)
                 && all_below(c->up, r, r);
    for (Py_ssize_t i = 0; holds && i < r; i++)
        holds = c->rows[i] >= 0 && c->rows[i] < n;
    return holds;
}

/* containers(tag: uint16[n], parent: int32[n], end: int32[n], first: int32[m], owner: int32[m],
 * begun: int32[n + 1], place: int32[n], up: int32[r], rows: intp[r], sums: int32[3, m],
 * kinds: int32[tags, 8], around: int32[4, m], low: int32[4, m], high: int32[4, m],
 * near: int32[m, 4], out: float32[60, m]): the columns of chaffinch.model.containers, logarithms
 * not yet taken. The first ones are columns of a page, its blocks and what is above them; rows are
 * checked. */
static PyObject *containers(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "hiiiiiiiqiiIIIII";
    Array a[16];
    if (!chaffinch_take(args, given, kinds, a))
        return NULL;
    const Containers c = {
        .tag = a[0].data, .parent = a[1].data, .end = a[2].data, .first = a[3].data,
        .owner = a[4].data, .begun = a[5].data, .place = a[6].data, .up = a[7].data,
        .rows = a[8].data, .sums = a[9].data, .kinds = a[10].data, .around = a[11].data,
        .low = a[12].data, .high = a[13].data, .near = a[14].data, .out = a[15].data,
        .n = a[0].count, .m = a[3].count, .r = a[7].count,
    };
    bool done = chaffinch_agree(containers_hold(&c, a), "containers");
    if (done && !look_around(&c)) {
        PyErr_NoMemory();
        done = false;
    }
    chaffinch_release(kinds, a);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef chaffinch_containers[] = {
    {"containers", (PyCFunction)(void (*)(void))containers, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
