/* What the files of the guard share: tokens of a page, names, open elements. */
#ifndef CHAFFINCH_GUARD_H
#define CHAFFINCH_GUARD_H

#include "kernels.h"

typedef const uint8_t *Bytes;

/* Kinds of bytes in a tag. */
enum { BLANK = 1, SLASH = 2, CLOSE = 4, QUOTE = 8, EQUALS = 16 };

extern const uint8_t chaffinch_byte_kinds[0x100];

static inline Bytes skip(Bytes at, Bytes stop, uint8_t kinds)
{
    while (at < stop && (chaffinch_byte_kinds[*at] & kinds))
        at++;
    return at;
}

static inline Bytes skip_others(Bytes at, Bytes stop, uint8_t kinds)
{
    while (at < stop && !(chaffinch_byte_kinds[*at] & kinds))
        at++;
    return at;
}

/* After the quote that closes the one at `at`; NULL where none does. */
static inline Bytes quoted(Bytes at, Bytes stop)
{
    Bytes close = memchr(at + 1, *at, (size_t)(stop - at - 1));
    return close ? close + 1 : NULL;
}

/* The end of the tag whose name begins at `at`: its «>» or the page's end. A quote that nothing
 * closes is a letter like any other. */
static inline Bytes chaffinch_start_tag_end(Bytes at, Bytes stop)
{
    while ((at = skip_others(at, stop, CLOSE | QUOTE)) < stop && *at != '>') {
        Bytes close = quoted(at, stop);
        at = close ? close : at + 1;
    }
    return at;
}

/* The end of the name of the attribute that begins at `at`. */
static inline Bytes attribute_name_end(Bytes at, Bytes stop)
{
    return skip_others(at + 1, stop, BLANK | SLASH | CLOSE | EQUALS);
}

/* After the value of an attribute whose name ends at `at`; `at` where it has none. */
Bytes chaffinch_value_end(Bytes name_end, Bytes stop);

enum { COMMENT, COMMENT_END, COMMENT_BANG_END, CDATA_END, TOKENS };

typedef struct {
    Bytes stop;          /* of the page */
    Bytes ahead[TOKENS]; /* where each token is next, as far as it is known; NULL before */
} TokenEnds;

/* Where a token is next, the page's end where it isn't; linear in all if `start` never falls. */
Bytes chaffinch_next_token(TokenEnds *ends, int token, Bytes start);

/* After the tag whose attributes begin at `at`, and whether it ends by «/>»; NULL without end. */
Bytes chaffinch_tag_end(Bytes at, Bytes stop, bool *is_closed);

/* After the comment that begins at `at`. */
Bytes chaffinch_comment_end(TokenEnds *ends, Bytes at);

/* After an element of raw text whose content begins at `at`, its end tag included. */
Bytes chaffinch_raw_end(TokenEnds *ends, Bytes name, Py_ssize_t size, bool is_script, Bytes at);

/* Whether names of ASCII are the same in any case. */
static inline bool same_name(Bytes one, Bytes other, Py_ssize_t size)
{
    for (Py_ssize_t i = 0; i < size; i++) {
        if (Py_TOLOWER(one[i]) != Py_TOLOWER(other[i]))
            return false;
    }
    return true;
}

/* Names that a step is about, and kinds of names: as page/bounds.py has them. */
enum Code {
    P, BUTTON, LI, UL, FORM, TABLE, SELECT, TEMPLATE, OPTGROUP, RUBY, SVG, MATH, ANNOTATION,
    SCRIPT, PLAINTEXT, FRAMESET, FIRST_NAMES
};
enum Kind {
    VOID = 1 << 0, ROOT = 1 << 1, RAW = 1 << 2, FORMATTING = 1 << 3, KEEPS_FORMATTING = 1 << 4,
    CLOSES_P = 1 << 5, CLOSES_ALL = 1 << 6, CLOSES_SELECT = 1 << 7, REPLACES = 1 << 8,
    ITEM = 1 << 9, RUBY_TEXT = 1 << 10, IMPLIED = 1 << 11, KIN = 1 << 12, TABLE_PART = 1 << 13,
    SCOPE = 1 << 14, SHARES = 1 << 15, SVG_SCOPE = 1 << 16, MATH_SCOPE = 1 << 17,
    SPECIAL = 1 << 18, WALL = 1 << 19, BREAKS_OUT = 1 << 20, ENDS_FOREIGN = 1 << 21,
    CHOICE = 1 << 22
};

/* The caller's table of names, by code. */
typedef struct {
    const uint32_t *kinds;
    const int32_t *ring, *inside, *closes_top;
    PyObject *html_types; /* a tuple of bytes, borrowed */
    int32_t count;
} TagTable;

/* What is known of a name of the page, by code. */
typedef struct {
    uint32_t kinds;
    int32_t last;    /* offset of the innermost element of that name, -1 for none */
    int32_t dropped; /* start tags that were cut, and whose end tags will be */
    bool is_seen;
} NameFacts;

typedef struct {
    int32_t code;
    int32_t before;   /* offset of the last element of the same name */
    int32_t specials; /* how many are special, up to this */
    int32_t wall;     /* the last wall, up to this; -1 for none */
} Element;

/* An active formatting element. */
typedef struct {
    int32_t code;
    bool is_open;
    Bytes tag, tag_end; /* as it is written, from the name on */
} Entry;

/* A list of active formatting elements: the entries from `first` on. */
typedef struct {
    int32_t first, pending;
} Active;

typedef struct {
    int32_t start;   /* offset of its first element */
    int32_t foreign; /* of its outermost svg or math, -1 for none */
    int32_t active;  /* number of its list of formatting elements */
    int64_t options;
} Scope;

typedef struct {
    TagTable table;
    Growing names;    /* NameFacts by code */
    Growing elements; /* Element by offset */
    Growing specials; /* int32, offsets */
    Growing scopes, actives, entries;
    int32_t depth;    /* elements */
    int32_t deepest;
    int64_t copies;   /* of formatting elements, opened again in another block */
    bool no_memory;   /* nothing that follows is of use */
} OpenElements;

/* The scope of the page; false where memory is out. */
bool chaffinch_begin_elements(OpenElements *all);
void chaffinch_free_elements(OpenElements *all);

void chaffinch_push(OpenElements *all, int32_t code);
void chaffinch_open_scope(OpenElements *all, bool shares);
void chaffinch_pop_to(OpenElements *all, int32_t offset);
void chaffinch_take_out(OpenElements *all, int32_t offset, uint32_t kept);
int32_t chaffinch_find_kin(const OpenElements *all, int32_t code);
bool chaffinch_are_kin(const OpenElements *all, int32_t code, int32_t other);
/* How many special elements are within one, and the last of these; `offset` where there is none. */
int32_t chaffinch_specials_above(const OpenElements *all, int32_t offset, int32_t *last);
void chaffinch_add_entry(OpenElements *all, int32_t code, Bytes tag, Bytes tag_end);
Entry *chaffinch_last_entry(const OpenElements *all, int32_t code);
void chaffinch_remove_entry(OpenElements *all, Entry *entry);

/* Tree construction. */
void chaffinch_open_again(OpenElements *all);
void chaffinch_follow_void(OpenElements *all, int32_t code);
bool chaffinch_make_room(OpenElements *all, int32_t code);
void chaffinch_push_html(OpenElements *all, int32_t code);
void chaffinch_push_foreign(OpenElements *all, int32_t code, Bytes tag, Bytes tag_end);
bool chaffinch_close(OpenElements *all, int32_t code);

static inline NameFacts *facts_of(const OpenElements *all, int32_t code)
{
    return (NameFacts *)(void *)all->names.data + code;
}

static inline uint32_t kinds_of(const OpenElements *all, int32_t code)
{
    return facts_of(all, code)->kinds;
}

static inline Element *elements_of(const OpenElements *all)
{
    return (Element *)(void *)all->elements.data;
}

/* The innermost scope. */
static inline Scope *scope_of(const OpenElements *all)
{
    return (Scope *)(void *)(all->scopes.data + all->scopes.used) - 1;
}

static inline Active *active_of(const OpenElements *all)
{
    return (Active *)(void *)all->actives.data + scope_of(all)->active;
}

static inline Py_ssize_t entry_count(const OpenElements *all)
{
    return all->entries.used / (Py_ssize_t)sizeof(Entry);
}

static inline Entry *entries_of(const OpenElements *all)
{
    return (Entry *)(void *)all->entries.data;
}

/* The offset of the innermost element of a name; -1 where there is none. */
static inline int32_t last_of(const OpenElements *all, int32_t code)
{
    return facts_of(all, code)->last;
}

/* The same in the innermost scope. */
static inline int32_t find(const OpenElements *all, int32_t code)
{
    int32_t offset = last_of(all, code);
    return offset >= scope_of(all)->start ? offset : -1;
}

/* The name of the current element, -1 where the innermost scope has none. */
static inline int32_t top_of(const OpenElements *all)
{
    return all->depth > scope_of(all)->start ? elements_of(all)[all->depth - 1].code : -1;
}

/* The name of the element that holds the innermost scope, -1 for the page. */
static inline int32_t scope_name(const OpenElements *all)
{
    int32_t start = scope_of(all)->start;
    return start > 0 ? elements_of(all)[start - 1].code : -1;
}

#endif
