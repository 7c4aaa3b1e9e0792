"""What follows from a page's shape, and sums and picks among rows; see `plain.rows`, `picks`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from chaffinch.kernels import _native
from chaffinch.kernels.plain import rows as plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import (
        Amounts,
        Codes,
        Depths,
        Floats,
        Hashes,
        Kinds,
        Mask,
        Numbers,
        Places,
        Rows,
    )

Number = TypeVar("Number", bound=np.generic)

_SUMMED: Final = "?" + np.dtype(np.int32).char + np.dtype(np.int64).char
"""What C sums; floats are summed in the order of numpy's sums, from the first row on."""
_TABLE_COUNTS: Final = 11


def inside(end: Rows, marked: Mask, /) -> Mask:
    inner: Mask = np.empty(len(end), bool)
    _native.inside(end, np.ascontiguousarray(marked, dtype=bool), inner)
    return inner


def around(end: Rows, marked: Mask, /) -> Mask:
    outer: Mask = np.empty(len(end), bool)
    _native.around(end, np.ascontiguousarray(marked, dtype=bool), outer)
    return outer


def total(end: Rows, own: NDArray[Any], /) -> NDArray[Any]:
    if own.dtype.char not in _SUMMED:
        return plain.total(end, own)
    sums: NDArray[Any] = np.empty(len(end), dtype=np.int32 if own.dtype == bool else np.int64)
    _native.total(end, np.ascontiguousarray(own), sums)
    return sums


def nearest(parent: Rows, marked: Mask, /) -> Rows:
    found: Rows = np.empty(len(parent), np.int32)
    _native.nearest(parent, np.ascontiguousarray(marked, dtype=bool), found)
    return found


def highest(parent: Rows, values: NDArray[Number], /) -> NDArray[Number]:
    if values.dtype != np.float64:
        return plain.highest(parent, values)
    best = np.empty_like(values, order="C")
    _native.highest(parent, np.ascontiguousarray(values), best)
    return best


def sums_around(
    parent: Rows,
    end: Rows,
    own: Rows,
    left_out: Mask,
    kept: Mask,
    rows: Rows,
    least: int,
    /,
) -> tuple[Rows, Amounts]:
    before = np.empty((2, len(parent) + 1), np.int64)
    boxes, sums = np.empty((2, len(rows)), np.int32), np.empty((2, 2, len(rows)), np.int64)
    masks = (np.ascontiguousarray(one, dtype=bool) for one in (left_out, kept))
    _native.sums_around(parent, end, own, *masks, rows, least, before, boxes, sums)
    return boxes, sums


def kept_rows(tag: Codes, end: Rows, keep: Mask, shown: Mask, speaking: Mask, /) -> Mask:
    kept: Mask = np.empty(len(tag), bool)
    _native.kept_rows(tag, end, np.ascontiguousarray(keep, dtype=bool), shown, speaking, kept)
    return kept


def kept_and_between(
    tag: Codes,
    parent: Rows,
    end: Rows,
    written_before: Places,
    written: Mask,
    shown: Mask,
    kept: Mask,
    kinds: Kinds,
    /,
) -> Mask:
    found, held = np.empty(len(tag), bool), np.empty(len(tag), bool)
    own = np.ascontiguousarray(kept, dtype=bool)
    _native.kept_and_between(
        tag, parent, end, written_before, written, shown, own, kinds, found, held
    )
    return found


def short_links(
    tag: Codes, end: Rows, kept: Mask, written_before: Places, code: int, most: int, /
) -> Rows:
    rows = np.empty(len(tag), np.int32)
    return rows[: _native.short_links(tag, end, kept, written_before, rows, code, most)]


def path_hashes(symbols: Hashes, depth: Depths, end: Rows, /) -> Hashes:
    hashes: Hashes = np.zeros(len(symbols) + 1, np.uint64)
    _native.path_hashes(np.ascontiguousarray(symbols), depth, end, hashes)
    return hashes[:-1]


def table_counts(
    parent: Rows,
    table: Mask,
    kinds: Kinds,
    length: NDArray[np.int64],
    link_length: NDArray[np.int64],
    /,
) -> NDArray[np.int64]:
    counts = np.zeros((_TABLE_COUNTS, np.count_nonzero(table)), np.int64)
    _native.table_counts(parent, table, kinds, length, link_length, counts)
    return counts


def flow_across(
    parent: Rows,
    blocks: Mask,
    given: Numbers,
    wide: Numbers,
    indent: Numbers,
    cell: Numbers,
    before: Numbers,
    page_width: float,
    /,
) -> tuple[Numbers, Numbers]:
    left, width = np.zeros(len(parent)), np.zeros(len(parent))
    width[:1] = page_width
    _native.flow_across(parent, blocks, given, wide, indent, cell, before, left, width)
    return left, width


def flow_heights(
    order: Rows,
    parent: Rows,
    depth: Depths,
    fixed: Mask,
    beside: Mask,
    least: Numbers,
    own: Numbers,
    tag_margin: Numbers,
    gap: Numbers,
    items: Rows,
    height: Numbers,
    /,
) -> Numbers:
    margin = np.zeros(len(parent))
    of_rows = parent, depth, fixed, beside, least, own, tag_margin, gap
    _native.flow_heights(order, *of_rows, items, height, margin)
    return margin


def blocks_inside(
    tag: Codes, end: Rows, first: Rows, kinds: Mask, of_row: Rows, named: Mask, /
) -> Mask:
    mask: Mask = np.empty(len(first), bool)
    _native.blocks_inside(tag, end, first, kinds, of_row, named, mask)
    return mask


def pulled_to_means(
    number: Rows, weights: Floats, values: Floats | Numbers, share: float, /
) -> Numbers:
    pulled, room = np.empty(len(values)), np.empty(2 * len(values))
    _native.pulled_to_means(number, weights, values, share, pulled, room)
    return pulled


def outermost_stretches(
    tag: Codes, end: Rows, points: Rows, kinds: Kinds, further: Rows, most: int, /
) -> tuple[Rows, int]:
    number = np.empty(len(points), np.int32)
    return number, _native.outermost_stretches(tag, end, points, kinds, further, most, number)


def common_values(
    first: Amounts, last: Amounts, bounds: Amounts, value: Amounts, weight: Rows, share: float, /
) -> tuple[Amounts, Amounts, Amounts]:
    weights, found, common = (
        np.empty(size, np.int64) for size in (len(first), len(first), len(bounds) - 1)
    )
    room = np.zeros(3 * (int(value.max(initial=-1)) + 1), np.int64)
    given = first, last, bounds, value, weight, share
    _native.common_values(*given, weights, found, common, room)
    return weights, found, common


def topmost_without(parent: Rows, end: Rows, points: Rows, rows: Rows, /) -> Rows:
    top = np.empty((2, len(rows)), np.int32)
    _native.topmost_without(parent, end, points, rows, top)
    return top


def followers(
    tag: Codes, end: Rows, before: Amounts, kinds: Kinds, near: int, between: int, /
) -> Rows:
    rows = np.empty((2, len(tag)), np.int32)
    return rows[:, : _native.followers(tag, end, before, kinds, near, between, rows)]


def touching(end: Rows, rows: Rows, first: Rows, last: Rows, keep: Mask, /) -> Rows:
    room = np.empty(len(first) + len(rows), np.int32)
    found = _native.touching(end, rows, first, last, keep, room)
    return room[len(first) : len(first) + found]


def rows_of(tag: Codes, kinds: Mask, marked: Mask, start: int, stop: int, /) -> Rows:
    rows = np.empty(stop - start, np.int32)
    return rows[: _native.rows_of(tag, kinds, marked, start, stop, rows)]


def sums_within(points: Rows, values: Floats, marked: Mask, starts: Rows, ends: Rows, /) -> Numbers:
    sums, room = np.empty((2, *starts.shape)), np.empty(2 * (len(points) + 1))
    _native.sums_within(points, values, marked, starts, ends, room, sums)
    return sums


def tags_between(
    tag: Codes, kinds: Mask, marked: Mask, first: Rows, last: Rows, keep: Mask, /
) -> Mask:
    between: Mask = np.empty(len(tag), bool)
    _native.tags_between(tag, kinds, marked, first, last, keep, between)
    return between


def tags_within(tag: Codes, kinds: Mask, marked: Mask, starts: Rows, ends: Rows, /) -> Rows:
    counts, room = np.empty(len(starts), np.int32), np.empty(len(tag), np.int32)
    _native.tags_within(tag, kinds, marked, starts, ends, room, counts)
    return counts
