/* Where tokens of a page end: chaffinch/kernels/plain/token_ends.py says what is followed. */
#ifndef CHAFFINCH_TOKEN_ENDS_H
#define CHAFFINCH_TOKEN_ENDS_H

#include "arrays.h"

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

#endif
