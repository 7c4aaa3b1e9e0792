/* Where in the room of a pass what stands. */
#include "network.h"

Py_ssize_t chaffinch_margin(const Shape *shape)
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

Py_ssize_t chaffinch_lay_out(Pass *pass, float *room)
{
    const Shape *shape = pass->shape;
    const Given *given = pass->given;
    Py_ssize_t blocks = given->blocks, groups = given->groups, width = padded(shape->width);
    Py_ssize_t looks = larger(1 + shape->gates, 2), outside = chaffinch_margin(shape) * width, end = 0;
    Py_ssize_t widest = padded(larger(2 * shape->pool, larger(shape->gates, shape->types)));
    Py_ssize_t beside = blocks * widest + (blocks + 1) * 2 * PADDED; /* one layer, and `totals` */
    Py_ssize_t slot = larger(blocks * width, beside);
    pass->blocks = blocks;
    pass->width = width;
    pass->widest = widest;
    cut(room, &end, outside);
    pass->h = cut(room, &end, slot + outside);
    cut(room, &end, outside);
    pass->other = cut(room, &end, larger(slot + outside, chaffinch_inputs_size(shape, given)));
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

Py_ssize_t chaffinch_pass_size(const Shape *shape, const Given *given)
{
    Pass pass = {.shape = shape, .given = given};
    return chaffinch_lay_out(&pass, NULL);
}
