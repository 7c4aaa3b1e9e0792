/* The network's forward pass on one page: what it takes, and that it all fits. */
#include "network.h"
#include "kernels.h"

#ifdef __GNUC__

/* The arguments of `network`, in their order; see there. */
enum {
    SIZES, FIRST_STEPS, LAST_STEPS, PACKED, TAG_VECTORS, NAME_VECTORS, WORD_VECTORS,
    FACTS, NUMBERS, TAG, SET_OF_ROW, PLACE, ROW, UP, OVER, NAMES, NEAR, WORDS, HEADING,
    SECTION, LOW, HIGH, GROUP, GROUP_SIZES, SCORE, KINDS, MOST, ARGUMENTS
};
static const char kinds_of_arguments[] = "qqqffffffHiiqiiHiHiiiiiq|ff|n";

static bool steps_hold(const int64_t *steps, Py_ssize_t count)
{
    bool hold = count <= MOST_STEPS;
    for (Py_ssize_t i = 0; hold && i < count; i++)
        hold = steps[i] >= 0 && steps[i] <= 1 << 10;
    return hold;
}

static bool read_shape(const Array *arrays, Shape *shape)
{
    const int64_t *sizes = arrays[SIZES].data;
    Py_ssize_t *to[] = {&shape->width, &shape->names, &shape->words,      &shape->gates,
                        &shape->pool,  &shape->types, &shape->most_names, &shape->units};
    if (arrays[SIZES].count != sizeof to / sizeof *to)
        return false;
    for (Py_ssize_t i = 0; i < arrays[SIZES].count; i++) {
        if (sizes[i] < 1 || sizes[i] > 1 << 20)
            return false;
        *to[i] = sizes[i];
    }
    shape->tags = arrays[TAG_VECTORS].count / shape->names;
    shape->name_buckets = arrays[NAME_VECTORS].count / shape->names;
    shape->word_buckets = arrays[WORD_VECTORS].count / shape->words;
    shape->first_count = arrays[FIRST_STEPS].count;
    shape->last_count = arrays[LAST_STEPS].count;
    shape->first_steps = arrays[FIRST_STEPS].data;
    shape->last_steps = arrays[LAST_STEPS].data;
    return shape->names % PADDED == 0 && shape->words % PADDED == 0 &&
           arrays[TAG_VECTORS].count % shape->names == 0 &&
           arrays[NAME_VECTORS].count % shape->names == 0 &&
           arrays[WORD_VECTORS].count % shape->words == 0 &&
           steps_hold(shape->first_steps, shape->first_count) &&
           steps_hold(shape->last_steps, shape->last_count);
}

/* Return the next matrix of what is packed and step over it. */
static const float *next(const float *packed, Py_ssize_t *at, Py_ssize_t rows, Py_ssize_t columns)
{
    const float *matrix = packed + *at;
    *at += rows * padded(columns);
    return matrix;
}

static Dense next_dense(const float *packed, Py_ssize_t *at, Py_ssize_t rows, Py_ssize_t columns)
{
    const float *weight = next(packed, at, rows, columns);
    return (Dense){weight, next(packed, at, 1, columns)};
}

/* Find the layers in what is packed, in the order in which they are applied. */
static bool read_weights(const Array *arrays, const Shape *shape, const Given *given,
                         Weights *weights)
{
    const float *packed = arrays[PACKED].data;
    Py_ssize_t width = shape->width, at = 0;
    weights->tag_vectors = arrays[TAG_VECTORS].data;
    weights->name_vectors = arrays[NAME_VECTORS].data;
    weights->word_vectors = arrays[WORD_VECTORS].data;
    weights->facts = next_dense(packed, &at, given->facts, width);
    weights->numbers = next(packed, &at, given->numbers, width);
    weights->names = next(packed, &at, inputs_of(shape, given), width);
    weights->gate = next_dense(packed, &at, width, shape->gates);
    weights->context = next_dense(packed, &at, (1 + shape->gates) * width, width);
    weights->second = next(packed, &at, width, width);
    for (Py_ssize_t i = 0; i < shape->first_count; i++)
        weights->first[i] = next_dense(packed, &at, 3 * width, width);
    weights->pool = next(packed, &at, width, 2 * shape->pool);
    weights->together = next_dense(packed, &at, width + 2 * shape->pool, width);
    weights->early = next_dense(packed, &at, width, 1);
    weights->prototypes = next_dense(packed, &at, 2 * width, width);
    weights->third = next(packed, &at, width, width);
    for (Py_ssize_t i = 0; i < shape->last_count; i++)
        weights->last[i] = next_dense(packed, &at, 3 * width, width);
    weights->kind = next_dense(packed, &at, 2 * width, shape->types);
    weights->cooling = next(packed, &at, 1, shape->types);
    weights->leave = next_dense(packed, &at, width, 1);
    return at == arrays[PACKED].count;
}

/* Read what is given of the page; return whether the lengths of its columns agree. */
static bool read_given(const Array *arrays, const Shape *shape, Given *given)
{
    Py_ssize_t blocks = arrays[SCORE].count, rows = arrays[TAG].count;
    if (blocks < 1)
        return false;
    *given = (Given){
        .blocks = blocks,
        .rows = rows,
        .places = arrays[ROW].count,
        .sets = arrays[NAMES].count / shape->most_names,
        .groups = arrays[GROUP_SIZES].count,
        .facts = arrays[FACTS].count,
        .numbers = arrays[NUMBERS].count / blocks,
        .near = arrays[NEAR].count / blocks,
        .slots = arrays[WORDS].count / blocks,
        .fact = arrays[FACTS].data,
        .number = arrays[NUMBERS].data,
        .tag = arrays[TAG].data,
        .set_of_row = arrays[SET_OF_ROW].data,
        .place = arrays[PLACE].data,
        .row = arrays[ROW].data,
        .up = arrays[UP].data,
        .over = arrays[OVER].data,
        .name = arrays[NAMES].data,
        .near_row = arrays[NEAR].data,
        .word = arrays[WORDS].data,
        .heading = arrays[HEADING].data,
        .section = arrays[SECTION].data,
        .low = arrays[LOW].data,
        .high = arrays[HIGH].data,
        .group = arrays[GROUP].data,
    };
    const int of_blocks[] = {OVER, HEADING, SECTION, LOW, HIGH, GROUP};
    bool agree = arrays[SET_OF_ROW].count == rows && arrays[PLACE].count == rows &&
                 arrays[UP].count == given->places && arrays[KINDS].count == shape->types &&
                 given->numbers * blocks == arrays[NUMBERS].count &&
                 given->near * blocks == arrays[NEAR].count &&
                 given->slots * blocks == arrays[WORDS].count &&
                 given->sets * shape->most_names == arrays[NAMES].count;
    for (size_t i = 0; i < sizeof of_blocks / sizeof *of_blocks; i++)
        agree = agree && arrays[of_blocks[i]].count == blocks;
    return agree;
}

/* Return whether all indices are at least 0 and less than `limit`: no sign is set in them, and
 * none where they are taken from the last. */
static bool all_within(const Array *array, Py_ssize_t limit)
{
    uint32_t signs = 0, last = (uint32_t)(limit > INT32_MAX ? INT32_MAX : limit - 1);
    uint64_t long_signs = 0, long_last = (uint64_t)(limit - 1);
    if (array->letter == 'H') {
        for (Py_ssize_t i = 0; i < array->count; i++)
            signs |= last - ((const uint16_t *)array->data)[i];
    } else if (array->letter == 'i') {
        const uint32_t *indices = array->data;
        for (Py_ssize_t i = 0; i < array->count; i++)
            signs |= indices[i] | (last - indices[i]);
    } else {
        const uint64_t *indices = array->data;
        for (Py_ssize_t i = 0; i < array->count; i++)
            long_signs |= indices[i] | (long_last - indices[i]);
    }
    return signs >> 31 == 0 && long_signs >> 63 == 0;
}

/* Return whether every index of the page lies within what it is an index of. */
static bool indices_hold(const Array *arrays, const Shape *shape, const Given *given)
{
    Py_ssize_t blocks = given->blocks, rows = given->rows, places = given->places;
    return all_within(&arrays[TAG], shape->tags) && all_within(&arrays[SET_OF_ROW], given->sets) &&
           all_within(&arrays[PLACE], places) && all_within(&arrays[ROW], rows) &&
           all_within(&arrays[UP], places) && all_within(&arrays[OVER], places) &&
           all_within(&arrays[NEAR], rows) &&
           all_within(&arrays[NAMES], shape->name_buckets) &&
           all_within(&arrays[WORDS], shape->word_buckets) &&
           all_within(&arrays[HEADING], blocks + 1) && all_within(&arrays[SECTION], blocks + 1) &&
           all_within(&arrays[LOW], blocks + 1) && all_within(&arrays[HIGH], blocks + 1) &&
           all_within(&arrays[GROUP], given->groups);
}

/* Compute the pass without the interpreter's lock; return false where memory doesn't suffice. */
static bool computed(const Array *arrays, const Shape *shape, const Weights *weights,
                     const Given *given, long most)
{
    const size_t line = 64; /* bytes: rows of vectors begin where lines of the cache do */
    char *room = malloc(chaffinch_pass_size(shape, given) * sizeof(float) + line);
    if (room == NULL)
        return false;
    float *begin = (float *)(room + (line - (uintptr_t)room % line));
    Py_BEGIN_ALLOW_THREADS
    chaffinch_pass(shape, weights, given, chaffinch_target(most), begin, arrays[SCORE].data,
                   arrays[KINDS].data);
    Py_END_ALLOW_THREADS
    free(room);
    return true;
}

/* network(sizes, first_steps, last_steps: int64[…], packed: float32[…],
 *         tag_vectors, name_vectors, word_vectors: float32[…, e], facts: float32[…],
 *         numbers: float32[f, m], tag: uint16[n], set_of_row, place: int32[n],
 *         row: int64[r], up: int32[r], over: int32[m], names: uint16[s, most],
 *         near: int32[m, k], words: uint16[slots, m],
 *         heading, section, low, high, group: int32[m], group_sizes: int64[g],
 *         score: float32[m], kinds: float32[types], most: int) -> None
 * The answer of the network for a page of m blocks: `chaffinch.model.network`, with columns of
 * `chaffinch.model.features`, and weights and sizes as `chaffinch.model.packed_network` packs them. The last
 * vectors of names and of words are those of none. It is written to `score` and `kinds`. `most` is
 * the widest target that may be used: 0 any machine's, 1 AVX2, 2 AVX-512. Indices are checked. */
static PyObject *network(PyObject *module, PyObject *const *args, Py_ssize_t given_arguments)
{
    (void)module;
    Array arrays[ARGUMENTS];
    Shape shape;
    Weights weights;
    Given given;
    if (!chaffinch_take("network", args, given_arguments, kinds_of_arguments, arrays))
        return NULL;
    bool fit = read_shape(arrays, &shape) && read_given(arrays, &shape, &given) &&
               read_weights(arrays, &shape, &given, &weights) &&
               indices_hold(arrays, &shape, &given);
    long most = (long)arrays[MOST].count;
    if (chaffinch_agree(fit, "network") && !computed(arrays, &shape, &weights, &given, most))
        PyErr_NoMemory();
    chaffinch_release(kinds_of_arguments, arrays);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

#endif

PyMethodDef chaffinch_network[] = {
#ifdef __GNUC__
    {"network", (PyCFunction)(void (*)(void))network, METH_FASTCALL, NULL},
#endif
    {NULL, NULL, 0, NULL},
};
