/* Lines, lengths with white space folded, bytes of what is kept. */
#include "kernels.h"
#include "pages.h"
#include "white_space.h"

const uint8_t chaffinch_spaces[0x3001] = {
    [0x09] = 1,   [0x0a] = 1,   [0x0b] = 1,   [0x0c] = 1,   [0x0d] = 1,   [0x1c] = 1,
    [0x1d] = 1,   [0x1e] = 1,   [0x1f] = 1,   [0x20] = 1,   [0x85] = 1,   [0xa0] = 1,
    [0x1680] = 1, [0x2000] = 1, [0x2001] = 1, [0x2002] = 1, [0x2003] = 1, [0x2004] = 1,
    [0x2005] = 1, [0x2006] = 1, [0x2007] = 1, [0x2008] = 1, [0x2009] = 1, [0x200a] = 1,
    [0x2028] = 1, [0x2029] = 1, [0x202f] = 1, [0x205f] = 1, [0x3000] = 1,
};

/* What one row's own text is made of. */
typedef struct {
    Py_ssize_t written; /* characters that aren't white space */
    Py_ssize_t words;   /* runs of them */
    bool first, last;   /* whether the first and the last character are such */
} Run;

static inline Run run_in(int kind, const void *text, Py_ssize_t at, Py_ssize_t stop)
{
    unsigned first = is_space(PyUnicode_READ(kind, text, at)), before = first;
    Py_ssize_t spaces = 0, changes = 0;
    for (Py_ssize_t i = at; i < stop; i++) {
        unsigned now = is_space(PyUnicode_READ(kind, text, i));
        spaces += now;
        changes += now ^ before;
        before = now;
    }
    return (Run){stop - at - spaces, (changes + !first + !before) / 2, !first, !before};
}

/* Read a text that isn't empty; each kind of string has a loop of its own. */
static Run read_run(int kind, const void *text, Py_ssize_t at, Py_ssize_t stop)
{
    switch (kind) {
    case PyUnicode_1BYTE_KIND: return run_in(PyUnicode_1BYTE_KIND, text, at, stop);
    case PyUnicode_2BYTE_KIND: return run_in(PyUnicode_2BYTE_KIND, text, at, stop);
    default: return run_in(PyUnicode_4BYTE_KIND, text, at, stop);
    }
}

/* Fill `before` and `own` of `text_columns`, whose offsets hold. A run of white space between two
 * written characters of one line counts one, in the row in which it starts: `hole`. */
static void fill_lengths(PyObject *text, Py_ssize_t rows, const int32_t *at, const int32_t *line,
                         int64_t *before, int32_t *own)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t written = 0, last = -1, hole = -1; /* the last written row; a hole since, or -1 */
    for (Py_ssize_t row = 0; row < rows; row++) {
        before[row] = written;
        own[row] = 0;
        if (at[row] == at[row + 1])
            continue;
        Run run = read_run(kind, data, at[row], at[row + 1]);
        if (last >= 0 && hole < 0 && !run.first)
            hole = row;
        if (run.written == 0)
            continue;
        if (hole >= 0 && line[last] == line[row])
            own[hole]++;
        own[row] += (int32_t)(run.written + run.words - 1);
        written += run.written;
        last = row;
        hole = run.last ? -1 : row;
    }
    before[rows] = written;
}

enum { STARTS = 1, BREAKS = 2 };

/* Write 1 to `line` where a line starts, 0 elsewhere; false where a tag or an end is no such. */
static bool mark_starts(const uint16_t *tag, const int32_t *end, Py_ssize_t count,
                        const Array *kinds, int32_t *line)
{
    const uint8_t *kind_of = kinds->data;
    memset(line, 0, (size_t)count * sizeof *line);
    for (Py_ssize_t row = 0; row < count; row++) {
        if (tag[row] >= kinds->count || end[row] <= row || end[row] > count)
            return false;
        uint8_t kind = kind_of[tag[row]];
        if (kind == 0)
            continue;
        line[row] = 1;
        if ((kind & BREAKS) && row + 1 < count)
            line[row + 1] = 1;
        if ((kind & STARTS) && end[row] < count)
            line[end[row]] = 1;
    }
    return true;
}

/* Mark the rows of certain tags and all their descendants. */
static void mark_inside(const Array *tag, const int32_t *end, const Array *kinds, uint8_t *out)
{
    int32_t reach = 0;
    for (Py_ssize_t row = 0; row < tag->count; row++) {
        int32_t own = chaffinch_kind(tag, kinds, row) ? end[row] : 0;
        reach = own > reach ? own : reach;
        out[row] = reach > row;
    }
}

enum { TAG, END, TEXT_AT, LINE_KINDS, INVISIBLE, LINKS, SHOWN, IN_LINK, WRITTEN, LINE, OWN, BEFORE,
       COLUMNS };

/* Whether the arrays of `text_columns` fit each other and the text. */
static bool columns_fit(const Array *a, PyObject *text)
{
    Py_ssize_t rows = a[TAG].count;
    bool fit = a[END].count == rows && a[TEXT_AT].count == rows + 1 && a[BEFORE].count == rows + 1;
    for (int i = SHOWN; i <= OWN; i++)
        fit = fit && a[i].count == rows;
    return fit && offsets_hold(a[TEXT_AT].data, rows + 1, PyUnicode_GET_LENGTH(text));
}

/* Fill what is written to; false where a tag or an end is none. */
static bool fill_columns(Array *a, PyObject *text)
{
    const int32_t *end = a[END].data;
    uint8_t *shown = a[SHOWN].data, *written = a[WRITTEN].data;
    int32_t *line = a[LINE].data, *own = a[OWN].data;
    int64_t *before = a[BEFORE].data;
    Py_ssize_t rows = a[TAG].count;
    if (!mark_starts(a[TAG].data, end, rows, &a[LINE_KINDS], line))
        return false;
    for (Py_ssize_t row = 1; row < rows; row++)
        line[row] += line[row - 1];
    mark_inside(&a[TAG], end, &a[LINKS], a[IN_LINK].data);
    mark_inside(&a[TAG], end, &a[INVISIBLE], shown);
    fill_lengths(text, rows, a[TEXT_AT].data, line, before, own);
    for (Py_ssize_t row = 0; row < rows; row++) {
        shown[row] = !shown[row];
        own[row] = shown[row] ? own[row] : 0;
        written[row] = before[row] < before[row + 1];
    }
    return true;
}

/* text_columns(tag: uint16[n], end: int32[n], text: str, text_at: int32[n+1], kinds: uint8[tags],
 *              invisible: bool[tags], links: bool[tags], shown, in_link, written: bool[n],
 *              line, own: int32[n], before: int64[n+1]) -> None
 *
 * What follows for each row from tags and text; kinds: 1 for blocks, 2 for breaks. Tags, ends and
 * offsets are checked. */
static PyObject *text_columns(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "HiUiB??|???iiq";
    Array a[COLUMNS];
    if (!chaffinch_take("text_columns", args, given, KINDS, a))
        return NULL;
    bool fits = columns_fit(a, args[2]);
    PyThreadState *unlocked = chaffinch_unlock(a[TAG].count + PyUnicode_GET_LENGTH(args[2]));
    fits = fits && fill_columns(a, args[2]);
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, "text_columns");
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* Whether a character is white space of ASCII: 1 or 0. */
static inline uint32_t is_blank(uint32_t c)
{
    return (c == ' ') | (c - '\t' <= '\r' - '\t');
}

/* The bytes in UTF-8 of characters start to stop that aren't white space of ASCII. */
static Py_ssize_t written_bytes(PyObject *text, Py_ssize_t start, Py_ssize_t stop)
{
    const void *data = PyUnicode_DATA(text);
    uint32_t bytes = 0; /* as wide as what is compared: the compiler takes several at once */
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        for (const uint8_t *c = (const uint8_t *)data + start; c < (const uint8_t *)data + stop; c++)
            bytes += 1U + (*c >= 0x80) - is_blank(*c);
        return bytes;
    case PyUnicode_2BYTE_KIND:
        for (const uint16_t *c = (const uint16_t *)data + start; c < (const uint16_t *)data + stop;
             c++)
            bytes += 1U + (*c >= 0x80) + (*c >= 0x800) - is_blank(*c);
        return bytes;
    default:
        for (const uint32_t *c = (const uint32_t *)data + start; c < (const uint32_t *)data + stop;
             c++)
            bytes += 1U + (*c >= 0x80) + (*c >= 0x800) + (*c >= 0x10000) - is_blank(*c);
        return bytes;
    }
}

/* kept_bytes(text_at: int32[n+1], keep: bool[n], text: str, body: int) -> (int, int): the bytes in
 * UTF-8, without white space of ASCII, of the rows that are kept, and of all from `body` on. Places
 * are checked. */
static PyObject *kept_bytes(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "i?Un";
    Array a[3];
    if (!chaffinch_take("kept_bytes", args, given, KINDS, a))
        return NULL;
    Py_ssize_t body = a[2].count, rows = a[1].count, kept = 0, all = 0;
    const int32_t *at = a[0].data;
    const uint8_t *keep = a[1].data;
    bool fits = a[0].count == rows + 1 &&
                offsets_hold(at, rows + 1, PyUnicode_GET_LENGTH(args[2]));
    fits = chaffinch_agree(fits, "kept_bytes");
    PyThreadState *unlocked = chaffinch_unlock(PyUnicode_GET_LENGTH(args[2]));
    for (Py_ssize_t row = 0, stop; fits && row < rows; row = stop) {
        for (stop = row + 1; stop < rows && stop != body && keep[stop] == keep[row];)
            stop++;
        Py_ssize_t bytes = written_bytes(args[2], at[row], at[stop]);
        kept += keep[row] ? bytes : 0;
        all += row >= body ? bytes : 0;
    }
    chaffinch_lock(unlocked);
    chaffinch_release(KINDS, a);
    return fits ? Py_BuildValue("nn", kept, all) : NULL;
}

PyMethodDef chaffinch_lengths[] = {
    {"kept_bytes", (PyCFunction)(void (*)(void))kept_bytes, METH_FASTCALL, NULL},
    {"text_columns", (PyCFunction)(void (*)(void))text_columns, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
