"""Sums and picks that rules are made of; see `chaffinch.kernels.plain.picks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels import _native

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Mask, Numbers, Places, Rows


def blocks_inside(
    tag: Codes, end: Rows, first: Rows, kinds: Mask, of_row: Rows, named: Mask, /
) -> Mask:
    mask: Mask = np.empty(len(first), dtype=bool)
    _native.blocks_inside(tag, end, first, kinds, of_row, named, mask)
    return mask


def amounts_between(before: Places, marked: Mask, first: Rows, last: Rows, /) -> NDArray[np.int64]:
    amounts = np.empty(len(first), dtype=np.int64)
    _native.amounts_between(before, marked, first, last, amounts)
    return amounts


def pulled_to_means(
    number: Rows, weights: Floats, values: Floats | Numbers, share: float, /
) -> Numbers:
    pulled, room = np.empty(len(values)), np.empty(2 * len(values))
    _native.pulled_to_means(number, weights, values, share, pulled, room)
    return pulled


def outermost(tag: Codes, end: Rows, kinds: Mask, further: Rows, /) -> Rows:
    rows = np.empty(len(tag), dtype=np.int32)
    return rows[: _native.outermost(tag, end, kinds, further, rows)]


def stretch_of(starts: Rows, ends: Rows, points: Rows, /) -> Rows:
    number = np.empty(len(points), dtype=np.int32)
    _native.stretch_of(starts, ends, points, number)
    return number


def topmost_without(parent: Rows, end: Rows, points: Rows, rows: Rows, /) -> Rows:
    top = np.empty((2, len(rows)), dtype=np.int32)
    _native.topmost_without(parent, end, points, rows, top)
    return top


def rows_of(tag: Codes, kinds: Mask, marked: Mask, start: int, stop: int, /) -> Rows:
    rows = np.empty(stop - start, dtype=np.int32)
    return rows[: _native.rows_of(tag, kinds, marked, start, stop, rows)]


def sums_within(points: Rows, values: Floats, marked: Mask, starts: Rows, ends: Rows, /) -> Numbers:
    sums, room = np.empty((2, *starts.shape)), np.empty(2 * (len(points) + 1))
    _native.sums_within(points, values, marked, starts, ends, room, sums)
    return sums


def tags_between(
    tag: Codes, kinds: Mask, marked: Mask, first: Rows, last: Rows, keep: Mask, /
) -> Mask:
    between: Mask = np.empty(len(tag), dtype=bool)
    _native.tags_between(tag, kinds, marked, first, last, keep, between)
    return between


def tags_within(tag: Codes, kinds: Mask, marked: Mask, starts: Rows, ends: Rows, /) -> Rows:
    counts, room = np.empty(len(starts), dtype=np.int32), np.empty(len(tag), dtype=np.int32)
    _native.tags_within(tag, kinds, marked, starts, ends, room, counts)
    return counts


def counts_within(points: Rows, starts: Rows, ends: Rows, /) -> Rows:
    counts = np.empty(len(starts), dtype=np.int32)
    _native.counts_within(points, starts, ends, counts)
    return counts


def recurring(before: Places, first: Rows, last: Rows, keep: Mask, least: int, /) -> Rows:
    found = np.empty(len(first), dtype=np.int32)
    return found[: _native.recurring(before, first, last, keep, least, found)]
