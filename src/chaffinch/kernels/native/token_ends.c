/* Where tokens of a page end, as the HTML Standard's tokenizer finds them (section 13.2.5). */
#include "token_ends.h"

const uint8_t chaffinch_byte_kinds[0x100] = {
    ['\t'] = BLANK, ['\n'] = BLANK, ['\f'] = BLANK,  ['\r'] = BLANK,  [' '] = BLANK,
    ['/'] = SLASH,  ['>'] = CLOSE,  ['"'] = QUOTE,   ['\''] = QUOTE,  ['='] = EQUALS,
};

static const char *const WRITTEN[TOKENS] = {
    [COMMENT] = "<!--", [COMMENT_END] = "-->", [COMMENT_BANG_END] = "--!>", [CDATA_END] = "]]>",
};

Bytes chaffinch_value_end(Bytes name_end, Bytes stop)
{
    Bytes at = skip(name_end, stop, BLANK);
    if (at == stop || *at != '=')
        return name_end;
    at = skip(at + 1, stop, BLANK);
    if (at == stop)
        return name_end;
    if (chaffinch_byte_kinds[*at] & CLOSE)
        return at;
    if (!(chaffinch_byte_kinds[*at] & QUOTE))
        return skip_others(at, stop, BLANK | CLOSE);
    Bytes close = quoted(at, stop);
    return close ? close : name_end;
}

Bytes chaffinch_next_token(TokenEnds *ends, int token, Bytes start)
{
    Bytes at = ends->ahead[token];
    if (at != NULL && at >= start)
        return at;
    size_t size = strlen(WRITTEN[token]);
    for (at = start; (size_t)(ends->stop - at) >= size; at++) {
        at = memchr(at, WRITTEN[token][0], (size_t)(ends->stop - at) - size + 1);
        if (at == NULL)
            break;
        if (memcmp(at, WRITTEN[token], size) == 0)
            return ends->ahead[token] = at;
    }
    return ends->ahead[token] = ends->stop;
}

Bytes chaffinch_tag_end(Bytes at, Bytes stop, bool *is_closed)
{
    for (;;) {
        Bytes next = skip(at, stop, BLANK | SLASH);
        if (next == stop)
            return NULL;
        if (*next == '>') {
            *is_closed = next > at && next[-1] == '/';
            return next + 1;
        }
        at = chaffinch_value_end(attribute_name_end(next, stop), stop);
    }
}

/* So many bytes on, but not beyond the page. */
static Bytes after(const TokenEnds *ends, Bytes at, Py_ssize_t bytes)
{
    return ends->stop - at > bytes ? at + bytes : ends->stop;
}

Bytes chaffinch_comment_end(TokenEnds *ends, Bytes at)
{
    Bytes one = after(ends, chaffinch_next_token(ends, COMMENT_END, at + 2), 3);
    Bytes other = after(ends, chaffinch_next_token(ends, COMMENT_BANG_END, at + 4), 4);
    return one < other ? one : other;
}

/* Whether a tag of that name stands at `at`, behind its «<» and «/». */
static bool is_named(Bytes at, Bytes stop, Bytes name, Py_ssize_t size)
{
    return stop - at > size && same_name(at, name, size) &&
           (chaffinch_byte_kinds[at[size]] & (BLANK | SLASH | CLOSE));
}

/* The next end tag of a name, the page's end where there is none. */
static Bytes next_end_tag(Bytes at, Bytes stop, Bytes name, Py_ssize_t size)
{
    for (; stop - at > 2; at++) {
        at = memchr(at, '<', (size_t)(stop - at) - 2);
        if (at == NULL)
            return stop;
        if (at[1] == '/' && is_named(at + 2, stop, name, size))
            return at;
    }
    return stop;
}

static const uint8_t SCRIPT_NAME[] = "script";
enum { SCRIPT_SIZE = 6 };

/* What follows a comment of a script that begins before `at`: its end, which is found, or the end
 * tag that is written to `close`; false where neither comes. */
static bool leave_comment(Bytes *at, Bytes stop, Bytes *close)
{
    bool doubly = false;
    for (Bytes next = *at; next < stop; next++) {
        if (*next == '-' && stop - next > 2 && next[1] == '-' && next[2] == '>') {
            *at = next + 3;
            return true;
        }
        if (*next != '<' || stop - next < 2)
            continue;
        bool ends = next[1] == '/';
        if (!is_named(next + 1 + ends, stop, SCRIPT_NAME, SCRIPT_SIZE))
            continue;
        if (ends && !doubly) {
            *close = next;
            return true;
        }
        doubly = !ends;
        next += SCRIPT_SIZE + ends;
    }
    return false;
}

/* The end tag of a script: within a comment, one may belong to another. */
static Bytes script_end(TokenEnds *ends, Bytes at)
{
    Bytes stop = ends->stop, close = next_end_tag(at, stop, SCRIPT_NAME, SCRIPT_SIZE);
    for (;;) {
        if (close < at)
            close = next_end_tag(at, stop, SCRIPT_NAME, SCRIPT_SIZE);
        if (close == stop)
            return stop;
        Bytes comment = chaffinch_next_token(ends, COMMENT, at), hidden = NULL;
        if (close < comment)
            return close;
        at = comment + 2;
        if (!leave_comment(&at, stop, &hidden))
            return stop;
        if (hidden != NULL)
            return hidden;
    }
}

Bytes chaffinch_raw_end(TokenEnds *ends, Bytes name, Py_ssize_t size, bool is_script, Bytes at)
{
    bool is_closed;
    Bytes close = is_script ? script_end(ends, at) : next_end_tag(at, ends->stop, name, size);
    Bytes end = chaffinch_tag_end(after(ends, close, 2 + size), ends->stop, &is_closed);
    return end != NULL ? end : ends->stop;
}
