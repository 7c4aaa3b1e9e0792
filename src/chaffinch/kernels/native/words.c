/* Words of a text as hashes; model/words.py defines a word and how it is hashed. */
#include "words.h"

static const uint32_t NEXT = UINT32_C(0x85EBCA6B);

/* Characters are counted in lanes of one number: 12 bits for each kind from CAPITAL to MARK. */
enum { LANE = 12, LANE_FULL = (1 << LANE) - 1, NO_LANE = 60 };
static const uint8_t lane_of[16] = {
    [OTHER] = NO_LANE, [SPACE] = NO_LANE,         [LETTER] = NO_LANE,   [CAPITAL] = 0,
    [DIGIT] = LANE,    [SENTENCE_END] = 2 * LANE, [PAUSE] = 3 * LANE,   [MARK] = 4 * LANE,
    [UNIT] = NO_LANE,  [9] = NO_LANE,             [10] = NO_LANE,       [11] = NO_LANE,
    [12] = NO_LANE,    [13] = NO_LANE,            [14] = NO_LANE,       [15] = NO_LANE,
};

/* Read no more than LANE_FULL characters and return how many there are of each kind, in lanes.
 *
 * Each character is written down as a word and overwritten by the next unless it starts one: text
 * has a start every few characters, at places that a processor can't foresee. */
static inline uint64_t read_characters(WordReader *reader, const void *text, int width,
                                       size_t offset, Py_ssize_t start, Py_ssize_t stop)
{
    const uint8_t *kinds = reader->kinds;
    const uint32_t *hashes = reader->hashes;
    Word *word = reader->words + reader->count;
    uint32_t sum = reader->sum, before = reader->before;
    bool was_in_word = reader->in_word;
    uint64_t lanes = 0;
    for (Py_ssize_t i = start; i < stop; i++) {
        Py_UCS4 code = place_of(PyUnicode_READ(width, text, i));
        uint8_t kind = kinds[code];
        uint32_t hash = hashes[code];
        bool alone = kind == UNIT, in_word = (uint8_t)(kind - LETTER) <= DIGIT - LETTER;
        bool starts = alone | (in_word & !was_in_word);
        *word = (Word){.at = (uint32_t)(offset + i), .sum = sum, .alone = alone};
        word += starts;
        sum += hash * ((before & ((uint32_t)starts - 1)) | 1);
        before = hash;
        was_in_word = in_word;
        lanes += UINT64_C(1) << lane_of[kind & 15];
    }
    reader->count = (size_t)(word - reader->words);
    reader->sum = sum;
    reader->before = before;
    reader->in_word = was_in_word;
    return lanes;
}

void chaffinch_read_words(WordReader *reader, PyObject *text, size_t offset, Py_ssize_t start,
                          Py_ssize_t stop)
{
    const void *data = PyUnicode_DATA(text);
    while (start < stop) {
        Py_ssize_t rest = stop - start, next = start + (rest < LANE_FULL ? rest : LANE_FULL);
        uint64_t lanes;
        switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND:
            lanes = read_characters(reader, data, PyUnicode_1BYTE_KIND, offset, start, next);
            break;
        case PyUnicode_2BYTE_KIND:
            lanes = read_characters(reader, data, PyUnicode_2BYTE_KIND, offset, start, next);
            break;
        default:
            lanes = read_characters(reader, data, PyUnicode_4BYTE_KIND, offset, start, next);
        }
        for (int kind = CAPITAL; kind <= MARK; kind++)
            reader->held[kind] += lanes >> lane_of[kind] & LANE_FULL;
        start = next;
    }
}

void chaffinch_break_word(WordReader *reader)
{
    reader->before = 0;
    reader->in_word = false;
}

void chaffinch_finish_words(WordReader *reader)
{
    Word *words = reader->words;
    size_t count = reader->count;
    words[count] = words[count + 1] = (Word){.sum = reader->sum};
    for (size_t i = 0; i < count; i++)
        words[i].value = words[i + 1].sum - words[i].sum;
    for (size_t i = 0; i < count; i++) {
        /* the next one's value is still its own */
        if (words[i].alone && words[i + 1].alone && words[i + 1].at - words[i].at == 1)
            words[i].value += words[i + 1].value * NEXT;
        words[i].bucket = (uint16_t)bucket_of(words[i].value, WORD_BITS);
    }
}
