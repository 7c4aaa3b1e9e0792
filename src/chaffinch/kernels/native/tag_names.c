/* Sets of names of tags and of attributes. */
#include "tag_names.h"

enum {
    FIRST_SLOTS = 1 << 9,
    /* Steps from place to place that looking up a name may take, in the mean, and all in all: a page
     * may be made such that all its names fall on one place. It is left to Python, whose hashes
     * nobody can foresee. Pages as they are need less than one. */
    STEPS = 8,
    MORE_STEPS = 1 << 12,
};

typedef struct {
    Bytes at;
    Py_ssize_t size;
    uint64_t hash;
} Name;

static uint64_t hash_of(Bytes name, Py_ssize_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (Py_ssize_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)Py_TOLOWER(name[i])) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

void chaffinch_free_names(NameSet *set)
{
    PyMem_RawFree(set->slots);
    chaffinch_free(&set->names);
    *set = (NameSet){0};
}

static const Name *names_in(const NameSet *set)
{
    return (const Name *)(const void *)set->names.data;
}

/* Twice as many places; false where there is no memory. */
static bool make_room(NameSet *set)
{
    size_t slots = set->slots == NULL ? FIRST_SLOTS : 2 * ((size_t)set->mask + 1);
    int32_t *made = PyMem_RawCalloc(slots, sizeof *made);
    if (made == NULL)
        return false;
    PyMem_RawFree(set->slots);
    set->slots = made;
    set->mask = slots - 1;
    set->steps += MORE_STEPS;
    for (int32_t i = 0; i < set->count && !set->is_slow; i++) {
        uint64_t at = names_in(set)[i].hash & set->mask;
        for (; made[at] != 0; at = (at + 1) & set->mask)
            set->is_slow |= --set->steps < 0;
        made[at] = i + 1;
    }
    return true;
}

/* The place of a name in the hash table, or the empty one where it belongs. */
static uint64_t place_of(NameSet *set, Bytes name, Py_ssize_t size, uint64_t hash)
{
    uint64_t at = hash & set->mask;
    set->steps += STEPS;
    for (; set->slots[at] != 0; at = (at + 1) & set->mask) {
        const Name *other = &names_in(set)[set->slots[at] - 1];
        if (other->hash == hash && other->size == size && same_name(other->at, name, size))
            break;
        set->is_slow |= --set->steps < 0;
        if (set->is_slow)
            break;
    }
    return at;
}

int32_t chaffinch_name_number(NameSet *set, Bytes name, Py_ssize_t size)
{
    if (set->slots == NULL)
        return -1;
    return set->slots[place_of(set, name, size, hash_of(name, size))] - 1;
}

int32_t chaffinch_add_name(NameSet *set, Bytes name, Py_ssize_t size)
{
    bool is_full = set->slots == NULL || (uint64_t)set->count * 2 > set->mask;
    if (set->count == INT32_MAX - 1 || (is_full && !make_room(set))) {
        set->no_memory = true;
        return 0;
    }
    Name added = {name, size, hash_of(name, size)};
    uint64_t at = place_of(set, name, size, added.hash);
    if (set->slots[at] == 0) {
        if (!chaffinch_append(&set->names, &added, sizeof added)) {
            set->no_memory = true;
            return 0;
        }
        set->slots[at] = ++set->count;
    }
    return set->slots[at] - 1;
}
