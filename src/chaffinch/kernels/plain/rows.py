"""What follows from the shape of a page: what stands in, around, above and below marked rows.

The subtree of row ``i`` is the slice ``i:end[i]``, so that sums over subtrees are differences of
prefix sums. `nearest` and `highest` double their step at every round (the parent, its parent's
parent, …): a page of depth d takes log2(d) rounds over its rows, ten at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from chaffinch.kernels.codes import BETWEEN, BETWEEN_IF_BLANK, HOLDER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Amounts, Codes, Kinds, Mask, Places, Rows

Number = TypeVar("Number", bound=np.generic)


def inside(end: Rows, marked: Mask, /) -> Mask:
    """Return bool[n]: the marked rows and all their descendants.

    Args:
        end: int32[n].
        marked: bool[n].
    """
    reach = end * marked
    np.maximum.accumulate(reach, out=reach)
    mask: Mask = reach > np.arange(len(end), dtype=np.int32)
    return mask


def around(end: Rows, marked: Mask, /) -> Mask:
    """Return bool[n]: the marked rows and all their ancestors.

    Args:
        end: int32[n].
        marked: bool[n].
    """
    mask: Mask = total(end, marked) > 0
    return mask


def total(end: Rows, own: NDArray[Any], /) -> NDArray[Any]:
    """Return the sum of ``own`` over each row's subtree: int32[n], int64[n] or float64[n].

    Booleans count as int32; integers sum as int64, floats as float64.

    Args:
        end: int32[n].
        own: any number or bool [n].
    """
    kind = np.int32 if own.dtype == bool else np.float64 if own.dtype.kind == "f" else np.int64
    prefix: NDArray[Any] = np.zeros(len(end) + 1, dtype=kind)
    np.add.accumulate(own, out=prefix[1:], dtype=kind)
    sums: NDArray[Any] = prefix[end]
    sums -= prefix[:-1]
    return sums


def nearest(parent: Rows, marked: Mask, /) -> Rows:
    """Return int32[n]: the nearest marked row at or above each row; -1 where there is none.

    Args:
        parent: int32[n].
        marked: bool[n].
    """
    rows = np.arange(len(parent), dtype=np.int32)
    at: Rows = np.where(marked, rows, np.maximum(parent, 0)).astype(np.int32)
    while True:
        above = at[at]
        if np.array_equal(above, at):
            break
        at = above
    return np.where(marked[at], at, np.int32(-1))


def highest(parent: Rows, values: NDArray[Number], /) -> NDArray[Number]:
    """Return values [n]: the highest of ``values`` at or above each row; NaN is the highest.

    Args:
        parent: int32[n].
        values: any number [n].
    """
    best = values.copy()
    at = np.maximum(parent, 0)
    while at.any():
        np.maximum(best, best[at], out=best)
        at = at[at]
    if len(parent):
        np.maximum(best, best[0], out=best)
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
    """Return what is around some rows: int32[2, r] and int64[2, 2, r].

    First the nearest row above each whose subtree sums to enough, and the row above that one; -1
    where there is none. Then the sum over the subtree of either, and the sum over its kept rows;
    0 where there is none.

    Args:
        parent, end: int32[n].
        own: int32[n], what is summed.
        left_out: bool[n], rows that count nothing.
        kept: bool[n].
        rows: int32[r].
        least: what is enough.
    """
    counted = np.where(left_out, 0, own).astype(np.int64)
    sums = total(end, counted), total(end, np.where(kept, counted, 0))
    above = parent[rows]
    boxes = np.where(above < 0, np.int32(-1), nearest(parent, sums[0] >= least)[above])
    boxes = np.stack([boxes, np.where(boxes < 0, np.int32(-1), parent[boxes])])
    return boxes, np.stack([np.where(boxes < 0, 0, one[boxes]) for one in sums])


def held_tags(tag: Codes, count: int, /) -> bytes:
    """Return ``count`` bytes, by code of a tag: 1 for the tags that rows have, 0 for others.

    Args:
        tag: uint16[n], codes below ``count``.
        count: tags.
    """
    held = np.zeros(count, dtype=bool)
    held[tag] = True
    return held.tobytes()


def kept_rows(tag: Codes, end: Rows, keep: Mask, shown: Mask, speaking: Mask, /) -> Mask:
    """Return bool[n]: rows that are kept, shown and of certain tags, and all their ancestors.

    Args:
        tag: uint16[n].
        end: int32[n].
        keep: bool[n].
        shown: bool[n].
        speaking: bool[tags].
    """
    return around(end, keep & speaking.take(tag) & shown)


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
    """Return bool[n]: kept rows, and the rows between them whose holder is kept.

    The holder of a row is the nearest one above that isn't passed over: an element in which
    nothing is written is, unless it is a `HOLDER` or the first row.

    Args:
        tag: uint16[n].
        parent, end: int32[n].
        written_before: intp[n+1], characters other than white space before each row.
        written, shown, kept: bool[n].
        kinds: uint8[tags], bits such as `BETWEEN`.
    """
    kind = kinds.take(tag)
    between = ((kind & BETWEEN_IF_BLANK) > 0) & ~written | ((kind & BETWEEN) > 0)
    rows = (between & shown & ~kept & (parent >= 0)).nonzero()[0]
    is_empty = written_before[end] == written_before[:-1]
    passed = is_empty & ((kind & HOLDER) == 0) & (parent >= 0)
    above = parent[rows]
    while (inner := passed[above]).any():
        above = np.where(inner, parent[above], above)
    found: Mask = kept.copy()
    found[rows] = kept[above]
    return found


def short_links(
    tag: Codes, end: Rows, kept: Mask, written_before: Places, code: int, most: int, /
) -> Rows:
    """Return int32[r]: the kept rows of one tag in which a little is written, and something.

    Args:
        tag: uint16[n].
        end: int32[n].
        kept: bool[n].
        written_before: intp[n+1], characters other than white space before each row.
        code: the tag.
        most: characters of one row, at most.
    """
    rows = np.flatnonzero(kept & (tag == code))
    written = written_before[end[rows]] - written_before[rows]
    return rows[(written > 0) & (written <= most)].astype(np.int32)
