/* Words of a text as hashes, cut as chaffinch/kernels/plain/words.py does. */
#ifndef CHAFFINCH_WORDS_H
#define CHAFFINCH_WORDS_H

#include "arrays.h"

enum { WORD_BITS = 14, WORD_BUCKETS = 1 << WORD_BITS, KINDS = 9, CODES = 1 << 16 };

/* Kinds of characters, as model/writing_systems.py numbers them. */
enum { OTHER, SPACE, LETTER, CAPITAL, DIGIT, SENTENCE_END, PAUSE, MARK, UNIT };

typedef struct {
    uint32_t at;  /* where it starts */
    uint32_t sum; /* hash of all characters before it */
    uint32_t value;
    uint16_t bucket;
    bool alone;   /* a character of a script without spaces */
    uint8_t also_in; /* which other texts have it: left at 0 here */
} Word;

typedef struct {
    const uint8_t *kinds;   /* [CODES] */
    const uint32_t *hashes; /* [CODES], 0 but for letters and digits */
    Word *words;            /* room for two more than there are characters */
    size_t count;
    uint32_t sum;         /* hash of all characters so far */
    uint32_t before;      /* hash of the last one */
    bool in_word;         /* whether it is a letter or a digit */
    uint32_t held[KINDS]; /* characters of the kinds CAPITAL to MARK so far */
} WordReader;

/* Read the characters start to stop of `text`, whose first stands at `offset`. */
void chaffinch_read_words(WordReader *reader, PyObject *text, size_t offset, Py_ssize_t start,
                          Py_ssize_t stop);

/* A word ends here and another starts, whatever stands there. */
void chaffinch_break_word(WordReader *reader);

/* Give the words their values and buckets, once all are read. Two empty ones follow the last. */
void chaffinch_finish_words(WordReader *reader);

/* The place of a character in the tables: all beyond the basic plane share one. */
static inline Py_UCS4 place_of(Py_UCS4 character)
{
    return character < CODES ? character : 0x5B57;
}

/* The bucket of a hash, in 0..2^bits. */
static inline uint32_t bucket_of(uint32_t hash, int bits)
{
    hash *= UINT32_C(0x9E3779B1);
    hash ^= hash >> 15;
    return hash * UINT32_C(0x85EBCA6B) >> (32 - bits);
}

#endif
