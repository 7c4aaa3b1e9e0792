/* Which tags a page has, which rows outputs show, which of these may link to their own place. */
#include "kernels.h"
#include "pages.h"

/* kept_rows(tag: uint16[n], end: int32[n], keep: bool[n], shown: bool[n], speaking: bool[tags],
 *           out: bool[n]) -> None
 *
 * Of the rows that are shown and kept those whose tag has a verdict of its own, and their ancestors.
 * Tags are checked. */
static PyObject *kept_rows(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "Hi???|?";
    Array a[6];
    if (!chaffinch_take("kept_rows", args, given, KINDS, a))
        return NULL;
    Py_ssize_t rows = a[0].count, row = -1;
    PyThreadState *unlocked = chaffinch_unlock(rows);
    if (a[1].count == rows && a[2].count == rows && a[3].count == rows && a[5].count == rows) {
        const uint16_t *tag = a[0].data;
        const int32_t *end = a[1].data;
        const uint8_t *keep = a[2].data, *shown = a[3].data, *speaking = a[4].data;
        uint8_t *out = a[5].data;
        Py_ssize_t next = rows; /* the first row from here on that speaks */
        for (row = rows - 1; row >= 0 && tag[row] < a[4].count; row--) {
            if (keep[row] & shown[row] & speaking[tag[row]])
                next = row;
            out[row] = next < rows && next < end[row];
        }
    } else {
        row = 0;
    }
    chaffinch_lock(unlocked);
    bool fits = chaffinch_agree(row < 0, "kept_rows");
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* What a tag is to what stands between kept rows, as in codes.py. */
enum { IF_BLANK = 1, BETWEEN = 2, HOLDER = 4 };

/* kept_and_between(tag: uint16[n], parent: int32[n], end: int32[n], written_before: int64[n+1],
 *                  written: bool[n], shown: bool[n], kept: bool[n], kinds: uint8[tags],
 *                  out: bool[n], held: bool[n]) -> None
 *
 * Kept rows, and those between them whose holder is kept; `held` gets whether the holder of what
 * stands in each row is. Parents and ends are checked. */
static PyObject *kept_and_between(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char NAME[] = "kept_and_between", KINDS[] = "Hiiq???B|??";
    Array a[10];
    if (!chaffinch_take(NAME, args, given, KINDS, a))
        return NULL;
    Py_ssize_t rows = a[0].count;
    const int32_t *parent = a[1].data, *end = a[2].data;
    const int64_t *before = a[3].data;
    const uint8_t *written = a[4].data, *shown = a[5].data, *kept = a[6].data;
    uint8_t *out = a[8].data, *held = a[9].data;
    PyThreadState *unlocked = chaffinch_unlock(rows);
    bool fits = a[1].count == rows && a[2].count == rows && a[3].count == rows + 1 &&
                a[4].count == rows && a[5].count == rows && a[6].count == rows &&
                a[8].count == rows && a[9].count == rows && parents_hold(parent, rows) &&
                ends_hold(end, rows);
    for (Py_ssize_t row = 0; fits && row < rows; row++) {
        int32_t above = parent[row];
        uint8_t kind = chaffinch_kind(&a[0], &a[7], row);
        bool passed = above >= 0 && !(kind & HOLDER) && before[end[row]] == before[row];
        bool between = shown[row] && ((kind & BETWEEN) || ((kind & IF_BLANK) && !written[row]));
        held[row] = passed ? held[above] : kept[row];
        out[row] = kept[row] || (between && above >= 0 && held[above]);
    }
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, NAME);
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* short_links(tag: uint16[n], end: int32[n], kept: bool[n], written_before: int64[n+1],
 *             out: int32[n], link: int, most: int) -> int
 *
 * The kept rows with the tag `link` in whose subtree 1 to `most` characters are written; how many
 * there are. Ends are checked. */
static PyObject *short_links(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "Hi?q|inn";
    Array a[7];
    if (!chaffinch_take("short_links", args, given, KINDS, a))
        return NULL;
    Py_ssize_t rows = a[0].count, found = 0, link = a[5].count, most = a[6].count;
    bool fits = a[1].count == rows && a[2].count == rows && a[3].count == rows + 1 &&
                a[4].count == rows;
    const uint16_t *tag = a[0].data;
    const int32_t *end = a[1].data;
    const uint8_t *kept = a[2].data;
    const int64_t *before = a[3].data;
    int32_t *out = a[4].data;
    PyThreadState *unlocked = chaffinch_unlock(rows);
    for (Py_ssize_t row = 0; fits && row < rows; row++) {
        if (tag[row] != link || !kept[row])
            continue;
        fits = end[row] >= 0 && end[row] <= rows;
        int64_t written = fits ? before[end[row]] - before[row] : 0;
        if (written > 0 && written <= most)
            out[found++] = (int32_t)row;
    }
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, "short_links");
    chaffinch_release(KINDS, a);
    return fits ? PyLong_FromSsize_t(found) : NULL;
}

/* held_tags(tag: uint16[n], tags: int) -> bytes: by code, below `tags`: 1 where a row has it,
 * else 0. Tags are checked. */
static PyObject *held_tags(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[2];
    if (!chaffinch_take("held_tags", args, given, "Hn", a))
        return NULL;
    const uint16_t *tag = a[0].data;
    Py_ssize_t tags = a[1].count;
    bool fits = tags >= 0;
    PyObject *held = fits ? PyBytes_FromStringAndSize(NULL, tags) : NULL;
    if (held != NULL) {
        char *out = PyBytes_AS_STRING(held);
        memset(out, 0, (size_t)tags);
        for (Py_ssize_t row = 0; fits && row < a[0].count; row++) {
            fits = tag[row] < tags;
            if (fits)
                out[tag[row]] = 1;
        }
    }
    if (!fits && !chaffinch_agree(false, "held_tags"))
        Py_CLEAR(held);
    chaffinch_release("Hn", a);
    return held;
}

PyMethodDef chaffinch_kept[] = {
    {"held_tags", (PyCFunction)(void (*)(void))held_tags, METH_FASTCALL, NULL},
    {"kept_and_between", (PyCFunction)(void (*)(void))kept_and_between, METH_FASTCALL, NULL},
    {"kept_rows", (PyCFunction)(void (*)(void))kept_rows, METH_FASTCALL, NULL},
    {"short_links", (PyCFunction)(void (*)(void))short_links, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
