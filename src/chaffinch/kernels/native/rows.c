/* What follows from the shape of a page: in, around, above and below rows; tables; boxes. */
#include "kernels.h"
#include <math.h>

/* inside(end: int32[n], marked: bool[n] | out: bool[n]): the marked rows and all their descendants. */
LOOP(inside, "i?|?", "nnn")
{
    const int32_t *end = a[0].data;
    const uint8_t *marked = a[1].data;
    uint8_t *out = a[2].data;
    int32_t reach = 0;
    for (Py_ssize_t row = 0; row < a[0].count; row++) {
        int32_t own = marked[row] ? end[row] : 0;
        reach = own > reach ? own : reach;
        out[row] = reach > row;
    }
    return 0;
}

/* around(end: int32[n], marked: bool[n] | out: bool[n]): the marked rows and all their ancestors. */
LOOP(around, "i?|?", "nnn")
{
    const int32_t *end = a[0].data;
    const uint8_t *marked = a[1].data;
    uint8_t *out = a[2].data;
    Py_ssize_t next = INT32_MAX; /* the first marked row from here on */
    for (Py_ssize_t row = a[0].count - 1; row >= 0; row--) {
        next = marked[row] ? row : next;
        out[row] = next < end[row];
    }
    return 0;
}

/* held_tags(tag: uint16[n], tags: int) -> bytes: by code, below `tags`: 1 where a row has it, else 0.
 * Tags are checked. */
MAKER(held_tags, "Hn", "..")
{
    const uint16_t *tag = a[0].data;
    Py_ssize_t tags = a[1].count;
    if (tags < 0 || !tags_hold(tag, a[0].count, tags))
        return NULL;
    PyObject *held = PyBytes_FromStringAndSize(NULL, tags);
    if (held != NULL)
        memset(PyBytes_AS_STRING(held), 0, (size_t)tags);
    for (Py_ssize_t row = 0; held != NULL && row < a[0].count; row++)
        PyBytes_AS_STRING(held)[tag[row]] = 1;
    return held;
}

/* nearest(parent: int32[n], marked: bool[n] | out: int32[n]): the nearest marked row at or above
 * each row, -1 where there is none. Parents are checked. */
LOOP(nearest, "i?|i", "nnn")
{
    const int32_t *parent = a[0].data;
    const uint8_t *marked = a[1].data;
    int32_t *out = a[2].data;
    if (!parents_hold(parent, a[0].count))
        return MISFIT;
    for (int32_t row = 0; row < a[0].count; row++)
        out[row] = marked[row] ? row : row == 0 ? -1 : out[row_above(parent, row)];
    return 0;
}

/* Write the sum of `own` over each row's subtree: sums of what is before each row, then differences. */
#define SUM_SUBTREES(OWN, SUM)                                                                     \
    do {                                                                                           \
        const OWN *own = a[1].data;                                                                \
        SUM *out = a[2].data, sum = 0;                                                             \
        for (Py_ssize_t row = 0; row < n; row++) {                                                 \
            out[row] = sum;                                                                        \
            sum += (SUM)own[row];                                                                  \
        }                                                                                          \
        for (Py_ssize_t row = 0; row < n; row++) /* rows further on are still sums */              \
            out[row] = (end[row] < n ? out[end[row]] : sum) - out[row];                            \
    } while (0)

/* total(end: int32[n], own: bool[n] | out: int32[n]), or own: int64[n] and out: int64[n], or own:
 * float64[n] and out: float64[n]: the sum of `own` over each row's subtree, of floats as numpy adds
 * them up from the first row on. Ends are checked. */
LOOP(total, "i*|*", "nnn")
{
    Py_ssize_t n = a[0].count;
    const int32_t *end = a[0].data;
    if (!ends_hold(end, n))
        return MISFIT;
    if (a[1].letter == '?' && a[2].letter == 'i')
        SUM_SUBTREES(uint8_t, uint32_t);
    else if (a[1].letter == 'q' && a[2].letter == 'q')
        SUM_SUBTREES(int64_t, uint64_t);
    else if (a[1].letter == 'd' && a[2].letter == 'd')
        SUM_SUBTREES(double, double);
    else
        return MISFIT;
    return 0;
}

/* sums_around(parent: int32[n], end: int32[n], own: int32[n], left_out: bool[n], kept: bool[n],
 * rows: int32[r], least: int | before: int64[2, n+1], boxes: int32[2, r], sums: int64[2, 2, r]): the
 * nearest row above each that holds enough, that above it that holds more, and what each of these
 * holds: all, and what is kept. `before` is to work in. Parents, ends and rows are checked. */
LOOP(sums_around, "iii??in|qiq", "nnnnnr.2n++2r4r")
{
    Py_ssize_t n = a[0].count, r = a[5].count, least = a[6].count;
    const int32_t *parent = a[0].data, *end = a[1].data, *own = a[2].data, *rows = a[5].data;
    const uint8_t *left_out = a[3].data, *kept = a[4].data;
    int64_t *all = a[7].data, *some = all + n + 1, *sums = a[9].data;
    int32_t *boxes = a[8].data;
    if (!parents_hold(parent, n) || !ends_hold(end, n) || !all_below(rows, r, n))
        return MISFIT;
    all[0] = some[0] = 0;
    for (Py_ssize_t row = 0; row < n; row++) {
        int64_t counted = left_out[row] ? 0 : own[row];
        all[row + 1] = all[row] + counted;
        some[row + 1] = some[row] + (kept[row] ? counted : 0);
    }
    for (Py_ssize_t i = 0; i < r; i++) {
        int32_t at = parent[rows[i]];
        int64_t enough = least;
        for (int level = 0; level < 2; level++, enough = sums[i] + 1) {
            while (at >= 0 && all[end[at]] - all[at] < enough)
                at = at == 0 ? -1 : row_above(parent, at);
            Py_ssize_t place = level * r + i;
            boxes[place] = at;
            sums[place] = at < 0 ? 0 : all[end[at]] - all[at];
            sums[2 * r + place] = at < 0 ? 0 : some[end[at]] - some[at];
        }
    }
    return 0;
}

/* What a tag is to what stands between kept rows, as in codes.py. */
enum { IF_BLANK = 1, BETWEEN = 2, HOLDER = 4 };

/* kept_and_between(tag: uint16[n], parent: int32[n], end: int32[n], written_before: int64[n+1],
 * written: bool[n], shown: bool[n], kept: bool[n], kinds: uint8[tags] | out: bool[n], held:
 * bool[n]): kept rows, and those between them whose holder is kept; `held` gets whether the holder
 * of what stands in each row is. Parents and ends are checked. */
LOOP(kept_and_between, "Hiiq???B|??", "nnnn+nnn.nn")
{
    Py_ssize_t rows = a[0].count;
    const int32_t *parent = a[1].data, *end = a[2].data;
    const int64_t *before = a[3].data;
    const uint8_t *written = a[4].data, *shown = a[5].data, *kept = a[6].data;
    uint8_t *out = a[8].data, *held = a[9].data;
    if (!parents_hold(parent, rows) || !ends_hold(end, rows))
        return MISFIT;
    for (Py_ssize_t row = 0; row < rows; row++) {
        int32_t above = parent[row];
        uint8_t kind = chaffinch_kind(&a[0], &a[7], row);
        bool passed = above >= 0 && !(kind & HOLDER) && before[end[row]] == before[row];
        bool between = shown[row] && ((kind & BETWEEN) || ((kind & IF_BLANK) && !written[row]));
        held[row] = passed ? held[above] : kept[row];
        out[row] = kept[row] || (between && above >= 0 && held[above]);
    }
    return 0;
}

enum { POWERS = 1024 }; /* of the depth; deeper rows begin anew */
#define BASE UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* path_hashes(symbols: uint64[n], depth: int16[n], end: int32[n] | hashes: uint64[n+1]): the hash of
 * the path of symbols from the root to each row, as page/flattening.py makes them; `hashes` holds zeros
 * before, and its last is left over. Ends are checked. */
LOOP(path_hashes, "Qhi|Q", "nnnn+")
{
    Py_ssize_t count = a[0].count;
    const uint64_t *symbols = a[0].data;
    const int16_t *depth = a[1].data;
    const int32_t *end = a[2].data;
    uint64_t *hashes = a[3].data, sum = 0, powers[POWERS] = {1};
    for (int i = 1; i < POWERS; i++)
        powers[i] = powers[i - 1] * BASE;
    for (Py_ssize_t row = 0; row < count; row++) {
        if (end[row] < 0 || end[row] > count)
            return MISFIT;
        uint64_t weighted = mix(symbols[row]) * powers[depth[row] & (POWERS - 1)];
        hashes[row] += weighted;
        hashes[end[row]] -= weighted;
    }
    for (Py_ssize_t row = 0; row < count; row++)
        hashes[row] = mix(sum += hashes[row]);
    return 0;
}

/* What a row is in a table, bits of `kinds`. */
enum { LINE = 1, CELL = 2, NAMED = 4, HEAD = 8, HEADING = 16, UNLIKE = 32, HEAD_CELL = 64 };

/* The rows of `counts`, each with a number for each table: cells; written ones; characters in them;
 * those in links; lines with a written cell; with two; with two cells, perhaps empty; rows of kind
 * NAMED; of kind HEAD; of kind HEADING outside header cells; of kind UNLIKE, and inner tables. */
enum { CELLS, WRITTEN, CHARACTERS, IN_LINKS, LINES, PAIRS, COLUMNS, NAMES, HEADS, HEADINGS, UNLIKES,
       COUNTS };

/* What is known of each row of the page, and of each row that is a line of a table. */
typedef struct {
    int32_t table;  /* number of the nearest table at or above it, -1 for none */
    int32_t line;   /* row of the nearest line at or above it, -1 for none */
    int32_t cells, written; /* of a line */
    bool in_head_cell;
} Place;

typedef struct {
    Py_ssize_t rows, tables;
    const int32_t *parent;
    const uint8_t *is_table, *kinds;
    const int64_t *length, *link_length;
    int64_t *counts;
    Place *places;
} Tables;

static inline void add(const Tables *t, int what, int32_t table, int64_t amount)
{
    t->counts[what * t->tables + table] += amount;
}

/* Count a row in its table; lines know their cells only when all rows were counted. */
static void count_row(const Tables *t, Py_ssize_t row, const Place *place)
{
    uint8_t kind = t->kinds[row];
    int32_t table = place->table;
    if ((kind & CELL) && place->line >= 0) {
        Place *line = &t->places[place->line];
        bool written = t->length[row] > 0;
        line->cells++;
        line->written += written;
        add(t, CELLS, table, 1);
        add(t, WRITTEN, table, written);
        add(t, CHARACTERS, table, t->length[row]);
        add(t, IN_LINKS, table, t->link_length[row]);
    }
    add(t, NAMES, table, (kind & NAMED) != 0);
    add(t, HEADS, table, (kind & HEAD) != 0);
    add(t, HEADINGS, table, (kind & HEADING) && !place->in_head_cell);
    add(t, UNLIKES, table, (kind & UNLIKE) != 0);
}

static bool count_all(Tables *t)
{
    static const Place nowhere = {-1, -1, 0, 0, false};
    int32_t number = 0;
    for (Py_ssize_t row = 0; row < t->rows; row++) {
        const Place *above = t->parent[row] < 0 ? &nowhere : &t->places[t->parent[row]];
        Place place = {above->table, above->line, 0, 0,
                       above->in_head_cell || (t->kinds[row] & HEAD_CELL)};
        if (t->is_table[row]) {
            if (number == t->tables)
                return false;
            if (above->table >= 0)
                add(t, UNLIKES, above->table, 1);
            place.table = number++;
        }
        if ((t->kinds[row] & LINE) && place.table >= 0)
            place.line = (int32_t)row;
        t->places[row] = place;
        if (place.table >= 0)
            count_row(t, row, &place);
    }
    for (Py_ssize_t row = 0; row < t->rows; row++) {
        const Place *line = &t->places[row];
        if (line->line != row)
            continue;
        add(t, LINES, line->table, line->written > 0);
        add(t, PAIRS, line->table, line->written > 1);
        add(t, COLUMNS, line->table, line->cells > 1);
    }
    return true;
}

/* table_counts(parent: int32[n], is_table: bool[n], kinds: uint8[n], length: int64[n], link_length:
 * int64[n] | counts: int64[11, t]): what each of the t tables holds, inner tables apart; lengths
 * are those of subtrees, `counts` comes as zeros. Parents are checked. */
LOOP(table_counts, "i?Bqq|q", "nnnnn.")
{
    Tables t = {
        .rows = a[0].count, .tables = a[5].count / COUNTS, .parent = a[0].data,
        .is_table = a[1].data, .kinds = a[2].data, .length = a[3].data,
        .link_length = a[4].data, .counts = a[5].data,
    };
    if (!parents_hold(t.parent, t.rows))
        return MISFIT;
    t.places = PyMem_RawMalloc((size_t)t.rows * sizeof *t.places);
    if (t.places == NULL)
        return NO_MEMORY;
    bool fits = count_all(&t);
    PyMem_RawFree(t.places);
    return fits ? 0 : MISFIT;
}
