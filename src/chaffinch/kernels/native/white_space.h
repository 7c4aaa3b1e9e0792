/* White space: what `str.isspace` calls so. */
#ifndef CHAFFINCH_WHITE_SPACE_H
#define CHAFFINCH_WHITE_SPACE_H

#include "arrays.h"

/* 1 at all white space there is. A table, because spaces come too irregularly to branch on them. */
extern const uint8_t chaffinch_spaces[0x3001];

static inline unsigned is_space(Py_UCS4 c)
{
    return chaffinch_spaces[c < sizeof chaffinch_spaces ? c : 0];
}

#endif
