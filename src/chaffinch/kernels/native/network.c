/* The network's forward pass on one page. */
#include "network.h"
#include <math.h>

/* Where in the room what stands. */
typedef struct {
    float *words;    /* [blocks + 1, words]: each block's own; 0 at `blocks` */
    float *signs;    /* [places, names]: tag and names of each element */
    float *sets;     /* [sets, names] */
    uint32_t *paths; /* [places, names]: signs of it and what is above, summed in fixed point */
} Room;

static Py_ssize_t inputs_size(const Shape *shape, const Given *given)
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

static void read_inputs(const Shape *shape, const Weights *weights, const Given *given,
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

static void write_inputs(const Shape *shape, const Given *given, const float *room,
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

static Py_ssize_t margin(const Shape *shape)
{
    int64_t most = 0;
    for (Py_ssize_t i = 0; i < shape->first_count; i++)
        most = larger(most, shape->first_steps[i]);
    for (Py_ssize_t i = 0; i < shape->last_count; i++)
        most = larger(most, shape->last_steps[i]);
    return most;
}

/* Return the next `size` floats of the room; nothing of no room, which is only measured. */
static float *cut(float *room, Py_ssize_t *end, Py_ssize_t size)
{
    float *piece = room == NULL ? NULL : room + *end;
    *end += padded(size);
    return piece;
}

static Py_ssize_t lay_out(Pass *pass, float *room)
{
    const Shape *shape = pass->shape;
    const Given *given = pass->given;
    Py_ssize_t blocks = given->blocks, groups = given->groups, width = padded(shape->width);
    Py_ssize_t looks = larger(1 + shape->gates, 2), outside = margin(shape) * width, end = 0;
    Py_ssize_t widest = padded(larger(2 * shape->pool, larger(shape->gates, shape->types)));
    Py_ssize_t beside = blocks * widest + (blocks + 1) * 2 * PADDED; /* one layer, and `totals` */
    Py_ssize_t slot = larger(blocks * width, beside);
    pass->blocks = blocks;
    pass->width = width;
    pass->widest = widest;
    cut(room, &end, outside);
    pass->h = cut(room, &end, slot + outside);
    cut(room, &end, outside);
    pass->other = cut(room, &end, larger(slot + outside, inputs_size(shape, given)));
    pass->weight = cut(room, &end, looks * blocks);
    pass->row = cut(room, &end, width);
    pass->sums = cut(room, &end, looks * width);
    pass->means = cut(room, &end, looks * shape->width);
    pass->zeros = cut(room, &end, larger(widest, width));
    pass->totals_of_groups = (double *)cut(room, &end, 2 * groups * shape->pool);
    pass->means_of_groups = cut(room, &end, groups * shape->pool);
    pass->of_groups = cut(room, &end, groups * width);
    pass->around = cut(room, &end, blocks * shape->pool);
    pass->inputs = cut(room, &end, AT_ONCE * inputs_of(shape, given));
    return end;
}

static Py_ssize_t pass_size(const Shape *shape, const Given *given)
{
    Pass pass = {.shape = shape, .given = given};
    return lay_out(&pass, NULL);
}

#include <math.h>

static void clear(float *values, Py_ssize_t count)
{
    memset(values, 0, count * sizeof *values);
}

/* Apply a layer without relu to `count` rows of the shape's width: float32[count, columns]. */
static void apply(const Pass *pass, const float *in, Py_ssize_t count, Py_ssize_t width,
                  Py_ssize_t apart, const float *weight, const float *bias, Py_ssize_t columns,
                  float *out)
{
    pass->target->layer(&(Layer){
        .rows = count,
        .columns = padded(columns),
        .parts = 1,
        .part = {{in, apart, 1, width, weight}},
        .start = bias,
        .out = out,
    });
}

/* Apply a layer to h, add h to what it gives if `add`, and let that be h. */
static void step(Pass *pass, Layer layer, bool add)
{
    float *given = pass->h;
    layer.rows = pass->blocks;
    layer.columns = pass->width;
    layer.relu = true;
    layer.add = add ? given : NULL;
    layer.out = pass->other;
    pass->target->layer(&layer);
    pass->h = pass->other;
    pass->other = given;
}

/* Make the logistic function of 2 x of each value, and write that of -2 x to `rest`, where there is
 * one: what the first leaves of 1 would have no digit left where it is small. */
static void logistic_of_twice(const Pass *pass, float *values, Py_ssize_t count, float *rest)
{
    for (Py_ssize_t i = 0; i < count; i++)
        values[i] *= -2.0f;
    pass->target->exponentials(values, count);
    for (Py_ssize_t i = 0; i < count && rest != NULL; i++)
        rest[i] = values[i] / (1.0f + values[i]);
    for (Py_ssize_t i = 0; i < count; i++)
        values[i] = 1.0f / (1.0f + values[i]);
}

/* The first layer: numbers, names and words of some blocks at a time. */
static void enter(Pass *pass)
{
    const Given *given = pass->given;
    const Weights *weights = pass->weights;
    Py_ssize_t size = inputs_of(pass->shape, given);
    apply(pass, given->fact, 1, given->facts, 0, weights->facts.weight, weights->facts.bias,
          pass->shape->width, pass->row);
    read_inputs(pass->shape, weights, given, pass->other);
    for (Py_ssize_t first = 0; first < pass->blocks; first += AT_ONCE) {
        Py_ssize_t left = pass->blocks - first, count = left < AT_ONCE ? left : AT_ONCE;
        write_inputs(pass->shape, given, pass->other, first, count, pass->inputs);
        pass->target->layer(&(Layer){
            .rows = count,
            .columns = pass->width,
            .parts = 2,
            .part = {{given->number + first, 1, pass->blocks, given->numbers, weights->numbers},
                     {pass->inputs, size, 1, size, weights->names}},
            .start = pass->row,
            .relu = true,
            .out = pass->h + first * pass->width,
        });
    }
}

/* Write to `means` the means of h by `count` rows of `weight`, drawn to 0. Sums of some blocks at a
 * time are summed, so that those of long pages stay exact. */
static void pool(Pass *pass, Py_ssize_t count)
{
    Py_ssize_t blocks = pass->blocks, width = pass->width, used = pass->shape->width;
    clear(pass->sums, count * width);
    for (Py_ssize_t first = 0; first < blocks; first += 4 * AT_ONCE) {
        Py_ssize_t left = blocks - first;
        pass->target->layer(&(Layer){
            .rows = count,
            .columns = width,
            .parts = 1,
            .part = {{pass->weight + first, blocks, 1, left < 4 * AT_ONCE ? left : 4 * AT_ONCE,
                      pass->h + first * width}},
            .start = pass->zeros,
            .add = pass->sums,
            .out = pass->sums,
        });
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        double amount = 1;
        for (Py_ssize_t i = 0; i < blocks; i++)
            amount += pass->weight[k * blocks + i];
        for (Py_ssize_t j = 0; j < used; j++)
            pass->means[k * used + j] = pass->sums[k * width + j] / (float)amount;
    }
}

/* What the page is like, through learned gates, goes into every block. */
static void look(Pass *pass)
{
    const Weights *weights = pass->weights;
    Py_ssize_t width = pass->shape->width, gates = pass->shape->gates, blocks = pass->blocks;
    apply(pass, pass->h, blocks, width, pass->width, weights->gate.weight, weights->gate.bias,
          gates, pass->other);
    for (Py_ssize_t i = 0; i < blocks; i++) {
        pass->weight[i] = 1;
        for (Py_ssize_t k = 0; k < gates; k++)
            pass->weight[(1 + k) * blocks + i] = pass->other[i * padded(gates) + k];
    }
    logistic_of_twice(pass, pass->weight + blocks, gates * blocks, NULL);
    pool(pass, 1 + gates);
    apply(pass, pass->means, 1, (1 + gates) * width, 0, weights->context.weight,
          weights->context.bias, width, pass->row);
    step(pass,
         (Layer){.parts = 1,
                 .part = {{pass->h, pass->width, 1, width, weights->second}},
                 .start = pass->row},
         false);
}

/* Each block with those `by` before and after. */
static void convolve(Pass *pass, const Dense *dense, Py_ssize_t by)
{
    Layer layer = {.parts = 3, .start = dense->bias};
    Py_ssize_t width = pass->shape->width, outside = by * pass->width;
    clear(pass->h - outside, outside);
    clear(pass->h + pass->blocks * pass->width, outside);
    for (Py_ssize_t k = 0; k < 3; k++) {
        const float *in = pass->h + (k - 1) * by * pass->width;
        const float *weight = dense->weight + k * width * pass->width;
        layer.part[k] = (Part){in, pass->width, 1, width, weight};
    }
    step(pass, layer, true);
}

/* Write the mean of each group: of the first half of what `pool` gives. */
static void average_groups(Pass *pass)
{
    Py_ssize_t size = pass->shape->pool, apart = padded(2 * size), groups = pass->given->groups;
    const int32_t *group = pass->given->group;
    double *totals = pass->totals_of_groups;
    float *sizes = pass->of_groups; /* not needed yet */
    memset(totals, 0, groups * size * sizeof *totals);
    clear(sizes, groups);
    for (Py_ssize_t i = 0; i < pass->blocks; i++) {
        sizes[group[i]]++;
        for (Py_ssize_t j = 0; j < size; j++)
            totals[group[i] * size + j] += pass->other[i * apart + j];
    }
    for (Py_ssize_t i = 0; i < groups; i++) {
        for (Py_ssize_t j = 0; j < size; j++)
            pass->means_of_groups[i * size + j] = (float)totals[i * size + j] / sizes[i];
    }
}

/* Write `count` columns from `column` on of the mean of what is around each block: of the second
 * half of what `pool` gives. */
static void average_around(Pass *pass, Py_ssize_t column, Py_ssize_t count)
{
    Py_ssize_t size = pass->shape->pool, apart = padded(2 * size);
    const float *pooled = pass->other + size + column;
    double *totals = (double *)(pass->other + pass->blocks * apart);
    memset(totals, 0, PADDED * sizeof *totals);
    for (Py_ssize_t i = 0; i < pass->blocks; i++) {
        for (Py_ssize_t j = 0; j < count; j++)
            totals[(i + 1) * PADDED + j] = totals[i * PADDED + j] + pooled[i * apart + j];
    }
    for (Py_ssize_t i = 0; i < pass->blocks; i++) {
        Py_ssize_t low = pass->given->low[i], high = pass->given->high[i];
        for (Py_ssize_t j = 0; j < count; j++) {
            double sum = totals[high * PADDED + j] - totals[low * PADDED + j];
            pass->around[i * size + column + j] = (float)sum / (float)larger(high - low, 1);
        }
    }
}

/* What a block's group and container have in the mean goes into it. */
static void bring_together(Pass *pass)
{
    const Weights *weights = pass->weights;
    Py_ssize_t width = pass->shape->width, size = pass->shape->pool;
    const float *weight = weights->together.weight;
    const float *of_group = weight + width * pass->width;
    const float *of_around = of_group + size * pass->width;
    apply(pass, pass->h, pass->blocks, width, pass->width, weights->pool, pass->zeros, 2 * size,
          pass->other);
    average_groups(pass);
    for (Py_ssize_t first = 0; first < size; first += PADDED)
        average_around(pass, first, size - first < PADDED ? size - first : PADDED);
    apply(pass, pass->means_of_groups, pass->given->groups, size, size, of_group,
          weights->together.bias, width, pass->of_groups);
    step(pass,
         (Layer){.parts = 2,
                 .part = {{pass->h, pass->width, 1, width, weight},
                          {pass->around, size, 1, size, of_around}},
                 .start = pass->of_groups,
                 .starts = pass->given->group},
         true);
}

/* Write the first column of a layer of h to `out`, float32[blocks]. */
static void look_once(Pass *pass, const Dense *dense, float *out)
{
    apply(pass, pass->h, pass->blocks, pass->shape->width, pass->width, dense->weight, dense->bias,
          1, pass->other);
    for (Py_ssize_t i = 0; i < pass->blocks; i++)
        out[i] = pass->other[i * PADDED];
}

/* Each block is compared with what looked like content, and with what did not. */
static void look_again(Pass *pass)
{
    const Weights *weights = pass->weights;
    Py_ssize_t width = pass->shape->width, blocks = pass->blocks;
    look_once(pass, &weights->early, pass->weight);
    logistic_of_twice(pass, pass->weight, blocks, pass->weight + blocks);
    pool(pass, 2);
    apply(pass, pass->means, 1, 2 * width, 0, weights->prototypes.weight,
          weights->prototypes.bias, width, pass->row);
    step(pass,
         (Layer){.parts = 1,
                 .part = {{pass->h, pass->width, 1, width, weights->third}},
                 .start = pass->row},
         true);
}

/* Write the probabilities of page types by both means; return how much they cool. */
static float tell_kind(Pass *pass, float *kinds)
{
    Py_ssize_t types = pass->shape->types;
    float most = -3.4e38f, sum = 0, cooling = 0;
    apply(pass, pass->means, 1, 2 * pass->shape->width, 0, pass->weights->kind.weight,
          pass->weights->kind.bias, types, pass->other);
    for (Py_ssize_t i = 0; i < types; i++)
        most = pass->other[i] > most ? pass->other[i] : most;
    for (Py_ssize_t i = 0; i < types; i++)
        kinds[i] = pass->other[i] - most;
    pass->target->exponentials(kinds, types);
    for (Py_ssize_t i = 0; i < types; i++)
        sum += kinds[i];
    for (Py_ssize_t i = 0; i < types; i++) {
        kinds[i] /= sum;
        cooling += kinds[i] * pass->weights->cooling[i];
    }
    return cooling;
}

static void pass_over(const Shape *shape, const Weights *weights, const Given *given,
                    const Target *target, float *room, float *score, float *kinds)
{
    Pass pass = {.shape = shape, .weights = weights, .given = given, .target = target};
    lay_out(&pass, room);
    clear(pass.zeros, larger(pass.widest, pass.width));
    enter(&pass);
    look(&pass);
    for (Py_ssize_t i = 0; i < shape->first_count; i++)
        convolve(&pass, &weights->first[i], shape->first_steps[i]);
    bring_together(&pass);
    look_again(&pass);
    for (Py_ssize_t i = 0; i < shape->last_count; i++)
        convolve(&pass, &weights->last[i], shape->last_steps[i]);
    float cooling = tell_kind(&pass, kinds);
    look_once(&pass, &weights->leave, score);
    for (Py_ssize_t i = 0; i < pass.blocks; i++)
        score[i] *= cooling;
    logistic_of_twice(&pass, score, pass.blocks, NULL);
}

/* The arguments of `network`, in their order; see there. */
enum {
    SIZES, FIRST_STEPS, LAST_STEPS, PACKED, TAG_VECTORS, NAME_VECTORS, WORD_VECTORS,
    FACTS, NUMBERS, TAG, SET_OF_ROW, PLACE, ROW, UP, OVER, NAMES, NEAR, WORDS, HEADING,
    SECTION, LOW, HIGH, GROUP, GROUPS, SCORE, KINDS, MOST, ARGUMENTS
};

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
    if (blocks < 1 || arrays[GROUPS].count < 1 || arrays[GROUPS].count > blocks)
        return false;
    *given = (Given){
        .blocks = blocks,
        .rows = rows,
        .places = arrays[ROW].count,
        .sets = arrays[NAMES].count / shape->most_names,
        .groups = arrays[GROUPS].count,
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
static bool indices_below(const Array *array, Py_ssize_t limit)
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
    return indices_below(&arrays[TAG], shape->tags) && indices_below(&arrays[SET_OF_ROW], given->sets) &&
           indices_below(&arrays[PLACE], places) && indices_below(&arrays[ROW], rows) &&
           indices_below(&arrays[UP], places) && indices_below(&arrays[OVER], places) &&
           indices_below(&arrays[NEAR], rows) &&
           indices_below(&arrays[NAMES], shape->name_buckets) &&
           indices_below(&arrays[WORDS], shape->word_buckets) &&
           indices_below(&arrays[HEADING], blocks + 1) && indices_below(&arrays[SECTION], blocks + 1) &&
           indices_below(&arrays[LOW], blocks + 1) && indices_below(&arrays[HIGH], blocks + 1) &&
           indices_below(&arrays[GROUP], given->groups);
}

/* network(sizes, first_steps, last_steps: int64[…], packed: float32[…],
 *         tag_vectors, name_vectors, word_vectors: float32[…, e], facts: float32[…],
 *         numbers: float32[f, m], tag: uint16[n], set_of_row, place: int32[n],
 *         row: int64[r], up: int32[r], over: int32[m], names: uint16[s, most],
 *         near: int32[m, k], words: uint16[slots, m],
 *         heading, section, low, high, group: int32[m], groups: int,
 *         score: float32[m], kinds: float32[types], most: int) -> None
 * The answer of the network for a page of m blocks: `chaffinch.model.network`, with columns of
 * `chaffinch.model.features`, and weights and sizes as `chaffinch.model.network` packs them. The last
 * vectors of names and of words are those of none. It is written to `score` and `kinds`. `most` is
 * the widest target that may be used: 0 any machine's, 1 AVX2, 2 AVX-512. Indices are checked. */
MAKER(network, "qqqffffffHiiqiiHiHiiiiin|ff|n", "...........................")
{
    Shape shape;
    Weights weights;
    Given given;
    if (!read_shape(a, &shape) || !read_given(a, &shape, &given) ||
        !read_weights(a, &shape, &given, &weights) || !indices_hold(a, &shape, &given))
        return NULL;
    const size_t line = 64; /* bytes: rows of vectors begin where lines of the cache do */
    char *room = malloc(pass_size(&shape, &given) * sizeof(float) + line);
    if (room == NULL)
        return PyErr_NoMemory();
    float *begin = (float *)(room + (line - (uintptr_t)room % line));
    Py_BEGIN_ALLOW_THREADS /* always: others needn't wait for it */
    pass_over(&shape, &weights, &given, chaffinch_target((long)a[MOST].count), begin, a[SCORE].data,
              a[KINDS].data);
    Py_END_ALLOW_THREADS
    free(room);
    return Py_NewRef(Py_None);
}
