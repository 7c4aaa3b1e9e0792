"""Sums and counts over groups and stretches of rows, and picks of rows, which rules are made of."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels.codes import STRETCH_BEGINS, STRETCH_COUNTED, STRETCH_ITEM
from chaffinch.kernels.plain.rows import inside

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Amounts, Codes, Floats, Kinds, Mask, Numbers, Rows


def blocks_inside(
    tag: Codes, end: Rows, first: Rows, kinds: Mask, of_row: Rows, named: Mask, /
) -> Mask:
    """Return bool[m]: blocks that begin in elements of certain tags or names.

    Args:
        tag: uint16[n].
        end: int32[n].
        first: int32[m], the first row of each block, ascending.
        kinds: bool[tags].
        of_row: int32[n], the set of names of each row; [0] where names don't count.
        named: bool[s], which sets of names.
    """
    marked = kinds.take(tag)
    if len(of_row):
        marked |= named.take(of_row)
    return inside(end, marked)[first]


def kept_sums(values: Floats, weights: Floats, keep: Mask, /) -> tuple[float, float, float]:
    """Return three sums: of values times weights, of that of what is kept, of the kept weights.

    All are added one by one, in order.

    Args:
        values, weights: float32[m].
        keep: bool[m].
    """
    products = values.astype(np.float64) * weights
    return _in_order(products), _in_order(products[keep]), _in_order(weights[keep])


def _in_order(values: NDArray[np.floating]) -> float:
    return float(np.add.accumulate(values, dtype=np.float64)[-1]) if len(values) else 0.0


def pulled_to_means(
    number: Rows, weights: Floats, values: Floats | Numbers, share: float, /
) -> Numbers:
    """Return float64[m]: values moved towards the mean, by weight, of those with their number.

    Weights of less than 1 in all count as 1; an item whose number is below 0 keeps its value.

    Args:
        number: int32[m], below m.
        weights: float32[m].
        values: float32[m] or float64[m], and so are their products with the weights.
        share: the part of the way that they move; 1 gives the means themselves.
    """
    pulled = values.astype(np.float64)
    some = number >= 0
    of, own = number[some], pulled[some]
    sums = np.bincount(of, weights=(values * weights)[some])
    means = (sums / np.maximum(np.bincount(of, weights=weights[some]), 1))[of]
    pulled[some] = means if share == 1 else (means - own) * share + own
    return pulled


def outermost_stretches(
    tag: Codes, end: Rows, points: Rows, kinds: Kinds, further: Rows, most: int, /
) -> tuple[Rows, int]:
    """Return int32[m]: for each point the first one in the same stretch; how many stretches.

    A stretch are the rows of an element that begins one and stands in no other such; one that is
    counted holds at most ``most`` points an item, or is none. -1 for a point in none.

    Args:
        tag: uint16[n].
        end: int32[n].
        points: int32[m], rows, rising.
        kinds: uint8[tags], `STRETCH_BEGINS`, `STRETCH_COUNTED` and `STRETCH_ITEM` of
            `chaffinch.kernels.codes`.
        further: int32[f], rows that begin a stretch whatever their tag, rising.
        most: points an item, 0 or more.
    """
    kind = kinds.take(tag)
    starts = _outermost(end, (kind & STRETCH_BEGINS) > 0, further)
    ends = end[starts]
    before = np.zeros(len(tag) + 1, dtype=np.int64)
    np.cumsum((kind & STRETCH_ITEM) > 0, out=before[1:])
    held = np.searchsorted(points, ends) - np.searchsorted(points, starts)
    is_one = held <= most * (before[ends] - before[starts])
    is_one |= (kind[starts] & STRETCH_COUNTED) == 0
    starts, ends = starts[is_one], ends[is_one]
    at = np.searchsorted(ends, points, side="right")
    padded = np.append(starts, np.int32(np.iinfo(np.int32).max))
    first = np.searchsorted(points, padded)
    return np.where(padded[at] <= points, first[at], -1).astype(np.int32), len(starts)


def _outermost(end: Rows, marked: Mask, further: Rows) -> Rows:
    """Return int32[r]: the marked rows, and ``further`` ones, that stand in no other such."""
    marked[further] = True
    rows = np.flatnonzero(marked).astype(np.int32)
    outer = np.ones(len(rows), dtype=bool)
    np.greater_equal(rows[1:], np.maximum.accumulate(end[rows])[:-1], out=outer[1:])
    return rows[outer]


def common_values(
    first: Amounts, last: Amounts, bounds: Amounts, value: Amounts, weight: Rows, share: float, /
) -> tuple[Amounts, Amounts, Amounts]:
    """Return what the ranges of a group have in common: values that a share of them have.

    int64[k]: the weight of the items of each range whose values are common in its group. int64[k]:
    the different ones of these values that it has. int64[g]: the common values of each group, two
    ranges of which have them at least.

    Args:
        first, last: int64[k], half-open ranges of items.
        bounds: int64[g+1], rising, the first range of each group, and k.
        value: int64[m], the value of each item, from 0.
        weight: int32[m], of each item.
        share: least share, 0..1, of a group's ranges that have a common value.
    """
    weights, found = np.zeros((2, len(first)), dtype=np.int64)
    common = np.zeros(len(bounds) - 1, dtype=np.int64)
    values = int(value.max(initial=-1)) + 1
    for group, (start, stop) in enumerate(pairwise(bounds.tolist())):
        items = [np.arange(a, b) for a, b in zip(first[start:stop], last[start:stop], strict=True)]
        different = [np.unique(value[own]) for own in items]
        having = np.bincount(np.concatenate([value[:0], *different]), minlength=values)
        is_common = having >= max(share * (stop - start), 2)
        weights[start:stop] = [weight[own][is_common[value[own]]].sum() for own in items]
        found[start:stop] = [is_common[own].sum() for own in different]
        common[group] = is_common.sum()
    return weights, found, common


def topmost_without(parent: Rows, end: Rows, points: Rows, rows: Rows, /) -> Rows:
    """Return int32[2, r]: the highest row around each below which no point lies, and the next.

    That is the highest at or above each row to which only rows without a point lead, the row itself
    apart and the first row of the page left out; and the row above that.

    Args:
        parent, end: int32[n].
        points: int32[k], rising.
        rows: int32[r].
    """
    top, above = rows, np.maximum(parent[rows], 0)
    while (free := (above > 0) & (_counts_within(points, above, end[above]) == 0)).any():
        top = np.where(free, above, top)
        above = np.maximum(parent[top], 0)
    return np.stack([top, above]).astype(np.int32)


def rows_of(tag: Codes, kinds: Mask, marked: Mask, start: int, stop: int, /) -> Rows:
    """Return int32[r]: the rows of certain tags among the rows start:stop.

    Args:
        tag: uint16[n].
        kinds: bool[tags].
        marked: bool[n], which rows count; [0] for all.
        start, stop: 0 <= start <= stop <= n.
    """
    mask = kinds.take(tag[start:stop])
    if len(marked):
        mask &= marked[start:stop]
    return (np.flatnonzero(mask) + start).astype(np.int32)


def followers(
    tag: Codes, end: Rows, before: Amounts, kinds: Kinds, near: int, between: int, /
) -> Rows:
    """Return int32[2, k]: leaders and their followers, rows of kinds 1 and 2, in order.

    A follower stands behind the last leader, and both have something of what is counted: at most
    ``near`` from the end of the leader to that of the follower, and at most ``between`` from that
    of the leader, or of a follower before, to the follower.

    Args:
        tag: uint16[n].
        end: int32[n].
        before: int64[n+1], what is counted before each row.
        kinds: uint8[tags].
        near, between: see above.
    """
    pairs, leader, last = list[tuple[int, int]](), -1, 0
    kind = kinds.take(tag)
    for row in np.flatnonzero(kind).tolist():
        if kind[row] == 1:
            leader = row if before[row] < before[end[row]] else -1
            last = int(end[row])
        elif leader >= 0 and end[leader] <= row:
            stop = before[end[row]]
            is_next = before[row] - before[last] <= between
            if before[row] < stop and is_next and stop - before[end[leader]] <= near:
                pairs.append((leader, row))
                last = max(last, int(end[row]))
    return np.array(pairs, dtype=np.int32).reshape(-1, 2).T


def touching(end: Rows, rows: Rows, first: Rows, last: Rows, keep: Mask, /) -> Rows:
    """Return int32[t]: those of some rows whose subtrees share a row with a kept stretch.

    Args:
        end: int32[n].
        rows: int32[r].
        first, last: int32[m], the stretches first:last, which rise and don't overlap.
        keep: bool[m], which of them are kept.
    """
    begun = first[keep].searchsorted(end.take(rows))
    return rows[begun > last[keep].searchsorted(rows, "right")]


def best_threshold(values: Floats, weights: Floats, beta: float, least: float, /) -> float:
    """Return the value from which a choice of the items has the highest expected F measure.

    The gain of a choice is the sum of values times weights, its F measure (1 + beta^2) gain /
    (weights + beta^2 gain of all). A value below ``least`` counts as that.

    Args:
        values: float32[m], without NaN.
        weights: float32[m], none below 0.
        beta: weight of recall against precision.
        least: the lowest threshold.
    """
    products = values * weights
    # the measure rises up to the best choice and then falls: one item below `least` is enough
    some = np.count_nonzero(values >= least) + 1
    order = (-values).argsort(kind="stable")[:some]
    gain = np.add.accumulate(products[order], dtype=np.float64)
    taken = np.add.accumulate(weights[order], dtype=np.float64)
    square = beta * beta
    expected = (1 + square) * gain / (taken + square * _in_order(products) + 1e-9)
    return max(float(values[order[expected.argmax()]]), least) if len(order) else least


def sums_within(points: Rows, values: Floats, marked: Mask, starts: Rows, ends: Rows, /) -> Numbers:
    """Return float64[2, …]: the sum of marked values, and of all, with points in each stretch.

    Args:
        points: int32[m], rising.
        values: float32[m].
        marked: bool[m].
        starts, ends: int32[…], ends exclusive.
    """
    before = np.zeros((2, len(values) + 1))
    for of, own in zip(before, (np.where(marked, values, 0), values), strict=True):
        np.add.accumulate(own, dtype=np.float64, out=of[1:])
    sums: Numbers = before[:, points.searchsorted(ends)] - before[:, points.searchsorted(starts)]
    return sums


def tags_between(
    tag: Codes, kinds: Mask, marked: Mask, first: Rows, last: Rows, keep: Mask, /
) -> Mask:
    """Return bool[n]: rows of certain tags in kept stretches or between two that follow each other.

    Args:
        tag: uint16[n].
        kinds: bool[tags].
        marked: bool[n], which rows count.
        first, last: int32[m], stretches that rise and don't overlap, ends exclusive.
        keep: bool[m].
    """
    steps = np.zeros(len(tag) + 1, dtype=np.int32)
    follows = keep[1:] & keep[:-1]
    starts, ends = first.copy(), last[keep]
    starts[1:][follows] = last[:-1][follows]
    np.add.at(steps, starts[keep], 1)
    np.subtract.at(steps, ends, 1)
    between: Mask = np.add.accumulate(steps[:-1]) > 0
    return between & marked & kinds.take(tag)


def tags_within(tag: Codes, kinds: Mask, marked: Mask, starts: Rows, ends: Rows, /) -> Rows:
    """Return int32[r]: how many rows of certain tags lie in each stretch.

    Args:
        tag: uint16[n].
        kinds: bool[tags].
        marked: bool[n], which rows count; [0] for all.
        starts, ends: int32[r], ends exclusive.
    """
    return _counts_within(rows_of(tag, kinds, marked, 0, len(tag)), starts, ends)


def _counts_within(points: Rows, starts: Rows, ends: Rows) -> Rows:
    """Return int32[r]: how many points lie in each stretch.

    Args:
        points: int32[m], rising.
        starts, ends: int32[r], ends exclusive.
    """
    counts: Rows = (points.searchsorted(ends) - points.searchsorted(starts)).astype(np.int32)
    return counts
