/* The containers above blocks, and in what the blocks stand. */
#include "kernels.h"
#include "pages.h"

/* Numbers of kernels/codes.py; the lengths of arrays tell if they differ. */
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

/* An element that holds blocks. */
typedef struct {
    int32_t row, low, high; /* its blocks: low:high */
    int32_t next;           /* the top of what is above */
    float text[3];          /* units, units in links, sentence ends */
    float kinds[KINDS];     /* elements of each kind, plus 1 */
} Element;

/* Find the top of each element, the outermost with no more blocks, up to 2 ** CHAIN up; and what is
 * next above those. Tops stand apart, close together: each round goes over all of them. */
static void find_tops(const Containers *c, Element *elements, int32_t *top)
{
    for (int32_t i = 0; i < c->r; i++) {
        Element *own = &elements[i], *over = &elements[c->up[i]];
        own->row = (int32_t)c->rows[i];
        own->low = c->begun[own->row];
        own->high = c->begun[c->end[own->row]];
        top[i] = c->up[i] < i && over->high - over->low == own->high - own->low ? c->up[i] : i;
    }
    for (int round = 0; round < CHAIN; round++)
        for (Py_ssize_t i = c->r - 1; i >= 0; i--) /* what is above is of the round before yet */
            top[i] = top[top[i]];
    for (Py_ssize_t i = 0; i < c->r; i++)
        elements[i].next = top[c->up[i]];
}

/* Count what text elements hold; `before` is for one item a block and one. */
static void count_text(const Containers *c, Element *elements, uint32_t (*before)[3])
{
    memset(before[0], 0, sizeof before[0]);
    for (Py_ssize_t j = 0; j < c->m; j++)
        for (int sum = 0; sum < 3; sum++)
            before[j + 1][sum] = before[j][sum] + (uint32_t)c->sums[sum * c->m + j];
    for (Py_ssize_t i = 0; i < c->r; i++) {
        Element *own = &elements[i];
        for (int sum = 0; sum < 3; sum++)
            own->text[sum] = (float)(int32_t)(before[own->high][sum] - before[own->low][sum]);
    }
}

/* Count the elements of each kind in them; `before` is for one item a row and one. */
static void count_kinds(const Containers *c, Element *elements, int32_t (*before)[KINDS])
{
    int32_t seen[KINDS] = {0};
    for (Py_ssize_t row = 0; row < c->n; row++) {
        const int32_t *own = c->kinds + KINDS * c->tag[row];
        memcpy(before[row], seen, sizeof seen);
        for (int kind = 0; kind < KINDS; kind++)
            seen[kind] += own[kind];
    }
    memcpy(before[c->n], seen, sizeof seen);
    for (Py_ssize_t i = 0; i < c->r; i++) {
        Element *own = &elements[i];
        const int32_t *from = before[own->row], *to = before[c->end[own->row]];
        for (int kind = 0; kind < KINDS; kind++)
            own->kinds[kind] = (float)(to[kind] - from[kind]) + 1;
    }
}

/* Write the containers of all levels and what they hold: counts, nothing divided yet. */
static void write_containers(const Containers *c, const Element *elements, const int32_t *top)
{
    Py_ssize_t all = LEVELS * c->m;
    for (Py_ssize_t j = 0; j < c->m; j++) {
        const Element *own = &elements[top[c->place[c->owner[j]]]];
        for (Py_ssize_t k = j; k < all; k += c->m, own = &elements[own->next]) {
            float *restrict logs = c->out + k, *restrict shares = logs + LOGS * all;
            c->around[k] = own->row;
            c->low[k] = own->low;
            c->high[k] = own->high;
            logs[0] = (float)(own->high - own->low);
            logs[all] = own->text[0];
            logs[3 * all] = own->text[2];
            for (int kind = 0; kind < KINDS; kind++)
                logs[(4 + kind) * all] = own->kinds[kind];
            shares[0] = own->text[1];
            shares[2 * all] = (float)((int32_t)j - own->low);
        }
    }
}

/* Divide what text the containers hold, and add 1 to its counts. */
static void divide_text(const Containers *c, float total)
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

/* Write the rows near each block. */
static void write_near(const Containers *c)
{
    for (Py_ssize_t j = 0; j < c->m; j++) {
        int32_t *near = c->near + 4 * j;
        near[0] = row_above(c->parent, c->first[j]);
        near[1] = c->owner[j];
        near[2] = row_above(c->parent, c->owner[j]);
        near[3] = c->around[c->m + j];
    }
}

/* Write everything; false where there is no memory. */
static bool look_around(const Containers *c)
{
    Element *elements = PyMem_RawMalloc((size_t)c->r * sizeof *elements);
    uint32_t (*text)[3] = PyMem_RawMalloc((size_t)(c->m + 1) * sizeof *text);
    int32_t (*kinds)[KINDS] = PyMem_RawMalloc((size_t)(c->n + 1) * sizeof *kinds);
    int32_t *top = PyMem_RawMalloc((size_t)c->r * sizeof *top);
    bool room = elements != NULL && text != NULL && kinds != NULL && top != NULL;
    if (room) {
        find_tops(c, elements, top);
        count_text(c, elements, text);
        count_kinds(c, elements, kinds);
        write_containers(c, elements, top);
        divide_text(c, (float)(int32_t)text[c->m][0]);
        write_near(c);
    }
    PyMem_RawFree(elements);
    PyMem_RawFree(text);
    PyMem_RawFree(kinds);
    PyMem_RawFree(top);
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
 * near: int32[m, 4], out: float32[60, m]): the columns of plain/containers.py, logarithms
 * not yet taken. The first ones are columns of a page, its blocks and what is above them; rows are
 * checked. */
static PyObject *containers(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hiiiiiiiqii|iiiif";
    Array a[16];
    if (!chaffinch_take("containers", args, given, kinds, a))
        return NULL;
    const Containers c = {
        .tag = a[0].data, .parent = a[1].data, .end = a[2].data, .first = a[3].data,
        .owner = a[4].data, .begun = a[5].data, .place = a[6].data, .up = a[7].data,
        .rows = a[8].data, .sums = a[9].data, .kinds = a[10].data, .around = a[11].data,
        .low = a[12].data, .high = a[13].data, .near = a[14].data, .out = a[15].data,
        .n = a[0].count, .m = a[3].count, .r = a[7].count,
    };
    bool done = chaffinch_agree(containers_hold(&c, a), "containers");
    if (done) {
        PyThreadState *unlocked = chaffinch_unlock(c.n);
        done = look_around(&c);
        chaffinch_lock(unlocked);
        if (!done)
            PyErr_NoMemory();
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
