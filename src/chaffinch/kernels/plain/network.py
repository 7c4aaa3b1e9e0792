"""The forward pass of the network, all in float32.

Embeddings of hashed names and words, a dense layer, page-wide context pooled through learned
gates, dilated convolutions over the sequence of blocks, pooling over groups of like blocks and
over the nearest container, and a second look, a pass in which each block is compared with the mean
of the blocks that the first pass takes for content and with that of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.plain import network_layers as layers
from chaffinch.kernels.plain.blocks import sums_above
from chaffinch.kernels.plain.network_layers import Weights, relu, slices, times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.kernels.arrays import Codes, Floats
    from chaffinch.kernels.network_inputs import BlockColumns, NetworkWeights

_UNITS: Final = 7
"""Where the units of fixed-point numbers stand among the sizes."""


def network(
    weights: NetworkWeights, facts: Floats, blocks: BlockColumns, widest: int, /
) -> tuple[Floats, Floats]:
    """Return the network's answer for a page of m blocks, at least one.

    Sums are made in another order than in C: probabilities differ by some units of the last place,
    as they do between builds of BLAS.

    Args:
        weights: the network.
        facts: float32[…], what is known of the page as a whole.
        blocks: what is known of its blocks.
        widest: the widest vectors that C may use: 0 any machine's, 1 AVX2, 2 AVX-512.

    Returns:
        float32[m], the probability that each block is content; float32[types], that of each page
        type.
    """
    del widest
    sizes, first, last, packed, *vectors = weights
    of_tags, of_names, of_words = vectors
    inputs = (blocks.near.shape[1] + 1) * of_names.shape[1] + 3 * of_words.shape[1]
    given = len(facts), len(blocks.numbers), inputs
    w = Weights.unpacked(packed, sizes, (len(first), len(last)), given)
    h = times(blocks.numbers.T, w.of["numbers.weight"])
    h += _named(blocks, w, (of_tags, of_names, of_words), int(sizes[_UNITS]))
    relu(h, facts @ w.of["facts.weight"] + w.of["enter.bias"])
    return _looked_twice(h, blocks, w, (first.tolist(), last.tolist()))


def _looked_twice(
    h: Floats, page: BlockColumns, weights: Weights, steps: tuple[list[int], list[int]]
) -> tuple[Floats, Floats]:
    """Return what follows from the first layer's float32[m, e]."""
    w, count = weights.of, len(h)
    weight = np.ones((1 + weights.gates, count), dtype=np.float32)
    weight[1:] = layers.logistic_of_twice(times(h, w["gate.weight"]), w["gate.bias"]).T
    context = layers.means(h, weight) @ w["context.weight"] + w["context.bias"]
    margin = max(*steps[0], *steps[1])
    padded = np.zeros((count + 2 * margin, len(context)), dtype=np.float32)
    h = times(h, w["second.weight"], padded[margin:-margin])
    relu(h, context)
    for number, step in enumerate(steps[0]):
        h += layers.convolved(padded, margin, weights, f"first_convolutions.{number}", step)
    h += _together(h, page, w)
    early = times(h, w["early.weight"])[:, 0] + w["early.bias"]
    prototypes = layers.means(h, layers.logistic_of_twice(np.stack([early, -early])))
    context = prototypes @ w["prototypes.weight"] + w["prototypes.bias"]
    h += relu(times(h, w["third.weight"]), context)
    for number, step in enumerate(steps[1]):
        h += layers.convolved(padded, margin, weights, f"last_convolutions.{number}", step)
    kinds: Floats = prototypes @ w["kind.weight"] + w["kind.bias"]
    kinds = np.exp(kinds - kinds.max())
    kinds /= kinds.sum()
    logits = times(h, w["leave.weight"])[:, 0] + w["leave.bias"]
    logits *= kinds @ w["cooling"]
    return layers.logistic_of_twice(logits), kinds


def _named(
    page: BlockColumns, weights: Weights, vectors: tuple[Floats, Floats, Floats], units: int
) -> Floats:
    """Return float32[m, k]: what names and words add to the first layer."""
    matrix = weights.of["names.weight"]
    out = np.empty((len(page.over), matrix.shape[1]), dtype=np.float32)
    for some, inputs in _names_and_words(page, vectors, units):
        times(inputs, matrix, out[some])
    return out


def _names_and_words(
    page: BlockColumns, vectors: tuple[Floats, Floats, Floats], units: int
) -> Iterator[tuple[slice, Floats]]:
    """Yield names near, names above, words, words of headings of some blocks at a time.

    Yields:
        Which blocks, and float32[of them, inputs].
    """
    of_tags, of_names, of_words = vectors
    signs = of_tags.take(page.tag[page.rows], axis=0)
    signs += _mean_vectors(of_names, page.names.T).take(page.of_row[page.rows], axis=0)
    fixed = np.empty(signs.T.shape, dtype=np.int32)
    np.multiply(signs.T, np.float32(units), out=fixed, casting="unsafe")
    paths = sums_above(page.up, page.over, fixed)
    own_words = np.zeros((len(page.over) + 1, of_words.shape[1]), dtype=np.float32)
    for some in slices(len(page.over)):
        own_words[some] = _mean_vectors(of_words, page.words[:, some])
    size = signs.shape[1]
    near = page.near.shape[1] * size
    path = near + size
    for some in slices(len(page.over)):
        at = page.place[page.near[some]]
        count = len(at)
        out = np.empty((count, path + 3 * own_words.shape[1]), dtype=np.float32)
        out[:, :near] = signs.take(at, axis=0).reshape(count, -1)
        out[:, near:path] = paths[:, some].T
        means = out[:, path:].reshape(count, 3, -1)
        means[:, 0] = own_words[some]
        means[:, 1] = own_words.take(page.heading[some], axis=0)
        means[:, 2] = own_words.take(page.section[some], axis=0)
        yield some, out


def _mean_vectors(vectors: Floats, buckets: Codes) -> Floats:
    """Return float32[k, e]: the sum of the vectors of ``buckets``, uint16[slots, k], over √count.

    The last vector is that of none, which doesn't count.
    """
    sizes = np.add.reduce(buckets < len(vectors) - 1, axis=0)
    sums: Floats = np.add.reduce(vectors.take(buckets, axis=0), axis=0)
    sums /= np.sqrt(np.maximum(sizes, 1), dtype=np.float32)[:, None]
    return sums


def _together(h: Floats, page: BlockColumns, w: dict[str, Floats]) -> Floats:
    """Return float32[m, e]: what a block's group and container have in the mean, mixed in."""
    seen = times(h, w["pool.weight"])
    half = seen.shape[1] // 2
    order = np.argsort(page.group, kind="stable")
    edges = np.append(0, np.cumsum(page.group_sizes))
    sums = np.zeros((len(h) + 1, 2 * half))  # in float32 a long page's would be too coarse
    sums[1:] = seen
    sums[1:, :half] = seen.take(order, axis=0)[:, :half]
    np.add.accumulate(sums, axis=0, out=sums)
    of_groups = sums.take(edges, axis=0)[:, :half]
    means = (of_groups[1:] - of_groups[:-1]).astype(np.float32)
    means /= page.group_sizes.astype(np.float32)[:, None]
    around = sums[:, half:].take(page.high, axis=0) - sums[:, half:].take(page.low, axis=0)
    around = around.astype(np.float32)
    around /= (page.high - page.low).astype(np.float32)[:, None]
    matrix = w["together.weight"]
    out = times(h, matrix[: -2 * half])
    out += times(means, matrix[-2 * half : -half]).take(page.group, axis=0)
    out += times(around, matrix[-half:])
    return relu(out, w["together.bias"])
