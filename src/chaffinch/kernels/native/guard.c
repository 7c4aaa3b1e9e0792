/* Checks of a page's bytes before the parser sees them: UTF-8, how many tags, and of what. */
#include "kernels.h"
#include "token_ends.h"
#include "utf8.h"

/* Many are looked at in one step, as one item of others' loops. */
enum { BYTES_AT_ONCE = 16 };

static bool has(Bytes at, Bytes stop, int byte)
{
    return at < stop && memchr(at, byte, (size_t)(stop - at)) != NULL;
}

/* The first byte beyond ASCII; where one is near, the end may come in the same block. */
static Bytes skip_ascii(Bytes at, Bytes stop)
{
    while (stop - at >= 32) {
        uint64_t four[4];
        memcpy(four, at, sizeof four);
        if ((four[0] | four[1] | four[2] | four[3]) & UINT64_C(0x8080808080808080))
            break;
        at += 32;
    }
    while (at < stop && *at < 0x80)
        at++;
    return at;
}

static bool is_utf8(Bytes at, Bytes stop)
{
    while ((at = skip_ascii(at, stop)) < stop) {
        while (at < stop && *at >= 0x80) {
            int size = chaffinch_sequence(at, stop - at);
            if (size == 0)
                return false;
            at += size;
        }
    }
    return true;
}

/* Whether ASCII bytes may be ISO-2022 or HZ, which shift by sequences of it. */
static bool may_shift(Bytes at, Bytes stop)
{
    if (has(at, stop, 0x1b))
        return true;
    while (at < stop && (at = memchr(at, '~', (size_t)(stop - at))) != NULL) {
        if (++at < stop && *at == '{')
            return true;
    }
    return false;
}

/* is_plain(data: bytes) -> bool: whether bytes are UTF-8 without a BOM and NUL, and without escape
 * sequences of another encoding. */
static PyObject *is_plain(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array data;
    if (!chaffinch_take("is_plain", args, given, "B", &data))
        return NULL;
    PyThreadState *unlocked = chaffinch_unlock(data.count / BYTES_AT_ONCE);
    Bytes at = data.data, stop = at + data.count, foreign = skip_ascii(at, stop);
    bool marked = data.count >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0;
    bool plain = !marked && !has(at, stop, 0) &&
                 (foreign == stop ? !may_shift(at, stop) : is_utf8(foreign, stop));
    chaffinch_lock(unlocked);
    chaffinch_release("B", &data);
    return PyBool_FromLong(plain);
}

/* count_tags(data: bytes) -> int: how many «<» there are. */
static PyObject *count_tags(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array data;
    if (!chaffinch_take("count_tags", args, given, "B", &data))
        return NULL;
    Bytes bytes = data.data;
    Py_ssize_t count = 0;
    PyThreadState *unlocked = chaffinch_unlock(data.count / BYTES_AT_ONCE);
    for (Py_ssize_t at = 0; at < data.count;) {
        /* as many as one byte can count: compilers add sixteen of them at a time */
        Py_ssize_t stop = data.count - at > 240 ? at + 240 : data.count;
        uint8_t here = 0;
        for (; at < stop; at++)
            here += bytes[at] == '<';
        count += here;
    }
    chaffinch_lock(unlocked);
    chaffinch_release("B", &data);
    return PyLong_FromSsize_t(count);
}

/* count_pairs(data: bytes, pairs: bool[65536]) -> (int, int): how many «<» have two bytes after
 * them, and of how many of these the pair is marked. */
static PyObject *count_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[2];
    if (!chaffinch_take("count_pairs", args, given, "B?", a))
        return NULL;
    Py_ssize_t tags = 0, marked = 0;
    bool fits = chaffinch_agree(a[1].count == 1 << 16, "count_pairs");
    if (fits && a[0].count > 2) {
        const uint8_t *pairs = a[1].data;
        Bytes at = a[0].data, stop = at + a[0].count - 2;
        PyThreadState *unlocked = chaffinch_unlock(a[0].count / BYTES_AT_ONCE);
        while (at < stop && (at = memchr(at, '<', (size_t)(stop - at))) != NULL) {
            tags++;
            marked += pairs[at[1] << 8 | at[2]] != 0;
            at++;
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release("B?", a);
    return fits ? Py_BuildValue("(nn)", tags, marked) : NULL;
}

/* Whether a tag, given from its «<», has more than `most` attributes (`_attribute_count` of plain/page_bytes.py). */
static bool has_more_attributes(Bytes at, Bytes stop, Py_ssize_t most)
{
    Py_ssize_t count = 0;
    at = skip_others(at + 1, stop, BLANK | SLASH | CLOSE);
    while ((at = skip(at, stop, BLANK | SLASH | CLOSE)) < stop) {
        if (++count > most)
            return true;
        at = chaffinch_value_end(attribute_name_end(at, stop), stop);
    }
    return false;
}

/* The end of the tag whose name begins at `at`: its «>» or the page's end. A quote that nothing
 * closes is a letter like any other. */
static Bytes tag_end(Bytes at, Bytes stop)
{
    while ((at = skip_others(at, stop, CLOSE | QUOTE)) < stop && *at != '>') {
        Bytes close = quoted(at, stop);
        at = close ? close : at + 1;
    }
    return at;
}

/* count_separators(data: bytes, most: int, counted: bool) -> int
 *
 * How many bytes in the page's start tags may stand before an attribute's name: a bound of how many
 * attributes they have; 0 where that isn't `counted`. -1 where one tag has more than `most`, if it
 * is long enough to be looked at (over 2 * most bytes). */
static PyObject *count_separators(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char ARRAY_KINDS[] = "Bnn";
    Array a[3];
    if (!chaffinch_take("count_separators", args, given, ARRAY_KINDS, a))
        return NULL;
    Py_ssize_t most = a[1].count, count = 0;
    bool counted = a[2].count != 0;
    Bytes at = a[0].data, stop = at + a[0].count;
    if (most < 0 || most > PY_SSIZE_T_MAX / 2) {
        PyErr_SetString(PyExc_TypeError, "count_separators: the bound is below 0 or too high");
        chaffinch_release(ARRAY_KINDS, a);
        return NULL;
    }
    PyThreadState *unlocked = chaffinch_unlock(a[0].count / BYTES_AT_ONCE);
    while (count >= 0 && at < stop && (at = memchr(at, '<', (size_t)(stop - at))) != NULL) {
        Bytes start = at++;
        if (at == stop || !Py_ISALPHA(*at))
            continue;
        at = tag_end(at, stop);
        for (Bytes byte = start; counted && byte < at; byte++)
            count += (chaffinch_byte_kinds[*byte] & (BLANK | SLASH | QUOTE)) != 0;
        if (at - start > 2 * most && has_more_attributes(start, at, most))
            count = -1;
    }
    chaffinch_lock(unlocked);
    chaffinch_release(ARRAY_KINDS, a);
    return PyLong_FromSsize_t(count);
}

PyMethodDef chaffinch_guard[] = {
    {"is_plain", (PyCFunction)(void (*)(void))is_plain, METH_FASTCALL, NULL},
    {"count_tags", (PyCFunction)(void (*)(void))count_tags, METH_FASTCALL, NULL},
    {"count_pairs", (PyCFunction)(void (*)(void))count_pairs, METH_FASTCALL, NULL},
    {"count_separators", (PyCFunction)(void (*)(void))count_separators, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
