/* The forward pass, layer by layer as in chaffinch/model/network.py. */
#include "network.h"

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
    chaffinch_read_inputs(pass->shape, weights, given, pass->other);
    for (Py_ssize_t first = 0; first < pass->blocks; first += AT_ONCE) {
        Py_ssize_t left = pass->blocks - first, count = left < AT_ONCE ? left : AT_ONCE;
        chaffinch_write_inputs(pass->shape, given, pass->other, first, count, pass->inputs);
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

void chaffinch_pass(const Shape *shape, const Weights *weights, const Given *given,
                    const Target *target, float *room, float *score, float *kinds)
{
    Pass pass = {.shape = shape, .weights = weights, .given = given, .target = target};
    chaffinch_lay_out(&pass, room);
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
