/* What all kernels share: how they take their arguments, what must hold of a page's columns, columns
 * that grow, white space.
 *
 * A kernel names the types of its arguments in one string, a letter for each as in Python's module
 * `struct`:
 *
 *     ? bool   b int8   B uint8   h int16   H uint16   i int32   I uint32   q int64   Q uint64
 *     f float32   d float64   * any of these, which `Array.letter` then names
 *     n an int, which `Array.count` then holds, or the nearest that it can hold
 *     x a float, which `Array.real` then holds
 *     U a str   O any object; these two have no Array
 *
 * Arrays behind a bar are written to, up to a second bar if there is one: "i?|i" reads int32 and
 * bool, and writes int32. Types are compared by kind and size, so that C's long and long long are
 * one where both have 64 bits. `bytes` are uint8.
 *
 * A second string has the length of each array, "nn2m+": one with a letter, which the first array
 * with it sets, times a digit, and 1 more for each plus; a dot for any length. What the numbers in
 * arrays mean is the caller's promise unless the kernel's comment states that they are checked. No
 * other thread may change an array meanwhile: that is its caller's promise, too.
 */
#ifndef CHAFFINCH_KERNELS_H
#define CHAFFINCH_KERNELS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    void *data;
    Py_ssize_t count; /* items */
    double real;
    char letter;      /* of the type */
    Py_buffer view;
} Array;

/* All kernels. */
#define KERNELS(X)                                                                                 \
    X(above) X(around) X(beside_kept) X(best_threshold) X(bind) X(blocks_inside) X(characters)     \
    X(common_values) X(containers) X(count_formatting) X(count_separators)                         \
    X(count_tags) X(folded_texts) X(followers) X(groups) X(having) X(held_tags) X(inside)          \
    X(is_plain) X(kept_and_between) X(kept_lines) X(kept_sums) X(kinds_above) X(nearest)           \
    X(network) X(numbered) X(outermost_boxes) X(outermost_stretches) X(outermost_within) X(pairs)  \
    X(path_hashes) X(places) X(pulled_to_means) X(read_names) X(read_tags) X(rows_of)              \
    X(side_by_side) X(sought) X(sums_around) X(table_counts) X(tags_between) X(text_blocks)        \
    X(text_columns) X(text_features) X(text_runs) X(texts_alike) X(total) X(touching) X(values_of) \
    X(walk) X(words_found) X(words_in)

#define DECLARED(name)                                                                             \
    PyObject *chaffinch_##name(PyObject *module, PyObject *const *args, Py_ssize_t given);
KERNELS(DECLARED)

/* What a loop returns instead of a number of 0 or more: arrays don't fit each other (-1 is a number
 * that some return); memory is out. */
enum { MISFIT = -2, NO_MEMORY = -3 };
typedef Py_ssize_t Loop(Array *a, PyObject *const *args);
typedef PyObject *Maker(Array *a, PyObject *const *args);

PyObject *chaffinch_loop(const char *name, const char *types, const char *lengths, Loop *loop,
                         PyObject *const *args, Py_ssize_t given);
PyObject *chaffinch_make(const char *name, const char *types, const char *lengths, Maker *maker,
                         PyObject *const *args, Py_ssize_t given);

/* Define a kernel that touches no object but to read a str or bytes, and returns an int. It runs
 * without the interpreter's lock where an array or a str is long. */
#define LOOP(name, types, lengths) DEFINED(chaffinch_loop, Py_ssize_t, name, types, lengths)

/* Define a kernel that makes objects: NULL without an exception means that arrays don't fit. */
#define MAKER(name, types, lengths) DEFINED(chaffinch_make, PyObject *, name, types, lengths)

#define DEFINED(call, result, name, types, lengths)                                                \
    static result name(Array *a, PyObject *const *args);                                           \
    PyObject *chaffinch_##name(PyObject *module, PyObject *const *args, Py_ssize_t given)          \
    {                                                                                              \
        (void)module;                                                                              \
        return call(#name, types, lengths, name, args, given);                                     \
    }                                                                                              \
    static result name(Array *a, PyObject *const *args)

/* From so many items on a loop runs without the interpreter's lock. They take some 100 us, a
 * thousand times of what it takes to give the lock back and to get it where nobody else wants it;
 * where others do, getting it may take milliseconds. */
enum { LONG_LOOP = 1 << 16 };

/* What a table by code of tag, of bytes, holds for the tag of `row`; 0 for codes beyond it. */
static inline uint8_t chaffinch_kind(const Array *tag, const Array *table, Py_ssize_t row)
{
    uint16_t code = ((const uint16_t *)tag->data)[row];
    return code < table->count ? ((const uint8_t *)table->data)[code] : 0;
}

/* A text, read by READ(text, place). */
typedef struct {
    const void *data;
    int kind;
    Py_ssize_t length;
} Text;

static inline Text text_of(PyObject *str)
{
    return (Text){PyUnicode_DATA(str), PyUnicode_KIND(str), PyUnicode_GET_LENGTH(str)};
}

/* Run a statement with `KIND` a constant, that of the strings of `kind`: each has a loop of its own. */
#define BY_KIND(kind, statement)                                                                   \
    do {                                                                                           \
        if ((kind) == PyUnicode_1BYTE_KIND) {                                                      \
            enum { KIND = PyUnicode_1BYTE_KIND };                                                  \
            statement;                                                                             \
        } else if ((kind) == PyUnicode_2BYTE_KIND) {                                               \
            enum { KIND = PyUnicode_2BYTE_KIND };                                                  \
            statement;                                                                             \
        } else {                                                                                   \
            enum { KIND = PyUnicode_4BYTE_KIND };                                                  \
            statement;                                                                             \
        }                                                                                          \
    } while (0)

/* 1 at all white space there is, as `str.isspace` has it. A table, because spaces come too
 * irregularly to branch on them. */
extern const uint8_t chaffinch_spaces[0x3001];

static inline unsigned is_space(Py_UCS4 c)
{
    return chaffinch_spaces[c < sizeof chaffinch_spaces ? c : 0];
}

/* What must hold of a page's columns before a kernel follows the rows in them.
 *
 * A page need not come from the parser: kernels that go from row to row check first that none leads
 * out of the table, and that ways up end. More rows than int32 can number hold nothing.
 */


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

/* A column whose length isn't known beforehand. */
typedef struct {
    char *data;
    Py_ssize_t used, room; /* bytes */
} Growing;

/* Make room for `more` bytes; false, with nothing changed and no exception, where there is none. */
bool chaffinch_grow(Growing *column, Py_ssize_t more);

void chaffinch_free(Growing *column);

/* The column as bytes; NULL with an exception. */
PyObject *chaffinch_bytes(const Growing *column);

static inline bool chaffinch_append(Growing *column, const void *data, Py_ssize_t size)
{
    if (size > column->room - column->used && !chaffinch_grow(column, size))
        return false;
    if (size > 0)
        memcpy(column->data + column->used, data, (size_t)size);
    column->used += size;
    return true;
}

static inline bool chaffinch_append_int(Growing *column, int32_t value)
{
    return chaffinch_append(column, &value, sizeof value);
}

static inline int32_t *chaffinch_ints(const Growing *column)
{
    return (int32_t *)(void *)column->data;
}

/* How many code points `data` has; -1 where it isn't UTF-8 as Python's strict decoder wants it. */
Py_ssize_t chaffinch_letters(const unsigned char *data, Py_ssize_t size);

/* Whether `word` stands in `data`. */
bool chaffinch_holds(const unsigned char *data, size_t length, const char *word);

/* The same in any case of ASCII; `word` is in lower case. */
bool chaffinch_says(const unsigned char *data, size_t length, const char *word);

/* How many bytes the character beyond ASCII takes that begins here, 0 where it is none: table 3-7
 * of the Unicode Standard, which Python's strict decoder holds to. At least one byte is `left`. */
int chaffinch_sequence(const uint8_t *at, Py_ssize_t left);

typedef struct {
    uint64_t key;
    int64_t number; /* what is sorted */
} Sortable;

/* Sort by key, equal ones in their order (a merge sort, so that no page makes it slow), with room
 * for as many. Returns the array that holds the result: `items` or `room`. */
Sortable *chaffinch_sorted(Sortable *items, Sortable *room, Py_ssize_t count);

/* Numbers that nobody can foresee, which Python's own hashes are made with: by them a page can't be
 * made such that its names fall on few places of a hash table. */
typedef struct {
    uint64_t one, other;
} Secret;
Secret chaffinch_secret(void);

/* A hash, and eight more bytes in it. */
static inline uint64_t chaffinch_mixed(Secret secret, uint64_t hash, uint64_t more)
{
    __uint128_t product = (__uint128_t)(hash ^ more ^ secret.one) * (secret.other | 1);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
