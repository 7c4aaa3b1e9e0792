/* The names of rows, hashed: `read_name_hashes` of chaffinch/model/name_hashes.py over
 * attributes in columns.
 *
 * Names and styles beyond ASCII are left to Python, one at a time.
 */
#include "names.h"
#include "attributes.h"
#include "kernels.h"

/* Kinds of attributes that are read, by the number of the name. */
enum { OTHER, CLASS, ID, ROLE, ITEMPROP, STYLE, HIDDEN, ARIA_HIDDEN };

enum { STEPS = 4 }; /* for each place of a hash table; pages as they are need less than one */

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
    Growing sets, buckets, first, hidden;
    int32_t *slots, *word_slots; /* hash tables of numbers of sets, 0 where empty */
    uint64_t mask;               /* their places, a power of two, less one */
    int64_t steps;               /* that may still be taken in them: see `step` */
    int32_t count, alike;
} NameReader;

static bool no_memory(void)
{
    PyErr_NoMemory();
    return false;
}

/* The place after one in a hash table. A page may be made such that all its names fall on one
 * place: it runs out of steps, and is left to Python, whose hashes nobody can foresee. */
static uint64_t step(NameReader *all, uint64_t at)
{
    all->steps--;
    return (at + 1) & all->mask;
}

static PyObject *text_of(Name name)
{
    if (name.at == NULL)
        return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8((const char *)name.at, name.size, NULL);
}

/* The names as Python has them, a tuple of two or four. */
static PyObject *tuple_of(const Names *own)
{
    Py_ssize_t count = own->is_special ? 4 : 2;
    PyObject *names = PyTuple_New(count);
    for (Py_ssize_t i = 0; names != NULL && i < count; i++) {
        PyObject *text = text_of(own->names[i]);
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
    bool fits = packed != NULL &&
                chaffinch_agree(PyBytes_Check(packed) &&
                                    PyBytes_GET_SIZE(packed) == MOST_WORDS * sizeof *buckets,
                                "read_names");
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

/* The number of the first set with the same words, or this set's, which is new then. */
static int32_t first_alike(NameReader *all, const uint16_t *buckets, int32_t number)
{
    const Py_ssize_t size = MOST_WORDS * sizeof *buckets;
    uint64_t at = chaffinch_hash_bytes(0, (const uint8_t *)buckets, size) & all->mask;
    for (; all->word_slots[at] != 0 && all->steps >= 0; at = step(all, at)) {
        int32_t other = all->word_slots[at] - 1;
        if (memcmp(all->buckets.data + other * size, buckets, (size_t)size) == 0)
            return other;
    }
    all->word_slots[at] = number + 1;
    return number;
}

/* Add a set that isn't there yet, whose first row is given. */
static bool add_set(NameReader *all, const Names *own, uint64_t hash, int32_t row)
{
    uint16_t buckets[MOST_WORDS];
    bool is_ascii = chaffinch_names_are_ascii(own);
    if (is_ascii && !chaffinch_name_buckets(own, buckets))
        return no_memory();
    if (!is_ascii && !pack(all, own, buckets))
        return false;
    int32_t other = first_alike(all, buckets, all->count);
    Set set = {*own, hash, 0};
    set.alike = other == all->count ? all->alike++ : ((Set *)(void *)all->sets.data)[other].alike;
    bool is_candidate = !is_ascii || own->names[2].size > 0 ||
                 chaffinch_has_stem(&all->stems, own->names[0]);
    if (is_candidate && !add_candidate(all, own))
        return false;
    if (!chaffinch_append(&all->sets, &set, sizeof set) ||
        !chaffinch_append(&all->buckets, buckets, sizeof buckets) ||
        !chaffinch_append_int(&all->first, row))
        return no_memory();
    all->count++;
    return true;
}

/* Give the number of a row's set; false with an exception, or where there are too many steps. */
static bool number_of(NameReader *all, const Names *own, int32_t row, int32_t *number)
{
    *number = 0;
    if (own->names[0].at == NULL && own->names[1].at == NULL && !own->is_special)
        return true;
    uint64_t hash = chaffinch_hash_names(own), at = hash & all->mask;
    for (; all->slots[at] != 0 && all->steps >= 0; at = step(all, at)) {
        const Set *set = (const Set *)(void *)all->sets.data + all->slots[at];
        if (set->hash == hash && chaffinch_same_names(&set->names, own)) {
            *number = all->slots[at];
            return true;
        }
    }
    *number = all->slots[at] = all->count;
    return all->steps >= 0 && add_set(all, own, hash, row) && all->steps >= 0;
}

/* Whether a style hides: 1 or 0, or -1 with an exception. */
static int read_style(const NameReader *all, Name style)
{
    for (Py_ssize_t i = 0; i < style.size; i++) {
        if (style.at[i] < 0x80)
            continue;
        PyObject *text = text_of(style), *answer = NULL;
        if (text != NULL)
            answer = PyObject_CallOneArg(all->hides, text);
        int hides = answer == NULL ? -1 : PyObject_IsTrue(answer);
        Py_XDECREF(text);
        Py_XDECREF(answer);
        return hides;
    }
    return chaffinch_style_hides(style);
}

/* Read one row's attributes: its set's number, and whether they hide it. */
static bool read_row(NameReader *all, int32_t row, int32_t *set)
{
    const AttributeColumns *own = &all->attributes;
    int32_t place = own->starts[row], stop = own->starts[row + 1];
    Names names = {0};
    int hides = 0;
    if (!chaffinch_agree(place >= 0 && stop <= own->count, "read_names"))
        return false;
    for (; place < stop && hides >= 0; place++) {
        int32_t number = own->numbers[place];
        if (!chaffinch_agree(number >= 0 && number < all->names &&
                                 chaffinch_value_holds(own, place), "read_names"))
            return false;
        uint8_t kind = all->kinds[number];
        if (kind == OTHER)
            continue;
        Name value = {(const uint8_t *)own->values + own->ends[place],
                      own->ends[place + 1] - own->ends[place]};
        if (own->valueless[place])
            value = (Name){0};
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
    all->steps = STEPS * (int64_t)places;
    all->slots = PyMem_RawCalloc((size_t)places, sizeof *all->slots);
    all->word_slots = PyMem_RawCalloc((size_t)places, sizeof *all->word_slots);
    if (all->slots == NULL || all->word_slots == NULL)
        return no_memory();
    all->candidates = PyList_New(0);
    return all->candidates != NULL && add_set(all, &(Names){0}, 0, -1); /* that of rows without any */
}

static void end(NameReader *all)
{
    Growing *grown[] = {&all->sets, &all->buckets, &all->first, &all->hidden};
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

/* read_names(starts, numbers, ends, valueless, values: bytes, names: tuple[str, ...],
 *            kinds: uint8[names], wanted: bool[n], of_row: int32[n], alike: int32[n],
 *            stems: tuple[str, ...], pack, hides) -> (bytes, bytes, list, bytes) | None
 *
 * The first six are the columns of AttributeColumns; `kinds` gives by number of a name which of
 * those above it is. Writes `of_row` and `alike` of NameHashes, and returns its `buckets`
 * (uint16[s, MOST_WORDS]), the first row of each set (int32[s]), its `purposeful` sets (with a
 * role, or with a class that holds one of the stems) and its `hidden` rows (int32). `pack` takes a
 * set of names that isn't ASCII and returns its buckets as bytes; `hides` takes such a style.
 * Returns None where a page is left to Python. */
static PyObject *read_names(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char TAKES[] = "BBBBBOB?|ii|OOO";
    enum { KINDS = 5, WANTED, OF_ROW, ALIKE, ARRAYS };
    Array a[ARRAYS];
    NameReader all = {0};
    PyObject *result = NULL;
    if (!chaffinch_take("read_names", args, given, TAKES, a))
        return NULL;
    all.kinds = a[KINDS].data;
    all.pack = args[11];
    all.hides = args[12];
    bool fits = chaffinch_see_attributes(a, BY_ROW, &a[4], &a[3], &all.attributes) &&
                PyTuple_Check(args[5]) && chaffinch_take_stems(args[10], &all.stems);
    Py_ssize_t rows = all.attributes.rows;
    all.names = a[KINDS].count;
    fits = fits && PyTuple_GET_SIZE(args[5]) == all.names && a[WANTED].count == rows &&
           a[OF_ROW].count == rows && a[ALIKE].count == rows;
    if (chaffinch_agree(fits, "read_names") &&
        read_rows(&all, a[WANTED].data, a[OF_ROW].data, a[ALIKE].data))
        result = Py_BuildValue("(NNNN)", chaffinch_bytes(&all.buckets),
                               chaffinch_bytes(&all.first), Py_NewRef(all.candidates),
                               chaffinch_bytes(&all.hidden));
    else if (!PyErr_Occurred())
        result = Py_NewRef(Py_None);
    end(&all);
    chaffinch_release(TAKES, a);
    return result;
}

PyMethodDef chaffinch_names[] = {
    {"read_names", (PyCFunction)(void (*)(void))read_names, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
