/* What the files of the network share: its sizes, its weights, what it is given of a page, and the
 * layers that every target computes in its own width.
 *
 * Every matrix has its inputs as rows; rows are padded with zeros to a multiple of `PADDED` floats.
 */
#ifndef CHAFFINCH_NETWORK_H
#define CHAFFINCH_NETWORK_H

#include "kernels.h"

enum { PADDED = 8, MOST_STEPS = 8, MOST_PARTS = 3, AT_ONCE = 64 };

static inline Py_ssize_t padded(Py_ssize_t columns)
{
    return (columns + PADDED - 1) / PADDED * PADDED;
}

static inline Py_ssize_t larger(Py_ssize_t a, Py_ssize_t b)
{
    return a > b ? a : b;
}

/* Sizes of the network, as `chaffinch.model.network` lists them. */
typedef struct {
    Py_ssize_t width, names, words; /* of a block, of vectors of names and of words */
    Py_ssize_t gates, pool, types;
    Py_ssize_t most_names; /* of a set of names */
    Py_ssize_t units;      /* of the fixed-point numbers in which names are summed */
    Py_ssize_t tags, name_buckets, word_buckets;
    Py_ssize_t first_count, last_count;
    const int64_t *first_steps, *last_steps; /* dilations of the convolutions */
} Shape;

typedef struct {
    const float *weight, *bias;
} Dense;

/* The layers, in the order in which they are applied. */
typedef struct {
    const float *tag_vectors, *name_vectors, *word_vectors;
    const float *numbers, *names;
    Dense facts, gate, context;
    const float *second;
    Dense first[MOST_STEPS];
    const float *pool;
    Dense together, early, prototypes;
    const float *third;
    Dense last[MOST_STEPS];
    Dense kind;
    const float *cooling;
    Dense leave;
} Weights;

/* The features of a page of `blocks` blocks, as `chaffinch.model.features` has them. */
typedef struct {
    Py_ssize_t blocks, rows, places, sets, groups;
    Py_ssize_t facts, numbers, near, slots;
    const float *fact;                                     /* [facts] */
    const float *number;                                   /* [numbers, blocks] */
    const uint16_t *tag;                                   /* [rows] */
    const int32_t *set_of_row, *place;                     /* [rows] */
    const int64_t *row;                                    /* [places] */
    const int32_t *up, *over;                              /* [places], [blocks] */
    const uint16_t *name;                                  /* [sets, most_names] */
    const int32_t *near_row;                               /* [blocks, near] */
    const uint16_t *word;                                  /* [slots, blocks] */
    const int32_t *heading, *section, *low, *high, *group; /* [blocks] */
} Given;

/* Inputs of the first layer that are read of names and words. */
static inline Py_ssize_t inputs_of(const Shape *shape, const Given *given)
{
    return (given->near + 1) * shape->names + 3 * shape->words;
}

/* Some inputs times their matrix: item k of row i is in[i * row + k * item]. */
typedef struct {
    const float *in;
    Py_ssize_t row, item, size;
    const float *weight;                                   /* [size, columns] */
} Part;

/* out[i] = add[i] + relu(start[i] + the sum of the parts), float32[rows, columns]. The same `start`
 * serves all rows unless `starts` numbers them; `add` may be absent, and so may relu. */
typedef struct {
    Py_ssize_t rows, columns; /* columns are padded */
    int parts;
    Part part[MOST_PARTS];
    const float *start;
    const int32_t *starts;
    const float *add;
    bool relu;
    float *out; /* none of the inputs; it may be `add` */
} Layer;

/* How wide the machine computes. */
typedef struct {
    void (*layer)(const Layer *layer);
    void (*exponentials)(float *values, Py_ssize_t count); /* in place, within 2 ulp */
} Target;

/* Return the widest target that the machine has, of the first `most` + 1 (network_targets.c). */
const Target *chaffinch_target(long most);

/* The pass and its room. A convolution reads rows before and after the page, of `h`. Until a layer
 * writes what comes next, `other` holds what is needed for a while: what is read of names and words,
 * what a layer gives beside h, [blocks, `widest`], and sums of it. */
typedef struct {
    const Shape *shape;
    const Weights *weights;
    const Given *given;
    const Target *target;
    Py_ssize_t blocks, width, widest; /* widths are padded */
    float *h, *other;                 /* [blocks, width]: what is known of each block, and what next */
    float *weight;                    /* [1 + gates or 2, blocks] */
    float *row;                       /* [width]: what a layer adds to all blocks */
    float *sums;                      /* [1 + gates or 2, width] */
    float *means;                     /* [1 + gates or 2, shape's width] */
    float *zeros;                     /* [`widest` or width] */
    double *totals_of_groups;         /* [groups, pool] */
    float *means_of_groups;           /* [groups, pool] */
    float *of_groups;                 /* [groups, width] */
    float *around;                    /* [blocks, pool] */
    float *inputs;                    /* [AT_ONCE, inputs] */
} Pass;

#endif
