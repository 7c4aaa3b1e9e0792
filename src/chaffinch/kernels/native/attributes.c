/* What attributes say: of one row, of rows that have one, of rows that hold words. */
#include "attributes.h"

/* See int32 in bytes; false where they aren't whole ones, or stand where they can't be read. */
static bool see_ints(const Array *bytes, const int32_t **ints, Py_ssize_t *count)
{
    *ints = bytes->data;
    *count = bytes->count / (Py_ssize_t)sizeof(int32_t);
    return bytes->count % (Py_ssize_t)sizeof(int32_t) == 0 &&
           (uintptr_t)bytes->data % sizeof(int32_t) == 0;
}

bool chaffinch_see_attributes(const Array *arrays, FirstColumn first, const Array *values,
                              const Array *valueless, AttributeColumns *all)
{
    const int32_t *firsts;
    Py_ssize_t first_count, ends;
    *all = (AttributeColumns){.values = values->data, .size = values->count};
    if (!see_ints(&arrays[0], &firsts, &first_count) ||
        !see_ints(&arrays[1], &all->numbers, &all->count) ||
        !see_ints(&arrays[2], &all->ends, &ends))
        return false;
    if (first == BY_ROW) {
        all->starts = firsts;
        all->rows = first_count - 1;
    } else {
        all->of_row = firsts;
    }
    all->valueless = valueless == NULL ? NULL : valueless->data;
    return ends == all->count + 1 && (valueless == NULL || valueless->count == all->count) &&
           (first == BY_ROW ? first_count > 0 : first_count == all->count);
}

/* The attribute at a place as Python has it: None where it has no value. */
static PyObject *object_at(const AttributeColumns *all, Py_ssize_t place, Value value)
{
    return all->valueless[place] ? Py_NewRef(Py_None) : chaffinch_str(value);
}

/* pairs(starts, numbers, ends, valueless, values: bytes, names: tuple[str, ...], row: int)
 *     -> dict[str, str | None]: the attributes of a row, none for one that isn't there. Columns are
 * checked. */
MAKER(pairs, "BBBBBOn", "......")
{
    AttributeColumns all;
    Py_ssize_t row = a[5].count;
    PyObject *names = args[5];
    if (!chaffinch_see_attributes(a, BY_ROW, &a[4], &a[3], &all) || !PyTuple_Check(names))
        return NULL;
    if (row < 0 || row >= all.rows)
        return PyDict_New();
    int32_t place = all.starts[row], stop = all.starts[row + 1];
    PyObject *pairs = place >= 0 && stop <= all.count ? PyDict_New() : NULL;
    for (; pairs != NULL && place < stop; place++) {
        int32_t number = all.numbers[place];
        Value value;
        bool holds = chaffinch_see_value(&all, place, &value) && number >= 0 &&
                     number < PyTuple_GET_SIZE(names);
        PyObject *own = holds ? object_at(&all, place, value) : NULL;
        if (own == NULL || PyDict_SetItem(pairs, PyTuple_GET_ITEM(names, number), own) < 0)
            Py_CLEAR(pairs);
        Py_XDECREF(own);
    }
    return pairs;
}

/* Append an object, which is released, to a list. */
static bool append(PyObject *list, PyObject *one)
{
    bool added = one != NULL && PyList_Append(list, one) == 0;
    Py_XDECREF(one);
    return added;
}

/* having(rows, numbers, ends, values, valueless: bytes of `AttributeColumns`, among: bool[n],
 * number: int) -> (list[int], list[str | None]): the rows that have the attribute with that
 * number, and its value in each; only rows marked in `among`, or all where that is empty. Columns
 * are checked. */
MAKER(having, "BBBBB*n", ".......")
{
    AttributeColumns all;
    const uint8_t *among = a[5].data;
    Py_ssize_t most = a[5].count, number = a[6].count;
    if (!chaffinch_see_attributes(a, BY_ATTRIBUTE, &a[3], &a[4], &all) ||
        (a[5].letter != '?' && most > 0))
        return NULL;
    PyObject *found = PyList_New(0), *said = PyList_New(0), *both = NULL;
    bool fine = found != NULL && said != NULL;
    for (Py_ssize_t at = 0; fine && at < all.count; at++) {
        if (all.numbers[at] != number)
            continue;
        int32_t row = all.of_row[at];
        Value value;
        fine = chaffinch_see_value(&all, at, &value) && row >= 0 && (most == 0 || row < most);
        if (fine && (most == 0 || among[row]))
            fine = append(found, PyLong_FromLong(row)) && append(said, object_at(&all, at, value));
    }
    if (fine)
        both = PyTuple_Pack(2, found, said);
    Py_XDECREF(found);
    Py_XDECREF(said);
    return both;
}

/* values_of(starts, numbers, ends, values: bytes of `AttributeColumns`, rows: int32[r], wanted:
 * int32[w]) -> list[tuple[str | None, ...]]: for each of the rows the values of the attributes with
 * these numbers, "" for none, None where the row doesn't have it. Columns and rows are checked. */
MAKER(values_of, "BBBBii", "......")
{
    AttributeColumns all;
    const int32_t *rows = a[4].data, *numbers = a[5].data;
    Py_ssize_t count = a[4].count, width = a[5].count;
    if (!chaffinch_see_attributes(a, BY_ROW, &a[3], NULL, &all) || !all_below(rows, count, all.rows))
        return NULL;
    PyObject *found = PyList_New(count);
    for (Py_ssize_t i = 0; found != NULL && i < count; i++) {
        int32_t start = all.starts[rows[i]], stop = all.starts[rows[i] + 1];
        PyObject *own = start >= 0 && stop <= all.count ? PyTuple_New(width) : NULL;
        for (Py_ssize_t k = 0; own != NULL && k < width; k++) {
            int32_t at = start;
            Value value;
            while (at < stop && all.numbers[at] != numbers[k])
                at++;
            PyObject *said = at >= stop ? Py_NewRef(Py_None)
                             : chaffinch_see_value(&all, at, &value) ? chaffinch_str(value) : NULL;
            if (said == NULL)
                Py_CLEAR(own);
            else
                PyTuple_SET_ITEM(own, k, said);
        }
        if (own == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, own);
    }
    return found;
}

enum { MOST_WORDS = 63, FEW_WORDS = 12, AT_ONCE = 16 };
static const uint64_t BEYOND_ASCII = UINT64_C(1) << MOST_WORDS;

/* Words that are looked for; a bit for each at the bytes that it begins with. Folded, they are in
 * lower case and looked for in any; the end of a text is a line break then. */
typedef struct {
    const char *words[MOST_WORDS];
    Py_ssize_t sizes[MOST_WORDS]; /* 2 or more */
    uint64_t first[256], second[256];
    int count;
    bool folded, may_end; /* a word's second byte is the end of a text */
} Sought;

/* Fill `sought` from a tuple of bytes, which it borrows; false where it isn't that, or holds too many
 * or too short ones. */
static bool seek(PyObject *words, bool folded, Sought *sought)
{
    memset(sought, 0, sizeof *sought);
    if (!PyTuple_Check(words) || PyTuple_GET_SIZE(words) > MOST_WORDS)
        return false;
    sought->count = (int)PyTuple_GET_SIZE(words);
    sought->folded = folded;
    for (int i = 0; i < sought->count; i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        if (!PyBytes_Check(word) || PyBytes_GET_SIZE(word) < 2)
            return false;
        const char *text = sought->words[i] = PyBytes_AS_STRING(word);
        sought->sizes[i] = PyBytes_GET_SIZE(word);
        sought->first[(uint8_t)text[0]] |= UINT64_C(1) << i;
        sought->second[(uint8_t)text[1]] |= UINT64_C(1) << i;
        sought->may_end |= folded && text[1] == '\n';
    }
    for (int letter = 'A'; folded && letter <= 'Z'; letter++) {
        sought->first[letter] = sought->first[letter + ('a' - 'A')];
        sought->second[letter] = sought->second[letter + ('a' - 'A')];
    }
    return true;
}

typedef uint8_t Bytes __attribute__((vector_size(AT_ONCE), aligned(1), may_alias));
typedef uint64_t Halves __attribute__((vector_size(AT_ONCE), may_alias));

/* Whether none of a few words, in any case, begins in the next AT_ONCE bytes and, folded, none of
 * them is beyond ASCII: all are compared at once with the first two of each word. */
static bool is_silent(const char *text, const Sought *sought)
{
    Bytes here = *(const Bytes *)text, next = *(const Bytes *)(text + 1);
    Bytes found = here & (uint8_t)(sought->folded ? 0x80 : 0);
    here |= 0x20;
    next |= 0x20;
    for (int i = 0; i < sought->count; i++) {
        uint8_t first = (uint8_t)sought->words[i][0] | 0x20;
        uint8_t second = (uint8_t)sought->words[i][1] | 0x20;
        found |= (Bytes)(here == first) & (Bytes)(next == second);
    }
    Halves any = (Halves)found;
    return (any[0] | any[1]) == 0;
}

/* Those of the words whose bits are in `may`, which agree in two bytes, that stand at `at`. */
static uint64_t those_at(uint64_t may, const char *text, Py_ssize_t length, Py_ssize_t at,
                         const Sought *sought)
{
    uint64_t found = 0;
    for (; may != 0; may &= may - 1) {
        int i = __builtin_ctzll(may);
        Py_ssize_t size = sought->sizes[i], step = 2;
        if (size > length - at + sought->folded)
            continue;
        for (; step < size; step++) {
            char one = at + step < length ? text[at + step] : '\n';
            if (sought->folded && one >= 'A' && one <= 'Z')
                one += 'a' - 'A';
            if (one != sought->words[i][step])
                break;
        }
        found |= (uint64_t)(step == size) << i;
    }
    return found;
}

/* Which of the words stand in a text, as bits, and BEYOND_ASCII; `left` is the bytes from the text's
 * first to the end of what may be read. */
static uint64_t words_of(const char *text, Py_ssize_t length, Py_ssize_t left, const Sought *sought)
{
    const uint8_t *bytes = (const uint8_t *)text;
    uint64_t found = 0;
    uint8_t beyond = length > 0 ? bytes[length - 1] : 0;
    bool is_quick = sought->count <= FEW_WORDS && !sought->may_end;
    for (Py_ssize_t at = 0; at + 1 < length; at++) {
        if (is_quick && at % AT_ONCE == 0 && left - at > AT_ONCE && is_silent(text + at, sought)) {
            at += AT_ONCE - 1;
            continue;
        }
        uint64_t may = sought->first[bytes[at]] & sought->second[bytes[at + 1]] & ~found;
        beyond |= bytes[at];
        if (may != 0)
            found |= those_at(may, text, length, at, sought);
    }
    if (sought->may_end && length > 0)
        found |= those_at(sought->first[bytes[length - 1]] & sought->second['\n'] & ~found, text,
                          length, length - 1, sought);
    return sought->folded && beyond >= 0x80 ? found | BEYOND_ASCII : found;
}

/* A value that was searched, and what it holds: a page repeats its values. */
typedef struct {
    Value value;
    uint64_t bits;
} Searched;

enum { KEPT = 128 };

/* Where a value is kept, by its length and its ends; another one there is forgotten. */
static size_t place_of(Value value)
{
    uint64_t head = 0, tail = 0;
    size_t size = value.size < 8 ? (size_t)value.size : 8;
    memcpy(&head, value.at, size);
    memcpy(&tail, value.at + value.size - size, size);
    head ^= (tail << 7 | tail >> 57) ^ (uint64_t)value.size;
    return (size_t)(head * UINT64_C(0x9E3779B97F4A7C15) >> 57);
}

/* words_in(text: bytes, words: tuple[bytes, ...]) -> int: which of up to 63 words of two bytes or
 * more stand in the text, in their own case, as bits, the first the lowest. */
LOOP(words_in, "BO", ".")
{
    Sought sought;
    if (!seek(args[1], false, &sought))
        return MISFIT;
    return (Py_ssize_t)words_of(a[0].data, a[0].count, a[0].count, &sought);
}

/* words_found(rows, numbers, ends, values: bytes of `AttributeColumns`, number: int, words:
 * tuple[bytes, ...], folded: int, tag: uint16[n] or [0], code: int | rows: int32[a], bits: uint64[a])
 * -> int: the rows whose attribute with that number holds one of up to 63 words, and which, as bits;
 * of rows with the tag `code`, or of all; how many. Folded, words of ASCII
 * in lower case are looked for in any case, a line break at the end of one stands for the end of a
 * value, too, and the highest bit is that of a value with a byte beyond ASCII. Columns are checked. */
LOOP(words_found, "BBBBnOnHn|iQ", "........aa")
{
    AttributeColumns all;
    Sought sought;
    const uint16_t *tag = a[6].data;
    int32_t *rows = a[8].data;
    uint64_t *bits = a[9].data;
    Searched kept[KEPT] = {0};
    Value value;
    Py_ssize_t count = 0, number = a[4].count;
    if (!chaffinch_see_attributes(a, BY_ATTRIBUTE, &a[3], NULL, &all) || a[8].count != all.count ||
        !seek(args[5], a[5].count != 0, &sought))
        return MISFIT;
    for (Py_ssize_t at = 0; at < all.count; at++) {
        if (all.numbers[at] != number)
            continue;
        if (a[6].count > 0) {
            if (all.of_row[at] < 0 || all.of_row[at] >= a[6].count)
                return MISFIT;
            if (tag[all.of_row[at]] != a[7].count)
                continue;
        }
        if (!chaffinch_see_value(&all, at, &value))
            return MISFIT;
        Searched *same = &kept[place_of(value)];
        if (same->value.at == NULL || same->value.size != value.size ||
            memcmp(value.at, same->value.at, (size_t)value.size) != 0)
            *same = (Searched){value, words_of((const char *)value.at, value.size,
                                               all.size - ((const char *)value.at - all.values),
                                               &sought)};
        if (same->bits != 0) {
            rows[count] = all.of_row[at];
            bits[count++] = same->bits;
        }
    }
    return count;
}
