/* A page read tag by tag, and what is beyond a limit cut out of it. */
#include "guard.h"

/* A set of names, equal in any case of ASCII, numbered in the order in which they come. */
typedef struct {
    Growing names;     /* Name */
    int32_t *slots;    /* a hash table of numbers from 1, 0 where empty */
    uint64_t mask;     /* its places, a power of two, less one */
    Secret secret;
    int32_t count;
    bool no_memory;
} NameSet;

/* How many of each there may be: in the order of `tag_limits` of page/bounds.py. */
enum Limit {
    ROWS, TAGS, DEPTH, ATTRIBUTES, ACTIVE, OPTIONS, UNMATCHED, NAMES, ROOTS, FRAMESETS, LIMITS
};

typedef struct {
    Bytes start, end;
    bool space; /* one stands in its place */
} Cut;

typedef struct {
    Bytes data, stop;
    const int64_t *limits;
    OpenElements open;
    TokenEnds ends;
    NameSet names, attributes;
    Growing cuts;
    int64_t opened, closed, unmatched, roots, framesets, tags; /* tags: different names of them */
    int64_t short_tag; /* bytes of attributes in which none can be too many */
    bool names_matter, no_memory;
} Reading;

enum {
    FIRST_SLOTS = 1 << 9,
};

typedef struct {
    Bytes at;
    Py_ssize_t size;
    uint64_t hash;
} Name;

static uint64_t hash_of(Secret secret, Bytes name, Py_ssize_t size)
{
    uint64_t hash = (uint64_t)size, eight = 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        eight = eight << 8 | (uint8_t)Py_TOLOWER(name[i]);
        if (i % 8 == 7)
            hash = chaffinch_mixed(secret, hash, eight);
    }
    return chaffinch_mixed(secret, hash, eight);
}

static void free_names(NameSet *set)
{
    PyMem_RawFree(set->slots);
    chaffinch_free(&set->names);
    *set = (NameSet){0};
}

static const Name *names_in(const NameSet *set)
{
    return (const Name *)(const void *)set->names.data;
}

/* Twice as many places; false where there is no memory. */
static bool make_room(NameSet *set)
{
    if (set->slots == NULL)
        set->secret = chaffinch_secret();
    size_t slots = set->slots == NULL ? FIRST_SLOTS : 2 * ((size_t)set->mask + 1);
    int32_t *made = PyMem_RawCalloc(slots, sizeof *made);
    if (made == NULL)
        return false;
    PyMem_RawFree(set->slots);
    set->slots = made;
    set->mask = slots - 1;
    for (int32_t i = 0; i < set->count; i++) {
        uint64_t at = names_in(set)[i].hash & set->mask;
        while (made[at] != 0)
            at = (at + 1) & set->mask;
        made[at] = i + 1;
    }
    return true;
}

/* The place of a name in the hash table, or the empty one where it belongs. */
static uint64_t place_of(NameSet *set, Bytes name, Py_ssize_t size, uint64_t hash)
{
    uint64_t at = hash & set->mask;
    for (; set->slots[at] != 0; at = (at + 1) & set->mask) {
        const Name *other = &names_in(set)[set->slots[at] - 1];
        if (other->hash == hash && other->size == size && same_name(other->at, name, size))
            break;
    }
    return at;
}

/* The number of a name, -1 where it isn't in the set. */
static int32_t name_number(NameSet *set, Bytes name, Py_ssize_t size)
{
    if (set->slots == NULL)
        return -1;
    return set->slots[place_of(set, name, size, hash_of(set->secret, name, size))] - 1;
}

/* The same, and it is added where it isn't in the set. 0 where memory is out. */
static int32_t add_name(NameSet *set, Bytes name, Py_ssize_t size)
{
    bool is_full = set->slots == NULL || (uint64_t)set->count * 2 > set->mask;
    if (set->count == INT32_MAX - 1 || (is_full && !make_room(set))) {
        set->no_memory = true;
        return 0;
    }
    Name added = {name, size, hash_of(set->secret, name, size)};
    uint64_t at = place_of(set, name, size, added.hash);
    if (set->slots[at] == 0) {
        if (!chaffinch_append(&set->names, &added, sizeof added)) {
            set->no_memory = true;
            return 0;
        }
        set->slots[at] = ++set->count;
    }
    return set->slots[at] - 1;
}

enum { AT_ONCE = 1 << 15 }; /* tags: some milliseconds */

/* A start tag, from its «<». */
typedef struct {
    Bytes at, attributes, end;
    bool is_closed; /* by «/>» */
} Tag;

static Cut *last_cut(const Reading *all)
{
    return all->cuts.used > 0 ? (Cut *)(void *)(all->cuts.data + all->cuts.used) - 1 : NULL;
}

static void cut(Reading *all, Bytes start, Bytes end, bool space)
{
    const Cut *last;
    while ((last = last_cut(all)) != NULL && last->start >= start)
        all->cuts.used -= (Py_ssize_t)sizeof(Cut);
    if (last != NULL && last->end == start && !last->space && !space) {
        start = last->start;
        all->cuts.used -= (Py_ssize_t)sizeof(Cut);
    }
    Cut one = {start, end, space};
    if (!chaffinch_append(&all->cuts, &one, sizeof one))
        all->no_memory = true;
}

/* Cut a start tag; its end tag will go, too. */
static void drop(Reading *all, int32_t code, const Tag *tag, bool space)
{
    cut(all, tag->at, tag->end, space);
    facts_of(&all->open, code)->dropped++;
}

/* Cut the attributes of one tag that are too many, or all where one's name is. */
static void trim(Reading *all, const Tag *tag)
{
    Bytes stop = tag->end - 1 - tag->is_closed, last = tag->attributes, at = last;
    for (int64_t count = 0; (at = skip(at, tag->end, BLANK | SLASH | CLOSE)) < tag->end; count++) {
        if (count == all->limits[ATTRIBUTES]) {
            cut(all, last, stop, true);
            return;
        }
        Bytes name_end = attribute_name_end(at, tag->end);
        last = chaffinch_value_end(name_end, tag->end);
        if (all->names_matter) {
            bool is_full = all->attributes.count >= all->limits[NAMES];
            int32_t number = is_full
                ? name_number(&all->attributes, at, name_end - at)
                : add_name(&all->attributes, at, name_end - at);
            if (number < 0) {
                cut(all, tag->attributes, stop, false);
                return;
            }
        }
        at = last;
    }
}

/* After a comment or a declaration. */
static Bytes pass_declaration(Reading *all, Bytes at)
{
    Bytes stop = all->stop;
    if (scope_of(&all->open)->foreign >= 0 && stop - at >= 9 && memcmp(at, "<![CDATA[", 9) == 0) {
        Bytes end = chaffinch_next_token(&all->ends, CDATA_END, at + 9);
        return end < stop ? end + 3 : stop;
    }
    all->opened++;
    if (stop - at >= 4 && memcmp(at, "<!--", 4) == 0)
        return chaffinch_comment_end(&all->ends, at);
    Bytes end = memchr(at + 2, '>', (size_t)(stop - at - 2));
    return end != NULL ? end + 1 : stop;
}

/* Whether a start tag would exceed a limit. */
static bool is_too_many(Reading *all, int32_t code)
{
    OpenElements *open = &all->open;
    uint32_t kinds = kinds_of(open, code);
    if ((kinds & CHOICE) && scope_name(open) == SELECT &&
        ++scope_of(open)->options > all->limits[OPTIONS])
        return true;
    int64_t active = entry_count(open) - active_of(open)->first;
    if ((kinds & FORMATTING) && active >= all->limits[ACTIVE])
        return true;
    return open->depth >= all->limits[DEPTH];
}

/* Follow a start tag of HTML; false where the element would be one too many. */
static bool enter(Reading *all, int32_t code, const Tag *tag)
{
    OpenElements *open = &all->open;
    uint32_t kinds = kinds_of(open, code);
    if (!chaffinch_make_room(open, code))
        return true;
    if (!(kinds & KEEPS_FORMATTING))
        chaffinch_open_again(open);
    if (is_too_many(all, code))
        return false;
    if (kinds & FORMATTING)
        chaffinch_add_entry(open, code, tag->at, tag->end);
    chaffinch_push_html(open, code);
    return true;
}

/* Where to read on after a tag that opens no element to follow. */
static Bytes pass(Reading *all, int32_t code, uint32_t kinds, const Tag *tag)
{
    if (kinds & VOID) {
        chaffinch_follow_void(&all->open, code);
    } else if (kinds & ROOT) {
        if (++all->roots > all->limits[ROOTS] && tag->end - tag->attributes > 1)
            cut(all, tag->at, tag->end, false);
    } else if (code == FRAMESET) { /* ignored but in a page without a body */
        if (++all->framesets > all->limits[FRAMESETS])
            cut(all, tag->at, tag->end, false);
    } else if (code == PLAINTEXT) {
        return all->stop;
    } else {
        Bytes name = tag->at + 1;
        return chaffinch_raw_end(&all->ends, name, tag->attributes - name, code == SCRIPT,
                                 tag->end);
    }
    return tag->end;
}

/* Follow a start tag; where to read on. */
static Bytes open_tag(Reading *all, int32_t code, const Tag *tag)
{
    OpenElements *open = &all->open;
    uint32_t kinds = kinds_of(open, code);
    int32_t foreign = scope_of(open)->foreign;
    all->opened++;
    if (all->opened > all->limits[TAGS] && (foreign >= 0 || !(kinds & RAW))) {
        drop(all, code, tag, true); /* texts around it were apart */
        return tag->end;
    }
    if (tag->end - tag->attributes > all->short_tag)
        trim(all, tag);
    if (!facts_of(open, code)->is_seen) {
        if (all->tags >= all->limits[NAMES]) {
            drop(all, code, tag, false);
            return tag->end;
        }
        facts_of(open, code)->is_seen = true;
        all->tags++;
    }
    if (foreign >= 0 && !(kinds & BREAKS_OUT)) {
        if (!tag->is_closed && open->depth >= all->limits[DEPTH])
            drop(all, code, tag, false);
        else if (!tag->is_closed)
            chaffinch_push_foreign(open, code, tag->at, tag->end);
        return tag->end;
    }
    if (foreign >= 0)
        chaffinch_pop_to(open, foreign);
    if ((kinds & (VOID | ROOT | RAW)) || code == FRAMESET)
        return pass(all, code, kinds, tag);
    if (!enter(all, code, tag))
        drop(all, code, tag, false);
    return tag->end;
}

/* Follow an end tag; cut it where its start tag was, or where it closes nothing. */
static void close_tag(Reading *all, int32_t code, const Tag *tag)
{
    all->closed++;
    if (code >= 0 && facts_of(&all->open, code)->dropped > 0) {
        facts_of(&all->open, code)->dropped--;
        cut(all, tag->at, tag->end, false);
    } else if (code < 0 || !chaffinch_close(&all->open, code)) {
        if (++all->unmatched > all->limits[UNMATCHED])
            cut(all, tag->at, tag->end, false);
    }
}

/* The code of the name of a start tag. */
static int32_t code_of(Reading *all, Bytes name, Py_ssize_t size)
{
    int32_t code = add_name(&all->names, name, size);
    if (code * (Py_ssize_t)sizeof(NameFacts) == all->open.names.used) {
        NameFacts facts = {.last = -1};
        if (!chaffinch_append(&all->open.names, &facts, sizeof facts))
            all->no_memory = true;
    }
    return all->no_memory ? 0 : code;
}

static bool has_failed(const Reading *all)
{
    return all->no_memory || all->open.no_memory || all->names.no_memory ||
           all->attributes.no_memory;
}

/* Read a number of tags from `at` on; where to read on, NULL where nothing is left to read, or where
 * `has_failed`. `after` is the end of the tag before. */
static Bytes read_some(Reading *all, Bytes at, Bytes *after)
{
    Bytes stop = all->stop;
    for (int left = AT_ONCE; left > 0; left--) {
        while ((at = memchr(at, '<', (size_t)(stop - at))) != NULL && stop - at > 1 &&
               !Py_ISALPHA(at[1]) && at[1] != '/' && at[1] != '!' && at[1] != '?')
            at++;
        if (at == NULL || stop - at < 2)
            return NULL;
        bool is_end = at[1] == '/';
        Bytes name = at + 1 + is_end;
        if (name == stop || !Py_ISALPHA(*name)) {
            *after = at = pass_declaration(all, at);
        } else {
            Tag tag = {.at = at, .attributes = skip_others(name, stop, BLANK | SLASH | CLOSE)};
            tag.end = chaffinch_tag_end(tag.attributes, stop, &tag.is_closed);
            if (tag.end == NULL)
                return NULL;
            if (at > *after)
                chaffinch_open_again(&all->open);
            Py_ssize_t size = tag.attributes - name;
            *after = tag.end;
            if (is_end)
                close_tag(all, name_number(&all->names, name, size), &tag);
            else
                *after = open_tag(all, code_of(all, name, size), &tag);
            at = *after;
        }
        int64_t opened = all->opened + all->open.copies;
        if (has_failed(all) || opened > all->limits[ROWS] || all->closed > all->limits[ROWS])
            return NULL;
    }
    return at;
}

enum {
    NAME_BYTES = 4,     /* a page of fewer for each name allowed has no more names */
};
static const int64_t HIGHEST = INT64_C(1) << 40; /* of a limit */

/* What is left of the page. */
static PyObject *without_cuts(const Reading *all, PyObject *page)
{
    const Cut *cuts = (const Cut *)(const void *)all->cuts.data;
    Py_ssize_t count = all->cuts.used / (Py_ssize_t)sizeof *cuts, size = all->stop - all->data;
    if (count == 0)
        return Py_NewRef(page);
    for (Py_ssize_t i = 0; i < count; i++)
        size -= cuts[i].end - cuts[i].start - cuts[i].space;
    PyObject *left = PyBytes_FromStringAndSize(NULL, size);
    if (left == NULL)
        return NULL;
    char *to = PyBytes_AS_STRING(left);
    Bytes at = all->data;
    for (Py_ssize_t i = 0; i < count; i++) {
        memcpy(to, at, (size_t)(cuts[i].start - at));
        to += cuts[i].start - at;
        if (cuts[i].space)
            *to++ = ' ';
        at = cuts[i].end;
    }
    memcpy(to, at, (size_t)(all->stop - at));
    return left;
}

/* Whether the codes in a table's columns are codes, rings end, and no part stands within more than
 * two others. */
static bool is_table(const TagTable *table)
{
    for (int32_t code = 0; code < table->count; code++) {
        int32_t inside = table->inside[code], next = table->ring[code], steps = 0;
        if (inside < -1 || inside >= table->count || table->closes_top[code] < -1 ||
            table->closes_top[code] >= table->count)
            return false;
        for (; inside >= 0 && steps < 3; steps++) {
            inside = table->inside[inside];
            if (inside < -1 || inside >= table->count)
                return false;
        }
        if (steps > 2)
            return false;
        for (steps = 0; next != code; next = table->ring[next]) {
            if (next < 0 || next >= table->count || ++steps > table->count)
                return false;
        }
    }
    return true;
}

static bool are_bytes(PyObject *tuple)
{
    if (!PyTuple_CheckExact(tuple))
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (!PyBytes_CheckExact(PyTuple_GET_ITEM(tuple, i)))
            return false;
    }
    return true;
}

/* Number the names of the table. */
static bool begin(Reading *all, PyObject *names)
{
    if (!chaffinch_begin_elements(&all->open))
        return false;
    for (int32_t code = 0; code < all->open.table.count; code++) {
        PyObject *name = PyTuple_GET_ITEM(names, code);
        NameFacts facts = {.kinds = all->open.table.kinds[code], .last = -1};
        int32_t number = add_name(&all->names, (Bytes)PyBytes_AS_STRING(name),
                                            PyBytes_GET_SIZE(name));
        if (number != code || !chaffinch_append(&all->open.names, &facts, sizeof facts))
            return false;
    }
    return true;
}

static bool are_limits(const Array *limits)
{
    if (limits->count != LIMITS)
        return false;
    for (int i = 0; i < LIMITS; i++) {
        int64_t limit = ((const int64_t *)limits->data)[i];
        if (limit < 0 || limit > HIGHEST)
            return false;
    }
    return true;
}

/* read_tags(data: bytes, names: tuple[bytes], kinds: uint32[n], ring: int32[n], inside: int32[n],
 *           closes_top: int32[n], html_types: tuple[bytes], limits: int64[10], check)
 *     -> (bytes, int, int, int)
 *
 * Tags are found as the HTML Standard's tokenizer finds them (section 13.2.5), with comments, quoted
 * values and raw text; open elements are followed as its tree construction does (13.2.6), leaning to
 * too many where they differ: an end tag closes only what it surely closes. So the parser's depth is
 * not underestimated, and a page that stays under the limits by this count is returned as it is.
 * One pass; nothing looks further back than the limits allow. */
MAKER(read_tags, "BOIiiiOqO", ".nnnn.")
{
    Py_ssize_t count = a[1].count;
    TagTable table = {a[1].data, a[2].data, a[3].data, a[4].data, args[6], (int32_t)count};
    if (count < FIRST_NAMES || count >= INT32_MAX || !are_bytes(args[1]) ||
        PyTuple_GET_SIZE(args[1]) != count || !are_bytes(args[6]) || !PyBytes_CheckExact(args[0]) ||
        a[0].count >= INT32_MAX || !are_limits(&a[5]) || !is_table(&table))
        return NULL;
    Bytes data = a[0].data, stop = data + a[0].count, at = data, after = data;
    Reading all = {.data = data, .stop = stop, .limits = a[5].data, .open.table = table,
                   .ends.stop = stop};
    PyObject *left = NULL, *checked = Py_None;
    all.names_matter = a[0].count > NAME_BYTES * all.limits[NAMES];
    all.short_tag = all.names_matter ? 1 : 2 * all.limits[ATTRIBUTES];
    bool begun = begin(&all, args[1]);
    while (begun && checked != NULL && at != NULL) {
        Py_BEGIN_ALLOW_THREADS
        at = read_some(&all, at, &after);
        Py_END_ALLOW_THREADS
        if (at != NULL && (checked = PyObject_CallNoArgs(args[8])) != NULL)
            Py_DECREF(checked);
    }
    if (!begun || has_failed(&all))
        PyErr_NoMemory();
    else if (checked != NULL)
        left = without_cuts(&all, args[0]);
    PyObject *result = left == NULL ? NULL
                       : Py_BuildValue("(NLLi)", left, (long long)(all.opened + all.open.copies),
                                       (long long)all.closed, (int)all.open.deepest);
    chaffinch_free_elements(&all.open);
    free_names(&all.names);
    free_names(&all.attributes);
    chaffinch_free(&all.cuts);
    return result;
}
