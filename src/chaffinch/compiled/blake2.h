/* BLAKE2b with digests of 8 bytes, as hashlib gives them (RFC 7693). */
#ifndef CHAFFINCH_BLAKE2_H
#define CHAFFINCH_BLAKE2_H

#include "arrays.h"

/* The digest of bytes as a number, its first byte the lowest. */
uint64_t chaffinch_blake2(const uint8_t *bytes, size_t size);

#endif
