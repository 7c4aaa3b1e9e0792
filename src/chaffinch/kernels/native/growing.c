/* Columns whose length isn't known beforehand, and text in UTF-8. */
#include "growing.h"
#include "utf8.h"

bool chaffinch_grow(Growing *column, Py_ssize_t more)
{
    Py_ssize_t room = column->room > 0 ? column->room : 1 << 15;
    if (more > PY_SSIZE_T_MAX - column->used)
        return false;
    while (room < column->used + more)
        room = room > PY_SSIZE_T_MAX / 2 ? PY_SSIZE_T_MAX : room * 2;
    char *data = PyMem_RawRealloc(column->data, (size_t)room);
    if (data == NULL)
        return false;
    column->data = data;
    column->room = room;
    return true;
}

void chaffinch_free(Growing *column)
{
    PyMem_RawFree(column->data);
    *column = (Growing){0};
}

PyObject *chaffinch_bytes(const Growing *column)
{
    return PyBytes_FromStringAndSize(column->used > 0 ? column->data : NULL, column->used);
}

/* Whether all bytes are ASCII: the last eight are looked at once more where they aren't whole. */
static bool is_ascii(const unsigned char *data, Py_ssize_t size)
{
    uint64_t all = 0, eight;
    if (size < 8) {
        for (Py_ssize_t at = 0; at < size; at++)
            all |= data[at];
        return all < 0x80;
    }
    for (Py_ssize_t at = 0; at + 8 <= size; at += 8) {
        memcpy(&eight, data + at, 8);
        all |= eight;
    }
    memcpy(&eight, data + size - 8, 8);
    return ((all | eight) & UINT64_C(0x8080808080808080)) == 0;
}

Py_ssize_t chaffinch_letters(const unsigned char *data, Py_ssize_t size)
{
    if (is_ascii(data, size))
        return size;
    Py_ssize_t letters = 0, at = 0;
    while (at < size) {
        uint64_t eight = 0;
        if (size - at >= 8)
            memcpy(&eight, data + at, 8);
        if (size - at >= 8 && (eight & UINT64_C(0x8080808080808080)) == 0) {
            at += 8;
            letters += 8;
            continue;
        }
        int length = data[at] < 0x80 ? 1 : chaffinch_sequence(data + at, size - at);
        if (length == 0)
            return -1;
        at += length;
        letters++;
    }
    return letters;
}

bool chaffinch_says(const unsigned char *data, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t at = 0; at + size <= length; at++) {
        size_t same = 0;
        while (same < size && Py_TOLOWER(data[at + same]) == word[same])
            same++;
        if (same == size)
            return true;
    }
    return false;
}

bool chaffinch_holds(const unsigned char *data, size_t length, const char *word)
{
    size_t size = strlen(word);
    const unsigned char *end = data + length, *at = data;
    while ((size_t)(end - at) >= size) {
        at = memchr(at, word[0], (size_t)(end - at) - size + 1);
        if (at == NULL)
            return false;
        if (memcmp(at, word, size) == 0)
            return true;
        at++;
    }
    return false;
}
