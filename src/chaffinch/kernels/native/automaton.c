/* What an automaton puts out while it reads bytes, counted, and sums of rows of a table. */
#include "kernels.h"

/* The arrays of an automaton, and of what it reads and puts out. */
typedef struct {
    const uint32_t *moves;
    const uint16_t *rows;
    const int32_t *outputs;
    const uint8_t *data;
    int32_t *found;
    size_t rows_of_moves, states;
} Automaton;

/* A walk over a part of the data: its state, and how many outputs it found. */
typedef struct {
    size_t state;
    Py_ssize_t count;
} Walk;

/* Read the byte at `at`, put the output at `found`; return false where there is no such state. */
static inline bool step(const Automaton *a, Walk *walk, Py_ssize_t at, int32_t *found)
{
    if (walk->state >= a->states || a->rows[walk->state] >= a->rows_of_moves)
        return false;
    walk->state = a->moves[(size_t)a->rows[walk->state] * 256 + a->data[at]];
    if (walk->state >= a->states)
        return false;
    int32_t output = a->outputs[walk->state];
    if (output >= 0)
        found[walk->count++] = output;
    return true;
}

/* Parts of the data that are walked side by side, so that a step of one doesn't wait for memory of
 * another's; and bytes before a part after which its state is mostly what the walk over all before
 * it ends in, though it begins at state 0. */
enum { PARTS = 8, APPROACH = 8 };

/* Return how many outputs the data have, walked in parts; -1 where a part begins in another state
 * than the part before it ends in, or meets a state that there isn't. */
static Py_ssize_t in_parts(const Automaton *a, Py_ssize_t count)
{
    Py_ssize_t size = count / PARTS;
    Walk walks[PARTS] = {{0}};
    size_t begun[PARTS] = {0};
    bool fits = true;
    for (Py_ssize_t i = 0; i < APPROACH; i++)
        for (int part = 1; part < PARTS; part++) {
            fits &= step(a, &walks[part], part * size - APPROACH + i, a->found + part * size);
            walks[part].count = 0;
        }
    for (int part = 1; part < PARTS; part++)
        begun[part] = walks[part].state;
    for (Py_ssize_t i = 0; i < size && fits; i++)
        for (int part = 0; part < PARTS; part++)
            fits &= step(a, &walks[part], part * size + i, a->found + part * size);
    for (Py_ssize_t at = PARTS * size; at < count && fits; at++)
        fits = step(a, &walks[PARTS - 1], at, a->found + (PARTS - 1) * size);
    Py_ssize_t all = walks[0].count;
    for (int part = 1; part < PARTS && fits; part++) {
        fits = begun[part] == walks[part - 1].state;
        memmove(a->found + all, a->found + part * size,
                (size_t)walks[part].count * sizeof *a->found);
        all += walks[part].count;
    }
    return fits ? all : -1;
}

enum { DIGIT = 9, DIGITS = 1 << DIGIT }; /* bits by which numbers are sorted at a time */

/* Sort numbers of 0 or more, digit by digit, with room for as many. Returns where they stand then:
 * `items` or `room`. */
static int32_t *sorted_numbers(int32_t *items, int32_t *room, Py_ssize_t count)
{
    int32_t highest = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        highest = items[i] > highest ? items[i] : highest;
    for (int shift = 0; shift < 31 && highest >> shift; shift += DIGIT) {
        Py_ssize_t next[DIGITS] = {0}, before = 0;
        for (Py_ssize_t i = 0; i < count; i++)
            next[items[i] >> shift & (DIGITS - 1)]++;
        for (int digit = 0; digit < DIGITS; digit++) {
            Py_ssize_t own = next[digit];
            next[digit] = before;
            before += own;
        }
        for (Py_ssize_t i = 0; i < count; i++)
            room[next[items[i] >> shift & (DIGITS - 1)]++] = items[i];
        int32_t *swapped = items;
        items = room;
        room = swapped;
    }
    return items;
}

/* Put the different ones of sorted numbers and their counts where they go; return how many. The
 * numbers may stand where the different ones go. */
static Py_ssize_t count_numbers(const int32_t *sorted, Py_ssize_t count, int32_t *different,
                                int32_t *counts)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0, start = 0; i < count; i++) {
        if (i + 1 < count && sorted[i + 1] == sorted[i])
            continue;
        different[found] = sorted[i];
        counts[found++] = (int32_t)(i + 1 - start);
        start = i + 1;
    }
    return found;
}

/* counted_outputs(moves: uint32[256*r], rows: uint16[s], outputs: int32[s], data: bytes | found:
 * int32[k], counts: int32[k], room: int32[k]) -> int
 *
 * From state 0, the state after a byte is moves[256 * rows[state] + byte]. The different outputs of
 * all these states, but those below 0, go to `found` in ascending order, and to `counts` how often
 * each is put out; returns how many there are. k is at least the length of data, which is below
 * 2**31; `room` is written to. Rows and states are checked. */
LOOP(counted_outputs, "IHiB|iii", ".ss.kkk")
{
    const Automaton automaton = {
        a[0].data, a[1].data, a[2].data, a[3].data,
        a[4].data, (size_t)a[0].count / 256, (size_t)a[1].count,
    };
    Walk walk = {0, -1};
    if (a[3].count > INT32_MAX || a[4].count < a[3].count)
        return MISFIT;
    if (a[3].count >= 2 * PARTS * APPROACH)
        walk.count = in_parts(&automaton, a[3].count);
    if (walk.count < 0) {
        walk.count = 0;
        for (Py_ssize_t at = 0; at < a[3].count; at++)
            if (!step(&automaton, &walk, at, automaton.found))
                return MISFIT;
    }
    const int32_t *sorted = sorted_numbers(automaton.found, a[6].data, walk.count);
    return count_numbers(sorted, walk.count, automaton.found, a[5].data);
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))
enum { AHEAD = 8, LINE = 32 }; /* rows that are fetched before they are summed; halves in a line */
static const float EXPONENTS = 0x1p112f; /* by which a half's bits, where a float has them, are too
                                            small */

/* Add a row of halves, given by their bits, to sums of as many floats. */
ALWAYS_INLINE void add_row(const int16_t *row, float weight, float *restrict sums, Py_ssize_t count)
{
    float scaled = weight * EXPONENTS; /* by a power of two: no bit of a product changes */
    for (Py_ssize_t i = 0; i < count; i++) {
        uint32_t bits = ((uint32_t)(int32_t)row[i] << 13) & UINT32_C(0x8fffffff);
        float half;
        memcpy(&half, &bits, sizeof half);
        sums[i] += scaled * half;
    }
}

/* Add `count` rows, each times its weight, to sums of so many classes. */
ALWAYS_INLINE void add_rows(const int16_t *table, const int32_t *rows, const float *weights,
                            Py_ssize_t count, float *restrict sums, Py_ssize_t classes)
{
    for (Py_ssize_t k = 0; k < count; k++) {
        if (k + AHEAD < count) {
            const int16_t *next = table + rows[k + AHEAD] * classes;
            for (Py_ssize_t i = 0; i < classes; i += LINE)
                __builtin_prefetch(next + i);
        }
        add_row(table + rows[k] * classes, weights[k], sums, classes);
    }
}

typedef void AddRows(const int16_t *, const int32_t *, const float *, Py_ssize_t, float *restrict,
                     Py_ssize_t);

static void add_rows_plain(const int16_t *table, const int32_t *rows, const float *weights,
                           Py_ssize_t count, float *restrict sums, Py_ssize_t classes)
{
    add_rows(table, rows, weights, count, sums, classes);
}

#ifdef __x86_64__
/* The same in vectors of eight; without AVX2's fused sums, whose bits would be others. */
__attribute__((target("avx2"))) static void
add_rows_avx2(const int16_t *table, const int32_t *rows, const float *weights, Py_ssize_t count,
              float *restrict sums, Py_ssize_t classes)
{
    add_rows(table, rows, weights, count, sums, classes);
}

static AddRows *row_adder(void)
{
    return __builtin_cpu_supports("avx2") ? add_rows_avx2 : add_rows_plain;
}
#else
static AddRows *row_adder(void)
{
    return add_rows_plain;
}
#endif

/* half_sums(table: uint16[n*c], rows: int32[k], weights: float32[k] | sums: float32[c])
 *
 * Fills `sums` with those of some rows of a table of float16, given by their bits, each times its
 * weight, which is below 65536: one row after the other. Rows are checked. */
LOOP(half_sums, "Hif|f", ".kk.")
{
    const int32_t *rows = a[1].data;
    const float *weights = a[2].data;
    float *sums = a[3].data;
    Py_ssize_t classes = a[3].count, in_table = classes > 0 ? a[0].count / classes : 0;
    if (classes == 0 || a[0].count % classes != 0)
        return MISFIT;
    for (Py_ssize_t k = 0; k < a[1].count; k++)
        if (rows[k] < 0 || rows[k] >= in_table || !(weights[k] < 65536.0f))
            return MISFIT;
    memset(sums, 0, (size_t)classes * sizeof *sums);
    row_adder()(a[0].data, rows, weights, a[1].count, sums, classes);
    return 0;
}
