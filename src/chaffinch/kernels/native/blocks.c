/* Text blocks: the elements above them, where they stand, and which hang alike. */
#include "kernels.h"

/* The nearest block element at or above a row, or the root. */
static int32_t owner_of(int32_t row, const uint16_t *tag, const int32_t *parent, const uint8_t *block)
{
    while (row > 0 && !block[tag[row]])
        row = row_above(parent, row);
    return row;
}

/* text_blocks(tag: uint16[n], parent: int32[n], line: int32[n], shown: bool[n], written: bool[n],
 * own: int32[n], in_link: bool[n], is_block: bool[tags] | columns: int32[5, n], block: int32[n]) ->
 * int: the m text blocks of a page, runs of text rows of one line. Writes m first rows, last rows,
 * owners, lengths and lengths in links, and the block of each row. Tags and parents are checked. */
LOOP(text_blocks, "Hii??i??|ii", "nnnnnnn.5nn")
{
    Py_ssize_t n = a[0].count, count = 0;
    const uint16_t *tag = a[0].data;
    const int32_t *parent = a[1].data, *line = a[2].data, *own = a[5].data;
    const uint8_t *shown = a[3].data, *written = a[4].data, *in_link = a[6].data, *is_block = a[7].data;
    int32_t *first = a[8].data, *last = first + n, *owner = last + n, *length = owner + n,
            *linked = length + n, *block = a[9].data, before = -1;
    int64_t sum = 0, sum_linked = 0, begun = 0, begun_linked = 0;
    if (!tags_hold(tag, n, a[7].count) || !parents_hold(parent, n))
        return MISFIT;
    for (int32_t row = 0; row < n; row++) {
        int32_t size = own[row], in_links = in_link[row] ? size : 0;
        block[row] = -1;
        sum += size;
        sum_linked += in_links;
        if (tag[row] != 0 || !shown[row] || !written[row])
            continue;
        if (before < 0 || line[row] != line[before]) {
            first[count] = row;
            owner[count++] = owner_of(row, tag, parent, is_block);
            begun = sum - size;
            begun_linked = sum_linked - in_links;
        }
        last[count - 1] = row + 1;
        length[count - 1] = (int32_t)(sum - begun);
        linked[count - 1] = (int32_t)(sum_linked - begun_linked);
        block[row] = (int32_t)count - 1;
        before = row;
    }
    return count;
}

/* outermost_boxes(tag: uint16[n], parent: int32[n], length: int64[n], owner: int32[m], box: int,
 * most: int | boxes: int32[m]): the outermost of up to `most` rows with the tag `box` above each owner
 * that hold nothing but its text. Parents and owners are checked. */
LOOP(outermost_boxes, "Hiqinn|i", "nnnm..m")
{
    Py_ssize_t n = a[0].count, m = a[3].count;
    const uint16_t *tag = a[0].data;
    const int32_t *parent = a[1].data, *owner = a[3].data;
    const int64_t *length = a[2].data;
    int32_t *boxes = a[6].data;
    if (!parents_hold(parent, n) || !all_below(owner, m, n))
        return MISFIT;
    for (Py_ssize_t j = 0; j < m; j++) {
        boxes[j] = owner[j];
        for (Py_ssize_t more = a[5].count; more > 0; more--) {
            int32_t around = parent[boxes[j]];
            if (around < 0 || tag[around] != a[4].count || length[around] != length[owner[j]])
                break;
            boxes[j] = around;
        }
    }
    return 0;
}

/* above(tag: uint16[n], parent: int32[n], end: int32[n], first: int32[m] | begun: int32[n + 1],
 * holds: bool[n], rows: intp[n], place: int32[n], up: int32[n], over: int32[m]) -> int: the r
 * elements that hold blocks, which begin at `first`: see the caller for what is written, r items of
 * `rows` and `up`. Rows are checked. */
LOOP(above, "Hiii|i?qiii", "nnnmn+nnnnm")
{
    Py_ssize_t n = a[0].count, m = a[3].count, count = 0, next = 0;
    const uint16_t *tag = a[0].data;
    const int32_t *parent = a[1].data, *end = a[2].data, *first = a[3].data;
    int32_t *begun = a[4].data, *place = a[7].data, *up = a[8].data, *over = a[9].data;
    uint8_t *holds = a[5].data;
    int64_t *rows = a[6].data;
    if (!parents_hold(parent, n) || !ends_hold(end, n) || !all_rise(first, m, n))
        return MISFIT;
    for (int32_t j = 0; j <= m; j++)
        while (next <= (j < m ? first[j] : n))
            begun[next++] = j;
    for (int32_t row = 0; row < n; row++) {
        holds[row] = begun[end[row]] > begun[row];
        bool is = holds[row] && tag[row] != 0;
        place[row] = is ? (int32_t)count : 0;
        rows[count] = row; /* written over by the next one, if it isn't */
        up[count] = place[row_above(parent, row)];
        count += is;
    }
    for (Py_ssize_t j = 0; j < m; j++)
        over[j] = place[row_above(parent, first[j])];
    return count;
}

/* Numbers of kernels/codes.py; the lengths of arrays tell if they differ. Wrappers of wrappers are
 * skipped up to 2 ** CHAIN deep. */
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

/* containers(tag: uint16[n], parent: int32[n], end: int32[n], first: int32[m], owner: int32[m],
 * begun: int32[n + 1], place: int32[n], up: int32[r], rows: intp[r], sums: int32[3, m],
 * kinds: int32[tags, 8] | around: int32[4, m], low: int32[4, m], high: int32[4, m],
 * near: int32[m, 4], out: float32[60, m])
 *
 * The first ones are columns of a page, its blocks and what is above them; sums are units of text,
 * units in links, and marks that end a sentence; kinds are 1 where a tag is of a kind. Writes to `out`
 * level by level: with 1 added, blocks, units, units a block, ends of sentences a block, elements of
 * each kind; then the share in links, the share of the page's units, and where among the container's
 * blocks the block stands, in 0..1. Rows are checked. */
LOOP(containers, "Hiiiiiiiqii|iiiif", "nnnmmn+nrr3m.4m4m4m4m.")
{
    const Containers c = {
        .tag = a[0].data, .parent = a[1].data, .end = a[2].data, .first = a[3].data,
        .owner = a[4].data, .begun = a[5].data, .place = a[6].data, .up = a[7].data,
        .rows = a[8].data, .sums = a[9].data, .kinds = a[10].data, .around = a[11].data,
        .low = a[12].data, .high = a[13].data, .near = a[14].data, .out = a[15].data,
        .n = a[0].count, .m = a[3].count, .r = a[7].count,
    };
    Py_ssize_t n = c.n, m = c.m, r = c.r;
    bool holds = a[15].count == (LOGS + 3) * LEVELS * m && tags_hold(c.tag, n, a[10].count / KINDS) &&
                 parents_hold(c.parent, n) && ends_hold(c.end, n) && all_below(c.first, m, n) &&
                 all_below(c.owner, m, n) && all_below(c.begun, n + 1, m + 1) &&
                 all_below(c.place, n, r) && all_below(c.up, r, r);
    for (Py_ssize_t i = 0; holds && i < r; i++)
        holds = c.rows[i] >= 0 && c.rows[i] < n;
    return !holds ? MISFIT : look_around(&c) ? 0 : NO_MEMORY;
}

typedef struct {
    const uint16_t *tag;
    const int16_t *depth;
    const int32_t *first, *owner;
    const uint8_t *media; /* [tags] */
    const float *level;   /* [tags] */
    Py_ssize_t m;
} Standing;

static inline float clipped(float value, float low, float high)
{
    value = value < low ? low : value;
    return value > high ? high : value;
}

/* Write position, depth, and how each block's owner differs from those before and after. */
static void write_steps(const Standing *b, float *out)
{
    Py_ssize_t m = b->m;
    float *step = out + 3 * m, *step_after = step + m, *same = step_after + m, *same_after = same + m;
    for (Py_ssize_t j = 0; j < m; j++) {
        int16_t depth = b->depth[b->owner[j]];
        out[j] = (float)j / (float)m;
        out[2 * m + j] = (float)(depth < 64 ? depth : 64) / 16;
        step[j] = same[j] = step_after[j] = same_after[j] = 0;
        if (j == 0)
            continue;
        int16_t down = (int16_t)(depth - b->depth[b->owner[j - 1]]);
        step[j] = step_after[j - 1] = clipped(down, -8, 8) / 4;
        same[j] = same_after[j - 1] = b->owner[j] == b->owner[j - 1];
    }
}

/* Write levels of headings, how far the last is (no logarithm yet) and the first of the first
 * level, and the last heading before each block; return how many blocks stand before any. */
static Py_ssize_t write_headings(const Standing *b, uint16_t h1, float *out, int32_t *heading)
{
    Py_ssize_t m = b->m, lead = m, top = m;
    int32_t last = -1;
    float *distance = out + m, *after = out + 2 * m, *from_top = out + 3 * m;
    for (int32_t j = 0; j < m; j++) {
        uint16_t tag = b->tag[b->owner[j]];
        heading[j] = last < 0 ? (int32_t)m : last;
        out[j] = b->level[tag];
        if (out[j] > 0) {
            last = j;
            lead = lead < m ? lead : j;
        }
        if (tag == h1 && top == m)
            top = j;
        distance[j] = (float)(j - last + 1);
    }
    for (Py_ssize_t j = 0; j < m; j++) {
        after[j] = top == m ? 2 : (float)((j > top) - (j < top));
        from_top[j] = top == m ? 0 : (float)(j - top) / (float)m;
    }
    return lead;
}

/* Write what lies between each block and the one before: rows, media, the way up. */
static void write_gaps(const Standing *b, float *out)
{
    Py_ssize_t m = b->m;
    float *media = out + m, *way = out + 2 * m;
    int32_t row = 0;
    for (Py_ssize_t j = 0; j < m; j++) {
        int32_t seen = 0;
        int16_t lowest = INT16_MAX;
        out[j] = (float)(b->first[j] - row) + 1;
        for (; row < b->first[j]; row++) {
            seen += b->media[b->tag[row]];
            lowest = b->depth[row] < lowest ? b->depth[row] : lowest;
        }
        float depth = b->depth[b->owner[j]];
        media[j] = (float)seen + 1;
        way[j] = clipped((j ? depth - (float)lowest : depth) / 4, -1, 4);
    }
}

/* places(tag: uint16[n], depth: int16[n], first: int32[m], owner: int32[m], media: bool[tags],
 * level: float32[tags], h1: int | out: float32[14, m], heading: int32[m]) -> int
 *
 * `media` is what counts between blocks, `level` that of a heading, 0 for other tags, and `h1` the tag
 * of the highest. Writes to `out`, all but its second column: position in 0..1; depth; steps in depth
 * before and after; whether the owner is the same, before and after; the owner's level; blocks since
 * the last heading, itself included; whether the highest heading is before, 2 where there is none,
 * and how far; with 1 added, rows and media since the block before; levels that the path from that
 * block goes up. And the last heading before each block, m where there is none. Returns how many
 * blocks stand before any. Rows are checked. */
LOOP(places, "Hhii?fn|fi", "nnmmtt..m")
{
    Py_ssize_t n = a[0].count;
    const Standing b = {.tag = a[0].data, .depth = a[1].data, .first = a[2].data,
                        .owner = a[3].data, .media = a[4].data, .level = a[5].data,
                        .m = a[2].count};
    float *out = a[7].data;
    if (a[7].count != 14 * b.m || !tags_hold(b.tag, n, a[4].count) || !all_rise(b.first, b.m, n) ||
        !all_below(b.owner, b.m, n))
        return MISFIT;
    write_steps(&b, out);
    write_gaps(&b, out + 11 * b.m);
    return write_headings(&b, (uint16_t)a[6].count, out + 7 * b.m, a[8].data);
}

/* kinds_above(tag: uint16[n], place: int32[n], rows: intp[r], up: int32[r], over: int32[m],
 * hidden: int32[h], kinds: int32[tags, k] | counts: int32[r, k], out: float32[k, m]): how many
 * elements of each kind are above each block, plus 1; those of `hidden` rows are also of the last
 * kind. `counts` is room to work in, all 0. Rows are checked. */
LOOP(kinds_above, "Hiqiiii|if", "nnrrm....")
{
    Py_ssize_t n = a[0].count, r = a[2].count, m = a[4].count, k = m ? a[8].count / m : 1;
    const uint16_t *tag = a[0].data;
    const int32_t *place = a[1].data, *up = a[3].data, *over = a[4].data, *hidden = a[5].data;
    const int32_t *kinds = a[6].data;
    const int64_t *rows = a[2].data;
    int32_t *counts = a[7].data;
    float *out = a[8].data;
    bool fits = k > 0 && a[7].count == r * k && a[8].count == k * m &&
                tags_hold(tag, n, a[6].count / (k > 0 ? k : 1)) && all_below(place, n, r) &&
                all_below(up, r, r) && all_below(over, m, r) && all_below(hidden, a[5].count, n);
    for (Py_ssize_t i = 0; fits && i < r; i++)
        fits = rows[i] >= 0 && rows[i] < n;
    if (!fits)
        return MISFIT;
    for (Py_ssize_t i = 0; i < a[5].count; i++)
        counts[k * place[hidden[i]] + k - 1] = 1;
    for (int32_t i = 0; i < r; i++) /* from the outermost one down */
        for (Py_ssize_t kind = 0; kind < k; kind++)
            counts[k * i + kind] += kinds[k * tag[rows[i]] + kind] + (up[i] < i ? counts[k * up[i] + kind] : 0);
    for (Py_ssize_t kind = 0; kind < k; kind++)
        for (Py_ssize_t j = 0; j < m; j++)
            out[kind * m + j] = (float)counts[k * over[j] + kind] + 1;
    return 0;
}

#define FIRST_ODD UINT64_C(0x9E3779B97F4A7C15)
#define SECOND_ODD UINT64_C(0xC2B2AE3D27D4EB4F)
#define THIRD_ODD UINT64_C(0x165667B19E3779F9)
#define LAST_ODD UINT64_C(0xD6E8FEB86659FD93)
#define BINS (1 << 14)
#define BIN_SHIFT (64 - 14)
#define REPEATED 3 /* containers above each block for which elements like them are counted */
#define REPEATS (2 * REPEATED)

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

/* Write how many siblings of each container are like it, and how many elements of the page;
 * `beside` and `alike` are room for int32[BINS], all 0. */
static void write_repeats(const Blocks *b, int32_t *beside, int32_t *alike)
{
    for (int32_t row = 0; row < b->n; row++) {
        beside[bin_beside(b, row)]++;
        alike[bin_alike(b, row)]++;
    }
    for (Py_ssize_t k = 0; k < REPEATED * b->m; k++) {
        b->counts[k] = (float)beside[bin_beside(b, b->around[k])] + 1;
        b->counts[REPEATED * b->m + k] = (float)alike[bin_alike(b, b->around[k])] + 1;
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

/* groups(tag: uint16[n], alike: int32[n], parent: int32[n], near: int32[m, 4], around: int32[4, m],
 * sums: int32[3, m] | of_block: int32[m], room: intp[2 * m + 1], counts: float32[8, m],
 * shares: float32[5, m]) -> int: how many groups of blocks hang alike; `room` is to work in
 *
 * Blocks are alike where the elements of their first texts, their owners and the two elements above
 * these have the same tags and, digits ignored, the same names (`alike`). Like elements are counted in
 * hashed bins: a rare collision adds to a count. Writes to `counts`, with 1 added, the like siblings
 * of three containers, the like elements of the page, the blocks of the group and their mean units;
 * to `shares` the group's share in links, its shares of the page's text and links, the share of the
 * page between its first block and its last, and 1 / (rank + 1), the rank being the groups with more
 * text. Rows are checked. */
LOOP(groups, "Hiiiii|iqff", "nnn4m..m2m+8m5m")
{
    const Blocks b = {
        .tag = a[0].data, .alike = a[1].data, .parent = a[2].data, .near = a[3].data,
        .around = a[4].data, .sums = a[5].data, .of_block = a[6].data, .order = a[7].data,
        .edges = (int64_t *)a[7].data + a[6].count, .counts = a[8].data, .shares = a[9].data,
        .n = a[0].count, .m = a[6].count,
    };
    Py_ssize_t n = b.n, m = b.m, count = NO_MEMORY;
    if (a[4].count < REPEATED * m || a[5].count < 2 * m || !parents_hold(b.parent, n) ||
        !all_below(b.near, 4 * m, n) || !all_below(b.around, a[4].count, n))
        return MISFIT;
    int32_t *bins = PyMem_RawCalloc(2 * BINS, sizeof *bins);
    Sortable *items = PyMem_RawMalloc((2 * (size_t)m + 1) * sizeof *items);
    if (bins != NULL && items != NULL) {
        write_repeats(&b, bins, bins + BINS);
        write_keys(&b, items);
        count = write_groups(&b, chaffinch_sorted(items, items + m, m));
        write_columns(&b, count, items, items + m);
    }
    PyMem_RawFree(bins);
    PyMem_RawFree(items);
    return count;
}
