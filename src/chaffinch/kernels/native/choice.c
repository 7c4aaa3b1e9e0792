/* From probabilities to what is kept: scores that agree along the tree, and the choice of the
 * highest expected F. All sums run in the order of the blocks. */
#include "kernels.h"
#include "pages.h"

enum { SECTION = 1, HEADING = 2 }; /* kinds of tags */

/* The blocks of a page and what is worked out for them. */
typedef struct {
    Py_ssize_t count;
    const float *score, *units;
    float *agreeing;
    double *product, *sums, *amounts; /* sums by number */
    double *swayed;
    int32_t *order, *spare;
} Blocks;

static bool make_room(Blocks *b)
{
    size_t count = (size_t)b->count;
    b->product = PyMem_Malloc(count * (4 * sizeof(double) + 3 * sizeof(float)));
    if (b->product == NULL) {
        PyErr_NoMemory();
        return false;
    }
    b->sums = b->product + count;
    b->amounts = b->sums + count;
    b->swayed = b->amounts + count;
    b->agreeing = (float *)(b->swayed + count);
    b->order = (int32_t *)(b->agreeing + count);
    b->spare = b->order + count;
    return true;
}

/* Sums of `product` and of units by number; blocks with a negative one have none. */
static void add_up(Blocks *b, const int32_t *number)
{
    memset(b->sums, 0, 2 * (size_t)b->count * sizeof(double)); /* the amounts lie behind */
    for (Py_ssize_t i = 0; i < b->count; i++) {
        if (number[i] < 0)
            continue;
        b->sums[number[i]] += b->product[i];
        b->amounts[number[i]] += b->units[i];
    }
}

static inline double mean_of(const Blocks *b, int32_t number)
{
    double amount = b->amounts[number];
    return b->sums[number] / (amount > 1 ? amount : 1);
}

/* Scores after like blocks swayed each other, wholes agreed and widgets were raised. */
static void agree(Blocks *b, const int32_t *group, const int32_t *whole, const int32_t *widget,
                  double like)
{
    for (Py_ssize_t i = 0; i < b->count; i++)
        b->product[i] = (double)(b->score[i] * b->units[i]);
    add_up(b, group);
    for (Py_ssize_t i = 0; i < b->count; i++) {
        b->swayed[i] = b->score[i] + like * (mean_of(b, group[i]) - b->score[i]);
        b->product[i] = b->swayed[i] * b->units[i];
    }
    add_up(b, whole);
    for (Py_ssize_t i = 0; i < b->count; i++)
        b->agreeing[i] = (float)(whole[i] < 0 ? b->swayed[i] : mean_of(b, whole[i]));
    for (Py_ssize_t i = 0; i < b->count; i++)
        b->product[i] = (double)(b->agreeing[i] * b->units[i]);
    if (widget == NULL)
        return;
    add_up(b, widget);
    for (Py_ssize_t i = 0; i < b->count; i++) {
        double mean = widget[i] < 0 ? 0 : mean_of(b, widget[i]);
        if (mean > b->agreeing[i])
            b->agreeing[i] = (float)mean;
    }
}

/* Bring the numbers of the blocks into the order of falling scores; equal ones stay in order. */
static void sort_blocks(Blocks *b)
{
    int32_t *from = b->order, *to = b->spare;
    Py_ssize_t count = b->count;
    for (Py_ssize_t i = 0; i < count; i++)
        from[i] = (int32_t)i;
    for (Py_ssize_t width = 1; width < count; width *= 2) {
        for (Py_ssize_t low = 0; low < count; low += 2 * width) {
            Py_ssize_t middle = low + width < count ? low + width : count;
            Py_ssize_t high = middle + width < count ? middle + width : count;
            Py_ssize_t left = low, right = middle;
            for (Py_ssize_t at = low; at < high; at++) {
                bool second = right < high && (left == middle || b->agreeing[from[right]] >
                                                                     b->agreeing[from[left]]);
                to[at] = from[second ? right++ : left++];
            }
        }
        int32_t *sorted = to;
        to = from;
        from = sorted;
    }
    b->order = from;
    b->spare = to;
}

/* The score from which the best choice keeps blocks. */
static float best_score(Blocks *b, double beta)
{
    double square = beta * beta, total = 0, gain = 0, taken = 0, most = -1;
    Py_ssize_t best = 0;
    sort_blocks(b);
    for (Py_ssize_t i = 0; i < b->count; i++) {
        int32_t block = b->order[i];
        total += (double)(b->agreeing[block] * b->units[block]);
    }
    for (Py_ssize_t i = 0; i < b->count; i++) {
        int32_t block = b->order[i];
        gain += (double)(b->agreeing[block] * b->units[block]);
        taken += b->units[block];
        double expected = (1 + square) * gain / (taken + square * total + 1e-9);
        if (expected > most) {
            most = expected;
            best = i;
        }
    }
    return b->agreeing[b->order[best]];
}

/* Keep the group with the most expected content. */
static void keep_best_part(Blocks *b, const int32_t *group, uint8_t *keep)
{
    int32_t best = 0;
    for (Py_ssize_t i = 0; i < b->count; i++)
        b->product[i] = (double)(b->agreeing[i] * b->units[i]);
    add_up(b, group);
    for (int32_t number = 1; number < b->count; number++)
        if (b->sums[number] > b->sums[best])
            best = number;
    for (Py_ssize_t i = 0; i < b->count; i++)
        keep[i] = group[i] == best;
}

static double expected_f1(const float *score, const float *units, const uint8_t *keep,
                          Py_ssize_t count)
{
    double hit = 0, taken = 0, wanted = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        double likely = (double)score[i] * units[i];
        wanted += likely;
        if (keep[i]) {
            hit += likely;
            taken += units[i];
        }
    }
    return 2 * hit / (taken + wanted + 1e-9);
}

/* Keep what is marked between the first kept block and the last, unless it is surely noise. */
static void keep_further(const Blocks *b, const uint8_t *further, float lowest, uint8_t *keep)
{
    Py_ssize_t start = 0, stop = b->count;
    while (start < stop && !keep[start])
        start++;
    while (stop > start && !keep[stop - 1])
        stop--;
    for (Py_ssize_t i = start; i < stop; i++)
        keep[i] |= further[i] && b->agreeing[i] >= lowest;
}

/* Keep headings directly above kept text, from a score of `least` on. */
static void keep_headings(const Blocks *b, const Array *owner, const Array *tag,
                          const Array *kinds, float least, uint8_t *keep)
{
    const int32_t *owners = owner->data;
    bool text_follows = false;
    for (Py_ssize_t i = b->count - 1; i >= 0; i--) {
        uint8_t kind = chaffinch_kind(tag, kinds, owners[i]);
        bool above = (kind & SECTION) && b->agreeing[i] >= least && text_follows;
        text_follows = keep[i] && !(kind & HEADING);
        keep[i] |= above;
    }
}

static PyObject *choose(Blocks *b, const Array *a, const double *figures)
{
    uint8_t *keep = a[9].data;
    const int32_t *group = a[2].data;
    double like = figures[0], lowest = figures[1], heading = figures[2], beta = figures[3];
    if (!make_room(b))
        return NULL;
    agree(b, group, a[3].data, a[4].count ? a[4].data : NULL, like);
    double threshold = best_score(b, beta);
    threshold = threshold > lowest ? threshold : lowest;
    bool guessed = true;
    for (Py_ssize_t i = 0; i < b->count; i++) {
        keep[i] = b->agreeing[i] >= (float)threshold;
        guessed &= !keep[i];
    }
    if (guessed)
        keep_best_part(b, group, keep);
    double expected = expected_f1(b->agreeing, b->units, keep, b->count);
    if (a[5].count)
        keep_further(b, a[5].data, (float)lowest, keep);
    keep_headings(b, &a[6], &a[7], &a[8], (float)(heading * threshold), keep);
    PyMem_Free(b->product);
    return Py_BuildValue("ddN", threshold, expected, PyBool_FromLong(guessed));
}

/* chosen(score: float32[m], units: float32[m], group: int32[m], whole: int32[m],
 * widget: int32[m] or [0], further: bool[m] or [0], owner: int32[m], tag: uint16[n],
 * kinds: uint8[k], keep: bool[m], figures: float64[4]) -> (threshold, expected, guessed): the
 * choice over scores that agree, of at least one block. `figures` are the share of the mean of like
 * blocks, the lowest score, the share that headings need, and beta. All numbers are checked. */
static PyObject *chosen(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "ffiii?iHB|?|d";
    Array a[11];
    if (!chaffinch_take("chosen", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count;
    bool fits = count > 0 && a[1].count == count && a[2].count == count && a[3].count == count &&
                (a[4].count == count || a[4].count == 0) &&
                (a[5].count == count || a[5].count == 0) && a[6].count == count &&
                a[9].count == count && a[10].count == 4;
    fits = fits && all_below(a[2].data, count, count) && all_within(a[3].data, count, -1, count) &&
           all_within(a[4].data, a[4].count, -1, count) && all_below(a[6].data, count, a[7].count);
    PyObject *told = NULL;
    if (chaffinch_agree(fits, "chosen")) {
        Blocks blocks = {.count = count, .score = a[0].data, .units = a[1].data};
        told = choose(&blocks, a, a[10].data);
    }
    chaffinch_release(kinds, a);
    return told;
}

/* expected_f1(score: float32[m], units: float32[m], keep: bool[m]) -> float: of a choice. */
static PyObject *expected_of(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[3];
    if (!chaffinch_take("expected_f1", args, given, "ff?", a))
        return NULL;
    PyObject *told = NULL;
    if (chaffinch_agree(a[1].count == a[0].count && a[2].count == a[0].count, "expected_f1"))
        told = PyFloat_FromDouble(expected_f1(a[0].data, a[1].data, a[2].data, a[0].count));
    chaffinch_release("ff?", a);
    return told;
}

PyMethodDef chaffinch_choice[] = {
    {"chosen", (PyCFunction)(void (*)(void))chosen, METH_FASTCALL, NULL},
    {"expected_f1", (PyCFunction)(void (*)(void))expected_of, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
