/* A page read tag by tag, and what is beyond a limit noted, which has to go: as
 * chaffinch/kernels/plain/tag_reading.py. */
#include "tag_reading.h"

enum { AT_ONCE = 1 << 15 }; /* tags: some milliseconds */

/* A start tag, from its «<». */
typedef struct {
    Bytes at, attributes, end;
    bool is_closed; /* by «/>» */
} Tag;

static Cut *last_cut(const Reading *all)
{
    return all->cuts.used > 0 ? (Cut *)(void *)(all->cuts.data + all->cuts.used) - 1 : NULL;
}

static void cut(Reading *all, Bytes start, Bytes end, bool space)
{
    const Cut *last;
    while ((last = last_cut(all)) != NULL && last->start >= start)
        all->cuts.used -= (Py_ssize_t)sizeof(Cut);
    if (last != NULL && last->end == start && !last->space && !space) {
        start = last->start;
        all->cuts.used -= (Py_ssize_t)sizeof(Cut);
    }
    Cut one = {start, end, space};
    if (!chaffinch_append(&all->cuts, &one, sizeof one))
        all->no_memory = true;
}

/* Cut a start tag; its end tag will go, too. */
static void drop(Reading *all, int32_t code, const Tag *tag, bool space)
{
    cut(all, tag->at, tag->end, space);
    facts_of(&all->open, code)->dropped++;
}

/* Cut the attributes of one tag that are too many, or all where one's name is. */
static void trim(Reading *all, const Tag *tag)
{
    Bytes stop = tag->end - 1 - tag->is_closed, last = tag->attributes, at = last;
    for (int64_t count = 0; (at = skip(at, tag->end, BLANK | SLASH | CLOSE)) < tag->end; count++) {
        if (count == all->limits[ATTRIBUTES]) {
            cut(all, last, stop, true);
            return;
        }
        Bytes name_end = attribute_name_end(at, tag->end);
        last = chaffinch_value_end(name_end, tag->end);
        if (all->names_matter) {
            bool is_full = all->attributes.count >= all->limits[NAMES];
            int32_t number = is_full
                ? chaffinch_name_number(&all->attributes, at, name_end - at)
                : chaffinch_add_name(&all->attributes, at, name_end - at);
            if (number < 0) {
                cut(all, tag->attributes, stop, false);
                return;
            }
        }
        at = last;
    }
}

/* After a comment or a declaration. */
static Bytes pass_declaration(Reading *all, Bytes at)
{
    Bytes stop = all->stop;
    if (scope_of(&all->open)->foreign >= 0 && stop - at >= 9 && memcmp(at, "<![CDATA[", 9) == 0) {
        Bytes end = chaffinch_next_token(&all->ends, CDATA_END, at + 9);
        return end < stop ? end + 3 : stop;
    }
    all->opened++;
    if (stop - at >= 4 && memcmp(at, "<!--", 4) == 0)
        return chaffinch_comment_end(&all->ends, at);
    Bytes end = memchr(at + 2, '>', (size_t)(stop - at - 2));
    return end != NULL ? end + 1 : stop;
}

/* Whether a start tag would exceed a limit. */
static bool is_too_many(Reading *all, int32_t code)
{
    OpenElements *open = &all->open;
    uint32_t kinds = kinds_of(open, code);
    if ((kinds & CHOICE) && scope_name(open) == SELECT &&
        ++scope_of(open)->options > all->limits[OPTIONS])
        return true;
    int64_t active = entry_count(open) - active_of(open)->first;
    if ((kinds & FORMATTING) && active >= all->limits[ACTIVE])
        return true;
    return open->depth >= all->limits[DEPTH];
}

/* Follow a start tag of HTML; false where the element would be one too many. */
static bool enter(Reading *all, int32_t code, const Tag *tag)
{
    OpenElements *open = &all->open;
    uint32_t kinds = kinds_of(open, code);
    if (!chaffinch_make_room(open, code))
        return true;
    if (!(kinds & KEEPS_FORMATTING))
        chaffinch_open_again(open);
    if (is_too_many(all, code))
        return false;
    if (kinds & FORMATTING)
        chaffinch_add_entry(open, code, tag->at, tag->end);
    chaffinch_push_html(open, code);
    return true;
}

/* Where to read on after a tag that opens no element to follow. */
static Bytes pass(Reading *all, int32_t code, uint32_t kinds, const Tag *tag)
{
    if (kinds & VOID) {
        chaffinch_follow_void(&all->open, code);
    } else if (kinds & ROOT) {
        if (++all->roots > all->limits[ROOTS] && tag->end - tag->attributes > 1)
            cut(all, tag->at, tag->end, false);
    } else if (code == FRAMESET) { /* ignored but in a page without a body */
        if (++all->framesets > all->limits[FRAMESETS])
            cut(all, tag->at, tag->end, false);
    } else if (code == PLAINTEXT) {
        return all->stop;
    } else {
        Bytes name = tag->at + 1;
        return chaffinch_raw_end(&all->ends, name, tag->attributes - name, code == SCRIPT,
                                 tag->end);
    }
    return tag->end;
}

/* Follow a start tag; where to read on. */
static Bytes open_tag(Reading *all, int32_t code, const Tag *tag)
{
    OpenElements *open = &all->open;
    uint32_t kinds = kinds_of(open, code);
    int32_t foreign = scope_of(open)->foreign;
    all->opened++;
    if (all->opened > all->limits[TAGS] && (foreign >= 0 || !(kinds & RAW))) {
        drop(all, code, tag, true); /* texts around it were apart */
        return tag->end;
    }
    if (tag->end - tag->attributes > all->short_tag)
        trim(all, tag);
    if (!facts_of(open, code)->is_seen) {
        if (all->tags >= all->limits[NAMES]) {
            drop(all, code, tag, false);
            return tag->end;
        }
        facts_of(open, code)->is_seen = true;
        all->tags++;
    }
    if (foreign >= 0 && !(kinds & BREAKS_OUT)) {
        if (!tag->is_closed && open->depth >= all->limits[DEPTH])
            drop(all, code, tag, false);
        else if (!tag->is_closed)
            chaffinch_push_foreign(open, code, tag->at, tag->end);
        return tag->end;
    }
    if (foreign >= 0)
        chaffinch_pop_to(open, foreign);
    if ((kinds & (VOID | ROOT | RAW)) || code == FRAMESET)
        return pass(all, code, kinds, tag);
    if (!enter(all, code, tag))
        drop(all, code, tag, false);
    return tag->end;
}

/* Follow an end tag; cut it where its start tag was, or where it closes nothing. */
static void close_tag(Reading *all, int32_t code, const Tag *tag)
{
    all->closed++;
    if (code >= 0 && facts_of(&all->open, code)->dropped > 0) {
        facts_of(&all->open, code)->dropped--;
        cut(all, tag->at, tag->end, false);
    } else if (code < 0 || !chaffinch_close(&all->open, code)) {
        if (++all->unmatched > all->limits[UNMATCHED])
            cut(all, tag->at, tag->end, false);
    }
}

/* The code of the name of a start tag. */
static int32_t code_of(Reading *all, Bytes name, Py_ssize_t size)
{
    int32_t code = chaffinch_add_name(&all->names, name, size);
    if (code * (Py_ssize_t)sizeof(NameFacts) == all->open.names.used) {
        NameFacts facts = {.last = -1};
        if (!chaffinch_append(&all->open.names, &facts, sizeof facts))
            all->no_memory = true;
    }
    return all->no_memory ? 0 : code;
}

bool chaffinch_has_failed(const Reading *all)
{
    return all->no_memory || all->open.no_memory || all->names.no_memory ||
           all->attributes.no_memory || all->names.is_slow || all->attributes.is_slow;
}

Bytes chaffinch_read_tags(Reading *all, Bytes at, Bytes *after)
{
    Bytes stop = all->stop;
    for (int left = AT_ONCE; left > 0; left--) {
        while ((at = memchr(at, '<', (size_t)(stop - at))) != NULL && stop - at > 1 &&
               !Py_ISALPHA(at[1]) && at[1] != '/' && at[1] != '!' && at[1] != '?')
            at++;
        if (at == NULL || stop - at < 2)
            return NULL;
        bool is_end = at[1] == '/';
        Bytes name = at + 1 + is_end;
        if (name == stop || !Py_ISALPHA(*name)) {
            *after = at = pass_declaration(all, at);
        } else {
            Tag tag = {.at = at, .attributes = skip_others(name, stop, BLANK | SLASH | CLOSE)};
            tag.end = chaffinch_tag_end(tag.attributes, stop, &tag.is_closed);
            if (tag.end == NULL)
                return NULL;
            if (at > *after)
                chaffinch_open_again(&all->open);
            Py_ssize_t size = tag.attributes - name;
            *after = tag.end;
            if (is_end)
                close_tag(all, chaffinch_name_number(&all->names, name, size), &tag);
            else
                *after = open_tag(all, code_of(all, name, size), &tag);
            at = *after;
        }
        int64_t opened = all->opened + all->open.copies;
        if (chaffinch_has_failed(all) || opened > all->limits[ROWS] || all->closed > all->limits[ROWS])
            return NULL;
    }
    return at;
}
