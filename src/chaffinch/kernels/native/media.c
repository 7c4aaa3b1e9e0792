/* From kept blocks to kept rows: images, breaks and other rows without text that belong to them. */
#include "kernels.h"
#include "pages.h"

enum { VOID_TAG = 1, IMAGE = 2 }; /* kinds of tags */

/* A page with its blocks, and sums before each row and block. */
typedef struct {
    Py_ssize_t rows, blocks;
    const Array *tag, *kinds;
    const int32_t *parent, *end, *first, *last;
    const uint8_t *shown, *keep;
    const float *units;
    double *every, *kept;    /* units before each block, of all and of kept ones */
    int32_t *keeps;          /* kept blocks before each block */
    int32_t *begun, *images; /* blocks and images before each row */
} Media;

/* What belongs to images at most, and least. */
typedef struct {
    double before, units, images, kept;
} Limits;

static inline bool is_image(const Media *m, Py_ssize_t row)
{
    return m->shown[row] && (chaffinch_kind(m->tag, m->kinds, row) & IMAGE);
}

static bool sum_up(Media *m)
{
    size_t rows = (size_t)m->rows + 1, blocks = (size_t)m->blocks + 1;
    m->every = PyMem_Malloc(blocks * (2 * sizeof(double) + sizeof(int32_t)) +
                            rows * 2 * sizeof(int32_t));
    if (m->every == NULL) {
        PyErr_NoMemory();
        return false;
    }
    m->kept = m->every + blocks;
    m->keeps = (int32_t *)(m->kept + blocks);
    m->begun = m->keeps + blocks;
    m->images = m->begun + rows;
    m->every[0] = m->kept[0] = 0;
    m->keeps[0] = m->begun[0] = m->images[0] = 0;
    for (Py_ssize_t i = 0; i < m->blocks; i++) {
        m->every[i + 1] = m->every[i] + m->units[i];
        m->kept[i + 1] = m->kept[i] + (m->keep[i] ? m->units[i] : 0);
        m->keeps[i + 1] = m->keeps[i] + (m->keep[i] != 0);
    }
    int32_t block = 0;
    for (Py_ssize_t row = 0; row < m->rows; row++) {
        m->images[row + 1] = m->images[row] + is_image(m, row);
        while (block < m->blocks && m->first[block] <= row)
            block++;
        m->begun[row + 1] = block;
    }
    return true;
}

static inline bool holds_kept(const Media *m, Py_ssize_t row)
{
    return m->keeps[m->begun[m->end[row]]] > m->keeps[m->begun[row]];
}

/* Whether an image stands in a small part without kept text, in the midst of kept text. */
static bool is_beside(const Media *m, Py_ssize_t row, const Limits *limits)
{
    int32_t part = (int32_t)row, around = row_above(m->parent, part);
    while (!holds_kept(m, around) && around > 0) {
        part = around;
        around = row_above(m->parent, part);
    }
    int32_t low = m->begun[part], high = m->begun[m->end[part]];
    if (m->every[high] - m->every[low] > limits->units ||
        m->images[m->end[part]] - m->images[part] > limits->images)
        return false;
    low = m->begun[around];
    high = m->begun[m->end[around]];
    return (m->kept[high] - m->kept[low]) / (m->every[high] - m->every[low]) >= limits->kept;
}

/* Mark void rows between kept blocks from `row` to `stop`; list the images before `near` that stand
 * beside kept text. Returns how many are listed, -1 with an exception set. */
static Py_ssize_t look_through(Media *m, Py_ssize_t row, Py_ssize_t near, Py_ssize_t stop,
                               const Limits *limits, uint8_t *mask, int64_t *beside)
{
    Py_ssize_t after = 0, found = 0;
    for (; row < stop; row++) {
        uint8_t kind = chaffinch_kind(m->tag, m->kinds, row);
        if (!(kind & VOID_TAG) || !m->shown[row])
            continue;
        while (after < m->blocks && m->last[after] <= row)
            after++;
        bool within = after < m->blocks && m->first[after] < row;
        Py_ssize_t before = within ? after : after - 1;
        if (after < m->blocks && before >= 0 && m->keep[after] && m->keep[before]) {
            mask[row] = 1;
        } else if ((kind & IMAGE) && row < near) {
            if (m->every == NULL && !sum_up(m))
                return -1;
            if (is_beside(m, row, limits))
                beside[found++] = row;
        }
    }
    return found;
}

static Py_ssize_t find_media(Media *m, const Limits *limits, uint8_t *mask, int64_t *beside)
{
    Py_ssize_t top = 0, bottom = m->blocks - 1;
    while (top <= bottom && !m->keep[top])
        top++;
    while (bottom >= top && !m->keep[bottom])
        bottom--;
    if (bottom < top)
        return 0;
    top -= (Py_ssize_t)limits->before;
    Py_ssize_t start = top > 0 ? m->last[top - 1] : 0;
    Py_ssize_t near = m->end[row_above(m->parent, m->first[bottom])];
    Py_ssize_t stop = near > m->last[bottom] ? near : m->last[bottom];
    return look_through(m, start, near, stop, limits, mask, beside);
}

static bool is_sound(const Media *m)
{
    if (!parents_hold(m->parent, m->rows) || !ends_hold(m->end, m->rows))
        return false;
    for (Py_ssize_t i = 0; i < m->blocks; i++)
        if (m->first[i] < 0 || m->first[i] >= m->last[i] || m->last[i] > m->rows)
            return false;
    return true;
}

/* kept_media(tag: uint16[n], parent: int32[n], end: int32[n], shown: bool[n], first: int32[m],
 * last: int32[m], units: float32[m], keep: bool[m], kinds: uint8[k], limits: float64[4],
 * mask: bool[n], beside: intp[n]) -> int: mark void rows between kept blocks in `mask`, list images
 * beside kept text in `beside`, and say how many. `limits` are blocks before the text, and words,
 * images and kept share of what is around an image. Rows are checked. */
static PyObject *kept_media(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "Hii?iif?Bd|?q";
    Array a[12];
    if (!chaffinch_take("kept_media", args, given, kinds, a))
        return NULL;
    Media m = {
        .rows = a[0].count, .blocks = a[4].count, .tag = &a[0], .kinds = &a[8],
        .parent = a[1].data, .end = a[2].data, .first = a[4].data, .last = a[5].data,
        .shown = a[3].data, .keep = a[7].data, .units = a[6].data,
    };
    bool fits = a[1].count == m.rows && a[2].count == m.rows && a[3].count == m.rows &&
                a[5].count == m.blocks && a[6].count == m.blocks && a[7].count == m.blocks &&
                a[9].count == 4 && a[10].count == m.rows && a[11].count == m.rows && is_sound(&m);
    Py_ssize_t found = -1;
    if (chaffinch_agree(fits, "kept_media")) {
        const double *figures = a[9].data;
        Limits limits = {figures[0], figures[1], figures[2], figures[3]};
        found = find_media(&m, &limits, a[10].data, a[11].data);
    }
    PyMem_Free(m.every);
    chaffinch_release(kinds, a);
    return found < 0 ? NULL : PyLong_FromSsize_t(found);
}

/* verdict_rows(block: int32[n], keep: bool[m], beside: bool[n], why: int8[n], kept: bool[n],
 * codes: int8[3]) -> None: write the reason of each row, and whether it is kept. `codes` are those
 * of blocks that are dropped and kept, and of rows beside; rows of no block and not beside have 0.
 * Blocks are checked. */
static PyObject *verdict_rows(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "i??|b?|b";
    Array a[6];
    if (!chaffinch_take("verdict_rows", args, given, kinds, a))
        return NULL;
    Py_ssize_t rows = a[0].count;
    const int32_t *block = a[0].data;
    const uint8_t *keep = a[1].data, *beside = a[2].data, *codes = a[5].data;
    uint8_t *why = a[3].data, *kept = a[4].data;
    bool fits = a[2].count == rows && a[3].count == rows && a[4].count == rows && a[5].count == 3;
    for (Py_ssize_t row = 0; fits && row < rows; row++) {
        bool in_block = block[row] >= 0;
        fits = block[row] < a[1].count;
        kept[row] = beside[row] || (in_block && fits && keep[block[row]]);
        why[row] = beside[row] ? codes[2] : in_block ? codes[kept[row]] : 0;
    }
    fits = chaffinch_agree(fits, "verdict_rows");
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_media[] = {
    {"kept_media", (PyCFunction)(void (*)(void))kept_media, METH_FASTCALL, NULL},
    {"verdict_rows", (PyCFunction)(void (*)(void))verdict_rows, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
