/* Sorting by a key. */
#include "sorting.h"

Sortable *chaffinch_sorted(Sortable *items, Sortable *room, Py_ssize_t count)
{
    /* runs are merged from one array into the other and back */
    for (Py_ssize_t width = 1; width < count; width *= 2) {
        for (Py_ssize_t start = 0; start < count; start += 2 * width) {
            Py_ssize_t middle = start + width < count ? start + width : count;
            Py_ssize_t stop = middle + width < count ? middle + width : count;
            Py_ssize_t i = start, j = middle;
            for (Py_ssize_t k = start; k < stop; k++) {
                bool right = i == middle || (j < stop && items[j].key < items[i].key);
                room[k] = right ? items[j++] : items[i++];
            }
        }
        Sortable *other = items;
        items = room;
        room = other;
    }
    return items;
}
