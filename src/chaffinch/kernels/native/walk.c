/* The parser's tree to the columns of a page: one walk in document order.
 *
 * It does what `_Walk` of chaffinch/page/parsing.py does, whose comments give the reasons. A page with
 * anything rare is left to that: a template that is a shadow root, text that isn't UTF-8, more rows
 * than the limit.
 */
#include "attributes.h"
#include "kernels.h"

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
    const char *mark;           /* what scripts hold that set an embedded state */
    Py_ssize_t most_rows;
    Growing tag, parent, depth, end, text_at, attribute_at, text;
    int32_t rows, room, letters; /* rows that there are, that there is room for; code points */
    PyObject *names, *sources; /* dict: row -> str */
    Attributes attributes;
} Walk;

static Outcome no_memory(void)
{
    PyErr_NoMemory();
    return FAILED;
}

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

/* Whether a short style sheet has a word by which styles hide. */
static bool may_hide(const unsigned char *source, size_t size)
{
    static const char *const WORDS[] = {"none", "hidden", "opacity", "-9", "clip", "font-size",
                                        "transparent", "scale("};
    bool found = false;
    for (size_t i = 0; size <= MOST_STYLE && !found && i < sizeof WORDS / sizeof *WORDS; i++)
        found = chaffinch_holds(source, size, WORDS[i]);
    return found;
}

/* Keep the source of a script that holds data (JSON, TeX, an embedded state), and of a style that
 * may hide. */
static Outcome note_source(Walk *walk, void *script, int32_t row)
{
    const Lexbor *lexbor = walk->lexbor;
    void *first = lexbor->first_child(script);
    if (first == NULL)
        return FINE;
    size_t length = 0, size = 0;
    bool is_there;
    const unsigned char *kind = chaffinch_attribute(lexbor, script, "type", &length, &is_there);
    bool is_data = kind != NULL && (chaffinch_says(kind, length, "json") ||
                                    chaffinch_says(kind, length, "math/tex"));
    unsigned char *source = lexbor->type(first) == LEXBOR_TEXT ? lexbor->text(first, &size) : NULL;
    if (source == NULL)
        return ODD;
    Outcome outcome = FINE;
    const unsigned char *name = lexbor->name(script, &length);
    bool is_style = name != NULL && length == 5 && (name[1] | 0x20) == 't';
    if (is_style ? may_hide(source, size)
                 : is_data || chaffinch_holds(source, size, walk->mark)) {
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
        outcome = chaffinch_add_attributes(&walk->attributes, lexbor, node, row);
    if (outcome != FINE)
        return outcome;
    bool is_shadow_root;
    switch (walk->kinds[id]) {
    case OPAQUE: *child = NULL; return FINE;
    case SCRIPT: *child = NULL; return note_source(walk, node, row);
    case TEMPLATE:
        *child = NULL;
        chaffinch_attribute(lexbor, node, "shadowrootmode", &(size_t){0}, &is_shadow_root);
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
    chaffinch_free_attributes(&walk->attributes);
}

/* walk(root: int, code_of: bytes, kinds: bytes, codes: dict[str, int], mark: str, max_rows: int,
 *      max_depth: int) -> tuple | None: the columns of a page.
 *
 * `root` is the address of an element of a tree of the bound library, which lives on meanwhile:
 * its caller's promise. `code_of` is uint16[256], `kinds` uint8[256]. Gives None where a page is
 * left to Python, else bytes but for the text: tag, parent, depth, end, text: str, text_at,
 * names: dict, sources: dict, and what AttributeColumns of chaffinch/page/attributes.py takes. */
static PyObject *walk(PyObject *module, PyObject *args)
{
    (void)module;
    Walk own = {.lexbor = chaffinch_lexbor()};
    PyObject *root, *result = NULL;
    const char *code_of;
    Py_ssize_t code_bytes, kind_bytes, most_depth;
    if (!PyArg_ParseTuple(args, "O!y#y#O!snn", &PyLong_Type, &root, &code_of, &code_bytes,
                          &own.kinds, &kind_bytes, &PyDict_Type, &own.codes, &own.mark,
                          &own.most_rows, &most_depth))
        return NULL;
    void *node = PyLong_AsVoidPtr(root);
    if (node == NULL && PyErr_Occurred())
        return NULL;
    if (!chaffinch_agree(code_bytes == 512 && kind_bytes == 256, "walk"))
        return NULL;
    if (own.lexbor == NULL || node == NULL || most_depth < 1 || most_depth >= MOST_DEPTH)
        Py_RETURN_NONE;
    own.code_of = (const uint16_t *)(const void *)code_of;
    if (own.most_rows >= INT32_MAX)
        own.most_rows = INT32_MAX - 1;
    Outcome outcome = begin(&own, node);
    if (outcome == FINE)
        outcome = chaffinch_begin_attributes(&own.attributes);
    if (outcome == FINE)
        outcome = add_rows(&own, node, most_depth);
    if (outcome == FINE)
        result = columns(&own);
    else if (outcome == ODD)
        result = Py_NewRef(Py_None);
    end(&own);
    return result;
}

PyMethodDef chaffinch_walk[] = {
    {"walk", walk, METH_VARARGS, NULL},
    {"pairs", (PyCFunction)(void (*)(void))chaffinch_pairs, METH_FASTCALL, NULL},
    {"all_pairs", (PyCFunction)(void (*)(void))chaffinch_all_pairs, METH_FASTCALL, NULL},
    {"bind", chaffinch_bind, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
