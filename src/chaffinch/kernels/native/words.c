/* What a block's own text is like: words as hashes, and features. */
#include "kernels.h"

enum { WORD_BITS = 14, WORD_BUCKETS = 1 << WORD_BITS, KINDS = 16, CODES = 1 << 16 };

/* Kinds of characters, as model/words.py numbers them: nine of up to KINDS. */
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
    uint32_t held[KINDS]; /* characters of each kind so far */
} WordReader;

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

static const uint32_t NEXT = UINT32_C(0x85EBCA6B);

/* Read the characters start to stop of a text whose first stands at `offset`.
 *
 * Each character is written down as a word and overwritten by the next unless it starts one: text
 * has a start every few characters, at places that a processor can't foresee. */
static inline void read_characters(WordReader *reader, const void *text, int width,
                                       size_t offset, Py_ssize_t start, Py_ssize_t stop)
{
    const uint8_t *kinds = reader->kinds;
    const uint32_t *hashes = reader->hashes;
    Word *word = reader->words + reader->count;
    uint32_t sum = reader->sum, before = reader->before;
    bool was_in_word = reader->in_word;
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
        reader->held[kind % KINDS]++;
    }
    reader->count = (size_t)(word - reader->words);
    reader->sum = sum;
    reader->before = before;
    reader->in_word = was_in_word;
}

static void read_words(WordReader *reader, Text text, size_t offset, Py_ssize_t start, Py_ssize_t stop)
{
    BY_KIND(text.kind, read_characters(reader, text.data, KIND, offset, start, stop));
}

/* A word ends here and another starts, whatever stands there. */
static void break_word(WordReader *reader)
{
    reader->before = 0;
    reader->in_word = false;
}

/* Give the words their values and buckets, once all are read. Two empty ones follow the last. */
static void finish_words(WordReader *reader)
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

/* The arguments, in order of `text_features`, which documents them. */
enum { PAGE_TEXT, TITLE_TEXT, DESCRIPTION_TEXT, BODY_TEXT, TEXTS };
enum {
    KIND_TABLE, HASH_TABLE, WRITTEN_BEFORE, TEXT_AT, IN_LINK, FIRST_ROW, LAST_ROW,
    OUT_COLUMNS, OUT_SUMS, OUT_WORDS,
};

typedef struct {
    size_t begins, ends; /* of the written characters */
    size_t start, stop;  /* characters */
    size_t low, high;    /* words */
    uint32_t sum_before, sum; /* hash of all characters before it, and of its own */
    uint32_t held[KINDS];
    int32_t linked, titled, described, quoted, alone; /* words */
} Block;

/* Words of a run, by which quotations are recognised. */
enum { RUN = 3, RUN_BITS = 16 };

/* Which other texts have a word. */
enum { IN_TITLE = 1, IN_DESCRIPTION = 2, IN_BODY = 4 };

/* Find where the blocks start and stop: false if they don't lie in the text one after the other, or
 * if one has none but white space. Nothing else of a block is set. */
static bool place_blocks(const Array *arrays, Text text, Block *blocks)
{
    const int64_t *before = arrays[WRITTEN_BEFORE].data;
    const int32_t *first = arrays[FIRST_ROW].data, *last = arrays[LAST_ROW].data;
    const int32_t *text_at = arrays[TEXT_AT].data;
    int64_t rows = arrays[IN_LINK].count;
    Py_ssize_t reached = 0;
    for (Py_ssize_t b = 0; b < arrays[FIRST_ROW].count; b++) {
        if (first[b] < 0 || last[b] <= first[b] || last[b] > rows)
            return false;
        int64_t begins = before[first[b]], ends = before[last[b]];
        Py_ssize_t start = text_at[first[b]], stop = text_at[last[b]];
        if (begins < 0 || ends <= begins || start < reached || stop > text.length)
            return false;
        while (start < stop && is_space(PyUnicode_READ(text.kind, text.data, start)))
            start++;
        while (start < stop && is_space(PyUnicode_READ(text.kind, text.data, stop - 1)))
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
static void read_blocks(WordReader *reader, Text text, size_t written, Block *blocks,
                        size_t count)
{
    size_t at = 0, seen = 0;
    for (Block *block = blocks; block < blocks + count; block++) {
        if (block->begins > seen)
            read_words(reader, text, 0, at, block->start);
        break_word(reader);
        memset(reader->held, 0, sizeof reader->held);
        block->low = reader->count;
        block->sum_before = reader->sum;
        read_words(reader, text, 0, block->start, block->stop);
        block->high = reader->count;
        block->sum = reader->sum - block->sum_before;
        memcpy(block->held, reader->held, sizeof block->held);
        at = block->stop;
        seen = block->ends;
    }
    if (written > seen)
        read_words(reader, text, 0, at, text.length);
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
static void read_all(WordReader *reader, const Text *texts, size_t written, Block *blocks,
                     size_t count, uint8_t *origins)
{
    size_t begins[TEXTS + 1], offset = 0;
    for (int k = 0; k < TEXTS; k++) {
        size_t length = (size_t)texts[k].length;
        begins[k] = reader->count;
        break_word(reader);
        if (k == PAGE_TEXT)
            read_blocks(reader, texts[k], written, blocks, count);
        else
            read_words(reader, texts[k], offset, 0, length);
        offset += length + 1;
    }
    begins[TEXTS] = reader->count;
    finish_words(reader);
    const Word *words = reader->words;
    for (size_t i = begins[TITLE_TEXT]; i < begins[DESCRIPTION_TEXT]; i++)
        origins[words[i].bucket] = IN_TITLE;
    for (size_t i = begins[DESCRIPTION_TEXT]; i < begins[BODY_TEXT]; i++)
        origins[words[i].bucket] |= IN_DESCRIPTION;
    if (texts[BODY_TEXT].length > 0)
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

static const uint32_t FIRST = UINT32_C(0x58519F2D), WHOLE = UINT32_C(0x14057B7E);
enum { READ = 8, SLOTS = READ + 2, NO_WORD = WORD_BUCKETS, MOST_TIMES = 9 };

/* The columns, in the order of TEXT_COLUMNS in kernels/codes.py. */
enum {
    LOG_UNITS, LOG_CHARACTERS, LOG_ENDS, LOG_PAUSES, LOG_MARKS, LOG_LINK_UNITS,
    LOG_UNITS_BEFORE, LOG_UNITS_AFTER,
    DIGITS, CAPITALS, LINK_SHARE, TITLE, DESCRIPTION, BODY, SCRIPTLESS,
    UNIT_LENGTH, LONG_SENTENCES, POSITION_IN_UNITS, REPEATED,
    LAST_IS_END, LAST_IS_MARK, FIRST_IS_CAPITAL, FIRST_IS_DIGIT, FIRST_IS_MARK, FIRST_IS_UNIT,
    ALL_LINK, ONE_UNIT, HAS_BODY,
    COLUMNS,
};

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

static uint8_t kind_at(const WordReader *reader, Text text, size_t at)
{
    return reader->kinds[place_of(PyUnicode_READ(text.kind, text.data, at))];
}

/* text_features(text, title, description, body: str, kinds: uint8[65536], hashes: uint32[65536],
 * written_before: intp[n + 1], text_at: int32[n + 1], in_link: bool[n], first: int32[m],
 * last: int32[m] | columns: float32[28, m], sums: int32[3, m], words: uint16[10, m])
 *
 * `columns` get TEXT_COLUMNS of kernels/codes.py; counts of those log_… are written with 1 added, their
 * logarithms are left to the caller. `sums` get units (words, or characters in scripts without
 * spaces), units in links, and marks that end a sentence; `words` the buckets of each block's first
 * words, first word alone, whole text. That the blocks stand in the text one after the other is
 * checked. */
LOOP(text_features, "UUUUBIqi?ii|fiH", "..n+n+nmm.3m.")
{
    Text texts[TEXTS];
    size_t characters = 0, count = (size_t)a[FIRST_ROW].count;
    float *columns = a[OUT_COLUMNS].data;
    int32_t *sums = a[OUT_SUMS].data;
    uint8_t origins[WORD_BUCKETS] = {0};
    for (int k = 0; k < TEXTS; k++) {
        texts[k] = text_of(args[k]);
        characters += (size_t)texts[k].length + 1;
    }
    if (a[KIND_TABLE].count != CODES || a[HASH_TABLE].count != CODES || characters >= UINT32_MAX ||
        a[OUT_COLUMNS].count != (Py_ssize_t)count * COLUMNS ||
        a[OUT_WORDS].count != (Py_ssize_t)count * SLOTS)
        return MISFIT;
    WordReader reader = {.kinds = a[KIND_TABLE].data, .hashes = a[HASH_TABLE].data};
    Block *blocks = PyMem_RawMalloc((count + 1) * sizeof *blocks);
    reader.words = PyMem_RawMalloc((characters + 2) * sizeof *reader.words);
    Py_ssize_t result = blocks == NULL || reader.words == NULL ? NO_MEMORY
                        : place_blocks(a, texts[PAGE_TEXT], blocks) ? 0 : MISFIT;
    if (result == 0) {
        size_t written = (size_t)((const int64_t *)a[WRITTEN_BEFORE].data)[a[IN_LINK].count];
        read_all(&reader, texts, written, blocks, count, origins);
        count_words(a, reader.words, origins, blocks);
        for (size_t b = 0; b < count; b++) {
            write_counts(blocks + b, columns + b, count, sums + b);
            uint8_t first = kind_at(&reader, texts[PAGE_TEXT], blocks[b].start);
            uint8_t last = kind_at(&reader, texts[PAGE_TEXT], blocks[b].stop - 1);
            write_edges(first, last, columns + b, count);
            columns[HAS_BODY * count + b] = texts[BODY_TEXT].length > 0;
        }
        write_places(blocks, count, columns);
        write_words(reader.words, blocks, count, a[OUT_WORDS].data);
    }
    PyMem_RawFree(blocks);
    PyMem_RawFree(reader.words);
    return result;
}
