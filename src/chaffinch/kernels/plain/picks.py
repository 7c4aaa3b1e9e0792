"""Sums and counts over groups and stretches of rows, and picks of rows, which rules are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.plain.rows import inside

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Mask, Numbers, Places, Rows

_LENGTHS: Final = 1 << 12


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


def amounts_between(before: Places, marked: Mask, first: Rows, last: Rows, /) -> NDArray[np.int64]:
    """Return int64[m]: how much of an amount is in the marked ones of the rows first:last.

    Args:
        before: intp[n+1], the amount before each row.
        marked: bool[n].
        first, last: int32[m].
    """
    sums = np.zeros_like(before)
    np.add.accumulate((before[1:] - before[:-1]) * marked, out=sums[1:])
    amounts: NDArray[np.int64] = sums[last] - sums[first]
    return amounts


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


def group_means(number: Rows, products: Numbers, weights: Floats, values: Numbers, /) -> Numbers:
    """Return float64[m]: the mean, by weight, of the items with each item's number.

    Weights of less than 1 in all count as 1; an item whose number is below 0 has its own value.

    Args:
        number: int32[m], below m.
        products: float64[m], values times weights.
        weights: float32[m].
        values: float64[m].
    """
    means = values.copy()
    some = number >= 0
    of = number[some]
    sums = np.bincount(of, weights=products[some])
    means[some] = (sums / np.maximum(np.bincount(of, weights=weights[some]), 1))[of]
    return means


def outermost(tag: Codes, end: Rows, kinds: Mask, further: Rows, /) -> Rows:
    """Return int32[r]: the rows of certain tags, and ``further`` ones, that stand in no other such.

    Args:
        tag: uint16[n].
        end: int32[n].
        kinds: bool[tags].
        further: int32[f], ascending.
    """
    marked = kinds.take(tag)
    marked[further] = True
    rows = np.flatnonzero(marked).astype(np.int32)
    outer = np.ones(len(rows), dtype=bool)
    np.greater_equal(rows[1:], np.maximum.accumulate(end[rows])[:-1], out=outer[1:])
    return rows[outer]


def stretch_of(starts: Rows, ends: Rows, points: Rows, /) -> Rows:
    """Return int32[m]: the number of the stretch in which each point lies, -1 for none.

    Args:
        starts, ends: int32[r], stretches that rise and don't overlap, ends exclusive.
        points: int32[m], rising.
    """
    at = np.searchsorted(ends, points, side="right").astype(np.int32)
    padded = np.append(starts, np.int32(np.iinfo(np.int32).max))
    return np.where(padded[at] <= points, at, np.int32(-1))


def topmost_without(parent: Rows, marked: Mask, rows: Rows, /) -> Rows:
    """Return int32[r]: the highest row around each below which, itself apart, none is marked.

    That is the highest at or above each row to which only unmarked rows lead, the first row of the
    page left out.

    Args:
        parent: int32[n].
        marked: bool[n].
        rows: int32[r].
    """
    top, above = rows, np.maximum(parent[rows], 0)
    while (free := ~marked[above] & (above > 0)).any():
        top = np.where(free, above, top)
        above = np.maximum(parent[top], 0)
    return top.astype(np.int32)


def rows_of(tag: Codes, kinds: Mask, marked: Mask, /) -> Rows:
    """Return int32[r]: the rows of certain tags.

    Args:
        tag: uint16[n].
        kinds: bool[tags].
        marked: bool[n], which rows count; [0] for all.
    """
    mask = kinds.take(tag)
    if len(marked):
        mask &= marked
    return np.flatnonzero(mask).astype(np.int32)


def best_prefix(order: Places, values: Floats, weights: Floats, beta: float, /) -> int:
    """Return how many of the first in ``order``, less one, have the highest expected F measure.

    The gain of a choice is the sum of values times weights, its F measure (1 + beta^2) gain /
    (weights + beta^2 gain of all).

    Args:
        order: intp[m], of at least one item.
        values, weights: float32[m].
        beta: weight of recall against precision.
    """
    gain = np.add.accumulate((values * weights)[order], dtype=np.float64)
    taken = np.add.accumulate(weights[order], dtype=np.float64)
    square = beta * beta
    return int(np.argmax((1 + square) * gain / (taken + square * gain[-1] + 1e-9)))


def sums_within(points: Rows, values: Floats, starts: Rows, ends: Rows, /) -> Numbers:
    """Return float64[r]: the sum of the values whose points lie in each stretch.

    Args:
        points: int32[m], rising.
        values: float32[m].
        starts, ends: int32[r], ends exclusive.
    """
    before = np.zeros(len(values) + 1)
    np.add.accumulate(values, dtype=np.float64, out=before[1:])
    sums: Numbers = before[points.searchsorted(ends)] - before[points.searchsorted(starts)]
    return sums


def counts_within(points: Rows, starts: Rows, ends: Rows, /) -> Rows:
    """Return int32[r]: how many points lie in each stretch.

    Args:
        points: int32[m], rising.
        starts, ends: int32[r], ends exclusive.
    """
    counts: Rows = (points.searchsorted(ends) - points.searchsorted(starts)).astype(np.int32)
    return counts


def recurring(before: Places, first: Rows, last: Rows, keep: Mask, least: int, /) -> Rows:
    """Return int32[k]: the kept stretches that are as long as another kept one, modulo 4,096.

    Others needn't be compared to find two that are the same.

    Args:
        before: intp[n+1], an amount before each row.
        first, last: int32[m], the stretches; their length is the amount between.
        keep: bool[m].
        least: length of stretches that count, at least 1.
    """
    length = before[last] - before[first]
    long = np.flatnonzero(keep & (length >= least))
    of = length[long] % _LENGTHS
    found: Rows = long[np.bincount(of)[of] > 1].astype(np.int32)
    return found
