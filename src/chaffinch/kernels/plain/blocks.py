"""Text blocks, and the elements above them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Mask, Places, Rows

_TEXT: Final = 0
"""The code of a text row."""
Blocks: TypeAlias = "tuple[Rows, Rows, Rows, Rows]"
Above: TypeAlias = "tuple[Rows, Mask, Places, Rows, Rows, Rows]"


def text_blocks(
    tag: Codes, parent: Rows, line: Rows, shown: Mask, written: Mask, is_block: Mask, /
) -> Blocks:
    """Return the m text blocks of a page: runs of text rows of one line.

    Args:
        tag: uint16[n]; 0 is text.
        parent: int32[n].
        line: int32[n], the number of each row's line.
        shown: bool[n].
        written: bool[n], rows whose own text isn't white space alone.
        is_block: bool[tags], block elements.

    Returns:
        int32[m], first text row of each block; int32[m], first row after its last; int32[m], the
        nearest block element around its first; int32[n], the block of each row, -1 for none.
    """
    has_text = (tag == _TEXT) & shown & written
    rows = np.flatnonzero(has_text).astype(np.int32)
    line = line.take(rows)
    edge = np.ones(len(rows) + 1, dtype=bool)
    np.not_equal(line[1:], line[:-1], out=edge[1:-1])
    first = rows.compress(edge[:-1])
    last = rows.compress(edge[1:])
    last += 1
    block = np.full(len(tag), -1, dtype=np.int32)
    block[rows] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
    return first, last, _owners(tag, parent, is_block, first), block


def _owners(tag: Codes, parent: Rows, is_block: Mask, rows: Rows) -> Rows:
    """Return int32[r]: the nearest block element at or above each row (the root if there is none).

    Inline elements nest only a few levels deep, so that few rounds upwards are needed.
    """
    owner = rows.copy()
    waiting = np.flatnonzero(~is_block.take(tag.take(rows)))
    while len(waiting):
        above = np.maximum(parent.take(owner.take(waiting)), 0)
        owner[waiting] = above
        found = is_block.take(tag.take(above))
        found |= above == 0
        waiting = waiting.compress(~found)
    return owner


def above(tag: Codes, parent: Rows, end: Rows, first: Rows, /) -> Above:
    """Return the r elements that hold some of m blocks.

    Args:
        tag: uint16[n]; 0 is text.
        parent: int32[n].
        end: int32[n].
        first: int32[m], first row of each block.

    Returns:
        int32[n+1], blocks that begin before each row; bool[n], rows in whose subtree one begins;
        intp[r], the elements, ascending; int32[n], where each of them stands among these, 0 for all
        other rows; int32[r], where the parent of each stands, itself for the outermost; int32[m],
        where the parent of each block's first row stands.
    """
    begun = np.zeros(len(tag) + 1, dtype=np.int32)
    begun[first + 1] = 1
    np.add.accumulate(begun, out=begun)
    holds = begun[end] > begun[:-1]
    rows = np.flatnonzero(holds & (tag != _TEXT))
    place = np.zeros(len(tag), dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    parent = np.maximum(parent, 0)
    return begun, holds, rows, place, place[parent[rows]], place[parent[first]]


def sums_above(up: Rows, over: Rows, values: NDArray[np.int32], /) -> NDArray[np.int32]:
    """Return int32[k, m]: the sum of ``values`` over all elements above each block.

    Sums may wrap around. The step upwards doubles at every round.

    Args:
        up: int32[r], where the parent of each element stands among them, before it; itself for an
            outermost one.
        over: int32[m], where the parent of each block's first row stands.
        values: int32[k, r].
    """
    count = len(up)
    sums = np.zeros((len(values), count + 1), dtype=np.int32)
    sums[:, :-1] = values
    at = np.append(up, np.int32(count))
    at[:-1][up == np.arange(count)] = count
    while (at < count).any():
        sums += sums.take(at, axis=1)
        at = at[at]
    return sums.take(over, axis=1)


def kinds_above(
    tag: Codes,
    place: Rows,
    rows: Places,
    up: Rows,
    over: Rows,
    hidden: Rows,
    kinds: NDArray[np.int32],
    out: Floats,
    /,
) -> None:
    """Write how many elements of each kind are above each block, with 1 added.

    Args:
        tag: uint16[n].
        place, rows, up, over: as `above` returns them.
        hidden: int32[h], rows that are also of the last kind.
        kinds: int32[tags, k], 1 where a tag is of a kind.
        out: float32[k, m], what is written to.
    """
    counts = kinds.T.take(tag[rows], axis=1)
    counts[-1, place[hidden]] = 1
    out[:] = sums_above(up, over, counts)
    out += 1
