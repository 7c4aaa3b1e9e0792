/* Characters that aren't white space, lengths with white space folded, bytes of what is kept. */
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

static inline Py_ssize_t places_in(int kind, const void *text, Py_ssize_t count, int64_t *places)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        places[found] = i;
        found += !is_space(PyUnicode_READ(kind, text, i));
    }
    return found;
}

static Py_ssize_t read_places(int kind, const void *text, Py_ssize_t count, int64_t *places)
{
    switch (kind) { /* each kind of string has a loop of its own */
    case PyUnicode_1BYTE_KIND: return places_in(PyUnicode_1BYTE_KIND, text, count, places);
    case PyUnicode_2BYTE_KIND: return places_in(PyUnicode_2BYTE_KIND, text, count, places);
    default: return places_in(PyUnicode_4BYTE_KIND, text, count, places);
    }
}

/* written_places(text: str, out: intp[len(text)]) -> int: where the characters stand that aren't
 * white space; how many there are. */
static PyObject *written_places(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array out;
    if (!chaffinch_take("written_places", args, given, "U|q", &out))
        return NULL;
    Py_ssize_t count = PyUnicode_GET_LENGTH(args[0]), found = -1;
    if (chaffinch_agree(out.count >= count, "written_places")) {
        const void *text = PyUnicode_DATA(args[0]);
        PyThreadState *unlocked = chaffinch_unlock(count);
        found = read_places(PyUnicode_KIND(args[0]), text, count, out.data);
        chaffinch_lock(unlocked);
    }
    chaffinch_release("U|q", &out);
    return found < 0 ? NULL : PyLong_FromSsize_t(found);
}

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

/* Fill `before` and `own` of `own_lengths`, whose offsets hold. A run of white space between two
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

/* own_lengths(text: str, text_at: int32[n+1], line: int32[n], shown: bool[n],
 *             before: int64[n+1], own: int32[n]) -> None
 *
 * How many written characters stand before each row's own text, and the length of that text with
 * white space folded; 0 where it isn't shown. The offsets are checked. */
static PyObject *own_lengths(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "Uii?|qi";
    Array a[5];
    if (!chaffinch_take("own_lengths", args, given, KINDS, a))
        return NULL;
    Py_ssize_t rows = a[1].count;
    bool fits = chaffinch_agree(a[0].count == rows + 1 && a[2].count == rows &&
                                    a[3].count == rows + 1 && a[4].count == rows &&
                                    offsets_hold(a[0].data, rows + 1, PyUnicode_GET_LENGTH(args[0])),
                                "own_lengths");
    if (fits) {
        const uint8_t *shown = a[2].data;
        int32_t *own = a[4].data;
        PyThreadState *unlocked = chaffinch_unlock(PyUnicode_GET_LENGTH(args[0]));
        fill_lengths(args[0], rows, a[0].data, a[1].data, a[3].data, own);
        for (Py_ssize_t row = 0; row < rows; row++)
            own[row] = shown[row] ? own[row] : 0;
        chaffinch_lock(unlocked);
    }
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
    {"written_places", (PyCFunction)(void (*)(void))written_places, METH_FASTCALL, NULL},
    {"own_lengths", (PyCFunction)(void (*)(void))own_lengths, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
