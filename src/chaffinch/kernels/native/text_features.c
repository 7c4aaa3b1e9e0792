/* What a block's own text is like: the kernel of model/text_features.py. */
#include "block_words.h"
#include "kernels.h"

static const uint32_t FIRST = UINT32_C(0x58519F2D), WHOLE = UINT32_C(0x14057B7E);
enum { READ = 8, SLOTS = READ + 2, NO_WORD = WORD_BUCKETS, MOST_TIMES = 9 };

/* The columns, in the order of NAMES in model/text_features.py. */
enum {
    LOG_UNITS, LOG_CHARACTERS, LOG_ENDS, LOG_PAUSES, LOG_MARKS, LOG_LINK_UNITS,
    LOG_UNITS_BEFORE, LOG_UNITS_AFTER,
    DIGITS, CAPITALS, LINK_SHARE, TITLE, DESCRIPTION, BODY, SCRIPTLESS,
    UNIT_LENGTH, LONG_SENTENCES, POSITION_IN_UNITS, REPEATED,
    LAST_IS_END, LAST_IS_MARK, FIRST_IS_CAPITAL, FIRST_IS_DIGIT, FIRST_IS_MARK, FIRST_IS_UNIT,
    ALL_LINK, ONE_UNIT, HAS_BODY,
    COLUMNS,
};

static const char ARRAY_KINDS[] = "UUUUBIqi?ii|fiH";

/* Write the buckets of the first words of each block, of the first alone, and of all. */
static void write_words(const Word *words, const Block *blocks, size_t count, uint16_t *out)
{
    for (size_t b = 0; b < count; b++) {
        const Block *block = blocks + b;
        size_t held = block->high - block->low;
        const Word *first = words + block->low;
        for (size_t k = 0; k < READ; k++)
            out[k * count + b] = k < held ? first[k].bucket : NO_WORD;
        uint32_t whole = held > READ ? first[READ].sum - block->sum_before : block->sum;
        out[READ * count + b] = (uint16_t)bucket_of((held ? first->value : 0) ^ FIRST, WORD_BITS);
        out[(READ + 1) * count + b] = (uint16_t)bucket_of(whole ^ WHOLE, WORD_BITS);
    }
}

static inline float least(float one, float other)
{
    return one < other ? one : other;
}

static int32_t units_of(const Block *block)
{
    return block->high > block->low ? (int32_t)(block->high - block->low) : 1;
}

/* Write the columns of block `b` that follow from its own counts. */
static void write_counts(const Block *block, float *out, size_t count, int32_t *sums)
{
    float units = (float)units_of(block), characters = (float)(block->ends - block->begins);
    float ends = (float)block->held[SENTENCE_END] + 1;
    out[LOG_UNITS * count] = units + 1;
    out[LOG_CHARACTERS * count] = characters + 1;
    out[LOG_ENDS * count] = ends;
    out[LOG_PAUSES * count] = (float)block->held[PAUSE] + 1;
    out[LOG_MARKS * count] = (float)block->held[MARK] + 1;
    out[LOG_LINK_UNITS * count] = (float)block->linked + 1;
    out[DIGITS * count] = (float)block->held[DIGIT] / characters;
    out[CAPITALS * count] = (float)block->held[CAPITAL] / characters;
    out[LINK_SHARE * count] = (float)block->linked / units;
    out[TITLE * count] = (float)block->titled / units;
    out[DESCRIPTION * count] = (float)block->described / units;
    out[BODY * count] = (float)block->quoted / units;
    out[SCRIPTLESS * count] = (float)block->alone / units;
    out[UNIT_LENGTH * count] = least(characters / units, 12) / 6;
    out[LONG_SENTENCES * count] = least(units / ends, 30) / 15;
    out[ALL_LINK * count] = block->linked >= units_of(block);
    out[ONE_UNIT * count] = units_of(block) == 1;
    sums[0] = units_of(block);
    sums[count] = block->linked;
    sums[2 * count] = (int32_t)block->held[SENTENCE_END];
}

/* Write the columns that depend on other blocks: where each stands, and which repeat it. */
static void write_places(const Block *blocks, size_t count, float *out)
{
    uint8_t times[WORD_BUCKETS]; /* only those that are read are set to 0 */
    int64_t total = 0, before = 0;
    for (size_t b = 0; b < count; b++)
        times[bucket_of(blocks[b].sum, WORD_BITS)] = 0;
    for (size_t b = 0; b < count; b++) {
        uint8_t *found = times + bucket_of(blocks[b].sum, WORD_BITS);
        *found += *found < MOST_TIMES;
        total += units_of(blocks + b);
    }
    for (size_t b = 0; b < count; b++) {
        out[LOG_UNITS_BEFORE * count + b] = (float)before + 1;
        before += units_of(blocks + b);
        out[LOG_UNITS_AFTER * count + b] = (float)(total - before) + 1;
        out[POSITION_IN_UNITS * count + b] = (float)before / (float)total;
        out[REPEATED * count + b] = (float)(times[bucket_of(blocks[b].sum, WORD_BITS)] - 1) / 4;
    }
}

/* Write how a block starts and ends. */
static void write_edges(uint8_t first, uint8_t last, float *out, size_t count)
{
    out[LAST_IS_END * count] = last == SENTENCE_END;
    out[LAST_IS_MARK * count] = last == MARK || last == PAUSE;
    out[FIRST_IS_CAPITAL * count] = first == CAPITAL;
    out[FIRST_IS_DIGIT * count] = first == DIGIT;
    out[FIRST_IS_MARK * count] = first >= SENTENCE_END && first <= MARK;
    out[FIRST_IS_UNIT * count] = first == UNIT;
}

static bool arrays_agree(const Array *arrays)
{
    Py_ssize_t blocks = arrays[FIRST_ROW].count, rows = arrays[IN_LINK].count;
    return arrays[KIND_TABLE].count == CODES && arrays[HASH_TABLE].count == CODES &&
           arrays[WRITTEN_BEFORE].count == rows + 1 && arrays[TEXT_AT].count == rows + 1 &&
           arrays[LAST_ROW].count == blocks && arrays[OUT_COLUMNS].count == blocks * COLUMNS &&
           arrays[OUT_SUMS].count == blocks * 3 && arrays[OUT_WORDS].count == blocks * SLOTS;
}

static uint8_t kind_at(const WordReader *reader, PyObject *text, size_t at)
{
    return reader->kinds[place_of(PyUnicode_READ_CHAR(text, (Py_ssize_t)at))];
}

static void fill(PyObject *const *texts, const Array *arrays, WordReader *reader, Block *blocks)
{
    size_t count = (size_t)arrays[FIRST_ROW].count;
    bool has_body = PyUnicode_GET_LENGTH(texts[BODY_TEXT]) > 0;
    float *columns = arrays[OUT_COLUMNS].data;
    int32_t *sums = arrays[OUT_SUMS].data;
    chaffinch_read_block_words(texts, arrays, reader, blocks);
    for (size_t b = 0; b < count; b++) {
        write_counts(blocks + b, columns + b, count, sums + b);
        uint8_t first = kind_at(reader, texts[PAGE_TEXT], blocks[b].start);
        uint8_t last = kind_at(reader, texts[PAGE_TEXT], blocks[b].stop - 1);
        write_edges(first, last, columns + b, count);
        columns[HAS_BODY * count + b] = has_body;
    }
    write_places(blocks, count, columns);
    write_words(reader->words, blocks, count, arrays[OUT_WORDS].data);
}

/* text_features(text, title, description, body: str, kinds: uint8[65536], hashes: uint32[65536],
 * written_before: intp[n + 1], text_at: int32[n + 1], in_link: bool[n], first: int32[m],
 * last: int32[m], columns: float32[28, m], sums: int32[3, m], words: uint16[10, m]): fill the last three from the columns of a page and its blocks.
 *
 * The counts of columns log_… are written with 1 added, their logarithms are left to the caller.
 * That the blocks stand in the text one after the other is checked. */
static PyObject *text_features(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array arrays[ARRAYS];
    size_t characters = 0;
    if (!chaffinch_take("text_features", args, given, ARRAY_KINDS, arrays))
        return NULL;
    for (int k = 0; k < TEXTS; k++)
        characters += (size_t)PyUnicode_GET_LENGTH(args[k]) + 1;
    size_t count = (size_t)arrays[FIRST_ROW].count;
    WordReader reader = {.kinds = arrays[KIND_TABLE].data, .hashes = arrays[HASH_TABLE].data};
    Block *blocks = PyMem_Malloc((count + 1) * sizeof *blocks);
    reader.words = PyMem_Malloc((characters + 2) * sizeof *reader.words);
    bool done = false;
    if (blocks == NULL || reader.words == NULL)
        PyErr_NoMemory();
    else
        done = chaffinch_agree(characters < UINT32_MAX && arrays_agree(arrays) &&
                                   chaffinch_place_blocks(arrays, args[PAGE_TEXT], blocks),
                               "text_features");
    if (done) {
        PyThreadState *unlocked = chaffinch_unlock((Py_ssize_t)characters);
        fill(args, arrays, &reader, blocks);
        chaffinch_lock(unlocked);
    }
    PyMem_Free(blocks);
    PyMem_Free(reader.words);
    chaffinch_release(ARRAY_KINDS, arrays);
    return done ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_words[] = {
    {"text_features", (PyCFunction)(void (*)(void))text_features, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
