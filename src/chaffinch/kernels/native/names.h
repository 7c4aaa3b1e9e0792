/* The hashed words of an element's names. */
#ifndef CHAFFINCH_NAMES_H
#define CHAFFINCH_NAMES_H

#include "white_space.h"

enum { MOST_WORDS = 12, BUCKETS = 1 << 12 };

/* A value in UTF-8; `at` is NULL where an attribute is absent or has none. */
typedef struct {
    const uint8_t *at;
    Py_ssize_t size;
} Name;

/* Class, id, role and itemprop of an element. */
typedef struct {
    Name names[4];
    bool is_special; /* it has a role or an itemprop, with a value or without */
} Names;

/* Whether all are ASCII: others are left to Python. */
bool chaffinch_names_are_ascii(const Names *own);

/* Write the buckets of the words in names of ASCII, BUCKETS after the last. As `words_of` of
 * chaffinch/model/name_hashes.py, which defines words. False where memory is out. */
bool chaffinch_name_buckets(const Names *own, uint16_t buckets[MOST_WORDS]);

uint64_t chaffinch_hash_bytes(uint64_t hash, const uint8_t *at, Py_ssize_t size);
uint64_t chaffinch_hash_names(const Names *own);
bool chaffinch_same_names(const Names *one, const Names *other);

enum { MOST_STEMS = 16, STEM_BEGINS = 3 };

/* Parts of words in lower case. */
typedef struct {
    const char *texts[MOST_STEMS];
    uint16_t begins[STEM_BEGINS][0x100]; /* which have a letter there, in either case: bits */
} Stems;

/* Fill `all` from a tuple of str of ASCII, which it borrows; false, without an exception, where it
 * isn't that, or holds too many or too short ones. */
bool chaffinch_take_stems(PyObject *tuple, Stems *all);

/* Whether one of the stems stands in a text, in any case of ASCII. */
bool chaffinch_has_stem(const Stems *all, Name text);

/* Whether a style in ASCII has «display: none» or «visibility: hidden», in any case. */
bool chaffinch_style_hides(Name style);

#endif
