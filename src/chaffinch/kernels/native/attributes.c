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

enum { KINDS = 16, PLACES = 4096, LETTERS = 32, HEADS = 1 << 16, MOST_WORDS = UINT16_MAX };
static const uint64_t BEYOND_ASCII = UINT64_C(1) << 63;

/* A word that is looked for in texts of a kind: where its letters stand, the first four and which of
 * these count, the bits that it stands for, and the next word of its kind that begins alike, 0 for
 * none. */
typedef struct {
    uint32_t at, size, head, counted;
    uint64_t bits;
    uint16_t next;
} Word;

/* What `sought` makes: one piece of memory, with the first words of each kind from 1 on, by how they
 * begin, and the letters of all words behind these. A word of two letters stands there once for each
 * third one. `heads` are bits: which four bytes begin a word of three or more, and one behind them. */
typedef struct {
    Py_ssize_t bytes;    /* of all of it */
    uint64_t mark;       /* of this process */
    Py_ssize_t count;    /* of words */
    Py_ssize_t kinds;    /* the highest kind */
    uint64_t all[KINDS]; /* the bits of all words of a kind */
    uint8_t heads[HEADS / 8];
    Word words[];        /* from 1 */
} Words;

static inline const uint16_t *first_words(const Words *words, uint8_t kind)
{
    return (const uint16_t *)(const void *)&words->words[words->count + 1] + (kind - 1) * PLACES;
}

/* The place of words that begin with three letters, in any case: from that of the two before, and
 * the third. */
static inline size_t with_next(size_t place, uint8_t letter)
{
    return (place << 4 ^ (letter & 31)) % PLACES;
}

static inline size_t place_of(uint8_t one, uint8_t next, uint8_t third)
{
    return with_next(with_next(one & 31, next), third);
}

/* The bit of `heads` for four bytes. */
static inline uint32_t head_bit(const uint8_t *four)
{
    uint32_t head;
    memcpy(&head, four, 4);
    return head * UINT32_C(0x9E3779B1) >> 16;
}

/* What `sought` made in this process of words of some kinds, from 1; NULL for anything else. */
static const Words *see_words(const Array *bytes)
{
    const Words *words = bytes->data;
    bool fits = bytes->count >= (Py_ssize_t)sizeof *words &&
                (uintptr_t)words % sizeof(uint64_t) == 0 && words->bytes == bytes->count &&
                words->mark == chaffinch_secret().one;
    return fits ? words : NULL;
}

/* sought(words: tuple[bytes, ...], kind: bytes[w], said: uint64[w]) -> bytes: what `words_found` and
 * others look for in texts of each kind, above 0: words of two bytes or more, and the bits that each
 * stands for. */
MAKER(sought, "OBQ", "ww")
{
    PyObject *given = args[0];
    const uint8_t *kind = a[0].data;
    const uint64_t *said = a[1].data;
    Py_ssize_t count = a[0].count, entries = 0, letters = 0;
    Py_ssize_t kinds = 0;
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) != count || count >= MOST_WORDS)
        return NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = PyTuple_GET_ITEM(given, i);
        if (!PyBytes_Check(one) || PyBytes_GET_SIZE(one) < 2 || PyBytes_GET_SIZE(one) > INT16_MAX ||
            kind[i] == 0 || kind[i] >= KINDS)
            return NULL;
        letters += PyBytes_GET_SIZE(one);
        entries += PyBytes_GET_SIZE(one) == 2 ? LETTERS : 1;
        kinds = kind[i] > kinds ? kind[i] : kinds;
    }
    Py_ssize_t at = (Py_ssize_t)sizeof(Words) + (entries + 1) * (Py_ssize_t)sizeof(Word) +
                    kinds * PLACES * (Py_ssize_t)sizeof(uint16_t);
    PyObject *made = entries < MOST_WORDS ? PyBytes_FromStringAndSize(NULL, at + letters) : NULL;
    if (made == NULL)
        return NULL;
    Words *words = (Words *)(void *)PyBytes_AS_STRING(made);
    memset(words, 0, (size_t)(at + letters));
    words->bytes = at + letters;
    words->mark = chaffinch_secret().one;
    words->count = entries;
    words->kinds = kinds;
    uint16_t number = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = PyTuple_GET_ITEM(given, i);
        Py_ssize_t size = PyBytes_GET_SIZE(one);
        uint8_t *text = (uint8_t *)words + at, third = size > 2 ? 0 : LETTERS - 1;
        memcpy(text, PyBytes_AS_STRING(one), (size_t)size);
        words->all[kind[i]] |= said[i];
        uint32_t head = 0, counted = 0;
        memcpy(&head, text, size < 4 ? (size_t)size : 4);
        memset(&counted, 0xff, size < 4 ? (size_t)size : 4);
        uint8_t four[4];
        memcpy(four, &head, 4);
        for (int behind = 0; behind < (size == 3 ? 256 : 1); behind++) {
            four[3] = size == 3 ? (uint8_t)behind : four[3];
            words->heads[head_bit(four) / 8] |= (uint8_t)(1 << head_bit(four) % 8);
        }
        do {
            uint16_t *first = (uint16_t *)first_words(words, kind[i]) +
                              place_of(text[0], text[1], size > 2 ? text[2] : third);
            words->words[++number] = (Word){(uint32_t)at, (uint32_t)size, head, counted, said[i], *first};
            *first = number;
        } while (third-- > 0);
        at += size;
    }
    return made;
}

/* The next word that begins a text of three bytes or more, and one behind them, in its own case,
 * from the `i`th on; 0 for none. */
static inline uint16_t word_at(const Words *words, uint16_t i, const uint8_t *text, Py_ssize_t left)
{
    uint32_t head;
    memcpy(&head, text, 4);
    for (; i != 0; i = words->words[i].next) {
        const Word *word = &words->words[i];
        if (((head ^ word->head) & word->counted) == 0 && (Py_ssize_t)word->size <= left &&
            memcmp(text, (const uint8_t *)words + word->at, word->size) == 0)
            break;
    }
    return i;
}

/* words_in(text: bytes, words: bytes that `sought` made | found: bool[w]) -> int: which words of kind
 * 1, of three bytes or more, stand in the text, in their own case; 0 for none. */
LOOP(words_in, "BB|?", "...")
{
    const uint8_t *text = a[0].data;
    bool *found = a[2].data;
    const Words *words = see_words(&a[1]);
    if (words == NULL || words->count != a[2].count)
        return MISFIT;
    const uint16_t *first = first_words(words, 1);
    bool any = false;
    for (Py_ssize_t at = 0; words->count > 0 && at + 2 < a[0].count; at++) {
        uint32_t bit = head_bit(text + at);
        if ((words->heads[bit / 8] >> bit % 8 & 1) == 0)
            continue;
        uint16_t i = first[place_of(text[at], text[at + 1], text[at + 2])];
        while (i != 0 && (i = word_at(words, i, text + at, a[0].count - at)) != 0) {
            found[i - 1] = any = true;
            i = words->words[i].next;
        }
    }
    return any;
}

/* Whether a word, in any case, begins a text, behind whose end a line break stands. */
static bool begins(const Words *words, const Word *word, const uint8_t *text, Py_ssize_t left)
{
    const uint8_t *letters = (const uint8_t *)words + word->at;
    if ((Py_ssize_t)word->size > left + 1)
        return false;
    for (Py_ssize_t i = 0; i < (Py_ssize_t)word->size; i++) {
        uint8_t one = i < left ? text[i] : '\n';
        if ((one >= 'A' && one <= 'Z' ? one | 0x20 : one) != letters[i])
            return false;
    }
    return true;
}

/* The bits of the words that stand in a value of some kind; of all its words, and BEYOND_ASCII,
 * where a byte is beyond ASCII. */
static uint64_t bits_of(Value value, const Words *words, uint8_t kind)
{
    const uint16_t *first = first_words(words, kind);
    uint64_t found = 0;
    uint8_t beyond = 0;
    size_t place = value.size > 0 ? value.at[0] & 31 : 0;
    place = with_next(place, value.size > 1 ? value.at[1] : '\n');
    for (Py_ssize_t at = 0; at < value.size; at++) {
        beyond |= value.at[at];
        place = with_next(place, at + 2 < value.size ? value.at[at + 2] : '\n');
        for (uint16_t i = first[place]; i != 0; i = words->words[i].next) {
            const Word *word = &words->words[i];
            if ((word->bits & ~found) != 0 && begins(words, word, value.at + at, value.size - at))
                found |= word->bits;
        }
    }
    return beyond >= 0x80 ? words->all[kind] | BEYOND_ASCII : found;
}

enum { KNOWN = 256 };

/* A value that was read, and the bits of the words in it. */
typedef struct {
    Value value;
    uint64_t bits;
    uint8_t kind;
} Known;

/* `bits_of`, as it was found of the same value, which is one of a few that are known. */
static uint64_t known_bits(Value value, const Words *words, uint8_t kind, Known *known)
{
    Py_ssize_t size = value.size;
    if (size == 0)
        return 0;
    known += (size + 3 * value.at[size / 2] + 7 * value.at[size - 1]) % KNOWN;
    if (known->kind != kind || known->value.size != size ||
        memcmp(known->value.at, value.at, (size_t)size) != 0)
        *known = (Known){value, bits_of(value, words, kind), kind};
    return known->bits;
}

/* words_found(rows, numbers, ends, values: bytes of `AttributeColumns`, kinds: bytes[names], words:
 * bytes that `sought` made in this process | rows: int32[a], bits: uint64[a]) -> int: the rows with an
 * attribute of a kind above 0 that holds a word of its kind, in any case, in order, and the bits that
 * stand for such words; how many. `kinds` is by the number of an attribute's name. A line break at the
 * end of a word stands for the end of a value, too. A value with a byte beyond ASCII has the bits of
 * all words of its kind, and the highest one. Columns are checked. */
LOOP(words_found, "BBBBBB|iQ", "......aa")
{
    AttributeColumns all;
    const uint8_t *kinds = a[4].data;
    const Words *words = see_words(&a[5]);
    int32_t *rows = a[6].data;
    uint64_t *bits = a[7].data;
    Value value;
    Known known[KNOWN] = {0};
    Py_ssize_t count = 0, at = 0;
    if (words == NULL || !chaffinch_see_attributes(a, BY_ATTRIBUTE, &a[3], NULL, &all) ||
        a[6].count != all.count)
        return MISFIT;
    for (; at < all.count; at++) {
        int32_t number = all.numbers[at];
        if (number < 0 || number >= a[4].count)
            break;
        uint8_t kind = kinds[number];
        if (kind == 0)
            continue;
        if (kind > words->kinds || !chaffinch_see_value(&all, at, &value))
            break;
        uint64_t found = known_bits(value, words, kind, known);
        if (found == 0)
            continue;
        if (count == 0 || rows[count - 1] != all.of_row[at]) {
            rows[count] = all.of_row[at];
            bits[count++] = 0;
        }
        bits[count - 1] |= found;
    }
    return at < all.count ? MISFIT : count;
}
