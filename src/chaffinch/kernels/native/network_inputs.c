/* What the network reads of names and words: sums of the vectors of their hashes. */
#include "network.h"

#include <math.h>

/* Where in the room what stands. */
typedef struct {
    float *words;    /* [blocks + 1, words]: each block's own; 0 at `blocks` */
    float *signs;    /* [places, names]: tag and names of each element */
    float *sets;     /* [sets, names] */
    uint32_t *paths; /* [places, names]: signs of it and what is above, summed in fixed point */
} Room;

Py_ssize_t chaffinch_inputs_size(const Shape *shape, const Given *given)
{
    return (given->blocks + 1) * shape->words + (given->sets + 2 * given->places) * shape->names;
}

static Room divided(const Shape *shape, const Given *given, float *room)
{
    Room parts;
    parts.words = room;
    parts.signs = parts.words + (given->blocks + 1) * shape->words;
    parts.sets = parts.signs + given->places * shape->names;
    parts.paths = (uint32_t *)(parts.sets + given->sets * shape->names);
    return parts;
}

/* Write the sum of the vectors of `count` buckets, `apart` from each other, over the root of how
 * many there are: bucket `none` is none. */
static void sum_vectors(const uint16_t *bucket, Py_ssize_t apart, Py_ssize_t count,
                        Py_ssize_t none, const float *vectors, Py_ssize_t size, float *out)
{
    for (Py_ssize_t j = 0; j < size; j += PADDED) {
        float sum[PADDED] = {0}, found = 0;
        for (Py_ssize_t i = 0; i < count; i++) {
            const float *vector = vectors + bucket[i * apart] * size + j;
            for (int k = 0; k < PADDED; k++)
                sum[k] += vector[k];
            found += bucket[i * apart] != none;
        }
        float root = sqrtf(found > 1 ? found : 1);
        for (int k = 0; k < PADDED; k++)
            out[j + k] = sum[k] / root;
    }
}

/* Return the number in fixed point: rounded to 0, the least where it doesn't fit. */
static inline uint32_t fixed(float value)
{
    const float least = -2147483648.0f;
    return (uint32_t)(int32_t)(value > least && value < -least ? value : least);
}

/* Write the vectors of tag and names of each element, and their sums from the outermost down, which
 * may wrap around. */
static void add_signs(const Shape *shape, const Weights *weights, const Given *given,
                      const Room *parts)
{
    Py_ssize_t size = shape->names;
    float units = (float)shape->units;
    for (int32_t i = 0; i < given->places; i++) {
        const float *tag = weights->tag_vectors + given->tag[given->row[i]] * size;
        const float *set = parts->sets + given->set_of_row[given->row[i]] * size;
        float *sign = parts->signs + i * size;
        uint32_t *path = parts->paths + i * size;
        const uint32_t *over = parts->paths + given->up[i] * size;
        for (Py_ssize_t j = 0; j < size; j++) {
            sign[j] = tag[j] + set[j];
            path[j] = fixed(sign[j] * units);
        }
        for (Py_ssize_t j = 0; j < size && given->up[i] < i; j++)
            path[j] += over[j];
    }
}

void chaffinch_read_inputs(const Shape *shape, const Weights *weights, const Given *given,
                           float *room)
{
    Room parts = divided(shape, given, room);
    Py_ssize_t names = shape->names, words = shape->words, blocks = given->blocks;
    for (Py_ssize_t i = 0; i < blocks; i++)
        sum_vectors(given->word + i, blocks, given->slots, shape->word_buckets - 1,
                    weights->word_vectors, words, parts.words + i * words);
    memset(parts.words + blocks * words, 0, words * sizeof *parts.words);
    for (Py_ssize_t i = 0; i < given->sets; i++)
        sum_vectors(given->name + i * shape->most_names, 1, shape->most_names,
                    shape->name_buckets - 1, weights->name_vectors, names, parts.sets + i * names);
    add_signs(shape, weights, given, &parts);
}

static float *copied(float *out, const float *vectors, Py_ssize_t at, Py_ssize_t size)
{
    for (Py_ssize_t j = 0; j < size; j += PADDED)
        memcpy(out + j, vectors + at * size + j, PADDED * sizeof *out);
    return out + size;
}

void chaffinch_write_inputs(const Shape *shape, const Given *given, const float *room,
                            Py_ssize_t first, Py_ssize_t count, float *out)
{
    Room parts = divided(shape, given, (float *)room);
    Py_ssize_t size = shape->names;
    for (Py_ssize_t i = first; i < first + count; i++) {
        for (Py_ssize_t k = 0; k < given->near; k++) {
            int32_t row = given->near_row[i * given->near + k];
            out = copied(out, parts.signs, given->place[row], size);
        }
        for (Py_ssize_t j = 0; j < size; j++)
            *out++ = (float)(int32_t)parts.paths[given->over[i] * size + j];
        out = copied(out, parts.words, i, shape->words);
        out = copied(out, parts.words, given->heading[i], shape->words);
        out = copied(out, parts.words, given->section[i], shape->words);
    }
}
