/* Reads the words of a page, block by block, and of its head. */
#include "block_words.h"
#include "white_space.h"

/* Words of a run, by which quotations are recognised. */
enum { RUN = 3, RUN_BITS = 16 };

/* Which other texts have a word. */
enum { IN_TITLE = 1, IN_DESCRIPTION = 2, IN_BODY = 4 };

bool chaffinch_place_blocks(const Array *arrays, PyObject *text, Block *blocks)
{
    const int64_t *before = arrays[WRITTEN_BEFORE].data;
    const int32_t *first = arrays[FIRST_ROW].data, *last = arrays[LAST_ROW].data;
    const int32_t *text_at = arrays[TEXT_AT].data;
    int64_t rows = arrays[IN_LINK].count;
    Py_ssize_t reached = 0, length = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t b = 0; b < arrays[FIRST_ROW].count; b++) {
        if (first[b] < 0 || last[b] <= first[b] || last[b] > rows)
            return false;
        int64_t begins = before[first[b]], ends = before[last[b]];
        Py_ssize_t start = text_at[first[b]], stop = text_at[last[b]];
        if (begins < 0 || ends <= begins || start < reached || stop > length)
            return false;
        while (start < stop && is_space(PyUnicode_READ(kind, data, start)))
            start++;
        while (start < stop && is_space(PyUnicode_READ(kind, data, stop - 1)))
            stop--;
        if (start >= stop)
            return false;
        reached = stop;
        blocks[b] = (Block){.begins = (size_t)begins, .ends = (size_t)ends,
                            .start = (size_t)start, .stop = (size_t)stop};
    }
    return true;
}

/* Read the page's text: the blocks, and what else is written between them. */
static void read_blocks(WordReader *reader, PyObject *text, size_t written, Block *blocks,
                        size_t count)
{
    size_t at = 0, seen = 0;
    for (Block *block = blocks; block < blocks + count; block++) {
        if (block->begins > seen)
            chaffinch_read_words(reader, text, 0, at, block->start);
        chaffinch_break_word(reader);
        memset(reader->held, 0, sizeof reader->held);
        block->low = reader->count;
        block->sum_before = reader->sum;
        chaffinch_read_words(reader, text, 0, block->start, block->stop);
        block->high = reader->count;
        block->sum = reader->sum - block->sum_before;
        memcpy(block->held, reader->held, sizeof block->held);
        at = block->stop;
        seen = block->ends;
    }
    if (written > seen)
        chaffinch_read_words(reader, text, 0, at, (size_t)PyUnicode_GET_LENGTH(text));
}

/* The hash of a run of words; past the last one nothing is added. */
static uint32_t run_at(const Word *words)
{
    return words[0].value + (words[1].value << 1) + (words[2].value << 2);
}

/* Mark the first `own` words that stand in a run of three that is in words body to count, too. */
static void mark_quoted(Word *words, size_t own, size_t body, size_t count)
{
    uint8_t known[(1 << RUN_BITS) / 8] = {0};
    for (size_t i = body; i + RUN <= count; i++) {
        uint32_t bucket = bucket_of(run_at(words + i), RUN_BITS);
        known[bucket >> 3] |= (uint8_t)(1 << (bucket & 7));
    }
    for (size_t i = 0; i < own; i++) {
        uint32_t bucket = bucket_of(run_at(words + i), RUN_BITS);
        if (known[bucket >> 3] >> (bucket & 7) & 1) {
            for (size_t k = i; k < i + RUN; k++)
                words[k].also_in = IN_BODY;
        }
    }
}

/* Read the page and its head, and mark the page's words that the head has: by bucket in `origins`,
 * those of the body word by word. */
static void read_all(WordReader *reader, PyObject *const *texts, size_t written, Block *blocks,
                     size_t count, uint8_t *origins)
{
    size_t begins[TEXTS + 1], offset = 0;
    for (int k = 0; k < TEXTS; k++) {
        size_t length = (size_t)PyUnicode_GET_LENGTH(texts[k]);
        begins[k] = reader->count;
        chaffinch_break_word(reader);
        if (k == PAGE_TEXT)
            read_blocks(reader, texts[k], written, blocks, count);
        else
            chaffinch_read_words(reader, texts[k], offset, 0, length);
        offset += length + 1;
    }
    begins[TEXTS] = reader->count;
    chaffinch_finish_words(reader);
    const Word *words = reader->words;
    for (size_t i = begins[TITLE_TEXT]; i < begins[DESCRIPTION_TEXT]; i++)
        origins[words[i].bucket] = IN_TITLE;
    for (size_t i = begins[DESCRIPTION_TEXT]; i < begins[BODY_TEXT]; i++)
        origins[words[i].bucket] |= IN_DESCRIPTION;
    if (PyUnicode_GET_LENGTH(texts[BODY_TEXT]) > 0)
        mark_quoted(reader->words, begins[TITLE_TEXT], begins[BODY_TEXT], begins[TEXTS]);
}

/* Count the words of each block that are in links, that the head has, and that stand alone. */
static void count_words(const Array *arrays, const Word *words, const uint8_t *origins, Block *blocks)
{
    const int32_t *text_at = arrays[TEXT_AT].data;
    const int32_t *first = arrays[FIRST_ROW].data, *last = arrays[LAST_ROW].data;
    const uint8_t *in_link = arrays[IN_LINK].data;
    for (Py_ssize_t b = 0; b < arrays[FIRST_ROW].count; b++) {
        Block *block = blocks + b;
        int32_t row = first[b];
        for (const Word *word = words + block->low; word < words + block->high; word++) {
            while (row + 1 < last[b] && text_at[row + 1] <= (int64_t)word->at)
                row++;
            uint8_t also_in = origins[word->bucket] | word->also_in;
            block->linked += in_link[row];
            block->titled += (also_in & IN_TITLE) != 0;
            block->described += (also_in & IN_DESCRIPTION) != 0;
            block->quoted += (also_in & IN_BODY) != 0;
            block->alone += word->alone;
        }
    }
}

void chaffinch_read_block_words(PyObject *const *texts, const Array *arrays, WordReader *reader,
                                Block *blocks)
{
    uint8_t origins[WORD_BUCKETS] = {0};
    const int64_t *before = arrays[WRITTEN_BEFORE].data;
    size_t written = (size_t)before[arrays[IN_LINK].count];
    size_t count = (size_t)arrays[FIRST_ROW].count;
    read_all(reader, texts, written, blocks, count, origins);
    count_words(arrays, reader->words, origins, blocks);
}
