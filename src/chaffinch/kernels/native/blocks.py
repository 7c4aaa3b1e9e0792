"""Text blocks and what is around them; see `chaffinch.kernels.plain.blocks` and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels import _native
from chaffinch.kernels.codes import CONTAINER_LEVELS, NEAR_ROWS
from chaffinch.kernels.plain.containers import Containers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Depths, Floats, Mask, Places, Rows
    from chaffinch.kernels.plain.blocks import Above, Blocks
    from chaffinch.kernels.plain.groups import Groups


def text_blocks(
    tag: Codes, parent: Rows, line: Rows, shown: Mask, written: Mask, is_block: Mask, /
) -> Blocks:
    columns = np.empty((3, len(tag)), dtype=np.int32)
    block = np.empty(len(tag), dtype=np.int32)
    count = _native.text_blocks(tag, parent, line, shown, written, is_block, columns, block)
    first, last, owner = columns[:, :count].copy()
    return first, last, owner, block


def above(tag: Codes, parent: Rows, end: Rows, first: Rows, /) -> Above:
    count = len(tag)
    begun, holds = np.zeros(count + 1, dtype=np.int32), np.empty(count, dtype=bool)
    rows = np.empty(count, dtype=np.intp)
    place, up = np.empty((2, count), dtype=np.int32)
    over = np.empty(len(first), dtype=np.int32)
    number = _native.above(tag, parent, end, first, begun, holds, rows, place, up, over)
    return begun, holds, rows[:number], place, up[:number], over


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
    counts = np.zeros((len(rows), kinds.shape[1]), dtype=np.int32)
    _native.kinds_above(tag, place, rows, up, over, hidden, kinds, counts, out)


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
    count = len(first)
    around, low, high = np.empty((3, CONTAINER_LEVELS, count), dtype=np.int32)
    near = np.empty((count, NEAR_ROWS), dtype=np.int32)
    given = tag, parent, end, first, owner, begun, place, up, rows, sums, kinds
    _native.containers(*given, around, low, high, near, out)
    return Containers(around, low, high, near)


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
    blocks = sums.shape[1]
    of_block = np.empty(blocks, dtype=np.int32)
    order, edges = np.empty(blocks, dtype=np.intp), np.empty(blocks + 1, dtype=np.intp)
    given = tag, alike, parent, near, around, sums
    number = _native.groups(*given, of_block, order, edges, counts, shares)
    return of_block, order, edges[: number + 1]


def places(
    tag: Codes,
    depth: Depths,
    first: Rows,
    owner: Rows,
    media: Mask,
    level: Floats,
    first_level: int,
    out: Floats,
    /,
) -> tuple[Rows, int]:
    heading = np.empty(len(first), dtype=np.int32)
    lead = _native.places(tag, depth, first, owner, media, level, first_level, out, heading)
    return heading, lead
