"""The containers above each block, each with more blocks than the one before: what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.kernels.codes import CONTAINER_LEVELS, NEAR_ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Places, Rows

_CHAIN: Final = 5
"""Rounds of doubling: wrappers of wrappers are skipped up to 32 deep."""
_LOGS: Final = 12
"""Numbers that are written with 1 added."""


class Containers(NamedTuple):
    """The containers of m blocks, from the inside out.

    First the outermost row that holds no more blocks than the owner, then, level by level, the
    outermost row that holds no more than the parent of the one before.

    Attributes:
        rows: int32[CONTAINER_LEVELS, m], the containers.
        low, high: int32[CONTAINER_LEVELS, m], their blocks: low:high.
        near: int32[m, NEAR_ROWS], the element of each block's first text, its owner, the parent of
            that, and the container of level 1.
    """

    rows: Rows
    low: Rows
    high: Rows
    near: Rows


def containers(
    tag: Codes,
    parent: Rows,
    end: Rows,
    first: Rows,
    owner: Rows,
    begun: Rows,
    place: Rows,
    up: Rows,
    rows: Places,
    sums: NDArray[np.int32],
    kinds: NDArray[np.int32],
    out: Floats,
    /,
) -> Containers:
    """Return the containers of m blocks, and write what they hold.

    Args:
        tag: uint16[n].
        parent, end: int32[n].
        first, owner: int32[m], the first row of each block and the block element around it.
        begun, place, up, rows: as `above` returns them.
        sums: int32[3, m], units of text, units in links, and marks that end a sentence.
        kinds: int32[tags, 8], 1 where a tag is of a kind.
        out: float32[15 * CONTAINER_LEVELS, m], what is written to, level by level: with 1 added,
            blocks, units, units a block, ends of sentences a block, elements of each kind; then
            the share in links, the share of the page's units, and where among the container's
            blocks the block stands, in 0..1.
    """
    found = _found(parent, end, first, owner, (begun, place, up, rows))
    _write_held(tag, end, found, sums, kinds, out)
    return found


def _found(
    parent: Rows, end: Rows, first: Rows, owner: Rows, above: tuple[Rows, Rows, Rows, Places]
) -> Containers:
    begun, place, up, rows = above
    held = begun[end[rows]] - begun[rows]
    top = np.where(held[up] == held, up, np.arange(len(rows), dtype=np.int32))
    for _ in range(_CHAIN):
        top = top.take(top)
    further = top[up]
    at = top[place[owner]]
    around = np.empty((CONTAINER_LEVELS, len(first)), dtype=np.int32)
    for row in around:
        row[:] = rows[at]
        at = further[at]
    near = np.empty((len(first), NEAR_ROWS), dtype=np.int32)
    near[:, 0], near[:, 1] = np.maximum(parent[first], 0), owner
    near[:, 2], near[:, 3] = np.maximum(parent[owner], 0), around[1]
    return Containers(around, begun[around], begun[end[around]], near)


def _write_held(
    tag: Codes,
    end: Rows,
    around: Containers,
    sums: NDArray[np.int32],
    kinds: NDArray[np.int32],
    out: Floats,
) -> None:
    """Write what the containers hold: shares, and counts with 1 added."""
    count = sums.shape[1]
    rows, low, high = around.rows.ravel(), around.low.ravel(), around.high.ravel()
    by_name = out.reshape(-1, CONTAINER_LEVELS * count)
    logs, shares = by_name[:_LOGS], by_name[_LOGS:]
    before = np.zeros((len(sums), count + 1), dtype=np.int32)
    np.add.accumulate(sums, axis=1, out=before[:, 1:])
    amount, units = logs[0], logs[1]
    amount[:] = high - low
    units[:], shares[0], logs[3] = before.take(high, axis=1) - before.take(low, axis=1)
    np.divide(units, amount, out=logs[2])
    logs[3] /= amount
    shares[0] /= units
    np.divide(units, np.float32(before[0, -1]), out=shares[1])
    shares[2].reshape(CONTAINER_LEVELS, count)[:] = np.arange(count) - around.low
    shares[2] /= amount
    sums_of_kinds = np.zeros((kinds.shape[1], len(tag) + 1), dtype=np.int32)
    np.add.accumulate(kinds.T.take(tag, axis=1), axis=1, out=sums_of_kinds[:, 1:])
    logs[4:] = sums_of_kinds.take(end[rows], axis=1) - sums_of_kinds.take(rows, axis=1)
    logs += 1
