/* Text whose white space is folded. */
#include "folding.h"
#include "white_space.h"

bool chaffinch_begin_lines(Line *line, PyObject *text, Py_ssize_t longest)
{
    *line = (Line){.kind = (int)PyUnicode_KIND(text), .text = PyUnicode_DATA(text), .space = true};
    line->out = PyMem_Malloc((size_t)(longest + 1) * (size_t)line->kind);
    if (line->out == NULL)
        PyErr_NoMemory();
    return line->out != NULL;
}

void chaffinch_end_lines(Line *line)
{
    PyMem_Free(line->out);
}

/* Whether characters are white space that isn't a single space, or may be: control characters, what
 * lies between ASCII and the letters of Latin-1, general punctuation, and two spaces side by side.
 * No branches, so that the compiler takes several characters at once. */
#define UNEVEN(type, name, beyond)                                                                \
    static bool name(const type *text, Py_ssize_t count)                                          \
    {                                                                                             \
        type uneven = 0;                                                                          \
        for (Py_ssize_t i = 0; i + 1 < count; i++) {                                              \
            type c = text[i];                                                                     \
            uneven |= (type)((c < 0x20) | ((type)(c - 0x7f) < 0x22) |                             \
                             ((c == 0x20) & (text[i + 1] == 0x20)) | (beyond));                   \
        }                                                                                         \
        return uneven;                                                                            \
    }
#define BEYOND_LATIN(type)                                                                        \
    (c == 0x1680) | ((type)(c - 0x2000) < 0xb) | ((type)(c - 0x2028) < 8) | (c == 0x205f) |       \
        (c == 0x3000)
UNEVEN(Py_UCS1, uneven_bytes, 0)
UNEVEN(Py_UCS2, uneven_pairs, BEYOND_LATIN(Py_UCS2))
UNEVEN(Py_UCS4, uneven_fours, BEYOND_LATIN(Py_UCS4))

/* Spaces come too irregularly to branch on them. */
static inline void fold_in(int kind, Line *line, Py_ssize_t at, Py_ssize_t stop)
{
    Py_ssize_t length = line->length;
    unsigned space = line->space;
    for (; at < stop; at++) {
        Py_UCS4 c = PyUnicode_READ(kind, line->text, at);
        unsigned now = is_space(c);
        PyUnicode_WRITE(kind, line->out, length, now ? ' ' : c);
        length += !(now & space);
        space = now;
    }
    line->length = length;
    line->space = space;
}

static void copy(Line *line, Py_ssize_t at, Py_ssize_t stop)
{
    memcpy((char *)line->out + line->length * line->kind, (char *)line->text + at * line->kind,
           (size_t)((stop - at) * line->kind));
    line->length += stop - at;
}

static void write_space(Line *line)
{
    if (!line->space)
        PyUnicode_WRITE(line->kind, line->out, line->length++, ' ');
    line->space = true;
}

/* Write a stretch that neither begins nor ends with white space; most are even. */
static void write_words(Line *line, Py_ssize_t at, Py_ssize_t stop)
{
    const char *begin = (const char *)line->text + at * line->kind;
    bool uneven;
    switch (line->kind) { /* each size of character has loops of its own */
    case PyUnicode_1BYTE_KIND:
        if ((uneven = uneven_bytes((const Py_UCS1 *)begin, stop - at)))
            fold_in(PyUnicode_1BYTE_KIND, line, at, stop);
        break;
    case PyUnicode_2BYTE_KIND:
        if ((uneven = uneven_pairs((const Py_UCS2 *)begin, stop - at)))
            fold_in(PyUnicode_2BYTE_KIND, line, at, stop);
        break;
    default:
        if ((uneven = uneven_fours((const Py_UCS4 *)begin, stop - at)))
            fold_in(PyUnicode_4BYTE_KIND, line, at, stop);
    }
    if (!uneven)
        copy(line, at, stop);
    line->space = false;
}

void chaffinch_write(Line *line, Py_ssize_t at, Py_ssize_t stop)
{
    if (line->verbatim) {
        copy(line, at, stop);
        return;
    }
    Py_ssize_t first = at, last = stop;
    while (first < stop && is_space(PyUnicode_READ(line->kind, line->text, first)))
        first++;
    if (first > at)
        write_space(line);
    if (first == stop)
        return;
    while (is_space(PyUnicode_READ(line->kind, line->text, last - 1)))
        last--;
    write_words(line, first, last);
    if (last < stop)
        write_space(line);
}

PyObject *chaffinch_taken(Line *line)
{
    Py_ssize_t at = 0, stop = line->length;
    while (stop > 0 && is_space(PyUnicode_READ(line->kind, line->out, stop - 1)))
        stop--;
    while (line->verbatim && at < stop && PyUnicode_READ(line->kind, line->out, at) == '\n')
        at++;
    line->length = 0;
    line->space = true;
    return PyUnicode_FromKindAndData(line->kind, (char *)line->out + at * line->kind, stop - at);
}
