/* Runs of text and elements: what a walk over shown rows stops at. */
#include "folding.h"
#include "kernels.h"
#include "pages.h"
#include "white_space.h"

/* What a row is, as in codes.py. */
enum { PASSED = 0, WORDS = 1, INLINE = 2, BOUNDARY = 3, BLOCK = 4 };

/* What is known of a run's text, as in codes.py; other bits are of its characters. */
enum { AFTER_SPACE = 1, BEFORE_SPACE = 2 };

/* What lies between two rows: the end of an element, a boundary, that of a `BOUNDARY`, the end of
 * any other element. */
enum { EDGE = 1, BOUNDED = 2, PARTED = 4, LEFT = 8 };

static const int32_t edges_of[] = {0, 0, EDGE | LEFT, EDGE | BOUNDED | PARTED,
                                   EDGE | BOUNDED | LEFT};

/* A run; `stop` is 0 where nothing in it is written. */
typedef struct {
    Py_ssize_t row, stop;
    int32_t line, begin, end;
    bool is_words, parted;
} Run;

/* The runs that are found, and what their texts are made of. */
typedef struct {
    PyObject *list;
    PyObject *nothing; /* the text of a run that has none */
    Line line;
    Py_ssize_t length; /* of the page's text */
    const uint16_t *tag;
    const uint8_t *signs;
} Found;

/* The bits that the characters of a stretch stand for, all together. */
static unsigned signs_in(const Line *line, const uint8_t *signs, Py_ssize_t at, Py_ssize_t stop)
{
    unsigned held = 0;
    if (line->kind == PyUnicode_1BYTE_KIND) {
        for (const Py_UCS1 *text = line->text; at < stop; at++)
            held |= signs[text[at]];
        return held;
    }
    for (; at < stop; at++) {
        Py_UCS4 c = PyUnicode_READ(line->kind, line->text, at);
        held |= c < 256 ? signs[c] : 0;
    }
    return held;
}

/* The folded text of a run, and in `signs` what is known of it; NULL with an exception. */
static PyObject *words_of(Found *found, const Run *run, unsigned *signs)
{
    Line *line = &found->line;
    if (run->begin < 0 || run->end <= run->begin || run->end > found->length) {
        chaffinch_agree(false, "text_runs");
        return NULL;
    }
    *signs = signs_in(line, found->signs, run->begin, run->end);
    *signs |= is_space(PyUnicode_READ(line->kind, line->text, run->begin)) ? AFTER_SPACE : 0;
    *signs |= is_space(PyUnicode_READ(line->kind, line->text, run->end - 1)) ? BEFORE_SPACE : 0;
    chaffinch_write(line, run->begin, run->end);
    return chaffinch_taken(line);
}

/* Append a run to the list; false with an exception set where there is no room. */
static bool appended(Found *found, const Run *run, bool closed)
{
    unsigned signs = 0;
    PyObject *words = found->nothing;
    if (run->is_words && run->stop)
        words = words_of(found, run, &signs);
    else
        Py_INCREF(words);
    PyObject *own = words == NULL ? NULL : PyTuple_New(8);
    if (own == NULL) {
        Py_XDECREF(words);
        return false;
    }
    PyTuple_SET_ITEM(own, 0, PyLong_FromSsize_t(run->row));
    PyTuple_SET_ITEM(own, 1, PyLong_FromLong(found->tag[run->row]));
    PyTuple_SET_ITEM(own, 2, PyLong_FromLong(run->line));
    PyTuple_SET_ITEM(own, 3, PyBool_FromLong(run->parted));
    PyTuple_SET_ITEM(own, 4, PyBool_FromLong(closed));
    PyTuple_SET_ITEM(own, 5, PyLong_FromSsize_t(run->stop));
    PyTuple_SET_ITEM(own, 6, words);
    PyTuple_SET_ITEM(own, 7, PyLong_FromUnsignedLong(signs));
    bool whole = true;
    for (Py_ssize_t i = 0; i < 8; i++)
        whole &= PyTuple_GET_ITEM(own, i) != NULL;
    bool fits = whole && PyList_Append(found->list, own) == 0;
    Py_DECREF(own);
    return fits;
}

/* Whether rows rise and are those of a page. */
static bool are_rising(const int64_t *rows, Py_ssize_t count, Py_ssize_t of_page)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (rows[i] < (i ? rows[i - 1] + 1 : 0) || rows[i] >= of_page)
            return false;
    return true;
}

/* The ends that lie behind `last` of elements whose edges part: a list of int. */
static PyObject *still_open(const int32_t *ends, const int32_t *edges, Py_ssize_t count,
                            int64_t last)
{
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        if (!(edges[i] & PARTED) || ends[i] <= last)
            continue;
        PyObject *own = PyLong_FromLong(ends[i]);
        if (own == NULL || PyList_Append(list, own) < 0)
            Py_CLEAR(list);
        Py_XDECREF(own);
    }
    return list;
}

/* The columns that `text_runs` reads, in the order of its arguments behind the text. */
enum { ROWS, SPECIAL, SPECIAL_KINDS, TABLE, OPEN, TAG, END, LINE, TEXT_AT, WRITTEN, SIGNS, ROOM };

/* Whether the columns fit each other. */
static bool columns_fit(const Array *a)
{
    Py_ssize_t page = a[TAG].count;
    return chaffinch_agree(
        a[SPECIAL_KINDS].count == a[SPECIAL].count && a[END].count == page &&
            a[LINE].count == page && a[TEXT_AT].count == page + 1 && a[WRITTEN].count == page &&
            a[SIGNS].count == 256 && a[ROOM].count == 2 * (a[OPEN].count + a[ROWS].count) &&
            are_rising(a[ROWS].data, a[ROWS].count, page), "text_runs");
}

/* Find the runs; return the ends of boundaries that go on behind them, NULL with an exception. */
static PyObject *read_runs(Found *found, const Array *a)
{
    Py_ssize_t count = a[ROWS].count, opened = a[OPEN].count, top = opened, at = 0;
    const int64_t *rows = a[ROWS].data, *special = a[SPECIAL].data;
    const uint8_t *special_kind = a[SPECIAL_KINDS].data, *written = a[WRITTEN].data;
    const int32_t *end = a[END].data, *line = a[LINE].data, *text_at = a[TEXT_AT].data;
    int32_t *ends = a[ROOM].data, *edges = ends + opened + count, between = 0;
    for (Py_ssize_t i = 0; i < opened; i++) {
        ends[i] = ((const int32_t *)a[OPEN].data)[i];
        edges[i] = edges_of[BOUNDARY];
    }
    Run run = {.row = -1};
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t row = rows[i];
        while (at < a[SPECIAL].count && special[at] < row)
            at++;
        uint8_t kind = at < a[SPECIAL].count && special[at] == row
                           ? special_kind[at] : chaffinch_kind(&a[TAG], &a[TABLE], row);
        if (kind == PASSED || kind > BLOCK)
            continue;
        for (; top > 0 && ends[top - 1] <= row; top--)
            between |= edges[top - 1];
        if (kind >= BOUNDARY)
            between |= edges_of[kind] & ~LEFT;
        if (kind != WORDS) {
            ends[top] = end[row];
            edges[top++] = edges_of[kind];
        }
        if (kind == BOUNDARY)
            continue;
        bool is_words = kind == WORDS;
        if (!(is_words && run.is_words && !between && line[row] == run.line &&
              text_at[row] == run.end)) {
            bool is_idle = run.is_words && !run.stop && run.parted && !(between & LEFT);
            if (run.row >= 0 && !is_idle && !appended(found, &run, between & BOUNDED))
                return NULL;
            run = (Run){.row = row, .line = line[row], .begin = text_at[row], .is_words = is_words,
                        .parted = is_idle || between & PARTED};
        }
        if (is_words && written[row]) {
            run.row = run.stop ? run.row : row;
            run.stop = row + 1;
        }
        run.end = text_at[row + 1];
        between = 0;
    }
    for (Py_ssize_t i = 0; i < top; i++)
        between |= edges[i];
    if (run.row >= 0 && !appended(found, &run, between & BOUNDED))
        return NULL;
    return still_open(ends, edges, top, count ? rows[count - 1] : -1);
}

/* text_runs(text: str, rows: int64[r], special: int64[s], special_kinds: uint8[s],
 * kinds: uint8[k], open: int32[o], tag: uint16[n], end: int32[n], line: int32[n],
 * text_at: int32[n+1], written: bool[n], signs: uint8[256], room: int32[2 * (o + r)])
 * -> (list of tuples, list of int): the runs of some rows, as in the plain one. Rows and offsets are
 * checked; `room` is for the elements that are open. */
static PyObject *text_runs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "UqqBBiHiii?B|i";
    Array a[12];
    if (!chaffinch_take("text_runs", args, given, kinds, a))
        return NULL;
    Found found = {.length = PyUnicode_GET_LENGTH(args[0]), .tag = a[TAG].data,
                   .signs = a[SIGNS].data};
    PyObject *open = NULL, *both = NULL;
    if (columns_fit(a) && chaffinch_begin_lines(&found.line, args[0], found.length)) {
        found.list = PyList_New(0);
        found.nothing = PyUnicode_New(0, 0);
        if (found.list != NULL && found.nothing != NULL)
            open = read_runs(&found, a);
        if (open != NULL)
            both = PyTuple_Pack(2, found.list, open);
        chaffinch_end_lines(&found.line);
    }
    Py_XDECREF(open);
    Py_XDECREF(found.list);
    Py_XDECREF(found.nothing);
    chaffinch_release(kinds, a);
    return both;
}

PyMethodDef chaffinch_runs[] = {
    {"text_runs", (PyCFunction)(void (*)(void))text_runs, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
