/* The parser's tree to the columns of a page: one walk in document order, by the functions that the
 * parser's library exports; nothing is assumed of its structs.
 *
 * They are those of the library that selectolax has loaded, found by name at run time: selectolax
 * need not be there when the extension is built. A page with anything rare is left to the walk in
 * Python (kernels/tree.py): a template that is a shadow root, an attribute twice on one element, text
 * that isn't UTF-8, more rows than the limit.
 */
#include "kernels.h"

/* Types of nodes (DOM standard, 4.4). */
enum { LEXBOR_ELEMENT = 1, LEXBOR_TEXT = 3, LEXBOR_DOCUMENT = 9 };

/* Tags of the first nodes of the parser's table; elements come behind LEXBOR_LAST_SPECIAL. */
enum { LEXBOR_TEXT_TAG = 2, LEXBOR_LAST_SPECIAL = 5 };

typedef struct {
    uintptr_t (*tag)(void *node);
    int (*type)(void *node);
    void *(*first_child)(void *node);
    void *(*next)(void *node);
    void *(*parent)(void *node);
    const unsigned char *(*name)(void *element, size_t *length);
    void *(*first_attribute)(void *element);
    void *(*next_attribute)(void *attribute);
    const unsigned char *(*attribute_name)(void *attribute, size_t *length);
    const unsigned char *(*attribute_value)(void *attribute, size_t *length);
    unsigned char *(*text)(void *node, size_t *length); /* a copy, the caller's to give back */
    void *(*give_back)(void *document, unsigned char *text);
} Lexbor;

#ifdef _WIN32 /* where the library shows none of them */

static const Lexbor *bound(void)
{
    return NULL;
}

static bool find_lexbor(const char *path)
{
    (void)path;
    return false;
}

#else

#include <dlfcn.h>
#include <stdatomic.h>

/* Those of the library that was found first: written once, whole, and never changed. They are the
 * process's, so that all its interpreters share them. */
static _Atomic(const Lexbor *) found;

static const Lexbor *bound(void)
{
    return atomic_load_explicit(&found, memory_order_acquire);
}

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol); /* POSIX: a function's address fits into void* */
    return symbol != NULL;
}

static bool find_all(void *library, Lexbor *all)
{
    return find(library, "lxb_dom_node_tag_id_noi", &all->tag) &&
           find(library, "lxb_dom_node_type_noi", &all->type) &&
           find(library, "lxb_dom_node_first_child_noi", &all->first_child) &&
           find(library, "lxb_dom_node_next_noi", &all->next) &&
           find(library, "lxb_dom_node_parent_noi", &all->parent) &&
           find(library, "lxb_dom_element_qualified_name", &all->name) &&
           find(library, "lxb_dom_element_first_attribute_noi", &all->first_attribute) &&
           find(library, "lxb_dom_element_next_attribute_noi", &all->next_attribute) &&
           find(library, "lxb_dom_attr_qualified_name", &all->attribute_name) &&
           find(library, "lxb_dom_attr_value_noi", &all->attribute_value) &&
           find(library, "lxb_dom_node_text_content", &all->text) &&
           find(library, "lxb_dom_document_destroy_text_noi", &all->give_back);
}

/* Find them in the library at `path`, which must be loaded already; false where one is missing, or
 * where another library was found before. It is never closed: the functions are kept for as long as
 * the process lives. */
static bool find_lexbor(const char *path)
{
    Lexbor own;
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL || !find_all(library, &own))
        return false;
    const Lexbor *first = bound();
    if (first == NULL) {
        Lexbor *kept = PyMem_RawMalloc(sizeof *kept);
        if (kept == NULL)
            return false;
        *kept = own;
        if (atomic_compare_exchange_strong(&found, &first, kept))
            return true;
        PyMem_RawFree(kept); /* another thread came first */
    }
    return memcmp(first, &own, sizeof own) == 0;
}

#endif

/* bind(path: str) -> bool: whether the parser's functions are found in the library at `path`. */
MAKER(bind, "U", "")
{
    (void)a;
    PyObject *encoded = NULL;
    if (!PyUnicode_FSConverter(args[0], &encoded))
        return NULL;
    bool is_bound = find_lexbor(PyBytes_AS_STRING(encoded));
    Py_DECREF(encoded);
    return PyBool_FromLong(is_bound);
}

/* How a step of the walk went: ODD means that the page is left to the walk in Python. */
typedef enum { FINE, ODD, FAILED } Outcome;

typedef struct {
    const void *name; /* where the parser keeps it; NULL in an empty place */
    int32_t number;
} KnownName;

typedef struct {
    PyObject *names;   /* dict: name -> number, in order of first sight */
    KnownName *known;  /* the same by address: a hash table with `places` places, a power of two */
    Py_ssize_t places, filled;
    Growing last_row;  /* int32 by number: the last row that has the name */
    Growing rows;      /* int32[a] */
    Growing numbers;   /* int32[a] */
    Growing value_at;  /* int32[a + 1]: where each value starts in `values` */
    Growing valueless; /* uint8[a] */
    Growing values;    /* UTF-8 */
} Attributes;

static Outcome no_memory(void)
{
    PyErr_NoMemory();
    return FAILED;
}

/* Begin with nothing; FAILED with an exception. End with `free_attributes` always. */
static Outcome begin_attributes(Attributes *all)
{
    *all = (Attributes){.names = PyDict_New(), .places = 256};
    if (all->names == NULL)
        return FAILED;
    all->known = PyMem_RawCalloc((size_t)all->places, sizeof *all->known);
    if (all->known == NULL || !chaffinch_append_int(&all->value_at, 0))
        return no_memory();
    return FINE;
}

static void free_attributes(Attributes *all)
{
    Py_CLEAR(all->names);
    PyMem_RawFree(all->known);
    all->known = NULL;
    Growing *columns[] = {&all->last_row, &all->rows,      &all->numbers,
                          &all->value_at, &all->valueless, &all->values};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        chaffinch_free(columns[i]);
}

/* The place of a name's address, or the empty place where it belongs. */
static KnownName *place_of(const KnownName *known, Py_ssize_t places, const void *name)
{
    uint64_t hash = (uint64_t)(uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15);
    Py_ssize_t at = (Py_ssize_t)(hash >> 20) & (places - 1);
    while (known[at].name != NULL && known[at].name != name)
        at = (at + 1) & (places - 1);
    return (KnownName *)&known[at];
}

static bool widen(Attributes *all)
{
    Py_ssize_t places = all->places * 2;
    KnownName *wider = PyMem_RawCalloc((size_t)places, sizeof *wider);
    if (wider == NULL)
        return false;
    for (Py_ssize_t i = 0; i < all->places; i++) {
        if (all->known[i].name != NULL)
            *place_of(wider, places, all->known[i].name) = all->known[i];
    }
    PyMem_RawFree(all->known);
    all->known = wider;
    all->places = places;
    return true;
}

/* Give the number of a name whose address is new: the parser may keep a name at several. */
static Outcome new_name(Attributes *all, const unsigned char *name, size_t length, int32_t *number)
{
    if (chaffinch_letters(name, (Py_ssize_t)length) < 0)
        return ODD;
    if (all->filled * 2 >= all->places && !widen(all))
        return no_memory();
    PyObject *text = PyUnicode_DecodeUTF8((const char *)name, (Py_ssize_t)length, NULL);
    PyObject *fresh = PyLong_FromSsize_t(PyDict_GET_SIZE(all->names));
    PyObject *given = text && fresh ? PyDict_SetDefault(all->names, text, fresh) : NULL;
    *number = given == NULL ? -1 : (int32_t)PyLong_AsLong(given);
    Py_XDECREF(text);
    Py_XDECREF(fresh);
    if (*number < 0)
        return FAILED;
    if (*number * (Py_ssize_t)sizeof *number == all->last_row.used &&
        !chaffinch_append_int(&all->last_row, -1))
        return no_memory();
    *place_of(all->known, all->places, name) = (KnownName){name, *number};
    all->filled++;
    return FINE;
}

static Outcome add_value(Attributes *all, const unsigned char *value, size_t length)
{
    unsigned char is_valueless = value == NULL;
    Py_ssize_t size = is_valueless ? 0 : (Py_ssize_t)length;
    if (size > INT32_MAX - all->values.used || chaffinch_letters(value, size) < 0)
        return ODD;
    bool added = chaffinch_append(&all->values, value, size) &&
                 chaffinch_append(&all->valueless, &is_valueless, 1) &&
                 chaffinch_append_int(&all->value_at, (int32_t)all->values.used);
    return added ? FINE : no_memory();
}

/* Add the attributes of an element of the parser, that of `row`. */
static Outcome add_attributes(Attributes *all, const Lexbor *lexbor, void *element, int32_t row)
{
    void *attribute = lexbor->first_attribute(element);
    for (; attribute != NULL; attribute = lexbor->next_attribute(attribute)) {
        size_t length = 0;
        const unsigned char *name = lexbor->attribute_name(attribute, &length);
        if (name == NULL)
            return ODD;
        const KnownName *known = place_of(all->known, all->places, name);
        int32_t number = known->number;
        Outcome outcome = known->name == NULL ? new_name(all, name, length, &number) : FINE;
        if (outcome != FINE)
            return outcome;
        int32_t *last_row = chaffinch_ints(&all->last_row) + number;
        if (*last_row == row)
            return ODD; /* twice on one element: the later value counts */
        *last_row = row;
        if (!chaffinch_append_int(&all->rows, row) || !chaffinch_append_int(&all->numbers, number))
            return no_memory();
        length = 0;
        const unsigned char *value = lexbor->attribute_value(attribute, &length);
        outcome = add_value(all, value, length);
        if (outcome != FINE)
            return outcome;
    }
    return FINE;
}

/* The value of one attribute of an element; NULL where it is absent or has none. */
static const unsigned char *attribute_of(const Lexbor *lexbor, void *element, const char *name,
                                         size_t *length, bool *is_there)
{
    size_t wanted = strlen(name);
    *is_there = false;
    void *attribute = lexbor->first_attribute(element);
    for (; attribute != NULL; attribute = lexbor->next_attribute(attribute)) {
        size_t named = 0;
        const unsigned char *own = lexbor->attribute_name(attribute, &named);
        if (own != NULL && named == wanted && memcmp(own, name, wanted) == 0) {
            *is_there = true;
            return lexbor->attribute_value(attribute, length);
        }
    }
    return NULL;
}

/* What an element is to the walk, by the parser's number of its tag; the last entry is for tags
 * that the parser doesn't know. */
enum { PLAIN, OPAQUE, SCRIPT, TEMPLATE, UNKNOWN };
enum { MOST_STYLE = 1 << 12 }; /* bytes of a style sheet that is kept */
enum { LAST_TAG = 255, MOST_DEPTH = INT16_MAX };
/* Rows that there is room for at first; columns of rows, of which the first are of 16 bits. */
enum { LEAST_ROOM = 2048, COLUMNS = 6, NARROW = 2 };

typedef struct {
    const Lexbor *lexbor;
    void *document;
    const uint16_t *code_of;    /* [256], by the parser's number */
    const unsigned char *kinds; /* [256], the same */
    PyObject *codes;            /* dict: name -> code */
    const char *marks;          /* what scripts hold that set a state, parted by spaces */
    Py_ssize_t most_rows;
    Growing tag, parent, depth, end, text_at, attribute_at, text;
    int32_t rows, room, letters; /* rows that there are, that there is room for; code points */
    PyObject *names, *sources; /* dict: row -> str */
    Attributes attributes;
} Walk;

/* Make room for as many rows again, in all columns of rows at once, and one at their end. */
static bool make_room(Walk *walk)
{
    Growing *columns[] = {&walk->tag,     &walk->depth, &walk->parent, &walk->end,
                          &walk->text_at, &walk->attribute_at};
    int32_t rows = walk->rows, more = rows < LEAST_ROOM ? LEAST_ROOM : rows;
    if (more > INT32_MAX - 1 - rows)
        more = INT32_MAX - 1 - rows;
    for (int i = 0; i < COLUMNS; i++) {
        Py_ssize_t size = i < NARROW ? (Py_ssize_t)sizeof(int16_t) : (Py_ssize_t)sizeof(int32_t);
        columns[i]->used = rows * size;
        if (!chaffinch_grow(columns[i], (more + 1) * size))
            return false;
    }
    walk->room = rows + more;
    return true;
}

static Outcome add_row(Walk *walk, int32_t parent, uint16_t code)
{
    if (walk->rows >= walk->most_rows)
        return ODD;
    if (parent < 0 && walk->rows > 0)
        return ODD; /* beside the root */
    int16_t depth = parent < 0 ? 0 : (int16_t)(((int16_t *)(void *)walk->depth.data)[parent] + 1);
    int32_t attributes = (int32_t)(walk->attributes.rows.used / (Py_ssize_t)sizeof(int32_t));
    if (walk->rows == walk->room && !make_room(walk))
        return no_memory();
    int32_t row = walk->rows++;
    ((uint16_t *)(void *)walk->tag.data)[row] = code;
    ((int16_t *)(void *)walk->depth.data)[row] = depth;
    chaffinch_ints(&walk->parent)[row] = parent;
    chaffinch_ints(&walk->end)[row] = row + 1;
    chaffinch_ints(&walk->text_at)[row] = walk->letters;
    chaffinch_ints(&walk->attribute_at)[row] = attributes;
    return FINE;
}

static Outcome add_text(Walk *walk, void *node, int32_t parent)
{
    if (walk->lexbor->type(node) != LEXBOR_TEXT)
        return ODD;
    Outcome outcome = add_row(walk, parent, 0);
    if (outcome != FINE)
        return outcome;
    size_t length = 0;
    unsigned char *text = walk->lexbor->text(node, &length);
    if (text == NULL)
        return ODD;
    Py_ssize_t size = (Py_ssize_t)length, letters = chaffinch_letters(text, size);
    if (letters < 0 || size > INT32_MAX - walk->text.used)
        outcome = ODD;
    else if (!chaffinch_append(&walk->text, text, size))
        outcome = no_memory();
    else
        walk->letters += (int32_t)letters;
    return outcome; /* the copy goes with the document, which doesn't outlive the walk for long */
}

static Outcome keep(PyObject *dict, int32_t row, PyObject *value)
{
    PyObject *key = PyLong_FromLong(row);
    bool kept = key != NULL && PyDict_SetItem(dict, key, value) == 0;
    Py_XDECREF(key);
    return kept ? FINE : FAILED;
}

/* A tag that the parser's table doesn't have: ours may, and else its name is kept. */
static Outcome note_name(Walk *walk, void *element, int32_t row)
{
    size_t length = 0;
    const unsigned char *name = walk->lexbor->name(element, &length);
    if (name == NULL || chaffinch_letters(name, (Py_ssize_t)length) < 0)
        return ODD;
    PyObject *text = PyUnicode_DecodeUTF8((const char *)name, (Py_ssize_t)length, NULL);
    PyObject *lower = text == NULL ? NULL : PyObject_CallMethod(text, "lower", NULL);
    PyObject *code = lower == NULL ? NULL : PyDict_GetItemWithError(walk->codes, lower);
    Outcome outcome = PyErr_Occurred() ? FAILED : FINE;
    if (code != NULL)
        ((uint16_t *)(void *)walk->tag.data)[row] = (uint16_t)PyLong_AsLong(code);
    else if (outcome == FINE)
        outcome = keep(walk->names, row, lower);
    Py_XDECREF(text);
    Py_XDECREF(lower);
    return outcome;
}

/* Whether a short style sheet has a word by which styles hide, or say where lines end. */
static bool may_tell(const unsigned char *source, size_t size)
{
    static const char *const WORDS[] = {"none", "hidden", "opacity", "-9",   "-100",      "-200",
                                        "-300", "-500",   "-800",    "clip", "font-size", "transparent",
                                        "scale(", "block", "column", "pre-line",
                                        "pre-wrap"};
    bool found = false;
    for (size_t i = 0; size <= MOST_STYLE && !found && i < sizeof WORDS / sizeof *WORDS; i++)
        found = chaffinch_holds(source, size, WORDS[i]);
    return found;
}

/* Return whether a script holds one of the words of `marks`, each of fewer than 32 bytes. */
static bool sets_state(const unsigned char *source, size_t size, const char *marks)
{
    char word[32];
    bool found = false;
    while (*marks != '\0' && !found) {
        size_t length = strcspn(marks, " ");
        if (length > 0 && length < sizeof word) {
            memcpy(word, marks, length);
            word[length] = '\0';
            found = chaffinch_holds(source, size, word);
        }
        marks += length + (marks[length] == ' ');
    }
    return found;
}

/* Keep the source of a script that holds data (JSON, TeX, an embedded state), and of a style that
 * may hide or say where lines end. */
static Outcome note_source(Walk *walk, void *script, int32_t row)
{
    const Lexbor *lexbor = walk->lexbor;
    void *first = lexbor->first_child(script);
    if (first == NULL)
        return FINE;
    size_t length = 0, size = 0;
    bool is_there;
    const unsigned char *kind = attribute_of(lexbor, script, "type", &length, &is_there);
    bool is_data = kind != NULL && (chaffinch_says(kind, length, "json") ||
                                    chaffinch_says(kind, length, "math/tex"));
    unsigned char *source = lexbor->type(first) == LEXBOR_TEXT ? lexbor->text(first, &size) : NULL;
    if (source == NULL)
        return ODD;
    Outcome outcome = FINE;
    const unsigned char *name = lexbor->name(script, &length);
    bool is_style = name != NULL && length == 5 && (name[1] | 0x20) == 't';
    if (is_style ? may_tell(source, size)
                 : is_data || sets_state(source, size, walk->marks)) {
        bool is_utf8 = chaffinch_letters(source, (Py_ssize_t)size) >= 0;
        PyObject *text =
            is_utf8 ? PyUnicode_DecodeUTF8((char *)source, (Py_ssize_t)size, NULL) : NULL;
        outcome = text != NULL ? keep(walk->sources, row, text) : is_utf8 ? FAILED : ODD;
        Py_XDECREF(text);
    }
    lexbor->give_back(walk->document, source);
    return outcome;
}

/* Add an element; `child` is its first child to walk or NULL. */
static Outcome add_element(Walk *walk, void *node, uintptr_t tag, int32_t parent, void **child)
{
    const Lexbor *lexbor = walk->lexbor;
    unsigned id = tag < LAST_TAG ? (unsigned)tag : LAST_TAG;
    int32_t row = walk->rows;
    Outcome outcome = lexbor->type(node) == LEXBOR_ELEMENT
                          ? add_row(walk, parent, walk->code_of[id]) : ODD;
    if (outcome == FINE)
        outcome = add_attributes(&walk->attributes, lexbor, node, row);
    if (outcome != FINE)
        return outcome;
    bool is_shadow_root;
    switch (walk->kinds[id]) {
    case OPAQUE: *child = NULL; return FINE;
    case SCRIPT: *child = NULL; return note_source(walk, node, row);
    case TEMPLATE:
        *child = NULL;
        attribute_of(lexbor, node, "shadowrootmode", &(size_t){0}, &is_shadow_root);
        return is_shadow_root ? ODD : FINE;
    case UNKNOWN: *child = lexbor->first_child(node); return note_name(walk, node, row);
    default: *child = lexbor->first_child(node); return FINE;
    }
}

/* Add all rows. Below `most_depth` elements become siblings. */
static Outcome add_rows(Walk *walk, void *node, Py_ssize_t most_depth)
{
    const Lexbor *lexbor = walk->lexbor;
    int32_t parent = -1;
    Py_ssize_t above = 0; /* elements of the parser's tree around the node */
    while (true) {
        void *child = NULL, *following;
        uintptr_t tag = lexbor->tag(node);
        Outcome outcome = FINE;
        if (tag == LEXBOR_TEXT_TAG)
            outcome = add_text(walk, node, parent);
        else if (tag > LEXBOR_LAST_SPECIAL)
            outcome = add_element(walk, node, tag, parent, &child);
        if (outcome != FINE)
            return outcome;
        if (child != NULL) {
            if (++above <= most_depth)
                parent = walk->rows - 1;
            node = child;
            continue;
        }
        while ((following = lexbor->next(node)) == NULL) {
            if (above == 0)
                return FINE;
            node = lexbor->parent(node);
            chaffinch_ints(&walk->end)[parent] = walk->rows;
            if (above-- <= most_depth)
                parent = chaffinch_ints(&walk->parent)[parent];
        }
        node = following;
    }
}

static Outcome begin(Walk *walk, void *root)
{
    walk->document = root;
    for (void *above; (above = walk->lexbor->parent(walk->document)) != NULL;)
        walk->document = above;
    if (walk->lexbor->type(walk->document) != LEXBOR_DOCUMENT)
        return ODD;
    walk->names = PyDict_New();
    walk->sources = PyDict_New();
    return walk->names != NULL && walk->sources != NULL ? FINE : FAILED;
}

static PyObject *columns(Walk *walk)
{
    Attributes *all = &walk->attributes;
    int32_t attributes = (int32_t)(all->rows.used / (Py_ssize_t)sizeof attributes);
    if (walk->room == 0 && !make_room(walk))
        return PyErr_NoMemory();
    chaffinch_ints(&walk->text_at)[walk->rows] = walk->letters;
    chaffinch_ints(&walk->attribute_at)[walk->rows] = attributes;
    const Py_ssize_t narrow = walk->rows * (Py_ssize_t)sizeof(int16_t);
    const Py_ssize_t wide = walk->rows * (Py_ssize_t)sizeof(int32_t);
    walk->tag.used = walk->depth.used = narrow;
    walk->parent.used = walk->end.used = wide;
    walk->text_at.used = walk->attribute_at.used = wide + (Py_ssize_t)sizeof(int32_t);
    PyObject *text = PyUnicode_DecodeUTF8(walk->text.data, walk->text.used, NULL);
    return Py_BuildValue("(NNNNNNOO(NNNNNNO))", chaffinch_bytes(&walk->tag),
                         chaffinch_bytes(&walk->parent), chaffinch_bytes(&walk->depth),
                         chaffinch_bytes(&walk->end), text, chaffinch_bytes(&walk->text_at),
                         walk->names, walk->sources, chaffinch_bytes(&walk->attribute_at),
                         chaffinch_bytes(&all->rows), chaffinch_bytes(&all->numbers),
                         chaffinch_bytes(&all->value_at), chaffinch_bytes(&all->valueless),
                         chaffinch_bytes(&all->values), all->names);
}

static void end(Walk *walk)
{
    Growing *grown[] = {&walk->tag, &walk->parent,       &walk->depth, &walk->end,
                        &walk->text_at, &walk->attribute_at, &walk->text};
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++)
        chaffinch_free(grown[i]);
    Py_CLEAR(walk->names);
    Py_CLEAR(walk->sources);
    free_attributes(&walk->attributes);
}

/* walk(root: int, code_of: uint16[256], kinds: uint8[256], codes: dict[str, int], marks: str,
 *      max_rows: int, max_depth: int) -> tuple | None: the columns of a page.
 *
 * `root` is the address of an element of a tree of the bound library, which lives on meanwhile:
 * its caller's promise. Gives None where a page is left to Python, else bytes but for the text: tag,
 * parent, depth, end, text: str, text_at, names: dict, sources: dict, and what AttributeColumns of
 * chaffinch/page/attributes.py takes. */
MAKER(walk, "OHBOUnn", "....")
{
    Walk own = {.lexbor = bound(), .code_of = a[0].data, .kinds = a[1].data, .codes = args[3],
                .marks = PyUnicode_AsUTF8(args[4]), .most_rows = a[2].count};
    PyObject *result = NULL;
    Py_ssize_t most_depth = a[3].count;
    void *node = PyLong_Check(args[0]) ? PyLong_AsVoidPtr(args[0]) : NULL;
    if (PyErr_Occurred() || !PyLong_Check(args[0]) || a[0].count != LAST_TAG + 1 ||
        a[1].count != LAST_TAG + 1 || !PyDict_Check(args[3]))
        return NULL;
    if (own.lexbor == NULL || node == NULL || most_depth < 1 || most_depth >= MOST_DEPTH)
        Py_RETURN_NONE;
    if (own.most_rows >= INT32_MAX)
        own.most_rows = INT32_MAX - 1;
    Outcome outcome = begin(&own, node);
    if (outcome == FINE)
        outcome = begin_attributes(&own.attributes);
    if (outcome == FINE)
        outcome = add_rows(&own, node, most_depth);
    if (outcome == FINE)
        result = columns(&own);
    else if (outcome == ODD)
        result = Py_NewRef(Py_None);
    end(&own);
    return result;
}
