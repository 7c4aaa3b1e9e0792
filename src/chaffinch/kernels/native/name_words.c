/* Names of ASCII are cut into words, and words are hashed. */
#include "names.h"

/* Words so far, each once. */
typedef struct {
    uint32_t sums[MOST_WORDS];
    const char *texts[MOST_WORDS];
    Py_ssize_t sizes[MOST_WORDS];
    int count;
    char *room; /* where the next word's text is written */
} Words;

/* The CRC-32 of a byte is that of its bits, one upon the other (polynomial 0xEDB88320): the sums of
 * the bits of the last of four bytes, and of those before it, with nothing but 0 behind them. */
#define OF_BIT(byte, bit, sum) ((byte) >> (bit) & 1 ? UINT32_C(sum) : 0)
#define OF_BYTE(byte, a, b, c, d, e, f, g, h)                                                      \
    (OF_BIT(byte, 0, a) ^ OF_BIT(byte, 1, b) ^ OF_BIT(byte, 2, c) ^ OF_BIT(byte, 3, d) ^           \
     OF_BIT(byte, 4, e) ^ OF_BIT(byte, 5, f) ^ OF_BIT(byte, 6, g) ^ OF_BIT(byte, 7, h))
#define LAST(byte)                                                                                 \
    OF_BYTE(byte, 0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8,          \
            0x76dc4190, 0xedb88320)
#define BEFORE_IT(byte)                                                                            \
    OF_BYTE(byte, 0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2,          \
            0xf0794f05, 0x3b83984b)
#define SECOND(byte)                                                                               \
    OF_BYTE(byte, 0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0,          \
            0x709a8dc0, 0xe1351b80)
#define FIRST(byte)                                                                                \
    OF_BYTE(byte, 0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e,          \
            0x9b14583d, 0xed59b63b)
#define FOUR(of, byte) of(byte), of((byte) + 1), of((byte) + 2), of((byte) + 3)
#define SIXTEEN(of, byte)                                                                          \
    FOUR(of, byte), FOUR(of, (byte) + 4), FOUR(of, (byte) + 8), FOUR(of, (byte) + 12)
#define SIXTY_FOUR(of, byte)                                                                       \
    SIXTEEN(of, byte), SIXTEEN(of, (byte) + 16), SIXTEEN(of, (byte) + 32), SIXTEEN(of, (byte) + 48)
#define ALL(of)                                                                                    \
    {SIXTY_FOUR(of, 0), SIXTY_FOUR(of, 64), SIXTY_FOUR(of, 128), SIXTY_FOUR(of, 192)}

/* By byte, for the last of four bytes and those before it: four are taken in one step. */
static const uint32_t crc_table[4][256] = {ALL(LAST), ALL(BEFORE_IT), ALL(SECOND), ALL(FIRST)};

/* The CRC-32 of zlib, but for its last step: ~ of what this gives. */
static uint32_t crc_on(uint32_t sum, const char *text, Py_ssize_t size)
{
    const uint8_t *at = (const uint8_t *)text, *stop = at + size;
    for (; stop - at >= 4; at += 4) {
        sum ^= at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        sum = crc_table[3][sum & 0xff] ^ crc_table[2][(sum >> 8) & 0xff] ^
              crc_table[1][(sum >> 16) & 0xff] ^ crc_table[0][sum >> 24];
    }
    for (; at < stop; at++)
        sum = (sum >> 8) ^ crc_table[0][(sum ^ *at) & 0xff];
    return sum;
}

/* Write a text in lower case, runs of digits as one 0; gives its size. What comes after the first
 * digit is written over: digits stand too irregularly to branch on them. */
static Py_ssize_t write_word(Name word, char *out)
{
    char *to = out;
    bool before = false;
    for (Py_ssize_t i = 0; i < word.size; i++) {
        bool is_digit = Py_ISDIGIT(word.at[i]) != 0;
        to -= is_digit & before;
        *to++ = is_digit ? '0' : (char)Py_TOLOWER(word.at[i]);
        before = is_digit;
    }
    return to - out;
}

/* Whether a name stands as it is hashed: most have neither digits nor capitals. */
static bool is_plain(Name name)
{
    unsigned changes = 0;
    for (Py_ssize_t i = 0; i < name.size; i++)
        changes |= Py_ISDIGIT(name.at[i]) | Py_ISUPPER(name.at[i]);
    return changes == 0;
}

/* Add a word unless it is there; beyond the most, nothing. */
static void add_word(Words *all, Name word, bool plain)
{
    if (all->count == MOST_WORDS)
        return;
    const char *text = plain ? (const char *)word.at : all->room;
    Py_ssize_t size = plain ? word.size : write_word(word, all->room);
    uint32_t sum = crc_on(UINT32_MAX, text, size);
    for (int i = 0; i < all->count; i++) {
        if (all->sums[i] == sum && all->sizes[i] == size &&
            memcmp(all->texts[i], text, (size_t)size) == 0)
            return;
    }
    all->sums[all->count] = sum;
    all->texts[all->count] = text;
    all->sizes[all->count++] = size;
    all->room += plain ? 0 : size;
}

/* Add a name as a whole, then its parts: letters in one case, or a capital and small ones. */
static void add_name(Words *all, Name name)
{
    bool plain = is_plain(name);
    add_word(all, name, plain);
    const uint8_t *at = name.at, *stop = name.at + name.size;
    while (at < stop && all->count < MOST_WORDS) {
        const uint8_t *start = at;
        while (at < stop && Py_ISUPPER(*at))
            at++;
        bool is_small_next = at < stop && Py_ISLOWER(*at);
        if (at - start > 1 && is_small_next) {
            at--; /* the last capital begins the next part */
        } else {
            while (at < stop && Py_ISLOWER(*at))
                at++;
        }
        if (at == start)
            at++;
        else if (at - start < name.size) /* else it is the whole */
            add_word(all, (Name){start, at - start}, plain);
    }
}

/* Add all names that white space parts. */
static void add_names(Words *all, Name value)
{
    const uint8_t *at = value.at, *stop = value.at + value.size;
    while (at < stop) {
        const uint8_t *start = at;
        while (at < stop && !is_space(*at))
            at++;
        if (at > start)
            add_name(all, (Name){start, at - start});
        at++;
    }
}

/* The bucket of a role or itemprop, named so. */
static uint16_t special_bucket(const char *kind, Name value)
{
    const uint8_t *at = value.at, *stop = value.at + value.size;
    while (at < stop && is_space(*at))
        at++;
    while (at < stop && is_space(stop[-1]))
        stop--;
    uint32_t sum = crc_on(UINT32_MAX, kind, (Py_ssize_t)strlen(kind));
    for (; at < stop; at++) {
        char letter = (char)Py_TOLOWER(*at);
        sum = crc_on(sum, &letter, 1);
    }
    return (uint16_t)(~sum % BUCKETS);
}

bool chaffinch_names_are_ascii(const Names *own)
{
    uint8_t all = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (Py_ssize_t i = 0; i < own->names[kind].size; i++)
            all |= own->names[kind].at[i];
    }
    return all < 0x80;
}

bool chaffinch_name_buckets(const Names *own, uint16_t buckets[MOST_WORDS])
{
    static const char *const KINDS[] = {"role=", "itemprop="};
    int specials = 0;
    for (int kind = 0; kind < 2; kind++) {
        if (own->names[2 + kind].size > 0)
            buckets[specials++] = special_bucket(KINDS[kind], own->names[2 + kind]);
    }
    /* a word is kept as a whole and in its parts, and the last one is tried beyond them */
    char here[1 << 10], *room = here;
    Py_ssize_t size = 3 * (own->names[0].size + own->names[1].size);
    if (size > (Py_ssize_t)sizeof here && (room = PyMem_RawMalloc((size_t)size)) == NULL)
        return false;
    Words words = {.room = room};
    add_names(&words, own->names[0]);
    add_names(&words, own->names[1]);
    for (int i = 0; i < MOST_WORDS - specials; i++)
        buckets[specials + i] =
            i < words.count ? (uint16_t)(~words.sums[i] % BUCKETS) : (uint16_t)BUCKETS;
    if (room != here)
        PyMem_RawFree(room);
    return true;
}
