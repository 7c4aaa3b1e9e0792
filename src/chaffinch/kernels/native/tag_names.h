/* A set of names, equal in any case of ASCII, numbered in the order in which they come. */
#ifndef CHAFFINCH_TAG_NAMES_H
#define CHAFFINCH_TAG_NAMES_H

#include "growing.h"
#include "token_ends.h"

typedef struct {
    Growing names;     /* what `tag_names.c` keeps of each */
    int32_t *slots;    /* a hash table of numbers from 1, 0 where empty */
    uint64_t mask;     /* its places, a power of two, less one */
    int32_t count;
    int64_t steps;     /* that may still be taken in it */
    bool no_memory;
    bool is_slow;      /* it ran out of steps: nothing that follows is of use */
} NameSet;

void chaffinch_free_names(NameSet *set);

/* The number of a name, -1 where it isn't in the set. */
int32_t chaffinch_name_number(NameSet *set, Bytes name, Py_ssize_t size);

/* The same, and it is added where it isn't in the set. 0 where memory is out. */
int32_t chaffinch_add_name(NameSet *set, Bytes name, Py_ssize_t size);

#endif
