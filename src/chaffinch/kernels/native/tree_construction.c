/* Tree construction as far as depth goes (HTML Standard, 13.2.6), leaning to too many open elements
 * where it is simpler than the standard: quirks mode, the insertion modes before `body` and in
 * `frameset`, `template`. Elements are codes of names, and all lookups take constant time. */
#include "guard.h"

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

enum {
    ADOPTIONS = 8, /* rounds of the adoption agency */
    PARTS = 2,     /* of a table that may be missing around one: checked by the kernel */
};

void chaffinch_open_again(OpenElements *all)
{
    Active *active = active_of(all);
    if (active->pending == 0)
        return;
    active->pending = 0;
    for (Py_ssize_t i = active->first; i < entry_count(all) && !all->no_memory; i++) {
        Entry *entry = &entries_of(all)[i];
        if (!entry->is_open) {
            entry->is_open = true;
            chaffinch_push(all, entry->code);
            all->copies++;
        }
    }
}

static void close_scope(OpenElements *all)
{
    chaffinch_pop_to(all, scope_of(all)->start - 1);
}

static void close_paragraph(OpenElements *all, uint32_t kinds)
{
    int32_t paragraph = kinds & CLOSES_P ? find(all, P) : -1;
    if (paragraph > find(all, BUTTON))
        chaffinch_pop_to(all, paragraph);
}

void chaffinch_follow_void(OpenElements *all, int32_t code)
{
    uint32_t kinds = kinds_of(all, code);
    if ((kinds & CLOSES_SELECT) && scope_name(all) == SELECT)
        close_scope(all);
    close_paragraph(all, kinds);
    if (!(kinds & KEEPS_FORMATTING))
        chaffinch_open_again(all);
}

/* Close the current element where the start tag of one like it ends it. */
static void close_top(OpenElements *all, int32_t code, uint32_t kinds)
{
    int32_t closed = code < all->table.count ? all->table.closes_top[code] : -1;
    if (closed >= 0 && chaffinch_are_kin(all, closed, top_of(all)))
        chaffinch_pop_to(all, all->depth - 1);
    if (code == OPTGROUP && top_of(all) == OPTGROUP && scope_name(all) == SELECT)
        chaffinch_pop_to(all, all->depth - 1);
    if ((kinds & RUBY_TEXT) && find(all, RUBY) >= 0) {
        while (top_of(all) >= 0 && (kinds_of(all, top_of(all)) & IMPLIED))
            chaffinch_pop_to(all, all->depth - 1);
    }
}

/* The offset of the table around, -1 where there is none, or a template in it. */
static int32_t table_around(const OpenElements *all)
{
    int32_t table = last_of(all, TABLE);
    return table > last_of(all, TEMPLATE) ? table : -1;
}

static bool make_room_in_table(OpenElements *all, int32_t code)
{
    int32_t table = table_around(all), missing[PARTS], count = 0, offset = -1;
    if (table < 0)
        return scope_name(all) == TEMPLATE;
    while (scope_of(all)->start > table + 1)
        close_scope(all);
    int32_t part = all->table.inside[code];
    while (part >= 0 && (offset = chaffinch_find_kin(all, part)) < 0) {
        missing[count++] = part;
        part = all->table.inside[part];
    }
    chaffinch_pop_to(all, (offset > table ? offset : table) + 1);
    while (count > 0 && !all->no_memory)
        chaffinch_push(all, missing[--count]);
    return true;
}

/* Close a formatting element as the adoption agency does. */
static bool close_formatting(OpenElements *all, int32_t code)
{
    Entry *entry = chaffinch_last_entry(all, code);
    if (entry == NULL)
        return false;
    if (entry->is_open) {
        int32_t offset = find(all, code), last;
        if (offset < 0 || chaffinch_specials_above(all, offset, &last) >= ADOPTIONS)
            return false;
        chaffinch_remove_entry(all, entry);
        chaffinch_pop_to(all, last + 1);
        chaffinch_take_out(all, offset, SPECIAL | FORMATTING);
    } else {
        chaffinch_remove_entry(all, entry);
    }
    return true;
}

bool chaffinch_make_room(OpenElements *all, int32_t code)
{
    uint32_t kinds = kinds_of(all, code);
    if (kinds & TABLE_PART)
        return make_room_in_table(all, code);
    if ((code == TABLE || code == SELECT) && scope_name(all) == code) {
        close_scope(all);
        if (code == SELECT)
            return false;
    } else if (kinds & REPLACES) {
        close_formatting(all, code);
    } else if (code == FORM && last_of(all, FORM) >= 0 && last_of(all, TEMPLATE) < 0) {
        return false;
    }
    if (kinds & ITEM) {
        int32_t offset = chaffinch_find_kin(all, code);
        if (offset >= 0 && elements_of(all)[all->depth - 1].wall <= offset)
            chaffinch_pop_to(all, offset);
    } else if (code == BUTTON && find(all, code) >= 0) {
        chaffinch_pop_to(all, find(all, code));
    }
    close_top(all, code, kinds);
    close_paragraph(all, kinds);
    return true;
}

void chaffinch_push_html(OpenElements *all, int32_t code)
{
    chaffinch_push(all, code);
    if ((kinds_of(all, code) & SCOPE) && !all->no_memory)
        chaffinch_open_scope(all, kinds_of(all, code) & SHARES);
}

/* Whether the tag of an annotation-xml says that it holds HTML. */
static bool says_html(const TagTable *table, Bytes tag, Bytes tag_end)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(table->html_types); i++) {
        const char *type = PyBytes_AS_STRING(PyTuple_GET_ITEM(table->html_types, i));
        if (chaffinch_says(tag, (size_t)(tag_end - tag), type))
            return true;
    }
    return false;
}

void chaffinch_push_foreign(OpenElements *all, int32_t code, Bytes tag, Bytes tag_end)
{
    bool in_svg = elements_of(all)[scope_of(all)->foreign].code == SVG;
    uint32_t scopes = in_svg ? SVG_SCOPE : MATH_SCOPE;
    if (code == SVG && !in_svg && top_of(all) == ANNOTATION)
        chaffinch_open_scope(all, false);
    if (all->no_memory)
        return;
    chaffinch_push(all, code);
    if (all->no_memory)
        return;
    if ((kinds_of(all, code) & scopes) ||
        (code == ANNOTATION && !in_svg && says_html(&all->table, tag, tag_end)))
        chaffinch_open_scope(all, false);
}

/* Close a template, a table or a part of it, with the scopes in it. */
static bool close_outer(OpenElements *all, int32_t code)
{
    int32_t offset = last_of(all, code), table = table_around(all);
    if (offset < 0 || (code != TEMPLATE && (table < 0 || table > offset)))
        return false;
    chaffinch_pop_to(all, offset);
    return true;
}

static bool close_element(OpenElements *all, int32_t code, uint32_t kinds)
{
    int32_t offset = kinds & KIN ? chaffinch_find_kin(all, code) : find(all, code), last;
    if (offset < 0)
        return false;
    if (code == FORM && offset < all->depth - 1) {
        chaffinch_take_out(all, offset, 0);
        return true;
    }
    bool reached = code == LI ? chaffinch_find_kin(all, UL) < offset
                              : (kinds & CLOSES_ALL) ||
                                    chaffinch_specials_above(all, offset, &last) == 0;
    if (reached)
        chaffinch_pop_to(all, offset);
    return reached;
}

bool chaffinch_close(OpenElements *all, int32_t code)
{
    int32_t foreign = scope_of(all)->foreign, offset = find(all, code);
    if (foreign >= 0 && foreign <= offset) {
        chaffinch_pop_to(all, offset);
        return true;
    }
    uint32_t kinds = kinds_of(all, code);
    if (foreign >= 0 && (kinds & ENDS_FOREIGN))
        chaffinch_pop_to(all, foreign);
    if ((kinds & VOID) && (kinds & ENDS_FOREIGN))
        chaffinch_follow_void(all, code);
    if ((kinds & FORMATTING) && chaffinch_last_entry(all, code) != NULL)
        return close_formatting(all, code);
    if (((kinds & TABLE_PART) || code == TABLE || code == TEMPLATE) && close_outer(all, code))
        return true;
    bool hidden = (kinds & (SVG_SCOPE | MATH_SCOPE)) && top_of(all) >= 0;
    if (scope_name(all) == code && !hidden) {
        close_scope(all);
        return true;
    }
    return close_element(all, code, kinds);
}
