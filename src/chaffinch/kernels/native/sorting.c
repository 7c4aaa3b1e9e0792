/* Sorting by a key. */
#include "sorting.h"

Sortable *chaffinch_sorted(Sortable *items, Sortable *room, Py_ssize_t count)
{
    /* runs are merged from one array into the other and back */
    for (Py_ssize_t width = 1; width < count; width *= 2) {
        for (Py_ssize_t start = 0; start < count; start += 2 * width) {
            Py_ssize_t middle = start + width < count ? start + width : count;
            Py_ssize_t stop = middle + width < count ? middle + width : count;
            Py_ssize_t i = start, j = middle, k = start;
            while (i < middle && j < stop) { /* which one is next can't be foreseen: no branch */
                bool right = items[j].key < items[i].key;
                room[k++] = items[right ? j : i];
                j += right;
                i += !right;
            }
            memcpy(room + k, items + i, (size_t)(middle - i) * sizeof *room);
            memcpy(room + k + (middle - i), items + j, (size_t)(stop - j) * sizeof *room);
        }
        Sortable *other = items;
        items = room;
        room = other;
    }
    return items;
}
