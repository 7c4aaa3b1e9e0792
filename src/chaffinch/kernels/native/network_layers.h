/* Layers for one target; network_targets.c includes this once for each, with
 *
 *   NAMED(name)      the name of a function of this target
 *   TARGET           attributes of its functions
 *   LANES            floats in a vector
 *   ROWS             rows at a time: their sums of `MOST_VECTORS` vectors stay in registers
 *   ADDED(sum, a, b) the vector `sum` plus the float `a` times the vector `b`
 */

typedef float NAMED(Lanes) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t NAMED(Bits) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* Add a part of the layer to the sums of `rows` rows and `vectors` vectors of columns. */
TARGET ALWAYS_INLINE void NAMED(add_part)(const Part *part, Py_ssize_t columns, Py_ssize_t row,
                                          Py_ssize_t column, int rows, int vectors,
                                          NAMED(Lanes) sums[ROWS][MOST_VECTORS])
{
    const float *in = part->in + row * part->row, *weight = part->weight + column;
    Py_ssize_t next = part->row, item = part->item;
    for (Py_ssize_t k = part->size; k > 0; k--, in += item, weight += columns) {
        UNROLLED
        for (int v = 0; v < vectors; v++) {
            NAMED(Lanes) lanes = *(const NAMED(Lanes) *)(weight + v * LANES);
            UNROLLED
            for (int r = 0; r < rows; r++)
                sums[r][v] = ADDED(sums[r][v], in[r * next], lanes);
        }
    }
}

/* Write a row's sums: relu, and what is added to it. */
TARGET ALWAYS_INLINE void NAMED(finish)(const Layer *layer, Py_ssize_t at, int vectors,
                                        const NAMED(Lanes) sums[MOST_VECTORS])
{
    UNROLLED
    for (int v = 0; v < vectors; v++, at += LANES) {
        NAMED(Lanes) sum = sums[v];
        if (layer->relu)
            sum = (NAMED(Lanes))((NAMED(Bits))sum & ~(sum <= 0)); /* NaN stays */
        if (layer->add != NULL)
            sum += *(const NAMED(Lanes) *)(layer->add + at);
        *(NAMED(Lanes) *)(layer->out + at) = sum;
    }
}

/* Compute the layer for `rows` rows and `vectors` vectors of columns. */
TARGET ALWAYS_INLINE void NAMED(tile)(const Layer *layer, Py_ssize_t row, Py_ssize_t column,
                                      int rows, int vectors)
{
    NAMED(Lanes) sums[ROWS][MOST_VECTORS];
    Py_ssize_t columns = layer->columns;
    UNROLLED
    for (int r = 0; r < rows; r++) {
        const float *start = layer->start + column;
        if (layer->starts != NULL)
            start += layer->starts[row + r] * columns;
        UNROLLED
        for (int v = 0; v < vectors; v++)
            sums[r][v] = *(const NAMED(Lanes) *)(start + v * LANES);
    }
    for (int p = 0; p < layer->parts; p++)
        NAMED(add_part)(&layer->part[p], columns, row, column, rows, vectors, sums);
    UNROLLED
    for (int r = 0; r < rows; r++)
        NAMED(finish)(layer, (row + r) * columns + column, vectors, sums[r]);
}

/* Compute the layer for all rows and `vectors` vectors of columns. */
TARGET ALWAYS_INLINE void NAMED(panel)(const Layer *layer, Py_ssize_t column, int vectors)
{
    Py_ssize_t row = 0;
    for (; row + ROWS <= layer->rows; row += ROWS)
        NAMED(tile)(layer, row, column, ROWS, vectors);
    for (; row < layer->rows; row++)
        NAMED(tile)(layer, row, column, 1, vectors);
}

TARGET static void NAMED(layer)(const Layer *layer)
{
    Py_ssize_t column = 0, left = layer->columns / LANES;
    for (; left > 0; column += MOST_VECTORS * LANES, left -= MOST_VECTORS) {
        switch (left) {
        case 1: NAMED(panel)(layer, column, 1); break;
        case 2: NAMED(panel)(layer, column, 2); break;
        case 3: NAMED(panel)(layer, column, 3); break;
        case 4: NAMED(panel)(layer, column, 4); break;
        default: NAMED(panel)(layer, column, MOST_VECTORS); break;
        }
    }
}

TARGET static void NAMED(exponentials)(float *values, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        values[i] = exponential(values[i]);
}
