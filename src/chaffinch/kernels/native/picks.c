/* Sums over groups and stretches of rows, and picks among them: what rules are made of. */
#include "attributes.h"

/* blocks_inside(tag: uint16[n], end: int32[n], first: int32[m], kinds: bool[k], of_row: int32[n] or
 * [0], named: bool[s] | out: bool[m]): which blocks begin in elements whose tag `kinds` marks or
 * whose set of names `named` marks. */
LOOP(blocks_inside, "Hii?i?|?", "nnm...m")
{
    Py_ssize_t rows = a[0].count, row = 0, reach = 0;
    const int32_t *end = a[1].data, *first = a[2].data, *of_row = a[4].data;
    const uint8_t *named = a[5].data;
    uint8_t *out = a[6].data;
    bool by_name = a[4].count > 0;
    if (by_name && a[4].count != rows)
        return MISFIT;
    for (Py_ssize_t i = 0; i < a[2].count; i++) {
        for (; row < rows && row <= first[i]; row++) {
            bool marks = chaffinch_kind(&a[0], &a[3], row) ||
                         (by_name && of_row[row] >= 0 && of_row[row] < a[5].count &&
                          named[of_row[row]]);
            if (marks && end[row] > reach)
                reach = end[row];
        }
        out[i] = first[i] < reach;
    }
    return 0;
}

/* numbered(keys: uint64[k] | numbers: int64[k]) -> int: how many different keys there are. Writes of
 * each how many others are seen before it first. */
LOOP(numbered, "Q|q", "kk")
{
    const uint64_t *keys = a[0].data;
    int64_t *numbers = a[1].data, found = 0;
    Secret secret = chaffinch_secret();
    size_t room = 4;
    while (room < 2 * (size_t)a[0].count)
        room *= 2;
    int64_t *first = PyMem_RawCalloc(room, sizeof *first); /* by hash, behind the key's first place */
    if (first == NULL)
        return NO_MEMORY;
    for (Py_ssize_t i = 0; i < a[0].count; i++) {
        size_t at = (size_t)chaffinch_mixed(secret, 0, keys[i]) & (room - 1);
        while (first[at] > 0 && keys[first[at] - 1] != keys[i])
            at = (at + 1) & (room - 1);
        numbers[i] = first[at] > 0 ? numbers[first[at] - 1] : found++;
        first[at] = first[at] > 0 ? first[at] : i + 1;
    }
    PyMem_RawFree(first);
    return (Py_ssize_t)found;
}

/* outermost_within(parent: int32[n], end: int32[n], row: int, after: int, until: int) -> int: the
 * outermost of `row` and of what is above it that begins behind the row `after` and ends by the row
 * `until`. Rows are checked. */
LOOP(outermost_within, "iinnn", "nn...")
{
    const int32_t *parent = a[0].data, *end = a[1].data;
    Py_ssize_t row = a[2].count;
    if (row < 0 || row >= a[0].count)
        return MISFIT;
    for (Py_ssize_t above; (above = parent[row]) > a[3].count && above >= 0; row = above) {
        if (above >= row)
            return MISFIT;
        if (end[above] > a[4].count)
            break;
    }
    return row;
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

/* common_values(first: int64[k], last: int64[k], bounds: int64[g+1], value: int64[m], weight:
 * int32[m], share: float | weights: int64[k], found: int64[k], common: int64[g], room: int64[3 * v]):
 * half-open ranges of items, the first range of each group and k, the value of each item and its
 * weight; the least share of a group's ranges that have a common value. Writes by range the weight of
 * the items whose values are common in its group, and how many of these values it has; by group the
 * common values, which two ranges have at least. Ranges, bounds and values, below v, are checked.
 * `room` is zeros to work in: by value the group that counted last, how many of its ranges have it,
 * and the range that had it last. */
LOOP(common_values, "qqqqix|qqqq", "kkg+mm.kkg3v")
{
    const int64_t *first = a[0].data, *last = a[1].data, *bounds = a[2].data, *value = a[3].data;
    const int32_t *weight = a[4].data;
    int64_t *weights = a[6].data, *found = a[7].data, *common = a[8].data, *group_of = a[9].data;
    Py_ssize_t groups = a[2].count - 1, values = a[9].count / 3;
    int64_t *having = group_of + values, *range_of = having + values;
    if (!are_ranges(first, last, a[0].count, bounds, groups, a[3].count))
        return MISFIT;
    for (Py_ssize_t i = 0; i < a[3].count; i++)
        if (value[i] < 0 || value[i] >= values)
            return MISFIT;
    for (Py_ssize_t g = 0; g < groups; g++) {
        double need = a[5].real * (double)(bounds[g + 1] - bounds[g]);
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
    return 0;
}

/* What a tag is to `outermost_stretches`, as in codes.py. */
enum { BEGINS = 1, COUNTED = 2, ITEM = 4 };

/* outermost_stretches(tag: uint16[n], end: int32[n], points: int32[m], kinds: uint8[k], further:
 * int32[f], most: int | out: int32[m]) -> int: the stretches of the rows whose tag begins one, and
 * of those of `further`, that stand in no other; one whose tag is counted only if it holds at most
 * `most` points an item. Writes for each point the number of the first one in its stretch, -1 for
 * one in none. Points and `further` rise; ends are checked. */
LOOP(outermost_stretches, "HiiBin|i", "nnm...m")
{
    const int32_t *end = a[1].data, *points = a[2].data, *further = a[4].data;
    int32_t *out = a[6].data, point = 0, rows = (int32_t)a[0].count, many = (int32_t)a[2].count;
    int64_t most = a[5].count;
    Py_ssize_t found = 0, next = 0;
    if (most < 0 || most > INT32_MAX || a[2].count > INT32_MAX || !ends_hold(end, a[0].count))
        return MISFIT;
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
        int32_t first = point, items = 0, stop = end[row];
        for (; row < stop; row++)
            items += (chaffinch_kind(&a[0], &a[3], row) & ITEM) != 0;
        while (point < many && points[point] < stop)
            point++;
        bool is_one = !(kind & COUNTED) || point - first <= most * items;
        for (int32_t i = first; i < point; i++)
            out[i] = is_one ? first : -1;
        found += is_one;
    }
    for (; point < many; point++)
        out[point] = -1;
    return found;
}

/* beside_kept(parent: int32[n], end: int32[n], first: int32[m], units: float32[m], keep: bool[m],
 * images: int32[k], rows: int32[r], share: float, most_units: float, most_images: int | out: bool[r])
 *
 * Of each row, whether the highest element at or above it that holds no kept block, the row itself
 * apart, has few units and images, and `share` of the units of its parent is kept. Blocks and
 * images rise; parents and rows are checked. */
LOOP(beside_kept, "iiif?iixxn|?", "nnmmm.r...r")
{
    const int32_t *parent = a[0].data, *end = a[1].data, *first = a[2].data, *images = a[5].data;
    const int32_t *rows = a[6].data;
    const float *units = a[3].data;
    const uint8_t *keep = a[4].data;
    uint8_t *out = a[10].data;
    Py_ssize_t count = a[2].count, kept = 0;
    if (!parents_hold(parent, a[0].count) || !all_below(rows, a[6].count, a[0].count))
        return MISFIT;
    double *all = PyMem_RawMalloc((size_t)(count + 1) * (2 * sizeof *all + sizeof(int32_t)));
    if (all == NULL)
        return NO_MEMORY;
    double *of_kept = all + count + 1;
    int32_t *points = (int32_t *)(void *)(of_kept + count + 1);
    all[0] = of_kept[0] = 0;
    for (Py_ssize_t b = 0; b < count; b++) {
        all[b + 1] = all[b] + (double)units[b];
        of_kept[b + 1] = of_kept[b] + (keep[b] ? (double)units[b] : 0);
        if (keep[b])
            points[kept++] = first[b];
    }
    for (Py_ssize_t i = 0; i < a[6].count; i++) {
        int32_t row = rows[i], above = row_above(parent, row);
        for (; above > 0; above = row_above(parent, row)) {
            Py_ssize_t next = points_before(points, kept, above);
            if (next < kept && points[next] < end[above])
                break;
            row = above;
        }
        Py_ssize_t low = points_before(first, count, row), high = points_before(first, count, end[row]);
        Py_ssize_t wide = points_before(first, count, above);
        Py_ssize_t far = points_before(first, count, end[above]);
        Py_ssize_t held = points_before(images, a[5].count, end[row]) -
                          points_before(images, a[5].count, row);
        out[i] = of_kept[far] - of_kept[wide] >= a[7].real * (all[far] - all[wide]) &&
                 all[high] - all[low] <= a[8].real && held <= a[9].count;
    }
    PyMem_RawFree(all);
    return 0;
}

/* rows_of(tag: uint16[n], kinds: bool[k], marked: bool[n] or [0], start: int, stop: int | rows:
 * int32[stop - start]) -> int: write the rows of start:stop whose tag `kinds` marks, of those that
 * are marked or of all; how many there are. */
LOOP(rows_of, "H??nn|i", "n.....")
{
    Py_ssize_t count = a[0].count, start = a[3].count, stop = a[4].count, found = 0;
    const uint8_t *marked = a[2].count ? a[2].data : NULL;
    int32_t *rows = a[5].data;
    if ((marked != NULL && a[2].count != count) || count > INT32_MAX || start < 0 || start > stop ||
        stop > count || a[5].count != stop - start)
        return MISFIT;
    for (Py_ssize_t row = start; row < stop; row++) {
        rows[found] = (int32_t)row; /* written over by the next one, if it isn't */
        found += chaffinch_kind(&a[0], &a[1], row) && (marked == NULL || marked[row]);
    }
    return found;
}

/* Signs of a row that may be a control: numbers of the names of class and address, and by letter
 * whether one begins its text, the last item that of all letters beyond. */
typedef struct {
    AttributeColumns all;
    const int32_t *names;
    Text text;
    const int32_t *text_at;
    const Array *begins;
} Signs;

enum { SHORT_CONTROL = 24 };
static const char EDIT[] = "edit", STAYING[] = "#j";

/* Whether an address leads nowhere else, or an address or a class to an editor; -1 for wrong columns. */
static int is_named_control(const Signs *signs, int32_t row)
{
    int32_t at = signs->all.starts[row], stop = signs->all.starts[row + 1];
    bool leads = false, edits = false;
    if (at < 0 || stop > signs->all.count)
        return -1;
    for (; at < stop; at++) {
        bool is_address = signs->all.numbers[at] == signs->names[1];
        Value value;
        if (!is_address && signs->all.numbers[at] != signs->names[0])
            continue;
        if (!chaffinch_see_value(&signs->all, at, &value))
            return -1;
        leads |= is_address && value.size > 0 && value.at[0] > ' ' && value.at[0] < 0x80 &&
                 strchr(STAYING, value.at[0]) == NULL;
        edits |= chaffinch_says(value.at, (size_t)value.size, EDIT);
    }
    return !leads || edits;
}

/* Whether the text of a row begins with a letter of those that controls begin with. */
static bool begins_as_control(const Signs *signs, int32_t row, int32_t end)
{
    Py_ssize_t at = signs->text_at[row], stop = signs->text_at[end];
    while (at < stop && is_space(PyUnicode_READ(signs->text.kind, signs->text.data, at)))
        at++;
    Py_UCS4 letter = at < stop ? PyUnicode_READ(signs->text.kind, signs->text.data, at) : 0;
    Py_ssize_t last = signs->begins->count - 1;
    return ((const uint8_t *)signs->begins->data)[letter < last ? (Py_ssize_t)letter : last];
}

/* followers(tag: uint16[n], end: int32[n], before: int64[n+1], kinds: uint8[k], near: int, between:
 * int, starts, numbers, ends, values: bytes of `AttributeColumns`, names: int32[2], text: str,
 * text_at: int32[n+1], begins: bool[l] | rows: int32[2, n]) -> int: write the rows of kind 2 or 3
 * behind the last one of kind 1, and that one, where both have something of what `before` counts
 * before each row: such that no more than `near` stand from the leader's end to the follower's, and
 * no more than `between` from that, or from the end of a follower before, to the follower. Those of
 * kind 3 have a sign of a control: no address (the second of `names`) that leads elsewhere, "edit"
 * in that or in their class (the first), or a short text that begins with one of some letters. How
 * many there are. Ends, offsets and columns are checked. */
LOOP(followers, "HiqBnnBBBBiUi?|i", "nnn+........n+.2n")
{
    enum { LEADS = 1, FOLLOWS, SIGNED };
    Py_ssize_t count = a[0].count, near = a[4].count, between = a[5].count, found = 0;
    const int32_t *end = a[1].data;
    const int64_t *before = a[2].data;
    int32_t *followed = a[13].data, *rows = followed + count, leader = -1, last = 0;
    Signs signs = {.names = a[10].data, .text = text_of(args[11]), .text_at = a[11].data,
                   .begins = &a[12]};
    if (!ends_hold(end, count) || !chaffinch_see_attributes(a + 6, BY_ROW, &a[9], NULL, &signs.all) ||
        signs.all.rows < count || a[10].count != 2 || a[12].count == 0 ||
        !offsets_hold(signs.text_at, count + 1, signs.text.length))
        return MISFIT;
    for (int32_t row = 0; row < count; row++) {
        uint8_t kind = chaffinch_kind(&a[0], &a[3], row);
        if (kind == LEADS) {
            leader = before[row] < before[end[row]] ? row : -1;
            last = end[row];
        } else if (kind >= FOLLOWS && leader >= 0 && row >= end[leader]) {
            int64_t stop = before[end[row]], own = stop - before[row];
            if (own > 0 && before[row] - before[last] <= between &&
                stop - before[end[leader]] <= near) {
                int named = kind == SIGNED ? is_named_control(&signs, row) : 1;
                if (named < 0)
                    return MISFIT;
                if (!named &&
                    (own > SHORT_CONTROL || !begins_as_control(&signs, row, end[row])))
                    continue;
                followed[found] = leader;
                rows[found++] = row;
                last = end[row] > last ? end[row] : last;
            }
        }
    }
    return found;
}

/* What the character at a place of a text may do, by a table of bits; 0 for those beyond it. */
static inline uint8_t letter_kind(const Text *text, const Array *table, Py_ssize_t at)
{
    Py_UCS4 letter = PyUnicode_READ(text->kind, text->data, at);
    return (Py_ssize_t)letter < table->count ? ((const uint8_t *)table->data)[letter] : 0;
}

/* side_by_side(tag: uint16[n], parent: int32[n], end: int32[n], kinds: uint8[k], letters: uint8[l],
 * text: str, text_at: int32[n+1] | rows: int32[4, n]) -> int: write the texts (kind 4) that end in a
 * letter of kind 2 and have a letter of kind 1 right behind them in the next text, and that one, where
 * both stand in boxes (kind 1), and the outermost such boxes if these are siblings; or where one stands
 * in a heading (kind 2) and the other in a box in that, and -1 twice. How many there are. Parents, ends
 * and offsets are checked. */
LOOP(side_by_side, "HiiBBUi|i", "nnn..n+4n")
{
    enum { BOX = 1, HEADING = 2, TEXT = 4, BEGINS = 1, ENDS = 2 };
    Py_ssize_t count = a[0].count, found = 0;
    const int32_t *parent = a[1].data, *end = a[2].data, *text_at = a[5].data;
    int32_t *left = a[6].data, *right = left + count, *first = right + count, *second = first + count;
    Text text = text_of(args[5]);
    if (!parents_hold(parent, count) || !ends_hold(end, count) ||
        !offsets_hold(text_at, count + 1, text.length))
        return MISFIT;
#define IS(row, which) ((row) >= 0 && (chaffinch_kind(&a[0], &a[3], row) & (which)) != 0)
    for (int32_t last = -1, row = 0; row < count; row++) {
        if (!IS(row, TEXT))
            continue;
        int32_t before = last, one, other, middle = text_at[row];
        last = row;
        if (before < 0 || (one = parent[before]) < 0 || (other = parent[row]) < 0 || one == other ||
            text_at[before] == middle || middle == text_at[row + 1])
            continue;
        bool in_boxes = IS(one, BOX) && IS(other, BOX);
        bool is_label = (IS(one, BOX) && IS(other, HEADING) && parent[one] == other) ||
                        (IS(other, BOX) && IS(one, HEADING) && parent[other] == one);
        if (!(in_boxes || is_label) || !(letter_kind(&text, &a[4], middle) & BEGINS) ||
            !(letter_kind(&text, &a[4], middle - 1) & ENDS))
            continue;
        if (is_label) {
            one = other = -1;
        } else {
            if (parent[one] != parent[other] && !IS(parent[one], BOX) && !IS(parent[other], BOX))
                continue;
            while (IS(parent[one], BOX) && end[parent[one]] <= row)
                one = parent[one];
            while (parent[other] > before && IS(parent[other], BOX))
                other = parent[other];
            if (parent[one] != parent[other])
                continue;
        }
        left[found] = before;
        right[found] = row;
        first[found] = one;
        second[found++] = other;
    }
#undef IS
    return found;
}

/* touching(end: int32[n], rows: int32[r], first: int32[m], last: int32[m], keep: bool[m] | room:
 * int32[m + r]) -> int: write those of the rows whose subtrees share a row with one of the kept
 * stretches first:last, which rise and don't overlap, from room[m] on; how many there are. Ends and
 * rows are checked. */
LOOP(touching, "iiii?|i", "..mmm.")
{
    Py_ssize_t count = a[0].count, many = a[2].count, found = 0;
    const int32_t *end = a[0].data, *rows = a[1].data, *first = a[2].data, *last = a[3].data;
    const uint8_t *keep = a[4].data;
    int32_t *begins = a[5].data, *out = begins + many, next = INT32_MAX;
    if (a[5].count != many + a[1].count || !ends_hold(end, count) ||
        !all_below(rows, a[1].count, count))
        return MISFIT;
    for (Py_ssize_t i = many - 1; i >= 0; i--) /* of this kept stretch, or the next one */
        begins[i] = next = keep[i] ? first[i] : next;
    for (Py_ssize_t i = 0; i < a[1].count; i++) {
        Py_ssize_t at = points_before(last, many, rows[i] + 1);
        if (at < many && begins[at] < end[rows[i]])
            out[found++] = rows[i];
    }
    return found;
}

/* tags_between(tag: uint16[n], kinds: bool[k], marked: bool[n], first: int32[m], last: int32[m],
 * keep: bool[m] | out: bool[n]): the marked rows whose tag `kinds` marks that lie in a kept one of
 * the stretches first:last or between two that follow each other. Stretches are checked. */
LOOP(tags_between, "H??ii?|?", "n.nmmmn")
{
    Py_ssize_t rows = a[0].count, count = a[3].count;
    const uint8_t *marked = a[2].data, *keep = a[5].data;
    const int32_t *first = a[3].data, *last = a[4].data;
    uint8_t *out = a[6].data;
    for (Py_ssize_t i = 0; i < count; i++)
        if (first[i] < (i > 0 ? last[i - 1] : 0) || first[i] > last[i] || last[i] > rows)
            return MISFIT;
    memset(out, 0, (size_t)rows);
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t row = i > 0 && keep[i - 1] ? last[i - 1] : first[i];
        for (; keep[i] && row < last[i]; row++)
            out[row] = marked[row] && chaffinch_kind(&a[0], &a[1], row);
    }
    return 0;
}

/* kept_sums(values: float32[m], weights: float32[m], keep: bool[m]) -> (float, float, float): the
 * sum of values times weights, the same of what is kept, and the weights of what is kept, each
 * added one by one. */
MAKER(kept_sums, "ff?", "mmm")
{
    const float *values = a[0].data, *weights = a[1].data;
    const uint8_t *keep = a[2].data;
    double all = 0, kept = 0, weight = 0;
    for (Py_ssize_t i = 0; i < a[0].count; i++) {
        double product = (double)values[i] * weights[i];
        all += product;
        if (keep[i]) {
            kept += product;
            weight += weights[i];
        }
    }
    return Py_BuildValue("ddd", all, kept, weight);
}

/* One of `values`, and the same times its weight, as numpy multiplies numbers of their type. */
static inline double value_at(const Array *values, Py_ssize_t i)
{
    return values->letter == 'f' ? ((const float *)values->data)[i]
                                 : ((const double *)values->data)[i];
}

static inline double weighed(const Array *values, const float *weights, Py_ssize_t i)
{
    if (values->letter == 'f')
        return ((const float *)values->data)[i] * weights[i];
    return ((const double *)values->data)[i] * weights[i];
}

/* pulled_to_means(number: int32[m], weights: float32[m], values: float32[m] or float64[m], share:
 * float | out: float64[m], room: float64[2 * m]): the values, each moved by `share` of the way to the
 * mean by weight of those with its number; weights of less than 1 in all count as 1. What has a
 * number below 0 stays. Numbers are below m and checked, `room` is to work in. */
LOOP(pulled_to_means, "if*x|dd", "mmm.m2m")
{
    Py_ssize_t count = a[0].count;
    const int32_t *number = a[0].data;
    const float *weights = a[1].data;
    double share = a[3].real, *out = a[4].data, *sums = a[5].data, *amounts = sums + count;
    if ((a[2].letter != 'f' && a[2].letter != 'd') || !all_within(number, count, INT32_MIN, count))
        return MISFIT;
    memset(sums, 0, 2 * (size_t)count * sizeof *sums);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (number[i] >= 0) {
            sums[number[i]] += weighed(&a[2], weights, i);
            amounts[number[i]] += weights[i];
        }
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        out[i] = value_at(&a[2], i);
        if (number[i] < 0)
            continue;
        double mean = sums[number[i]] / (amounts[number[i]] > 1 ? amounts[number[i]] : 1);
        out[i] = share == 1 ? mean : (mean - out[i]) * share + out[i];
    }
    return 0;
}

/* A key by which a number that is no NaN comes after all greater ones. */
static inline uint64_t falling(float value)
{
    float negative = 0 - value;
    uint32_t bits;
    memcpy(&bits, &negative, sizeof bits);
    return bits & UINT32_C(1) << 31 ? ~bits : bits | UINT32_C(1) << 31;
}

/* best_threshold(values: float32[m], weights: float32[m], beta: float, least: float) -> float: the
 * value from which the items have the highest (1 + beta^2) gain / (weight + beta^2 all gain), the
 * gain being the sum of values times weights, or `least` if that is more. None is NaN. The measure
 * rises up to the best choice and then falls: one item below `least` is enough. */
MAKER(best_threshold, "ffxx", "mm..")
{
    Py_ssize_t count = a[0].count, some = 0, next = -1;
    const float *values = a[0].data, *weights = a[1].data;
    double square = a[2].real * a[2].real, least = a[3].real, best = least;
    double total = 0, gain = 0, taken = 0, most = -1;
    Sortable *items = PyMem_RawMalloc(2 * (size_t)(count + 1) * sizeof *items);
    if (items == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        total += (double)(values[i] * weights[i]);
        if (values[i] >= (float)least)
            items[some++] = (Sortable){falling(values[i]), i};
        else if (next < 0 || values[i] > values[next])
            next = i;
    }
    const Sortable *sorted = chaffinch_sorted(items, items + count, some);
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
    PyMem_RawFree(items);
    return PyFloat_FromDouble(best);
}
