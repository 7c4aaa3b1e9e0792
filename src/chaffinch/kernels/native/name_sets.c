/* Equality of sets of names, and searches in classes and styles. */
#include "names.h"

static uint64_t mixed(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

uint64_t chaffinch_hash_bytes(uint64_t hash, const uint8_t *at, Py_ssize_t size)
{
    uint64_t eight = 0;
    hash ^= (uint64_t)size << 32;
    if (size >= 8) {
        for (; size > 8; at += 8, size -= 8) {
            memcpy(&eight, at, 8);
            hash = mixed(hash, eight);
        }
        memcpy(&eight, at + size - 8, 8); /* some of them once more */
        return mixed(hash, eight);
    }
    while (size-- > 0)
        eight = eight << 8 | at[size];
    return mixed(hash, eight);
}

uint64_t chaffinch_hash_names(const Names *own)
{
    uint64_t hash = own->is_special;
    for (int kind = 0; kind < (own->is_special ? 4 : 2); kind++)
        hash = chaffinch_hash_bytes(hash + (own->names[kind].at != NULL), own->names[kind].at,
                                    own->names[kind].size);
    return hash;
}

bool chaffinch_same_names(const Names *one, const Names *other)
{
    bool same = one->is_special == other->is_special;
    for (int kind = 0; same && kind < 4; kind++) {
        const Name *a = &one->names[kind], *b = &other->names[kind];
        same = (a->at == NULL) == (b->at == NULL) && a->size == b->size &&
               (a->size == 0 || memcmp(a->at, b->at, (size_t)a->size) == 0);
    }
    return same;
}

static const uint8_t *skip_spaces(const uint8_t *at, const uint8_t *stop)
{
    while (at < stop && is_space(*at))
        at++;
    return at;
}

static bool begins(const uint8_t *at, const uint8_t *stop, const char *word)
{
    for (; *word != 0; at++, word++) {
        if (at == stop || Py_TOLOWER(*at) != *word)
            return false;
    }
    return true;
}

bool chaffinch_take_stems(PyObject *tuple, Stems *all)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > MOST_STEMS)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *stem = PyTuple_GET_ITEM(tuple, i);
        if (!PyUnicode_Check(stem) || !PyUnicode_IS_COMPACT_ASCII(stem) ||
            PyUnicode_GET_LENGTH(stem) < STEM_BEGINS)
            return false;
        all->texts[i] = PyUnicode_DATA(stem);
        for (int at = 0; at < STEM_BEGINS; at++) {
            uint8_t letter = (uint8_t)all->texts[i][at];
            all->begins[at][letter] |= (uint16_t)(1 << i);
            all->begins[at][Py_TOUPPER(letter)] = all->begins[at][letter];
        }
    }
    return true;
}

bool chaffinch_has_stem(const Stems *all, Name text)
{
    const uint8_t *at = text.at, *stop = text.at + text.size;
    for (; stop - at >= STEM_BEGINS; at++) {
        unsigned some = all->begins[0][at[0]] & all->begins[1][at[1]] & all->begins[2][at[2]];
        for (int i = 0; some != 0; i++, some >>= 1) {
            if ((some & 1) && begins(at, stop, all->texts[i]))
                return true;
        }
    }
    return false;
}

bool chaffinch_style_hides(Name style)
{
    static const char *const SAYS[][2] = {{"display", "none"}, {"visibility", "hidden"}};
    const uint8_t *stop = style.at + style.size;
    for (const uint8_t *at = style.at; at < stop; at++) {
        for (int i = 0; i < 2; i++) {
            if (!begins(at, stop, SAYS[i][0]))
                continue;
            const uint8_t *colon = skip_spaces(at + strlen(SAYS[i][0]), stop);
            if (colon < stop && *colon == ':' &&
                begins(skip_spaces(colon + 1, stop), stop, SAYS[i][1]))
                return true;
        }
    }
    return false;
}
