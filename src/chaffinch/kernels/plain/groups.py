"""What repeats on a page: groups of blocks in like elements, and the number of such elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Hashes, Mask, Places, Rows

Groups: TypeAlias = "tuple[Rows, Places, Places]"
_LEVELS: Final = 3
"""Containers above each block for which elements like them are counted."""
_BIN_SHIFT: Final = np.uint64(64 - 14)
_MIX_SHIFT: Final = np.uint64(29)
_FIRST_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_SECOND_ODD: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_THIRD_ODD: Final = np.uint64(0x165667B19E3779F9)
_LAST_ODD: Final = np.uint64(0xD6E8FEB86659FD93)


def groups(
    tag: Codes,
    alike: Rows,
    parent: Rows,
    near: Rows,
    around: Rows,
    sums: NDArray[np.int32],
    counts: Floats,
    shares: Floats,
    /,
) -> Groups:
    """Return the g groups of like blocks, and write what repeats.

    Blocks are alike where the elements of their first texts, their owners and the two elements
    above these have the same tags and, digits ignored, the same names. Like elements are counted
    in hashed bins: a rare collision adds to a count.

    Args:
        tag: uint16[n].
        alike: int32[n], the same number for rows with the same names but for digits.
        parent: int32[n].
        near: int32[m, NEAR_ROWS], as `containers` returns it.
        around: int32[CONTAINER_LEVELS, m], the containers of each block.
        sums: int32[>= 2, m], units of text and units in links.
        counts: float32[8, m], what is written to: with 1 added, the like siblings of three
            containers, the like elements of the page, the blocks of the group and their mean units.
        shares: float32[5, m], what is written to: the group's share in links, its shares of the
            page's text and links, the share of the page between its first block and its last, and
            1 / (rank + 1), the rank being the groups with more text.

    Returns:
        int32[m], number of each block's group; intp[m], the blocks, group by group; intp[g+1],
        where among these each group starts.
    """
    parent = np.maximum(parent, 0)
    signs = tag + (alike.astype(np.uint64) << np.uint64(9))
    _write_repeats(signs, parent, around[:_LEVELS], counts)
    element, owner, over, _ = near.T
    found = _grouped(_mixed(signs[owner], signs[over], signs[parent[over]], signs[element]))
    _write_groups(found, sums, counts, shares)
    np.add(counts, 1, out=counts)
    return found


def _grouped(keys: Hashes) -> Groups:
    """Return the groups of blocks with the same key, uint64[m]."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    edge: Mask = np.ones(len(keys) + 1, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=edge[1:-1])
    of_block = np.empty(len(keys), dtype=np.int32)
    of_block[order] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
    return of_block, order, np.flatnonzero(edge)


def _write_groups(found: Groups, sums: NDArray[np.int32], counts: Floats, shares: Floats) -> None:
    """Write the columns of the group of each block."""
    of_block, order, edges = found
    units, linked = np.add.reduceat(sums[:2, order], edges[:-1], axis=1, dtype=np.int64)
    columns = np.empty((len(shares), len(units)), dtype=np.float32)
    first, last = order[edges[:-1]], order[edges[1:] - 1]
    columns[0] = linked / units
    columns[1] = units / np.add.reduce(units)
    columns[2] = linked / max(int(np.add.reduce(linked)), 1)
    columns[3] = (last - first) / len(order)
    columns[4, np.argsort(-units, kind="stable")] = 1 / np.arange(1, len(units) + 1)
    columns.take(of_block, axis=1, out=shares)
    sizes = edges[1:] - edges[:-1]
    counts[-2] = sizes[of_block]
    counts[-1] = (units / sizes)[of_block]


def _mixed(*keys: Hashes) -> Hashes:
    """Return one hash of several, uint64[m] each."""
    joined = keys[0].copy()
    for key in keys[1:]:
        joined *= _FIRST_ODD
        joined += key
        joined ^= joined >> _MIX_SHIFT
    return joined


def _write_repeats(signs: Hashes, parent: Rows, rows: Rows, out: Floats) -> None:
    """Write how many like siblings and like elements ``rows`` have, int32[levels, m]."""
    own = signs * _FIRST_ODD
    beside = (own ^ (parent.astype(np.uint64) * _SECOND_ODD)) >> _BIN_SHIFT
    alike = ((own ^ (signs[parent] * _THIRD_ODD)) * _LAST_ODD) >> _BIN_SHIFT
    for at, keys in enumerate((beside, alike)):
        bins = keys.astype(np.intp)
        out[len(rows) * at : len(rows) * (at + 1)] = np.bincount(bins)[bins[rows]]
