/* Runs of text and elements: what a walk over shown rows stops at. */
#include "kernels.h"
#include "pages.h"

/* What a row is, as in codes.py. */
enum { PASSED = 0, WORDS = 1, INLINE = 2, BOUNDARY = 3, BLOCK = 4 };

/* What lies between two rows: the end of an element, a boundary, that of a `BOUNDARY`. */
enum { EDGE = 1, BOUNDED = 2, PARTED = 4 };

static const int32_t edges_of[] = {0, 0, EDGE, EDGE | BOUNDED | PARTED, EDGE | BOUNDED};

/* A run; `stop` is 0 where nothing in it is written. */
typedef struct {
    Py_ssize_t row, stop;
    int32_t line, begin, end;
    bool is_words, parted;
} Run;

/* Append a run to a list; false with an exception set where there is no room. */
static bool appended(PyObject *list, const Run *run, const uint16_t *tag, bool closed)
{
    PyObject *own = Py_BuildValue("niiOOnii", run->row, (int)tag[run->row], (int)run->line,
                                  run->parted ? Py_True : Py_False, closed ? Py_True : Py_False,
                                  run->stop, (int)run->begin, (int)run->end);
    bool fits = own != NULL && PyList_Append(list, own) == 0;
    Py_XDECREF(own);
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

/* text_runs(rows: int64[r], special: int64[s], special_kinds: uint8[s], kinds: uint8[k],
 * open: int32[o], tag: uint16[n], end: int32[n], line: int32[n], text_at: int32[n+1],
 * written: bool[n], room: int32[2 * (o + r)]) -> (list of tuples, list of int): the runs of some
 * rows, as in the plain one. Rows are checked; `room` is for the elements that are open. */
static PyObject *text_runs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "qqBBiHiii?|i";
    Array a[11];
    if (!chaffinch_take("text_runs", args, given, kinds, a))
        return NULL;
    Py_ssize_t count = a[0].count, opened = a[4].count, page = a[5].count, at = 0;
    const int64_t *rows = a[0].data, *special = a[1].data;
    const uint8_t *special_kind = a[2].data, *written = a[9].data;
    const uint16_t *tag = a[5].data;
    const int32_t *end = a[6].data, *line = a[7].data, *text_at = a[8].data;
    int32_t *ends = a[10].data, *edges = ends + opened + count;
    bool fits = chaffinch_agree(a[2].count == a[1].count && a[6].count == page &&
                                    a[7].count == page && a[8].count == page + 1 &&
                                    a[9].count == page && a[10].count == 2 * (opened + count) &&
                                    are_rising(rows, count, page), "text_runs");
    PyObject *list = fits ? PyList_New(0) : NULL;
    fits = list != NULL;
    Py_ssize_t top = opened;
    for (Py_ssize_t i = 0; fits && i < opened; i++) {
        ends[i] = ((const int32_t *)a[4].data)[i];
        edges[i] = edges_of[BOUNDARY];
    }
    Run run = {.row = -1};
    int32_t between = 0;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        int64_t row = rows[i];
        while (at < a[1].count && special[at] < row)
            at++;
        uint8_t kind = at < a[1].count && special[at] == row ? special_kind[at]
                                                             : chaffinch_kind(&a[5], &a[3], row);
        if (kind == PASSED || kind > BLOCK)
            continue;
        for (; top > 0 && ends[top - 1] <= row; top--)
            between |= edges[top - 1];
        if (kind >= BOUNDARY)
            between |= edges_of[kind];
        if (kind != WORDS) {
            ends[top] = end[row];
            edges[top++] = edges_of[kind];
        }
        if (kind == BOUNDARY)
            continue;
        bool is_words = kind == WORDS;
        if (!(is_words && run.is_words && !between && line[row] == run.line &&
              text_at[row] == run.end)) {
            if (run.row >= 0)
                fits = appended(list, &run, tag, between & BOUNDED);
            run = (Run){.row = row, .line = line[row], .begin = text_at[row], .is_words = is_words,
                        .parted = between & PARTED};
        }
        if (written[row]) {
            run.row = run.stop ? run.row : row;
            run.stop = row + 1;
        }
        run.end = text_at[row + 1];
        between = 0;
    }
    for (Py_ssize_t i = 0; i < top; i++)
        between |= edges[i];
    if (fits && run.row >= 0)
        fits = appended(list, &run, tag, between & BOUNDED);
    PyObject *open = fits ? still_open(ends, edges, top, count ? rows[count - 1] : -1) : NULL;
    PyObject *both = open != NULL ? PyTuple_Pack(2, list, open) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(open);
    chaffinch_release(kinds, a);
    return both;
}

PyMethodDef chaffinch_runs[] = {
    {"text_runs", (PyCFunction)(void (*)(void))text_runs, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
