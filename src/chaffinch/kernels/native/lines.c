/* The text of what is shown: white space folded, lines, runs. */
#include "kernels.h"

/* A line that is being written: its text goes to `out`, in characters of the size of the page's. */
typedef struct {
    int kind;
    const void *text;
    void *out;
    Py_ssize_t length; /* characters in `out` */
    bool verbatim;
    bool space; /* nothing is written yet, or a space was last: the next isn't written */
} Line;

/* Begin lines of stretches of `text`, of which none is longer than `longest`; false with an
 * exception where there is no room. Its `out` is to be freed. */
static bool begin_lines(Line *line, PyObject *text, Py_ssize_t longest)
{
    *line = (Line){.kind = (int)PyUnicode_KIND(text), .text = PyUnicode_DATA(text), .space = true};
    line->out = PyMem_Malloc((size_t)(longest + 1) * (size_t)line->kind);
    if (line->out == NULL)
        PyErr_NoMemory();
    return line->out != NULL;
}

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

/* Write a stretch of the text behind what is written: folded, unless the line is verbatim. */
static void write_text(Line *line, Py_ssize_t at, Py_ssize_t stop)
{
    if (line->verbatim) {
        memcpy((char *)line->out + line->length * line->kind,
               (char *)line->text + at * line->kind, (size_t)((stop - at) * line->kind));
        line->length += stop - at;
    } else {
        BY_KIND(line->kind, fold_in(KIND, line, at, stop));
    }
}

/* Take the line that is written, and begin the next: without newlines at the beginning of a verbatim
 * one, and white space at the end of any. NULL with an exception where there is no room. */
static PyObject *taken(Line *line)
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

/* What of an element matters for the lines in it. */
enum { PREFORMATTED = 1, CELL = 2 };

/* One pass over the rows of a page. */
typedef struct {
    PyObject *texts;
    int32_t *first, *last, *cells; /* of each line; `cells`: row of the cell it stands in, or -1 */
    Line line;
} Pass;

/* Join two pieces of a line as if what was dropped between them were only space: that is, with a
 * space where it had one at an edge. */
static void write_dropped(Line *line, Py_ssize_t at, Py_ssize_t stop)
{
    bool edge = is_space(PyUnicode_READ(line->kind, line->text, at)) ||
                is_space(PyUnicode_READ(line->kind, line->text, stop - 1));
    if (!edge)
        return;
    Py_ssize_t i = at;
    while (line->verbatim && i < stop && is_space(PyUnicode_READ(line->kind, line->text, i)))
        i++;
    if (i == stop)
        write_text(line, at, stop);
    else if (line->verbatim || !line->space)
        PyUnicode_WRITE(line->kind, line->out, line->length++, ' ');
    line->space = true;
}

/* Add the line that is written, if anything is, to those before; begin the next. */
static bool end_line(Pass *pass, int32_t first, int32_t last, int32_t cell)
{
    PyObject *text = taken(&pass->line);
    if (text == NULL)
        return false;
    Py_ssize_t at = PyList_GET_SIZE(pass->texts);
    bool added = PyUnicode_GET_LENGTH(text) == 0 || PyList_Append(pass->texts, text) == 0;
    if (added && PyUnicode_GET_LENGTH(text) > 0) {
        pass->first[at] = first;
        pass->last[at] = last;
        pass->cells[at] = cell;
    }
    Py_DECREF(text);
    return added;
}

/* The columns of `kept_lines` and of `text_runs`, in the order of their arguments behind the text. */
enum { TEXT_AT, TAG, LINE, END, PARENT, KEPT, ABOVE, KINDS, FIRST, LAST, BESIDE };
enum { RUN_ROWS, SPECIAL, SPECIAL_KINDS, TABLE, OPEN, RUN_TAG, RUN_END, RUN_LINE, RUN_TEXT_AT,
       WRITTEN, SIGNS, ROOM };

/* Go over the rows; false with an exception where that is impossible. */
static bool read_rows(Pass *pass, const Array *a, Py_ssize_t length)
{
    const int32_t *text_at = a[TEXT_AT].data, *line = a[LINE].data, *end = a[END].data;
    const uint16_t *tag = a[TAG].data;
    const uint8_t *kept = a[KEPT].data, *above = a[ABOVE].data, *kinds = a[KINDS].data;
    int32_t rows = (int32_t)a[TAG].count, first = -1, last = -1, preformatted = 0;
    int32_t cell = -1, cell_of_line = -1, written = 0; /* where the last piece ends */
    for (int32_t row = 0; row < rows; row++) {
        if (tag[row] >= a[KINDS].count)
            return false;
        if (tag[row] != 0) {
            uint8_t kind = above[row] ? kinds[tag[row]] : 0;
            if ((kind & PREFORMATTED) && end[row] > preformatted)
                preformatted = end[row];
            if (kind & CELL)
                cell = row;
            continue;
        }
        if (!kept[row])
            continue;
        int32_t at = text_at[row], stop = text_at[row + 1];
        if (at < written || stop < at || stop > length)
            return false;
        if (first < 0 || line[row] != line[last]) {
            if (first >= 0 && !end_line(pass, first, last + 1, cell_of_line))
                return false;
            first = row;
            cell_of_line = cell >= 0 && row < end[cell] ? cell : -1;
            pass->line.verbatim = row < preformatted;
        } else if (at > written) {
            write_dropped(&pass->line, written, at);
        }
        write_text(&pass->line, at, stop);
        written = stop;
        last = row;
    }
    return first < 0 || end_line(pass, first, last + 1, cell_of_line);
}

/* Whether a line is the only one of its cell. */
static bool is_alone(const int32_t *cells, Py_ssize_t lines, Py_ssize_t line)
{
    return cells[line] >= 0 && (line == 0 || cells[line - 1] != cells[line]) &&
           (line == lines - 1 || cells[line + 1] != cells[line]);
}

static void mark_beside(const int32_t *cells, Py_ssize_t lines, const int32_t *parent, uint8_t *out)
{
    bool alone = false;
    for (Py_ssize_t line = 0; line < lines; line++) {
        bool before = alone;
        alone = is_alone(cells, lines, line);
        out[line] = before && alone && parent[cells[line]] == parent[cells[line - 1]];
    }
}

/* kept_lines(text: str, text_at: int32[n+1], tag: uint16[n], line: int32[n], end: int32[n],
 * parent: int32[n], kept: bool[n], above: bool[n], kinds: uint8[tags] | first: int32[n], last:
 * int32[n], beside: bool[n]) -> list[str]
 *
 * The m lines of the text rows that are `kept`, and their columns in the first m places: the first
 * row, the first after the last, and whether it stands beside the line before. Preformatted elements
 * (1 in `kinds`) and cells (2) count where they are in `above`. Tags and offsets are checked. */
MAKER(kept_lines, "UiHiii??B|ii?", "n+nnnnnn.nnn")
{
    Pass pass = {.first = a[FIRST].data, .last = a[LAST].data};
    Py_ssize_t rows = a[TAG].count, length = PyUnicode_GET_LENGTH(args[0]);
    if (rows >= INT32_MAX)
        return NULL;
    bool begun = begin_lines(&pass.line, args[0], length);
    pass.cells = PyMem_Malloc((size_t)(rows + 1) * sizeof *pass.cells);
    if (pass.cells == NULL)
        PyErr_NoMemory();
    else if (begun)
        pass.texts = PyList_New(0);
    if (pass.texts != NULL) {
        if (read_rows(&pass, a, length))
            mark_beside(pass.cells, PyList_GET_SIZE(pass.texts), a[PARENT].data, a[BESIDE].data);
        else
            Py_CLEAR(pass.texts);
    }
    PyMem_Free(pass.cells);
    PyMem_Free(pass.line.out);
    return pass.texts;
}

/* folded_texts(text: str, starts: int32[k], stops: int32[k]) -> list[str]: stretches with white
 * space folded. They are checked. */
MAKER(folded_texts, "Uii", "kk")
{
    const int32_t *starts = a[0].data, *stops = a[1].data;
    Py_ssize_t count = a[0].count, length = PyUnicode_GET_LENGTH(args[0]), longest = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (starts[i] < 0 || starts[i] > stops[i] || stops[i] > length)
            return NULL;
        if (stops[i] - starts[i] > longest)
            longest = stops[i] - starts[i];
    }
    Line line;
    PyObject *texts = begin_lines(&line, args[0], longest) ? PyList_New(count) : NULL;
    for (Py_ssize_t i = 0; texts != NULL && i < count; i++) {
        write_text(&line, starts[i], stops[i]);
        PyObject *own = taken(&line);
        if (own == NULL)
            Py_CLEAR(texts);
        else
            PyList_SET_ITEM(texts, i, own);
    }
    PyMem_Free(line.out);
    return texts;
}

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
        return NULL;
    }
    *signs = signs_in(line, found->signs, run->begin, run->end);
    *signs |= is_space(PyUnicode_READ(line->kind, line->text, run->begin)) ? AFTER_SPACE : 0;
    *signs |= is_space(PyUnicode_READ(line->kind, line->text, run->end - 1)) ? BEFORE_SPACE : 0;
    write_text(line, run->begin, run->end);
    return taken(line);
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

/* Find the runs; return the ends of boundaries that go on behind them, NULL with an exception. */
static PyObject *read_runs(Found *found, const Array *a)
{
    Py_ssize_t count = a[RUN_ROWS].count, opened = a[OPEN].count, top = opened, at = 0;
    const int64_t *rows = a[RUN_ROWS].data, *special = a[SPECIAL].data;
    const uint8_t *special_kind = a[SPECIAL_KINDS].data, *written = a[WRITTEN].data;
    const int32_t *end = a[RUN_END].data, *line = a[RUN_LINE].data, *text_at = a[RUN_TEXT_AT].data;
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
                           ? special_kind[at] : chaffinch_kind(&a[RUN_TAG], &a[TABLE], row);
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
            bool ends_idly = run.parted ? !(between & LEFT) : between & BOUNDED;
            bool is_idle = run.is_words && !run.stop && ends_idly;
            if (run.row >= 0 && !is_idle && !appended(found, &run, between & BOUNDED))
                return NULL;
            run = (Run){.row = row, .line = line[row], .begin = text_at[row], .is_words = is_words,
                        .parted = (is_idle && run.parted) || between & PARTED};
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
 * text_at: int32[n+1], written: bool[n], signs: uint8[256] | room: int32[2 * (o + r)])
 * -> (list of tuples, list of int): the runs of some rows, which rise, and the ends of boundaries that
 * go on behind them. `special` rows have a kind of their own, others that of their tag; `open` are
 * the ends of boundaries that began before; `signs` are bits that characters of Latin-1 stand for.
 * Rows and offsets are checked; `room` is for the elements that are open. */
MAKER(text_runs, "UqqBBiHiii?B|i", ".ss..nnnn+n..")
{
    Found found = {.length = PyUnicode_GET_LENGTH(args[0]), .tag = a[RUN_TAG].data,
                   .signs = a[SIGNS].data};
    PyObject *open = NULL, *both = NULL;
    if (a[SIGNS].count != 256 || a[ROOM].count != 2 * (a[OPEN].count + a[RUN_ROWS].count) ||
        !are_rising(a[RUN_ROWS].data, a[RUN_ROWS].count, a[RUN_TAG].count) ||
        !begin_lines(&found.line, args[0], found.length))
        return NULL;
    found.list = PyList_New(0);
    found.nothing = PyUnicode_New(0, 0);
    if (found.list != NULL && found.nothing != NULL)
        open = read_runs(&found, a);
    if (open != NULL)
        both = PyTuple_Pack(2, found.list, open);
    PyMem_Free(found.line.out);
    Py_XDECREF(open);
    Py_XDECREF(found.list);
    Py_XDECREF(found.nothing);
    return both;
}
