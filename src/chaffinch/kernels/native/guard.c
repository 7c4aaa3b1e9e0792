/* A page's bytes before the parser sees them: UTF-8, how many tags, where tokens end. */
#include "guard.h"

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

static bool has(Bytes at, Bytes stop, int byte)
{
    return at < stop && memchr(at, byte, (size_t)(stop - at)) != NULL;
}

/* The first byte beyond ASCII; where one is near, the end may come in the same block. */
static Bytes skip_ascii(Bytes at, Bytes stop)
{
    while (stop - at >= 32) {
        uint64_t four[4];
        memcpy(four, at, sizeof four);
        if ((four[0] | four[1] | four[2] | four[3]) & UINT64_C(0x8080808080808080))
            break;
        at += 32;
    }
    while (at < stop && *at < 0x80)
        at++;
    return at;
}

static bool is_utf8(Bytes at, Bytes stop)
{
    while ((at = skip_ascii(at, stop)) < stop) {
        while (at < stop && *at >= 0x80) {
            int size = chaffinch_sequence(at, stop - at);
            if (size == 0)
                return false;
            at += size;
        }
    }
    return true;
}

/* Whether ASCII bytes may be ISO-2022 or HZ, which shift by sequences of it. */
static bool may_shift(Bytes at, Bytes stop)
{
    if (has(at, stop, 0x1b))
        return true;
    while (at < stop && (at = memchr(at, '~', (size_t)(stop - at))) != NULL) {
        if (++at < stop && *at == '{')
            return true;
    }
    return false;
}

/* is_plain(data: bytes) -> int: whether bytes are UTF-8 without a BOM and NUL, and without escape
 * sequences of another encoding. */
LOOP(is_plain, "B", ".")
{
    Bytes at = a[0].data, stop = at + a[0].count, foreign = skip_ascii(at, stop);
    bool marked = a[0].count >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0;
    return !marked && !has(at, stop, 0) &&
           (foreign == stop ? !may_shift(at, stop) : is_utf8(foreign, stop));
}

/* count_tags(data: bytes) -> int: how many «<» there are. */
LOOP(count_tags, "B", ".")
{
    Bytes bytes = a[0].data;
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < a[0].count;) {
        /* as many as one byte can count: compilers add sixteen of them at a time */
        Py_ssize_t stop = a[0].count - at > 240 ? at + 240 : a[0].count;
        uint8_t here = 0;
        for (; at < stop; at++)
            here += bytes[at] == '<';
        count += here;
    }
    return count;
}

/* Whether a formatting element's start tag begins at `at`, a «<». */
static bool is_formatting(Bytes at, Bytes stop)
{
    static const char *const NAMES_OF[] = {
        "b", "i", "s", "u", "em", "tt", "big", "code", "font", "nobr", "small", "strike", "strong",
    };
    Bytes most = stop - at > 8 ? at + 8 : stop, end = at + 1;
    while (end < most && Py_ISALPHA(*end))
        end++;
    Py_ssize_t size = end - at - 1;
    if (end == most || size == 0 || !(chaffinch_byte_kinds[*end] & (BLANK | SLASH | CLOSE)))
        return false;
    for (size_t i = 0; i < sizeof NAMES_OF / sizeof *NAMES_OF; i++)
        if (strlen(NAMES_OF[i]) == (size_t)size && same_name(at + 1, (Bytes)NAMES_OF[i], size))
            return true;
    return false;
}

/* count_formatting(data: bytes) -> int: how many start tags of formatting elements there are. */
LOOP(count_formatting, "B", ".")
{
    Bytes at = a[0].data, stop = at + a[0].count;
    Py_ssize_t count = 0;
    for (; at < stop && (at = memchr(at, '<', (size_t)(stop - at))) != NULL; at++)
        count += is_formatting(at, stop);
    return count;
}

/* How many bytes from `at` to `stop` may stand before an attribute's name. */
static Py_ssize_t separators(Bytes at, Bytes stop)
{
    Py_ssize_t count = 0;
    for (; at < stop; at++)
        count += (*at == '"') | (*at == '\'') | (*at == '/') | (*at == ' ') | (*at == '\t') |
                 (*at == '\n') | (*at == '\f') | (*at == '\r'); /* no table: many at once */
    return count;
}

/* count_separators(data: bytes, most: int) -> int: how many bytes in the page's start tags may stand
 * before an attribute's name, a bound of how many they have; -1 where one tag has more than `most`. */
LOOP(count_separators, "Bn", "..")
{
    Bytes at = a[0].data, stop = at + a[0].count;
    Py_ssize_t count = 0;
    while (at < stop && (at = memchr(at, '<', (size_t)(stop - at))) != NULL) {
        Bytes start = at++;
        if (at == stop || !Py_ISALPHA(*at))
            continue;
        at = chaffinch_start_tag_end(at, stop);
        Py_ssize_t own = separators(start, at);
        if (own > a[1].count)
            return -1;
        count += own;
    }
    return count;
}
