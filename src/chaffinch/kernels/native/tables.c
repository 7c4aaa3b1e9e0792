/* Counts of what tables hold, by which tables of data are recognised. */
#include "kernels.h"

/* What a row is in a table, bits of `kinds`. */
enum { LINE = 1, CELL = 2, NAMED = 4, HEAD = 8, HEADING = 16, UNLIKE = 32, HEAD_CELL = 64 };

/* The rows of `counts`, each with a number for each table. */
enum { CELLS, WRITTEN, CHARACTERS, IN_LINKS, LINES, PAIRS, COLUMNS, NAMES, HEADS, HEADINGS, UNLIKES,
       COUNTS };

/* What is known of each row of the page, and of each row that is a line of a table. */
typedef struct {
    int32_t table;  /* number of the nearest table at or above it, -1 for none */
    int32_t line;   /* row of the nearest line at or above it, -1 for none */
    int32_t cells, written; /* of a line */
    bool in_head_cell;
} Place;

typedef struct {
    Py_ssize_t rows, tables;
    const int32_t *parent;
    const uint8_t *is_table, *kinds;
    const int64_t *length, *link_length;
    int64_t *counts;
    Place *places;
} Tables;

static inline void add(const Tables *t, int what, int32_t table, int64_t amount)
{
    t->counts[what * t->tables + table] += amount;
}

/* Count a row in its table; lines know their cells only when all rows were counted. */
static void count_row(const Tables *t, Py_ssize_t row, const Place *place)
{
    uint8_t kind = t->kinds[row];
    int32_t table = place->table;
    if ((kind & CELL) && place->line >= 0) {
        Place *line = &t->places[place->line];
        bool written = t->length[row] > 0;
        line->cells++;
        line->written += written;
        add(t, CELLS, table, 1);
        add(t, WRITTEN, table, written);
        add(t, CHARACTERS, table, t->length[row]);
        add(t, IN_LINKS, table, t->link_length[row]);
    }
    add(t, NAMES, table, (kind & NAMED) != 0);
    add(t, HEADS, table, (kind & HEAD) != 0);
    add(t, HEADINGS, table, (kind & HEADING) && !place->in_head_cell);
    add(t, UNLIKES, table, (kind & UNLIKE) != 0);
}

static bool count_all(Tables *t)
{
    static const Place nowhere = {-1, -1, 0, 0, false};
    int32_t number = 0;
    for (Py_ssize_t row = 0; row < t->rows; row++) {
        int32_t parent = t->parent[row];
        if (parent >= row || parent < -1)
            return false;
        const Place *above = parent < 0 ? &nowhere : &t->places[parent];
        Place place = {above->table, above->line, 0, 0,
                       above->in_head_cell || (t->kinds[row] & HEAD_CELL)};
        if (t->is_table[row]) {
            if (number == t->tables)
                return false;
            if (above->table >= 0)
                add(t, UNLIKES, above->table, 1);
            place.table = number++;
        }
        if ((t->kinds[row] & LINE) && place.table >= 0)
            place.line = (int32_t)row;
        t->places[row] = place;
        if (place.table >= 0)
            count_row(t, row, &place);
    }
    for (Py_ssize_t row = 0; row < t->rows; row++) {
        const Place *line = &t->places[row];
        if (line->line != row)
            continue;
        add(t, LINES, line->table, line->written > 0);
        add(t, PAIRS, line->table, line->written > 1);
        add(t, COLUMNS, line->table, line->cells > 1);
    }
    return true;
}

/* table_counts(parent: int32[n], is_table: bool[n], kinds: uint8[n], length: int64[n],
 * link_length: int64[n], counts: int64[11, t]) -> None: what each of the t tables holds, inner
 * tables apart; `counts` comes as zeros. Parents are checked. */
static PyObject *table_counts(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "i?Bqq|q";
    Array a[6];
    if (!chaffinch_take("table_counts", args, given, kinds, a))
        return NULL;
    Tables t = {
        .rows = a[0].count, .tables = a[5].count / COUNTS, .parent = a[0].data,
        .is_table = a[1].data, .kinds = a[2].data, .length = a[3].data,
        .link_length = a[4].data, .counts = a[5].data,
    };
    bool fits = a[1].count == t.rows && a[2].count == t.rows && a[3].count == t.rows &&
                a[4].count == t.rows;
    t.places = PyMem_Malloc((size_t)t.rows * sizeof *t.places);
    if (t.places == NULL) {
        PyErr_NoMemory();
    } else {
        PyThreadState *unlocked = chaffinch_unlock(t.rows);
        fits = fits && count_all(&t);
        chaffinch_lock(unlocked);
        chaffinch_agree(fits, "table_counts");
    }
    PyMem_Free(t.places);
    chaffinch_release(kinds, a);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

PyMethodDef chaffinch_tables[] = {
    {"table_counts", (PyCFunction)(void (*)(void))table_counts, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
