/* The words of each text block of a page, and who else has them. */
#ifndef CHAFFINCH_BLOCK_WORDS_H
#define CHAFFINCH_BLOCK_WORDS_H

#include "words.h"

/* The arguments, in order of `text_features`, which documents them. */
enum { PAGE_TEXT, TITLE_TEXT, DESCRIPTION_TEXT, BODY_TEXT, TEXTS };
enum {
    KIND_TABLE, HASH_TABLE, WRITTEN_BEFORE, TEXT_AT, IN_LINK, FIRST_ROW, LAST_ROW,
    OUT_COLUMNS, OUT_SUMS, OUT_WORDS,
    ARRAYS,
};

typedef struct {
    size_t begins, ends; /* of the written characters */
    size_t start, stop;  /* characters */
    size_t low, high;    /* words */
    uint32_t sum_before, sum; /* hash of all characters before it, and of its own */
    uint32_t held[KINDS];
    int32_t linked, titled, described, quoted, alone; /* words */
} Block;

/* Find where the blocks start and stop: false if they don't lie in the text one after the other, or
 * if one has none but white space. Nothing else of a block is set. */
bool chaffinch_place_blocks(const Array *arrays, PyObject *text, Block *blocks);

/* Read the words of the four texts, and count those of each block. */
void chaffinch_read_block_words(PyObject *const *texts, const Array *arrays, WordReader *reader,
                                Block *blocks);

#endif
