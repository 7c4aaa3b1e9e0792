/* Picks among rows and blocks: what rules are made of. */
#include "kernels.h"
#include "pages.h"

/* blocks_inside(tag: uint16[n], end: int32[n], first: int32[m], kinds: bool[k], of_row: int32[n] or
 * [0], named: bool[s], out: bool[m]) -> int: which blocks begin in elements whose tag `kinds` marks
 * or whose set of names `named` marks; how many do. */
static PyObject *blocks_inside(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hii?i?|?";
    Array a[7];
    if (!chaffinch_take("blocks_inside", args, given, kinds, a))
        return NULL;
    Py_ssize_t rows = a[0].count, blocks = a[2].count, inside = -1;
    const int32_t *end = a[1].data, *first = a[2].data, *of_row = a[4].data;
    const uint8_t *named = a[5].data;
    uint8_t *out = a[6].data;
    bool by_name = a[4].count > 0;
    if (chaffinch_agree(a[1].count == rows && (!by_name || a[4].count == rows) &&
                            a[6].count == blocks,
                        "blocks_inside")) {
        Py_ssize_t row = 0, reach = 0;
        inside = 0;
        for (Py_ssize_t i = 0; i < blocks; i++) {
            for (; row < rows && row <= first[i]; row++) {
                bool marks = chaffinch_kind(&a[0], &a[3], row) ||
                             (by_name && of_row[row] >= 0 && of_row[row] < a[5].count &&
                              named[of_row[row]]);
                if (marks && end[row] > reach)
                    reach = end[row];
            }
            out[i] = first[i] < reach;
            inside += out[i];
        }
    }
    chaffinch_release(kinds, a);
    return inside < 0 ? NULL : PyLong_FromSsize_t(inside);
}

/* Whether half-open ranges lie in `count` items, and groups of them follow each other. */
static bool are_ranges(const int64_t *first, const int64_t *last, Py_ssize_t ranges,
                       const int64_t *bounds, Py_ssize_t groups, Py_ssize_t count)
{
    for (Py_ssize_t k = 0; k < ranges; k++)
        if (first[k] < 0 || last[k] < first[k] || last[k] > count)
            return false;
    for (Py_ssize_t g = 0; g < groups; g++)
        if (bounds[g] > bounds[g + 1])
            return false;
    return bounds[0] == 0 && bounds[groups] == ranges;
}

/* common_values(first: int64[k], last: int64[k], bounds: int64[g+1], value: int64[m],
 * weight: int32[m], share: float, weights: int64[k], found: int64[k], common: int64[g],
 * room: int64[3 * v]) -> None: what the ranges of a group have in common, as in the plain one.
 * Ranges, bounds and values, which are below v, are checked. `room` is zeros to work in: by value
 * the group that counted last, how many of its ranges have it, and the range that had it last. */
static PyObject *common_values(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "qqqqiO|qqqq";
    Array a[9];
    if (!chaffinch_take("common_values", args, given, kinds, a))
        return NULL;
    double share = PyFloat_AsDouble(args[5]);
    if (PyErr_Occurred()) {
        chaffinch_release(kinds, a);
        return NULL;
    }
    const int64_t *first = a[0].data, *last = a[1].data, *bounds = a[2].data, *value = a[3].data;
    const int32_t *weight = a[4].data;
    int64_t *weights = a[5].data, *found = a[6].data, *common = a[7].data, *group_of = a[8].data;
    Py_ssize_t ranges = a[0].count, groups = a[2].count - 1, values = a[8].count / 3;
    int64_t *having = group_of + values, *range_of = having + values;
    bool fits = a[1].count == ranges && groups >= 0 && a[4].count == a[3].count &&
                a[5].count == ranges && a[6].count == ranges && a[7].count == groups &&
                a[8].count == 3 * values &&
                are_ranges(first, last, ranges, bounds, groups, a[3].count);
    for (Py_ssize_t i = 0; fits && i < a[3].count; i++)
        fits = value[i] >= 0 && value[i] < values;
    fits = chaffinch_agree(fits, "common_values");
    for (Py_ssize_t g = 0; fits && g < groups; g++) {
        double need = share * (double)(bounds[g + 1] - bounds[g]);
        need = need < 2 ? 2 : need;
        common[g] = 0;
        for (int64_t k = bounds[g]; k < bounds[g + 1]; k++)
            for (int64_t i = first[k]; i < last[k]; i++) {
                int64_t own = value[i];
                if (group_of[own] != g + 1) {
                    group_of[own] = g + 1;
                    having[own] = range_of[own] = 0;
                }
                if (range_of[own] == k + 1)
                    continue;
                range_of[own] = k + 1;
                having[own]++;
                common[g] += having[own] >= need && having[own] - 1 < need;
            }
        for (int64_t k = bounds[g]; k < bounds[g + 1]; k++) {
            weights[k] = found[k] = 0;
            for (int64_t i = first[k]; i < last[k]; i++) {
                int64_t own = value[i];
                if (having[own] < need)
                    continue;
                weights[k] += weight[i];
                found[k] += range_of[own] != -(k + 1);
                range_of[own] = -(k + 1);
            }
        }
    }
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* What a tag is to `outermost_stretches`. */
enum { BEGINS = 1, COUNTED = 2, ITEM = 4 };

/* The rows, points and items of one stretch. */
typedef struct {
    int32_t end, points, items;
} Stretch;

/* See the stretch that begins at `row`, whose first point is the one with the number `point`. */
static Stretch stretch_at(const Array *tag, const Array *kinds, const int32_t *end,
                          const Array *points, int32_t row, int32_t point)
{
    const int32_t *at = points->data;
    Stretch own = {.end = end[row]};
    for (; row < own.end; row++)
        own.items += (chaffinch_kind(tag, kinds, row) & ITEM) != 0;
    while (point + own.points < points->count && at[point + own.points] < own.end)
        own.points++;
    return own;
}

/* Write the number of the first point of its stretch to each point; how many stretches there are. */
static Py_ssize_t number_stretches(const Array *a, const int32_t *points, int32_t *out)
{
    const int32_t *end = a[1].data, *further = a[4].data;
    int64_t most = a[5].count;
    Py_ssize_t found = 0, next = 0;
    int32_t point = 0, rows = (int32_t)a[0].count, many = (int32_t)a[2].count;
    for (int32_t row = 0; row < rows;) {
        while (next < a[4].count && further[next] < row)
            next++;
        uint8_t kind = chaffinch_kind(&a[0], &a[3], row);
        if (!(kind & BEGINS) && !(next < a[4].count && further[next] == row)) {
            row++;
            continue;
        }
        for (; point < many && points[point] < row; point++)
            out[point] = -1;
        Stretch own = stretch_at(&a[0], &a[3], end, &a[2], row, point);
        bool is_one = !(kind & COUNTED) || own.points <= most * own.items;
        for (int32_t first = point; point < first + own.points;)
            out[point++] = is_one ? first : -1;
        found += is_one;
        row = own.end;
    }
    for (; point < many; point++)
        out[point] = -1;
    return found;
}

/* outermost_stretches(tag: uint16[n], end: int32[n], points: int32[m], kinds: uint8[k],
 * further: int32[f], most: int, out: int32[m]) -> int: the stretches of the rows whose tag begins
 * one, and of those of `further`, that stand in no other; one whose tag is counted only if it holds
 * at most `most` points an item. Writes for each point the number of the first one in its stretch,
 * -1 for one in none. Points and `further` rise; ends are checked. */
static PyObject *outermost_stretches(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "HiiBin|i";
    Array a[7];
    if (!chaffinch_take("outermost_stretches", args, given, KINDS, a))
        return NULL;
    Py_ssize_t count = a[0].count, most = a[5].count;
    bool fits = chaffinch_agree(a[1].count == count && a[6].count == a[2].count && most >= 0 &&
                                    most <= INT32_MAX && a[2].count <= INT32_MAX &&
                                    ends_hold(a[1].data, count), "outermost_stretches");
    Py_ssize_t found = fits ? number_stretches(a, a[2].data, a[6].data) : 0;
    chaffinch_release(KINDS, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

/* topmost_without(parent: int32[n], end: int32[n], points: int32[k], rows: int32[r],
 * out: int32[2, r]) -> None: the highest row at or above each row up to which, from the next row
 * above on, none holds one of the points, the first row left out; and the row above that. Points
 * rise; parents and rows are checked. */
static PyObject *topmost_without(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "iiii|i";
    Array a[5];
    if (!chaffinch_take("topmost_without", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, held = a[2].count;
    const int32_t *parent = a[0].data, *end = a[1].data, *points = a[2].data, *rows = a[3].data;
    int32_t *out = a[4].data;
    bool fits = chaffinch_agree(a[1].count == count && a[4].count == 2 * a[3].count &&
                                    parents_hold(parent, count) &&
                                    all_below(rows, a[3].count, count), "topmost_without");
    for (Py_ssize_t i = 0; fits && i < a[3].count; i++) {
        int32_t row = rows[i], above = row_above(parent, row);
        for (; above > 0; above = row_above(parent, row)) {
            Py_ssize_t next = points_before(points, held, above);
            if (next < held && points[next] < end[above])
                break;
            row = above;
        }
        out[i] = row;
        out[a[3].count + i] = above;
    }
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* rows_of(tag: uint16[n], kinds: bool[k], marked: bool[n] or [0], start: int, stop: int,
 * rows: int32[stop - start]) -> int: write the rows of start:stop whose tag `kinds` marks, of those
 * that are marked or of all; how many there are. */
static PyObject *rows_of(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "H??nn|i";
    Array a[6];
    if (!chaffinch_take("rows_of", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, start = a[3].count, stop = a[4].count, found = 0;
    const uint8_t *marked = a[2].count ? a[2].data : NULL;
    int32_t *rows = a[5].data;
    bool fits = chaffinch_agree((marked == NULL || a[2].count == count) && count <= INT32_MAX &&
                                    start >= 0 && start <= stop && stop <= count &&
                                    a[5].count == stop - start, "rows_of");
    for (Py_ssize_t row = start; fits && row < stop; row++) {
        rows[found] = (int32_t)row; /* written over by the next one, if it isn't */
        found += chaffinch_kind(&a[0], &a[1], row) && (marked == NULL || marked[row]);
    }
    chaffinch_release(kinds, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

/* followers(tag: uint16[n], end: int32[n], before: int64[n+1], kinds: uint8[k], near: int,
 * between: int, rows: int32[2, n]) -> int: write the rows of kind 2 behind the last one of kind 1,
 * and that one, where both have something of what `before` counts before each row: such that
 * no more than `near` stand from the leader's end to the follower's, and no more than `between`
 * from that, or from the end of a follower before, to the follower. How many there are. Ends are
 * checked. */
static PyObject *followers(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "HiqBnn|i";
    enum { LEADS = 1, FOLLOWS };
    Array a[7];
    if (!chaffinch_take("followers", args, given, KINDS, a))
        return NULL;
    Py_ssize_t count = a[0].count, near = a[4].count, between = a[5].count, found = 0;
    const int32_t *end = a[1].data;
    const int64_t *before = a[2].data;
    int32_t *followed = a[6].data, *rows = followed + count, leader = -1, last = 0;
    bool fits = chaffinch_agree(a[1].count == count && a[2].count == count + 1 &&
                                    a[6].count == 2 * count && ends_hold(end, count),
                                "followers");
    for (int32_t row = 0; fits && row < count; row++) {
        uint8_t kind = chaffinch_kind(&a[0], &a[3], row);
        if (kind == LEADS) {
            leader = before[row] < before[end[row]] ? row : -1;
            last = end[row];
        } else if (kind == FOLLOWS && leader >= 0 && row >= end[leader]) {
            int64_t stop = before[end[row]];
            if (before[row] < stop && before[row] - before[last] <= between &&
                stop - before[end[leader]] <= near) {
                followed[found] = leader;
                rows[found++] = row;
                last = end[row] > last ? end[row] : last;
            }
        }
    }
    chaffinch_release(KINDS, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

/* touching(end: int32[n], rows: int32[r], first: int32[m], last: int32[m], keep: bool[m],
 * room: int32[m + r]) -> int: write those of the rows whose subtrees share a row with one of the kept
 * stretches first:last, which rise and don't overlap, from room[m] on; how many there are. Ends and
 * rows are checked. */
static PyObject *touching(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "iiii?|i";
    Array a[6];
    if (!chaffinch_take("touching", args, given, KINDS, a))
        return NULL;
    Py_ssize_t count = a[0].count, many = a[2].count, found = 0;
    const int32_t *end = a[0].data, *rows = a[1].data, *first = a[2].data, *last = a[3].data;
    const uint8_t *keep = a[4].data;
    int32_t *begins = a[5].data, *out = begins + many, next = INT32_MAX;
    bool fits = chaffinch_agree(a[3].count == many && a[4].count == many &&
                                    a[5].count == many + a[1].count && ends_hold(end, count) &&
                                    all_below(rows, a[1].count, count), "touching");
    for (Py_ssize_t i = many - 1; fits && i >= 0; i--) /* of this kept stretch, or the next one */
        begins[i] = next = keep[i] ? first[i] : next;
    for (Py_ssize_t i = 0; fits && i < a[1].count; i++) {
        Py_ssize_t at = points_before(last, many, rows[i] + 1);
        if (at < many && begins[at] < end[rows[i]])
            out[found++] = rows[i];
    }
    chaffinch_release(KINDS, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

PyMethodDef chaffinch_picks[] = {
    {"touching", (PyCFunction)(void (*)(void))touching, METH_FASTCALL, NULL},
    {"followers", (PyCFunction)(void (*)(void))followers, METH_FASTCALL, NULL},
    {"blocks_inside", (PyCFunction)(void (*)(void))blocks_inside, METH_FASTCALL, NULL},
    {"common_values", (PyCFunction)(void (*)(void))common_values, METH_FASTCALL, NULL},
    {"outermost_stretches", (PyCFunction)(void (*)(void))outermost_stretches, METH_FASTCALL, NULL},
    {"rows_of", (PyCFunction)(void (*)(void))rows_of, METH_FASTCALL, NULL},
    {"topmost_without", (PyCFunction)(void (*)(void))topmost_without, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
