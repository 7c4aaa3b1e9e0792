/* Which of many words each value of an attribute contains, as bits: one look for many searches. */
#include "attributes.h"
#include "kernels.h"

enum { VALUES = 3, NUMBER, WORDS, BITS, MOST_SAID = 63, KEPT = 128 };

static const uint64_t BEYOND_ASCII = UINT64_C(1) << MOST_SAID;

/* Words that are looked for; a bit for each at the bytes that it begins with. */
typedef struct {
    const char *words[MOST_SAID];
    Py_ssize_t sizes[MOST_SAID]; /* 2 or more */
    uint64_t first[256], second[256];
} Sought;

/* Fill `sought` from a tuple of bytes, which it borrows; false, without an exception, where it
 * isn't that, or holds too many or too short ones. */
static bool seek(PyObject *words, Sought *sought)
{
    memset(sought, 0, sizeof *sought);
    if (!PyTuple_Check(words) || PyTuple_GET_SIZE(words) > MOST_SAID)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        if (!PyBytes_Check(word) || PyBytes_GET_SIZE(word) < 2)
            return false;
        sought->words[i] = PyBytes_AS_STRING(word);
        sought->sizes[i] = PyBytes_GET_SIZE(word);
        sought->first[(uint8_t)sought->words[i][0]] |= UINT64_C(1) << i;
        sought->second[(uint8_t)sought->words[i][1]] |= UINT64_C(1) << i;
    }
    for (int letter = 'A'; letter <= 'Z'; letter++) {
        sought->first[letter] = sought->first[letter + ('a' - 'A')];
        sought->second[letter] = sought->second[letter + ('a' - 'A')];
    }
    return true;
}

static char in_lower_case(char one)
{
    return one >= 'A' && one <= 'Z' ? (char)(one + ('a' - 'A')) : one;
}

/* Whether a word, whose first two bytes agree, stands at `at`; the value's end is a line break. */
static bool stands_at(const char *value, Py_ssize_t length, Py_ssize_t at, const char *word,
                      Py_ssize_t size)
{
    if (size > length - at + 1)
        return false;
    for (Py_ssize_t step = 2; step < size; step++) {
        char one = at + step < length ? in_lower_case(value[at + step]) : '\n';
        if (one != word[step])
            return false;
    }
    return true;
}

/* Those of the words whose bits are in `may` that stand at `at`. */
static uint64_t those_at(uint64_t may, const char *value, Py_ssize_t length, Py_ssize_t at,
                         const Sought *sought)
{
    uint64_t found = 0;
    for (int i = 0; may != 0; i++, may >>= 1) {
#ifdef __GNUC__ /* and Clang */
        int none = __builtin_ctzll(may);
        i += none;
        may >>= none;
#endif
        if ((may & 1) && stands_at(value, length, at, sought->words[i], sought->sizes[i]))
            found |= UINT64_C(1) << i;
    }
    return found;
}

static uint64_t words_of(const char *value, Py_ssize_t length, const Sought *sought)
{
    const uint8_t *bytes = (const uint8_t *)value;
    uint64_t found = 0;
    uint8_t beyond = length > 0 ? bytes[length - 1] : 0;
    for (Py_ssize_t at = 0; at + 1 < length; at++) {
        uint64_t may = sought->first[bytes[at]] & sought->second[bytes[at + 1]];
        beyond |= bytes[at];
        if ((may & ~found) != 0)
            found |= those_at(may & ~found, value, length, at, sought);
    }
    if (length > 0) {
        uint64_t may = sought->first[bytes[length - 1]] & sought->second['\n'] & ~found;
        found |= those_at(may, value, length, length - 1, sought);
    }
    return beyond < 0x80 ? found : found | BEYOND_ASCII;
}

/* A value that was searched, and what it holds: a page repeats its values. */
typedef struct {
    const char *value;
    Py_ssize_t length;
    uint64_t bits;
} Searched;

/* Where a value is kept, by its length and its ends; another one there is forgotten. */
static size_t place_of_value(const char *value, Py_ssize_t length)
{
    uint64_t head = 0, tail = 0;
    size_t size = length < 8 ? (size_t)length : 8;
    memcpy(&head, value, size);
    memcpy(&tail, value + length - size, size);
    head ^= (tail << 7 | tail >> 57) ^ (uint64_t)length;
    return (size_t)(head * UINT64_C(0x9E3779B97F4A7C15) >> 57);
}

/* words_contained(rows, numbers, ends, values: bytes of `AttributeColumns`, number: int,
 *            words: tuple[bytes, ...] | rows: int32[a], bits: uint64[a]) -> int: rows whose
 * attribute with that number contains one of the words (lower case) in any case, or has a byte beyond
 * ASCII, which is the highest bit; how many. A line break at the end of a word stands for the end
 * of a value, too. Columns are checked. */
static PyObject *words_contained(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char NAME[] = "words_contained", KINDS[] = "BBBBnO|iQ";
    Array arrays[BITS + 1];
    Sought sought;
    AttributeColumns all;
    if (!chaffinch_take(NAME, args, given, KINDS, arrays))
        return NULL;
    Array *own = &arrays[NUMBER + 1]; /* what is written: the tuple has no array */
    bool fits = chaffinch_see_attributes(arrays, BY_ATTRIBUTE, &arrays[VALUES], NULL, &all) &&
                seek(args[WORDS], &sought) && own[0].count == all.count && own[1].count == all.count;
    int32_t *rows = own[0].data;
    uint64_t *bits = own[1].data;
    Searched kept[KEPT] = {0};
    Py_ssize_t count = 0, number = arrays[NUMBER].count;
    for (Py_ssize_t at = 0; fits && at < all.count; at++) {
        if (all.numbers[at] != number)
            continue;
        fits = chaffinch_value_holds(&all, at);
        if (!fits)
            break;
        const char *value = all.values + all.ends[at];
        Py_ssize_t length = all.ends[at + 1] - all.ends[at];
        Searched *same = &kept[place_of_value(value, length)];
        if (same->value == NULL || same->length != length ||
            memcmp(value, same->value, (size_t)length) != 0)
            *same = (Searched){value, length, words_of(value, length, &sought)};
        if (same->bits != 0) {
            rows[count] = all.of_row[at];
            bits[count++] = same->bits;
        }
    }
    chaffinch_agree(fits, NAME);
    chaffinch_release(KINDS, arrays);
    return fits ? PyLong_FromSsize_t(count) : NULL;
}

PyMethodDef chaffinch_words_contained[] = {
    {"words_contained", (PyCFunction)(void (*)(void))words_contained, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
