/* Sorting by a key. */
#ifndef CHAFFINCH_SORTING_H
#define CHAFFINCH_SORTING_H

#include "arrays.h"

typedef struct {
    uint64_t key;
    int64_t number; /* what is sorted */
} Sortable;

/* Sort by key, equal ones in their order (a merge sort, so that no page makes it slow), with room
 * for as many. Returns the array that holds the result: `items` or `room`. */
Sortable *chaffinch_sorted(Sortable *items, Sortable *room, Py_ssize_t count);

#endif
