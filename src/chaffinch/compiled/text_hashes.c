/* Hashes of texts by which pages of a site are compared; see site/summary.py. */
#include "blake2.h"
#include "kernels.h"
#include "white_space.h"

/* Room for a part of a text. */
typedef struct {
    Py_UCS4 *characters;
    uint8_t *bytes; /* four for each character, and one */
} Room;

/* Write a character in UTF-8, a lone surrogate as "surrogatepass" has it; return where it ends. */
static inline uint8_t *encode(Py_UCS4 character, uint8_t *to)
{
    if (character < 0x80) {
        *to++ = (uint8_t)character;
        return to;
    }
    if (character < 0x800) {
        *to++ = (uint8_t)(0xC0 | character >> 6);
    } else {
        if (character < 0x10000) {
            *to++ = (uint8_t)(0xE0 | character >> 12);
        } else {
            *to++ = (uint8_t)(0xF0 | character >> 18);
            *to++ = (uint8_t)(0x80 | (character >> 12 & 0x3F));
        }
        *to++ = (uint8_t)(0x80 | (character >> 6 & 0x3F));
    }
    *to++ = (uint8_t)(0x80 | (character & 0x3F));
    return to;
}

/* The lower half of the hash of some of the characters, behind `before` where that isn't 0. */
static uint32_t hash_of(const Room *room, Py_ssize_t start, Py_ssize_t stop, uint8_t before)
{
    uint8_t *to = room->bytes;
    if (before)
        *to++ = before;
    for (Py_ssize_t i = start; i < stop; i++)
        to = encode(room->characters[i], to);
    return (uint32_t)chaffinch_blake2(room->bytes, (size_t)(to - room->bytes));
}

/* Write a part of a text with white space folded to one space, none at its ends; return its
 * length. */
static Py_ssize_t fold(PyObject *text, Py_ssize_t start, Py_ssize_t stop, Py_UCS4 *folded)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = 0;
    bool space = false;
    for (Py_ssize_t at = start; at < stop; at++) {
        Py_UCS4 character = PyUnicode_READ(kind, data, at);
        if (is_space(character)) {
            space = true;
            continue;
        }
        if (space && length > 0)
            folded[length++] = ' ';
        space = false;
        folded[length++] = character;
    }
    return length;
}

static inline bool is_digit(Py_UCS4 character)
{
    return character < 0x80 ? character >= '0' && character <= '9'
                            : Py_UNICODE_ISDECIMAL(character);
}

/* Put one 0 in the place of each run of digits; return the length then, and whether that changed
 * anything. */
static Py_ssize_t mask(Py_UCS4 *characters, Py_ssize_t count, bool *changed)
{
    Py_ssize_t length = 0;
    bool in_number = false;
    *changed = false;
    for (Py_ssize_t i = 0; i < count; i++) {
        bool digit = is_digit(characters[i]);
        *changed |= digit;
        if (!digit || !in_number)
            characters[length++] = digit ? '0' : characters[i];
        in_number = digit;
    }
    return length;
}

/* The longest of parts of a text of `length` characters; -1 where one lies outside of it. */
static Py_ssize_t longest_part(const Array *starts, const Array *stops, Py_ssize_t length)
{
    const int32_t *start = starts->data, *stop = stops->data;
    Py_ssize_t longest = 0;
    for (Py_ssize_t i = 0; i < starts->count; i++) {
        if (start[i] < 0 || stop[i] > length)
            return -1;
        Py_ssize_t size = (Py_ssize_t)stop[i] - start[i];
        longest = size > longest ? size : longest;
    }
    return longest;
}

/* Where what is written of each part stands: `kinds` columns of `count`. */
typedef struct {
    uint32_t *column[4];
    Py_ssize_t edge; /* characters of a head and of a tail */
    bool all;        /* all four kinds, or masked alone */
} Written;

enum { VERBATIM, MASKED, HEAD, TAIL };

static void write_part(const Written *to, Py_ssize_t at, const Room *room, Py_ssize_t length)
{
    uint32_t verbatim = to->all ? hash_of(room, 0, length, 0) : 0;
    bool changed;
    Py_ssize_t masked = mask(room->characters, length, &changed);
    uint32_t whole = changed || !to->all ? hash_of(room, 0, masked, 0) : verbatim;
    to->column[MASKED][at] = whole;
    if (!to->all)
        return;
    to->column[VERBATIM][at] = verbatim;
    bool is_short = masked < 2 * to->edge;
    to->column[HEAD][at] = is_short ? whole : hash_of(room, 0, to->edge, '<');
    to->column[TAIL][at] = is_short ? whole : hash_of(room, masked - to->edge, masked, '>');
}

/* Hash the parts; false with an exception. */
static bool write_parts(PyObject *text, const Array *starts, const Array *stops, const Written *to)
{
    Py_ssize_t longest = longest_part(starts, stops, PyUnicode_GET_LENGTH(text));
    if (!chaffinch_agree(longest >= 0, "hashes of texts"))
        return false;
    size_t size = (size_t)longest + 1;
    Room room = {PyMem_New(Py_UCS4, size), PyMem_New(uint8_t, 4 * size)};
    bool held = room.characters != NULL && room.bytes != NULL;
    const int32_t *start = starts->data, *stop = stops->data;
    for (Py_ssize_t i = 0; held && i < starts->count; i++)
        write_part(to, i, &room, fold(text, start[i], stop[i], room.characters));
    PyMem_Free(room.characters);
    PyMem_Free(room.bytes);
    if (!held)
        PyErr_NoMemory();
    return held;
}

/* masked_hashes(starts: int32[m], stops: int32[m], hashes: uint32[m], text: str) -> None
 *
 * The hash of each part of a text, white space folded and runs of digits masked. Places are
 * checked. */
static PyObject *masked_hashes(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[3];
    if (!chaffinch_take(args, given, "iiI", a))
        return NULL;
    Written to = {.column = {[MASKED] = a[2].data}};
    bool fits = given == 4 && PyUnicode_Check(args[3]) && a[1].count == a[0].count &&
                a[2].count == a[0].count;
    fits = chaffinch_agree(fits, "masked_hashes") && write_parts(args[3], &a[0], &a[1], &to);
    chaffinch_release("iiI", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* text_hashes(starts: int32[m], stops: int32[m], hashes: uint32[4, m], text: str, edge: int)
 *     -> None
 *
 * The hashes of `TextHashes` of each part of a text; `edge`, 1 or more, is the length of heads and
 * tails. Places are checked. */
static PyObject *text_hashes(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[3];
    Py_ssize_t edge = given == 5 ? PyLong_AsSsize_t(args[4]) : 0;
    if (PyErr_Occurred() || !chaffinch_take(args, given, "iiI", a))
        return NULL;
    Py_ssize_t count = a[0].count;
    Written to = {.edge = edge, .all = true};
    for (int kind = 0; kind < 4; kind++)
        to.column[kind] = (uint32_t *)a[2].data + kind * count;
    bool fits = given == 5 && PyUnicode_Check(args[3]) && a[1].count == count &&
                a[2].count == 4 * count && edge > 0 && edge < INT32_MAX;
    fits = chaffinch_agree(fits, "text_hashes") && write_parts(args[3], &a[0], &a[1], &to);
    chaffinch_release("iiI", a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* hash_string(text: str) -> int: 64 bits, the same in every process. */
static PyObject *hash_string(PyObject *module, PyObject *text)
{
    (void)module;
    if (!PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError, "hash_string: a str is wanted");
    if (PyUnicode_IS_COMPACT_ASCII(text))
        return PyLong_FromUnsignedLongLong(
            chaffinch_blake2(PyUnicode_1BYTE_DATA(text), (size_t)PyUnicode_GET_LENGTH(text)));
    PyObject *data = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
    if (data == NULL)
        return NULL;
    uint64_t hash = chaffinch_blake2((const uint8_t *)PyBytes_AS_STRING(data),
                                     (size_t)PyBytes_GET_SIZE(data));
    Py_DECREF(data);
    return PyLong_FromUnsignedLongLong(hash);
}

PyMethodDef chaffinch_text_hashes[] = {
    {"masked_hashes", (PyCFunction)(void (*)(void))masked_hashes, METH_FASTCALL, NULL},
    {"text_hashes", (PyCFunction)(void (*)(void))text_hashes, METH_FASTCALL, NULL},
    {"hash_string", hash_string, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
