/* Where blocks stand in the page, and in which elements. */
#include "kernels.h"
#include "pages.h"

typedef struct {
    const uint16_t *tag;
    const int16_t *depth;
    const int32_t *first, *owner;
    const uint8_t *media; /* [tags] */
    const float *level;   /* [tags] */
    Py_ssize_t m;
} Blocks;

static inline float clipped(float value, float low, float high)
{
    value = value < low ? low : value;
    return value > high ? high : value;
}

/* Write position, depth, and how each block's owner differs from those before and after. */
static void write_steps(const Blocks *b, float *out)
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
static Py_ssize_t write_headings(const Blocks *b, uint16_t h1, float *out, int32_t *heading)
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
static void write_gaps(const Blocks *b, float *out)
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
 * level: float32[tags], h1: int, out: float32[14, m], heading: int32[m]) -> int: the columns of
 * plain/places.py but for the second, logarithms not yet taken, and the last heading before each
 * block, m where there is none; how many blocks stand before any. Rows are checked. */
static PyObject *places(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hhii?fn|fi";
    Array a[9];
    if (!chaffinch_take("places", args, given, kinds, a))
        return NULL;
    Py_ssize_t n = a[0].count, lead = -1;
    const Blocks b = {.tag = a[0].data, .depth = a[1].data, .first = a[2].data,
                      .owner = a[3].data, .media = a[4].data, .level = a[5].data,
                      .m = a[2].count};
    float *out = a[7].data;
    bool fits = a[1].count == n && a[3].count == b.m && a[4].count == a[5].count
                && a[7].count == 14 * b.m && a[8].count == b.m;
    if (chaffinch_agree(fits && tags_hold(b.tag, n, a[4].count) && all_rise(b.first, b.m, n)
                            && all_below(b.owner, b.m, n), "places")) {
        PyThreadState *unlocked = chaffinch_unlock(n);
        write_steps(&b, out);
        lead = write_headings(&b, (uint16_t)a[6].count, out + 7 * b.m, a[8].data);
        write_gaps(&b, out + 11 * b.m);
        chaffinch_lock(unlocked);
    }
    chaffinch_release(kinds, a);
    return lead < 0 ? NULL : PyLong_FromSsize_t(lead);
}

/* Count the elements of each kind from the outermost one down to each of r. */
static void count_down(const uint16_t *tag, const int64_t *rows, const int32_t *up, Py_ssize_t r,
                       const int32_t *kinds, Py_ssize_t width, int32_t *counts)
{
    for (int32_t i = 0; i < r; i++) {
        const int32_t *own = kinds + width * tag[rows[i]], *over = counts + width * up[i];
        for (Py_ssize_t kind = 0; kind < width; kind++)
            counts[width * i + kind] += own[kind] + (up[i] < i ? over[kind] : 0);
    }
}

/* kinds_above(tag: uint16[n], place: int32[n], rows: intp[r], up: int32[r], over: int32[m],
 * hidden: int32[h], kinds: int32[tags, k], counts: int32[r, k], out: float32[k, m]): how many
 * elements of each kind are above each block, plus 1; those of `hidden` rows are also of the last
 * kind. `counts` is room to work in, all 0. Rows are checked. */
static PyObject *kinds_above(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char letters[] = "Hiqiiii|if";
    Array a[9];
    if (!chaffinch_take("kinds_above", args, given, letters, a))
        return NULL;
    Py_ssize_t n = a[0].count, r = a[2].count, m = a[4].count, k = m ? a[8].count / m : 1;
    const int32_t *place = a[1].data, *up = a[3].data, *over = a[4].data, *hidden = a[5].data;
    const int64_t *rows = a[2].data;
    bool fits = k > 0 && a[1].count == n && a[3].count == r && a[7].count == r * k
                && a[8].count == k * m && tags_hold(a[0].data, n, a[6].count / (k > 0 ? k : 1))
                && all_below(place, n, r) && all_below(up, r, r) && all_below(over, m, r)
                && all_below(hidden, a[5].count, n);
    for (Py_ssize_t i = 0; fits && i < r; i++)
        fits = rows[i] >= 0 && rows[i] < n;
    if (chaffinch_agree(fits, "kinds_above")) {
        int32_t *counts = a[7].data;
        float *out = a[8].data;
        PyThreadState *unlocked = chaffinch_unlock(k * (r + m));
        for (Py_ssize_t i = 0; i < a[5].count; i++)
            counts[k * place[hidden[i]] + k - 1] = 1;
        count_down(a[0].data, rows, up, r, a[6].data, k, counts);
        for (Py_ssize_t kind = 0; kind < k; kind++)
            for (Py_ssize_t j = 0; j < m; j++)
                out[kind * m + j] = (float)counts[k * over[j] + kind] + 1;
        chaffinch_lock(unlocked);
    }
    chaffinch_release(letters, a);
    if (!fits)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef chaffinch_places[] = {
    {"places", (PyCFunction)(void (*)(void))places, METH_FASTCALL, NULL},
    {"kinds_above", (PyCFunction)(void (*)(void))kinds_above, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
