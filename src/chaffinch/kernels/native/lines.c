/* The lines of text of what is kept. */
#include "folding.h"
#include "kernels.h"
#include "white_space.h"

/* What of an element matters for the lines in it. */
enum { PREFORMATTED = 1, CELL = 2 };

/* One pass over the rows of a page. */
typedef struct {
    PyObject *texts;
    int32_t *first, *last, *cells; /* of each line; `cells`: row of the cell it stands in, or -1 */
    uint8_t *verbatim;
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
        chaffinch_write(line, at, stop);
    else if (line->verbatim || !line->space)
        PyUnicode_WRITE(line->kind, line->out, line->length++, ' ');
    line->space = true;
}

/* Add the line that is written, if anything is, to those before; begin the next. */
static bool end_line(Pass *pass, int32_t first, int32_t last, int32_t cell)
{
    bool verbatim = pass->line.verbatim;
    PyObject *text = chaffinch_taken(&pass->line);
    if (text == NULL)
        return false;
    Py_ssize_t at = PyList_GET_SIZE(pass->texts);
    bool added = PyUnicode_GET_LENGTH(text) == 0 || PyList_Append(pass->texts, text) == 0;
    if (added && PyUnicode_GET_LENGTH(text) > 0) {
        pass->first[at] = first;
        pass->last[at] = last;
        pass->verbatim[at] = verbatim;
        pass->cells[at] = cell;
    }
    Py_DECREF(text);
    return added;
}

/* The columns that `kept_lines` reads, in the order of its arguments behind the text. */
enum { TEXT_AT, TAG, LINE, END, PARENT, KEPT, ABOVE, KINDS, FIRST, LAST, VERBATIM, BESIDE };

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
            return chaffinch_agree(false, "kept_lines");
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
            return chaffinch_agree(false, "kept_lines");
        if (first < 0 || line[row] != line[last]) {
            if (first >= 0 && !end_line(pass, first, last + 1, cell_of_line))
                return false;
            first = row;
            cell_of_line = cell >= 0 && row < end[cell] ? cell : -1;
            pass->line.verbatim = row < preformatted;
        } else if (at > written) {
            write_dropped(&pass->line, written, at);
        }
        chaffinch_write(&pass->line, at, stop);
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

static PyObject *lines_of(PyObject *text, const Array *a)
{
    Pass pass = {.first = a[FIRST].data, .last = a[LAST].data, .verbatim = a[VERBATIM].data};
    Py_ssize_t rows = a[TAG].count, length = PyUnicode_GET_LENGTH(text);
    bool begun = chaffinch_begin_lines(&pass.line, text, length);
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
    chaffinch_end_lines(&pass.line);
    return pass.texts;
}

/* kept_lines(text: str, text_at: int32[n+1], tag: uint16[n], line: int32[n], end: int32[n],
 *            parent: int32[n], kept: bool[n], above: bool[n], kinds: uint8[tags],
 *            first: int32[n], last: int32[n], verbatim: bool[n], beside: bool[n]) -> list[str]
 *
 * The m lines of the text rows that are `kept`, and their columns as `KeptLines` has them, in the
 * first m places. Preformatted elements (1 in `kinds`) and cells (2) count where they are in
 * `above`. Tags and offsets are checked. */
static PyObject *kept_lines(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char TAKEN[] = "UiHiii??B|ii??";
    Array a[12];
    if (!chaffinch_take("kept_lines", args, given, TAKEN, a))
        return NULL;
    Py_ssize_t rows = a[TAG].count;
    bool fits = a[TEXT_AT].count == rows + 1 && rows < INT32_MAX;
    for (int i = LINE; i <= BESIDE; i++)
        fits &= i == KINDS || a[i].count == rows;
    PyObject *texts = chaffinch_agree(fits, "kept_lines") ? lines_of(args[0], a) : NULL;
    chaffinch_release(TAKEN, a);
    return texts;
}

/* The stretches of a text, folded; NULL with an exception where there is no room. */
static PyObject *folded(PyObject *text, const Array *starts, const Array *stops, Py_ssize_t longest)
{
    const int32_t *first = starts->data, *last = stops->data;
    Line line;
    PyObject *texts =
        chaffinch_begin_lines(&line, text, longest) ? PyList_New(starts->count) : NULL;
    for (Py_ssize_t i = 0; texts != NULL && i < starts->count; i++) {
        chaffinch_write(&line, first[i], last[i]);
        PyObject *own = chaffinch_taken(&line);
        if (own == NULL)
            Py_CLEAR(texts);
        else
            PyList_SET_ITEM(texts, i, own);
    }
    chaffinch_end_lines(&line);
    return texts;
}

/* folded_texts(text: str, starts: int32[k], stops: int32[k]) -> list[str]: stretches with white
 * space folded. They are checked. */
static PyObject *folded_texts(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char NAME[] = "folded_texts", TAKEN[] = "Uii";
    Array a[2];
    if (!chaffinch_take(NAME, args, given, TAKEN, a))
        return NULL;
    const int32_t *starts = a[0].data, *stops = a[1].data;
    Py_ssize_t count = a[0].count, length = PyUnicode_GET_LENGTH(args[0]), longest = 0;
    bool fits = a[1].count == count;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        fits = starts[i] >= 0 && starts[i] <= stops[i] && stops[i] <= length;
        if (fits && stops[i] - starts[i] > longest)
            longest = stops[i] - starts[i];
    }
    PyObject *texts = chaffinch_agree(fits, NAME) ? folded(args[0], &a[0], &a[1], longest) : NULL;
    chaffinch_release(TAKEN, a);
    return texts;
}

PyMethodDef chaffinch_lines[] = {
    {"folded_texts", (PyCFunction)(void (*)(void))folded_texts, METH_FASTCALL, NULL},
    {"kept_lines", (PyCFunction)(void (*)(void))kept_lines, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
