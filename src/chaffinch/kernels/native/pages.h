/* What must hold of a page's columns before a kernel follows the rows in them.
 *
 * A page need not come from the parser: kernels that go from row to row check first that none leads
 * out of the table, and that ways up end. More rows than int32 can number hold nothing.
 */
#ifndef CHAFFINCH_PAGES_H
#define CHAFFINCH_PAGES_H

#include "arrays.h"

/* Whether every tag is one of the first `known` codes. */
static inline bool tags_hold(const uint16_t *tag, Py_ssize_t count, Py_ssize_t known)
{
    uint16_t highest = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        highest = tag[i] > highest ? tag[i] : highest;
    return count == 0 || highest < known;
}

/* Whether every parent is a row before its child, or -1. */
static inline bool parents_hold(const int32_t *parent, Py_ssize_t count)
{
    const int32_t n = count > INT32_MAX ? 0 : (int32_t)count;
    int32_t wrong = n < count; /* as wide as what is compared: the compiler takes several at once */
    for (int32_t i = 0; i < n; i++)
        wrong |= (parent[i] < -1) | (parent[i] >= i);
    return !wrong;
}

/* Whether every subtree ends after its row and within the page. */
static inline bool ends_hold(const int32_t *end, Py_ssize_t count)
{
    const int32_t n = count > INT32_MAX ? 0 : (int32_t)count;
    int32_t wrong = n < count;
    for (int32_t i = 0; i < n; i++)
        wrong |= (end[i] <= i) | (end[i] > n);
    return !wrong;
}

/* Whether every number is in least..limit - 1. */
static inline bool all_within(const int32_t *numbers, Py_ssize_t count, int32_t least,
                              Py_ssize_t limit)
{
    const int32_t most = limit > INT32_MAX ? INT32_MAX : (int32_t)limit;
    int32_t wrong = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        wrong |= (numbers[i] < least) | (numbers[i] >= most);
    return !wrong;
}

/* Whether every number is in 0..limit - 1. */
static inline bool all_below(const int32_t *numbers, Py_ssize_t count, Py_ssize_t limit)
{
    return all_within(numbers, count, 0, limit);
}

/* Whether numbers in 0..limit - 1 rise from each to the next. */
static inline bool all_rise(const int32_t *numbers, Py_ssize_t count, Py_ssize_t limit)
{
    int32_t wrong = 0;
    for (Py_ssize_t i = 1; i < count; i++)
        wrong |= numbers[i] <= numbers[i - 1];
    return !wrong && (count == 0 || (numbers[0] >= 0 && numbers[count - 1] < limit));
}

/* Whether offsets into a text of `length` characters begin at its start, end at its end and never
 * fall. */
static inline bool offsets_hold(const int32_t *at, Py_ssize_t count, Py_ssize_t length)
{
    bool holds = count > 0 && at[0] == 0 && at[count - 1] == length;
    for (Py_ssize_t i = 1; i < count; i++)
        holds &= at[i - 1] <= at[i];
    return holds;
}

/* How many of the rising `points` lie before `row`: the place of the first that doesn't. */
static inline Py_ssize_t points_before(const int32_t *points, Py_ssize_t count, int32_t row)
{
    Py_ssize_t low = 0;
    while (low < count) {
        Py_ssize_t middle = (low + count) / 2;
        if (points[middle] < row)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* The row above, or the first one. */
static inline int32_t row_above(const int32_t *parent, int32_t row)
{
    return parent[row] < 0 ? 0 : parent[row];
}

#endif
