/* UTF-8, character by character. */
#ifndef CHAFFINCH_UTF8_H
#define CHAFFINCH_UTF8_H

#include "arrays.h"

/* How many bytes the character beyond ASCII takes that begins here, 0 where it is none: table 3-7
 * of the Unicode Standard, which Python's strict decoder holds to. At least one byte is `left`. */
static inline int chaffinch_sequence(const uint8_t *at, Py_ssize_t left)
{
    uint8_t lead = at[0], low = 0x80, high = 0xbf;
    int size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (size == 0 || left < size)
        return 0;
    switch (lead) {
    case 0xe0: low = 0xa0; break;  /* else overlong */
    case 0xed: high = 0x9f; break; /* else surrogates */
    case 0xf0: low = 0x90; break;  /* else overlong */
    case 0xf4: high = 0x8f; break; /* else above U+10FFFF */
    }
    if (at[1] < low || at[1] > high)
        return 0;
    for (int i = 2; i < size; i++) {
        if (at[i] < 0x80 || at[i] > 0xbf)
            return 0;
    }
    return size;
}

#endif
