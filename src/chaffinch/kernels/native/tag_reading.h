/* A page that is read tag by tag: chaffinch/kernels/plain/tag_reading.py lists what is followed. */
#ifndef CHAFFINCH_TAG_READING_H
#define CHAFFINCH_TAG_READING_H

#include "open_elements.h"
#include "tag_names.h"

/* How many of each there may be: as `TagLimits` of chaffinch/kernels/tag_codes.py has them. */
enum Limit {
    ROWS, TAGS, DEPTH, ATTRIBUTES, ACTIVE, OPTIONS, UNMATCHED, NAMES, ROOTS, FRAMESETS, LIMITS
};

typedef struct {
    Bytes start, end;
    bool space; /* one stands in its place */
} Cut;

typedef struct {
    Bytes data, stop;
    const int64_t *limits;
    OpenElements open;
    TokenEnds ends;
    NameSet names, attributes;
    Growing cuts;
    int64_t opened, closed, unmatched, roots, framesets, tags; /* tags: different names of them */
    int64_t short_tag; /* bytes of attributes in which none can be too many */
    bool names_matter, no_memory;
} Reading;

/* Read a number of tags from `at` on; where to read on, NULL where nothing is left to read, or where
 * `chaffinch_has_failed`. `after` is the end of the tag before. */
Bytes chaffinch_read_tags(Reading *all, Bytes at, Bytes *after);

bool chaffinch_has_failed(const Reading *all);

#endif
