/* Estimated boxes of blocks: widths from the root downwards, heights from the innermost upwards. */
#include "kernels.h"
#include "pages.h"
#include <math.h>

/* flow_across(parent: int32[n], blocks: bool[n], given: float64[n], wide: float64[n], indent:
 * float64[n], cell: float64[n], before: float64[n], left: float64[n], width: float64[n]) -> None:
 * where the block rows below the first begin and how wide they are, as chaffinch.layout.estimated_boxes has
 * it; `left` and `width` of row 0 are given, those of other rows 0. `given` are pixels and `wide`
 * shares of the room, not a number where there are none; `cell` and `before` are shares of cells,
 * or 0. Parents are checked. */
static PyObject *flow_across(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "i?ddddd|dd";
    Array a[9];
    if (!chaffinch_take("flow_across", args, given, kinds, a))
        return NULL;
    Py_ssize_t n = a[0].count;
    const int32_t *parent = a[0].data;
    bool fits = true;
    for (int i = 1; i < 9; i++)
        fits &= a[i].count == n;
    fits = chaffinch_agree(fits && parents_hold(parent, n), "flow_across");
    const uint8_t *blocks = a[1].data;
    const double *pixels = a[2].data, *wide = a[3].data, *indent = a[4].data;
    const double *cell = a[5].data, *before = a[6].data;
    double *left = a[7].data, *width = a[8].data;
    PyThreadState *unlocked = chaffinch_unlock(n);
    for (int32_t row = 1; fits && row < n; row++) {
        if (!blocks[row])
            continue;
        double start = left[row_above(parent, row)], room = width[row_above(parent, row)];
        double inner = room - indent[row] > 1 ? room - indent[row] : 1;
        double wanted = isnan(pixels[row]) ? wide[row] * room : pixels[row];
        double free = wanted < inner ? wanted : inner; /* all there is where none is wanted */
        width[row] = cell[row] > 0 ? cell[row] * room : free;
        left[row] = start + (cell[row] > 0 ? before[row] * room : room - inner);
    }
    chaffinch_lock(unlocked);
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* The columns of `flow_heights`. */
typedef struct {
    const int32_t *order, *parent;
    const int16_t *depth;
    const uint8_t *fixed, *beside;
    const double *least, *own, *tag_margin, *gap;
    int32_t *items;
    double *height, *margin;
} Heights;

static void measure(const Heights *of, int32_t row)
{
    double tall = of->height[row] > of->least[row] ? of->height[row] : of->least[row];
    tall = of->fixed[row] ? of->own[row] : tall;
    double gap = of->items[row] > 1 ? of->gap[row] : 0;
    double margin = of->tag_margin[row] > gap ? of->tag_margin[row] : gap;
    of->height[row] = tall;
    of->margin[row] = tall > 0 ? margin : 0;
}

/* Add the block rows of one depth to those around them: what stands below its siblings first, then
 * what stands beside them. */
static void add_level(const Heights *of, const int32_t *rows, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        int32_t above = of->parent[rows[i]];
        if (above < 0)
            continue;
        of->items[above] += of->height[rows[i]] > 0;
        if (!of->beside[rows[i]])
            of->height[above] += of->height[rows[i]] + 2 * of->margin[rows[i]];
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        int32_t above = of->parent[rows[i]];
        double tall = of->height[rows[i]] + 2 * of->margin[rows[i]];
        if (above >= 0 && of->beside[rows[i]] && tall > of->height[above])
            of->height[above] = tall;
    }
}

/* flow_heights(order: int32[b], parent: int32[n], depth: int16[n], fixed: bool[n], beside: bool[n],
 * least: float64[n], own: float64[n], tag_margin: float64[n], gap: float64[n], items: int32[n],
 * height: float64[n], margin: float64[n]) -> None: heights and margins of the block rows `order`,
 * which are sorted by depth. `items` and `height` hold what runs of inline content bring already.
 * Parents and rows are checked. */
static PyObject *flow_heights(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "iih??dddd|idd";
    Array a[12];
    if (!chaffinch_take("flow_heights", args, given, kinds, a))
        return NULL;
    Py_ssize_t n = a[1].count, stop = a[0].count, start;
    Heights of = {a[0].data, a[1].data, a[2].data, a[3].data, a[4].data,  a[5].data,
                  a[6].data, a[7].data, a[8].data, a[9].data, a[10].data, a[11].data};
    bool fits = true;
    for (int i = 2; i < 12; i++)
        fits &= a[i].count == n;
    fits = chaffinch_agree(fits && parents_hold(of.parent, n) && all_below(of.order, stop, n),
                           "flow_heights");
    PyThreadState *unlocked = chaffinch_unlock(stop);
    for (; fits && stop > 0; stop = start) {
        start = stop - 1;
        while (start > 0 && of.depth[of.order[start - 1]] == of.depth[of.order[start]])
            start--;
        for (Py_ssize_t i = start; i < stop; i++)
            measure(&of, of.order[i]);
        add_level(&of, of.order + start, stop - start);
    }
    chaffinch_lock(unlocked);
    chaffinch_release(kinds, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_flow[] = {
    {"flow_across", (PyCFunction)(void (*)(void))flow_across, METH_FASTCALL, NULL},
    {"flow_heights", (PyCFunction)(void (*)(void))flow_heights, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
