/* The names of rows: equal sets, words hashed, styles that hide. */
#include "attributes.h"

enum { MOST_WORDS = 12, BUCKETS = 1 << 12 };

/* Class, id, role and itemprop of an element. */
typedef struct {
    Value names[4];
    bool is_special; /* it has a role or an itemprop, with a value or without */
} Names;

enum { MOST_STEMS = 16, STEM_BEGINS = 3 };

/* Parts of words in lower case. */
typedef struct {
    const char *texts[MOST_STEMS];
    uint16_t begins[STEM_BEGINS][0x100]; /* which have a letter there, in either case: bits */
} Stems;

static uint64_t hash_bytes(Secret secret, uint64_t hash, const uint8_t *at, Py_ssize_t size)
{
    uint64_t eight = 0;
    hash ^= (uint64_t)size << 32;
    if (size >= 8) {
        for (; size > 8; at += 8, size -= 8) {
            memcpy(&eight, at, 8);
            hash = chaffinch_mixed(secret, hash, eight);
        }
        memcpy(&eight, at + size - 8, 8); /* some of them once more */
        return chaffinch_mixed(secret, hash, eight);
    }
    while (size-- > 0)
        eight = eight << 8 | at[size];
    return chaffinch_mixed(secret, hash, eight);
}

static uint64_t hash_names(Secret secret, const Names *own)
{
    uint64_t hash = own->is_special;
    for (int kind = 0; kind < (own->is_special ? 4 : 2); kind++)
        hash = hash_bytes(secret, hash + (own->names[kind].at != NULL), own->names[kind].at,
                          own->names[kind].size);
    return hash;
}

static bool same_names(const Names *one, const Names *other)
{
    bool same = one->is_special == other->is_special;
    for (int kind = 0; same && kind < 4; kind++) {
        const Value *a = &one->names[kind], *b = &other->names[kind];
        same = (a->at == NULL) == (b->at == NULL) && a->size == b->size &&
               (a->size == 0 || memcmp(a->at, b->at, (size_t)a->size) == 0);
    }
    return same;
}

static const uint8_t *skip_spaces(const uint8_t *at, const uint8_t *stop)
{
    while (at < stop && is_space(*at))
        at++;
    return at;
}

static bool begins(const uint8_t *at, const uint8_t *stop, const char *word)
{
    for (; *word != 0; at++, word++) {
        if (at == stop || Py_TOLOWER(*at) != *word)
            return false;
    }
    return true;
}

/* Fill `all` from a tuple of str of ASCII, which it borrows; false where it isn't that, or holds too
 * many or too short ones. */
static bool take_stems(PyObject *tuple, Stems *all)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > MOST_STEMS)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *stem = PyTuple_GET_ITEM(tuple, i);
        if (!PyUnicode_Check(stem) || !PyUnicode_IS_COMPACT_ASCII(stem) ||
            PyUnicode_GET_LENGTH(stem) < STEM_BEGINS)
            return false;
        all->texts[i] = PyUnicode_DATA(stem);
        for (int at = 0; at < STEM_BEGINS; at++) {
            uint8_t letter = (uint8_t)all->texts[i][at];
            all->begins[at][letter] |= (uint16_t)(1 << i);
            all->begins[at][Py_TOUPPER(letter)] = all->begins[at][letter];
        }
    }
    return true;
}

/* Whether one of the stems stands in a text, in any case of ASCII. */
static bool has_stem(const Stems *all, Value text)
{
    const uint8_t *at = text.at, *stop = text.at + text.size;
    for (; stop - at >= STEM_BEGINS; at++) {
        unsigned some = all->begins[0][at[0]] & all->begins[1][at[1]] & all->begins[2][at[2]];
        for (int i = 0; some != 0; i++, some >>= 1) {
            if ((some & 1) && begins(at, stop, all->texts[i]))
                return true;
        }
    }
    return false;
}

/* Whether a style in ASCII has «display: none» or «visibility: hidden», in any case. */
static bool style_hides(Value style)
{
    static const char *const SAYS[][2] = {{"display", "none"}, {"visibility", "hidden"}};
    const uint8_t *stop = style.at + style.size;
    for (const uint8_t *at = style.at; at < stop; at++) {
        for (int i = 0; i < 2; i++) {
            if (!begins(at, stop, SAYS[i][0]))
                continue;
            const uint8_t *colon = skip_spaces(at + strlen(SAYS[i][0]), stop);
            if (colon < stop && *colon == ':' &&
                begins(skip_spaces(colon + 1, stop), stop, SAYS[i][1]))
                return true;
        }
    }
    return false;
}

/* Words so far, each once. */
typedef struct {
    uint32_t sums[MOST_WORDS];
    const char *texts[MOST_WORDS];
    Py_ssize_t sizes[MOST_WORDS];
    int count;
    char *room; /* where the next word's text is written */
} Words;

/* The CRC-32 of a byte is that of its bits, one upon the other (polynomial 0xEDB88320). */
#define OF_BIT(byte, bit, sum) ((byte) >> (bit) & 1 ? UINT32_C(sum) : 0)
#define OF_BYTE(byte)                                                                              \
    (OF_BIT(byte, 0, 0x77073096) ^ OF_BIT(byte, 1, 0xee0e612c) ^ OF_BIT(byte, 2, 0x076dc419) ^     \
     OF_BIT(byte, 3, 0x0edb8832) ^ OF_BIT(byte, 4, 0x1db71064) ^ OF_BIT(byte, 5, 0x3b6e20c8) ^     \
     OF_BIT(byte, 6, 0x76dc4190) ^ OF_BIT(byte, 7, 0xedb88320))
#define FOUR(byte) OF_BYTE(byte), OF_BYTE((byte) + 1), OF_BYTE((byte) + 2), OF_BYTE((byte) + 3)
#define SIXTEEN(byte) FOUR(byte), FOUR((byte) + 4), FOUR((byte) + 8), FOUR((byte) + 12)
#define SIXTY_FOUR(byte) SIXTEEN(byte), SIXTEEN((byte) + 16), SIXTEEN((byte) + 32), SIXTEEN((byte) + 48)
static const uint32_t crc_table[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

/* The CRC-32 of zlib, but for its last step: ~ of what this gives. */
static uint32_t crc_on(uint32_t sum, const char *text, Py_ssize_t size)
{
    for (const char *stop = text + size; text < stop; text++)
        sum = (sum >> 8) ^ crc_table[(sum ^ (uint8_t)*text) & 0xff];
    return sum;
}

/* Write a text in lower case, runs of digits as one 0; gives its size. What comes after the first
 * digit is written over: digits stand too irregularly to branch on them. */
static Py_ssize_t write_word(Value word, char *out)
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

/* Add a word unless it is there; beyond the most, nothing. */
static void add_word(Words *all, Value word)
{
    if (all->count == MOST_WORDS)
        return;
    Py_ssize_t size = write_word(word, all->room);
    uint32_t sum = crc_on(UINT32_MAX, all->room, size);
    for (int i = 0; i < all->count; i++) {
        if (all->sums[i] == sum && all->sizes[i] == size &&
            memcmp(all->texts[i], all->room, (size_t)size) == 0)
            return;
    }
    all->sums[all->count] = sum;
    all->texts[all->count] = all->room;
    all->sizes[all->count++] = size;
    all->room += size;
}

/* Add a name as a whole, then its parts: letters in one case, or a capital and small ones. */
static void add_name(Words *all, Value name)
{
    add_word(all, name);
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
            add_word(all, (Value){start, at - start});
    }
}

/* Add all names that white space parts. */
static void add_names(Words *all, Value value)
{
    const uint8_t *at = value.at, *stop = value.at + value.size;
    while (at < stop) {
        const uint8_t *start = at;
        while (at < stop && !is_space(*at))
            at++;
        if (at > start)
            add_name(all, (Value){start, at - start});
        at++;
    }
}

/* The bucket of a role or itemprop, named so. */
static uint16_t special_bucket(const char *kind, Value value)
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

/* Whether all are ASCII: others are left to Python. */
static bool names_are_ascii(const Names *own)
{
    uint8_t all = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (Py_ssize_t i = 0; i < own->names[kind].size; i++)
            all |= own->names[kind].at[i];
    }
    return all < 0x80;
}

/* Write the buckets of the words in names of ASCII, BUCKETS after the last. As `words_of` of
 * chaffinch/model/name_hashes.py, which defines words. Returns how many come before the id's, or -1
 * where memory is out. */
static int name_buckets(const Names *own, uint16_t buckets[MOST_WORDS])
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
        return -1;
    Words words = {.room = room};
    add_names(&words, own->names[0]);
    int before_id = specials + words.count;
    add_names(&words, own->names[1]);
    for (int i = 0; i < MOST_WORDS - specials; i++)
        buckets[specials + i] =
            i < words.count ? (uint16_t)(~words.sums[i] % BUCKETS) : (uint16_t)BUCKETS;
    if (room != here)
        PyMem_RawFree(room);
    return before_id;
}

/* Kinds of attributes that are read, by the number of the name. */
enum { OTHER, CLASS, ID, ROLE, ITEMPROP, STYLE, HIDDEN, ARIA_HIDDEN };

typedef struct {
    Names names;
    uint64_t hash;
    int32_t alike; /* sets whose words are the same have the same number */
} Set;

typedef struct {
    AttributeColumns attributes;
    const uint8_t *kinds;    /* [names] */
    Py_ssize_t names;
    Stems stems;             /* parts of classes by which Python looks for expandable widgets */
    PyObject *pack, *hides;  /* what Python does where a name or a style isn't ASCII */
    PyObject *candidates;       /* list of (number, names): sets that Python's rules look at */
    Growing sets, buckets, words, first, hidden; /* words: buckets, of an id beside a class none */
    int32_t *slots, *word_slots; /* hash tables of numbers of sets, 0 where empty */
    uint64_t mask;               /* their places, a power of two, less one */
    Secret secret;
    int32_t count, alike;
} NameReader;

static bool no_memory(void)
{
    PyErr_NoMemory();
    return false;
}

static PyObject *object_of(Value name)
{
    return name.at == NULL ? Py_NewRef(Py_None) : chaffinch_str(name);
}

/* The names as Python has them, a tuple of two or four. */
static PyObject *tuple_of(const Names *own)
{
    Py_ssize_t count = own->is_special ? 4 : 2;
    PyObject *names = PyTuple_New(count);
    for (Py_ssize_t i = 0; names != NULL && i < count; i++) {
        PyObject *text = object_of(own->names[i]);
        if (text == NULL)
            Py_CLEAR(names);
        else
            PyTuple_SET_ITEM(names, i, text);
    }
    return names;
}

/* Have Python pack the buckets of names that aren't ASCII. */
static bool pack(const NameReader *all, const Names *own, uint16_t buckets[MOST_WORDS])
{
    PyObject *names = tuple_of(own);
    PyObject *packed = names == NULL ? NULL : PyObject_CallOneArg(all->pack, names);
    Py_XDECREF(names);
    bool fits = packed != NULL && PyBytes_Check(packed) &&
                PyBytes_GET_SIZE(packed) == MOST_WORDS * sizeof *buckets;
    if (fits)
        memcpy(buckets, PyBytes_AS_STRING(packed), MOST_WORDS * sizeof *buckets);
    Py_XDECREF(packed);
    return fits;
}

static bool add_candidate(const NameReader *all, const Names *own)
{
    PyObject *names = tuple_of(own);
    PyObject *pair = names == NULL ? NULL : Py_BuildValue("(iN)", (int)all->count, names);
    bool added = pair != NULL && PyList_Append(all->candidates, pair) == 0;
    Py_XDECREF(pair);
    return added;
}

/* Write the buckets of all names, and the words by which rows are alike: an id names one element, and
 * counts where there is no class. */
static bool write_buckets(const NameReader *all, const Names *own, bool is_ascii,
                          uint16_t buckets[MOST_WORDS], uint16_t words[MOST_WORDS])
{
    bool has_class = own->names[0].size > 0;
    if (!is_ascii) {
        Names without_id = {{own->names[0], {0}, own->names[2], own->names[3]}, own->is_special};
        return pack(all, own, buckets) && pack(all, has_class ? &without_id : own, words);
    }
    int before_id = name_buckets(own, buckets);
    int count = has_class && before_id > 0 ? before_id : MOST_WORDS;
    for (int i = 0; i < MOST_WORDS; i++)
        words[i] = i < count ? buckets[i] : (uint16_t)BUCKETS;
    return before_id >= 0 || no_memory();
}

/* The number of the first set with the same words, or this set's, which is new then. */
static int32_t first_alike(NameReader *all, const uint16_t *words, int32_t number)
{
    const Py_ssize_t size = MOST_WORDS * sizeof *words;
    uint64_t at = hash_bytes(all->secret, 0, (const uint8_t *)words, size) & all->mask;
    for (; all->word_slots[at] != 0; at = (at + 1) & all->mask) {
        int32_t other = all->word_slots[at] - 1;
        if (memcmp(all->words.data + other * size, words, (size_t)size) == 0)
            return other;
    }
    all->word_slots[at] = number + 1;
    return number;
}

/* Add a set that isn't there yet, whose first row is given. */
static bool add_set(NameReader *all, const Names *own, uint64_t hash, int32_t row)
{
    uint16_t buckets[MOST_WORDS], words[MOST_WORDS];
    bool is_ascii = names_are_ascii(own);
    if (!write_buckets(all, own, is_ascii, buckets, words))
        return false;
    int32_t other = first_alike(all, words, all->count);
    Set set = {*own, hash, 0};
    set.alike = other == all->count ? all->alike++ : ((Set *)(void *)all->sets.data)[other].alike;
    bool is_candidate = !is_ascii || own->names[2].size > 0 ||
                 has_stem(&all->stems, own->names[0]);
    if (is_candidate && !add_candidate(all, own))
        return false;
    if (!chaffinch_append(&all->sets, &set, sizeof set) ||
        !chaffinch_append(&all->buckets, buckets, sizeof buckets) ||
        !chaffinch_append(&all->words, words, sizeof words) ||
        !chaffinch_append_int(&all->first, row))
        return no_memory();
    all->count++;
    return true;
}

/* Give the number of a row's set; false with an exception. */
static bool number_of(NameReader *all, const Names *own, int32_t row, int32_t *number)
{
    *number = 0;
    if (own->names[0].at == NULL && own->names[1].at == NULL && !own->is_special)
        return true;
    uint64_t hash = hash_names(all->secret, own), at = hash & all->mask;
    for (; all->slots[at] != 0; at = (at + 1) & all->mask) {
        const Set *set = (const Set *)(void *)all->sets.data + all->slots[at];
        if (set->hash == hash && same_names(&set->names, own)) {
            *number = all->slots[at];
            return true;
        }
    }
    *number = all->slots[at] = all->count;
    return add_set(all, own, hash, row);
}

/* Whether a style hides: 1 or 0, or -1 with an exception. */
static int read_style(const NameReader *all, Value style)
{
    for (Py_ssize_t i = 0; i < style.size; i++) {
        if (style.at[i] < 0x80)
            continue;
        PyObject *text = object_of(style), *answer = NULL;
        if (text != NULL)
            answer = PyObject_CallOneArg(all->hides, text);
        int hides = answer == NULL ? -1 : PyObject_IsTrue(answer);
        Py_XDECREF(text);
        Py_XDECREF(answer);
        return hides;
    }
    return style_hides(style);
}

/* Read one row's attributes: its set's number, and whether they hide it. */
static bool read_row(NameReader *all, int32_t row, int32_t *set)
{
    const AttributeColumns *own = &all->attributes;
    int32_t place = own->starts[row], stop = own->starts[row + 1];
    Names names = {0};
    int hides = 0;
    if (!(place >= 0 && stop <= own->count))
        return false;
    for (; place < stop && hides >= 0; place++) {
        int32_t number = own->numbers[place];
        Value value;
        if (!chaffinch_see_value(own, place, &value) || number < 0 || number >= all->names)
            return false;
        uint8_t kind = all->kinds[number];
        if (kind == OTHER)
            continue;
        if (own->valueless[place])
            value = (Value){0};
        names.is_special |= kind == ROLE || kind == ITEMPROP;
        if (kind <= ITEMPROP)
            names.names[kind - CLASS] = value;
        else if (kind == HIDDEN)
            hides = 1;
        else if (kind == ARIA_HIDDEN)
            hides |= value.size == 4 && memcmp(value.at, "true", 4) == 0;
        else if (!hides)
            hides = read_style(all, value);
    }
    if (hides < 0)
        return false;
    if (hides && !chaffinch_append_int(&all->hidden, row))
        return no_memory();
    return number_of(all, &names, row, set);
}

static bool begin(NameReader *all)
{
    const AttributeColumns *own = &all->attributes;
    uint64_t most = (uint64_t)(own->rows < own->count ? own->rows : own->count) + 1;
    uint64_t places = 64;
    while (places < 2 * most)
        places *= 2;
    all->mask = places - 1;
    all->secret = chaffinch_secret();
    all->slots = PyMem_RawCalloc((size_t)places, sizeof *all->slots);
    all->word_slots = PyMem_RawCalloc((size_t)places, sizeof *all->word_slots);
    if (all->slots == NULL || all->word_slots == NULL)
        return no_memory();
    all->candidates = PyList_New(0);
    return all->candidates != NULL && add_set(all, &(Names){0}, 0, -1); /* that of rows without any */
}

static void end(NameReader *all)
{
    Growing *grown[] = {&all->sets, &all->buckets, &all->words, &all->first, &all->hidden};
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++)
        chaffinch_free(grown[i]);
    PyMem_RawFree(all->slots);
    PyMem_RawFree(all->word_slots);
    Py_CLEAR(all->candidates);
}

static bool read_rows(NameReader *all, const uint8_t *wanted, int32_t *of_row, int32_t *alike)
{
    if (!begin(all))
        return false;
    for (int32_t row = 0; row < all->attributes.rows; row++) {
        of_row[row] = 0;
        if (wanted[row] && !read_row(all, row, &of_row[row]))
            return false;
    }
    const Set *sets = (const Set *)(void *)all->sets.data;
    for (int32_t row = 0; row < all->attributes.rows; row++)
        alike[row] = sets[of_row[row]].alike;
    return true;
}

/* read_names(starts, numbers, ends, valueless, values: bytes, names: tuple[str, ...], kinds:
 *            uint8[names], wanted: bool[n] | of_row: int32[n], alike: int32[n] | stems: tuple[str,
 *            ...], pack, hides) -> (bytes, bytes, list, bytes)
 *
 * The first six are the columns of AttributeColumns; `kinds` gives by number of a name which of
 * those above it is. Writes by row the number of its set of names, and that of the first with the
 * same words, an id beside a class left out; returns by set the buckets of its words (uint16[s,
 * MOST_WORDS]) and its first row (int32[s]); the sets that Python's rules look at, with a role, a
 * letter beyond ASCII or a class that holds one of up to 16 stems of three letters or more, each after
 * its number; and the rows that are hidden (int32). `pack` takes a set of names that isn't ASCII and
 * returns its buckets as bytes; `hides` takes such a style. */
MAKER(read_names, "BBBBBOB?|ii|OOO", "......nnn")
{
    enum { KINDS = 5, WANTED, OF_ROW, ALIKE };
    NameReader all = {.kinds = a[KINDS].data, .names = a[KINDS].count, .pack = args[11],
                      .hides = args[12]};
    PyObject *result = NULL;
    if (!chaffinch_see_attributes(a, BY_ROW, &a[4], &a[3], &all.attributes) ||
        !PyTuple_Check(args[5]) || PyTuple_GET_SIZE(args[5]) != all.names ||
        a[WANTED].count != all.attributes.rows || !take_stems(args[10], &all.stems))
        return NULL;
    if (read_rows(&all, a[WANTED].data, a[OF_ROW].data, a[ALIKE].data))
        result = Py_BuildValue("(NNNN)", chaffinch_bytes(&all.buckets),
                               chaffinch_bytes(&all.first), Py_NewRef(all.candidates),
                               chaffinch_bytes(&all.hidden));
    end(&all);
    return result;
}
