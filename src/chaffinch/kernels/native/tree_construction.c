/* Tree construction as far as depth goes: as chaffinch/kernels/plain/tree_construction.py. */
#include "open_elements.h"

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
