/* The stack of open elements and the lists of active formatting elements, for counting only: as
 * chaffinch/kernels/plain/open_elements.py. */
#include "open_elements.h"

enum { IDENTICAL = 3 }; /* formatting elements, the same in all: a fourth takes the first's place */

static const int32_t *specials_of(const OpenElements *all)
{
    return chaffinch_ints(&all->specials);
}

/* Append to a column; where memory is out, that is noted. */
static bool add(OpenElements *all, Growing *column, const void *item, Py_ssize_t size)
{
    if (!chaffinch_append(column, item, size))
        all->no_memory = true;
    return !all->no_memory;
}

bool chaffinch_begin_elements(OpenElements *all)
{
    Active active = {0};
    Scope scope = {.foreign = -1};
    return add(all, &all->actives, &active, sizeof active) &&
           add(all, &all->scopes, &scope, sizeof scope);
}

void chaffinch_free_elements(OpenElements *all)
{
    Growing *columns[] = {&all->names, &all->elements, &all->specials,
                          &all->scopes, &all->actives, &all->entries};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        chaffinch_free(columns[i]);
}

void chaffinch_push(OpenElements *all, int32_t code)
{
    int32_t here = all->depth;
    NameFacts *name = facts_of(all, code);
    const Element *below = here > 0 ? elements_of(all) + here - 1 : NULL;
    Element element = {code, name->last, below ? below->specials : 0, below ? below->wall : -1};
    if (name->kinds & SPECIAL) {
        if (!add(all, &all->specials, &here, sizeof here))
            return;
        element.specials++;
    }
    if (name->kinds & WALL)
        element.wall = here;
    if (here == INT32_MAX || !add(all, &all->elements, &element, sizeof element)) {
        all->no_memory = true;
        return;
    }
    name->last = here;
    all->depth++;
    if (all->depth > all->deepest)
        all->deepest = all->depth;
    if ((code == SVG || code == MATH) && scope_of(all)->foreign < 0)
        scope_of(all)->foreign = here;
}

void chaffinch_open_scope(OpenElements *all, bool shares)
{
    Scope scope = {.start = all->depth, .foreign = -1, .active = scope_of(all)->active};
    if (!shares) {
        Active active = {.first = (int32_t)entry_count(all)};
        scope.active++;
        if (!add(all, &all->actives, &active, sizeof active))
            return;
    }
    add(all, &all->scopes, &scope, sizeof scope);
}

/* Leave the innermost scope, and its formatting elements if they are its own. */
static void leave_scope(OpenElements *all)
{
    int32_t active = scope_of(all)->active;
    all->scopes.used -= (Py_ssize_t)sizeof(Scope);
    if (scope_of(all)->active != active) {
        const Active *own = (const Active *)(const void *)all->actives.data + active;
        all->entries.used = own->first * (Py_ssize_t)sizeof(Entry);
        all->actives.used -= (Py_ssize_t)sizeof(Active);
    }
}

static int32_t pop(OpenElements *all)
{
    const Element *element = &elements_of(all)[--all->depth];
    NameFacts *name = facts_of(all, element->code);
    name->last = element->before;
    if (name->kinds & SPECIAL)
        all->specials.used -= (Py_ssize_t)sizeof(int32_t);
    all->elements.used -= (Py_ssize_t)sizeof(Element);
    if (scope_of(all)->foreign == all->depth)
        scope_of(all)->foreign = -1;
    return element->code;
}

/* A formatting element was closed by the end of the block around it. */
static void park(OpenElements *all, int32_t code)
{
    Active *active = active_of(all);
    Entry *entries = entries_of(all);
    for (Py_ssize_t i = entry_count(all) - 1; i >= active->first; i--) {
        if (entries[i].is_open && entries[i].code == code) {
            entries[i].is_open = false;
            active->pending++;
            return;
        }
    }
}

void chaffinch_pop_to(OpenElements *all, int32_t offset)
{
    while (all->depth > offset) {
        if (all->depth == scope_of(all)->start)
            leave_scope(all);
        int32_t foreign = scope_of(all)->foreign;
        bool is_foreign = foreign >= 0 && foreign < all->depth;
        int32_t code = pop(all);
        if (!is_foreign && (kinds_of(all, code) & FORMATTING))
            park(all, code);
    }
}

void chaffinch_take_out(OpenElements *all, int32_t offset, uint32_t kept)
{
    int32_t stop = all->depth;
    while (all->depth > offset)
        pop(all);
    for (int32_t at = offset + 1; at < stop && !all->no_memory; at++) {
        /* behind what is pushed, which is never more than what was read: nothing is overwritten */
        int32_t code = elements_of(all)[at].code;
        if (kept == 0 || (kinds_of(all, code) & kept))
            chaffinch_push(all, code);
    }
}

int32_t chaffinch_find_kin(const OpenElements *all, int32_t code)
{
    int32_t offset = find(all, code);
    for (int32_t other = all->table.ring[code]; other != code; other = all->table.ring[other]) {
        int32_t at = find(all, other);
        offset = at > offset ? at : offset;
    }
    return offset;
}

bool chaffinch_are_kin(const OpenElements *all, int32_t code, int32_t other)
{
    int32_t at = code;
    do {
        if (at == other)
            return true;
        at = all->table.ring[at];
    } while (at != code);
    return false;
}

int32_t chaffinch_specials_above(const OpenElements *all, int32_t offset, int32_t *last)
{
    const Element *elements = elements_of(all);
    int32_t count = elements[all->depth - 1].specials - elements[offset].specials;
    *last = count > 0 ? specials_of(all)[elements[all->depth - 1].specials - 1] : offset;
    return count;
}

void chaffinch_add_entry(OpenElements *all, int32_t code, Bytes tag, Bytes tag_end)
{
    Entry *entries = entries_of(all), *first = NULL;
    int same = 0;
    for (Py_ssize_t i = active_of(all)->first; i < entry_count(all); i++) {
        const Entry *one = &entries[i];
        if (one->tag_end - one->tag == tag_end - tag &&
            memcmp(one->tag, tag, (size_t)(tag_end - tag)) == 0) {
            first = same++ == 0 ? &entries[i] : first;
        }
    }
    if (same >= IDENTICAL)
        chaffinch_remove_entry(all, first);
    Entry entry = {code, true, tag, tag_end};
    add(all, &all->entries, &entry, sizeof entry);
}

Entry *chaffinch_last_entry(const OpenElements *all, int32_t code)
{
    Entry *entries = entries_of(all);
    for (Py_ssize_t i = entry_count(all) - 1; i >= active_of(all)->first; i--) {
        if (entries[i].code == code)
            return &entries[i];
    }
    return NULL;
}

void chaffinch_remove_entry(OpenElements *all, Entry *entry)
{
    active_of(all)->pending -= !entry->is_open;
    Entry *stop = entries_of(all) + entry_count(all);
    memmove(entry, entry + 1, (size_t)((char *)stop - (char *)(entry + 1)));
    all->entries.used -= (Py_ssize_t)sizeof *entry;
}
