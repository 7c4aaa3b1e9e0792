"""Text blocks: what is around them, their words and names, and the network.

See `chaffinch.kernels.plain.blocks` and its neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels import _native
from chaffinch.kernels.codes import CONTAINER_LEVELS, NAME_WORDS, NEAR_ROWS, WORD_SLOTS
from chaffinch.kernels.plain import names as plain_names
from chaffinch.kernels.plain.containers import Containers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Depths, Floats, Kinds, Mask, Places, Rows
    from chaffinch.kernels.network_inputs import BlockColumns, NetworkWeights
    from chaffinch.kernels.plain.blocks import Above, Blocks
    from chaffinch.kernels.plain.groups import Groups
    from chaffinch.kernels.plain.names import Names, NamesRead

_TYPES: Final = 5
"""Where the number of page types stands among the sizes of a network."""


def text_blocks(
    tag: Codes, parent: Rows, line: Rows, shown: Mask, written: Mask, is_block: Mask, /
) -> Blocks:
    columns = np.empty((3, len(tag)), np.int32)
    block = np.empty(len(tag), np.int32)
    count = _native.text_blocks(tag, parent, line, shown, written, is_block, columns, block)
    columns = columns[:, :count].copy()
    return columns[0], columns[1], columns[2], block


def above(tag: Codes, parent: Rows, end: Rows, first: Rows, /) -> Above:
    count = len(tag)
    begun, holds = np.zeros(count + 1, np.int32), np.empty(count, bool)
    rows = np.empty(count, np.intp)
    place, up = np.empty(count, np.int32), np.empty(count, np.int32)
    over = np.empty(len(first), np.int32)
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
    counts = np.zeros((len(rows), kinds.shape[1]), np.int32)
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
    size = CONTAINER_LEVELS, count
    around, low, high = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    near = np.empty((count, NEAR_ROWS), np.int32)
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
    of_block = np.empty(blocks, np.int32)
    order, edges = np.empty(blocks, np.intp), np.empty(blocks + 1, np.intp)
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
    heading = np.empty(len(first), np.int32)
    lead = _native.places(tag, depth, first, owner, media, level, first_level, out, heading)
    return heading, lead


def text_features(
    text: str,
    title: str,
    description: str,
    body: str,
    kinds: Kinds,
    hashes: NDArray[np.uint32],
    written_before: Places,
    text_at: Rows,
    in_link: Mask,
    first: Rows,
    last: Rows,
    columns: Floats,
    sums: NDArray[np.int32],
    /,
) -> Codes:
    words = np.empty((WORD_SLOTS, len(first)), np.uint16)
    of_rows = written_before, text_at, in_link, first, last
    texts = text, title, description, body
    _native.text_features(*texts, kinds, hashes, *of_rows, columns, sums, words)
    return words


def read_names(
    starts: bytes,
    numbers: bytes,
    ends: bytes,
    valueless: bytes,
    values: bytes,
    names: tuple[str, ...],
    kinds: Kinds,
    wanted: Mask,
    stems: tuple[str, ...],
    pack: Callable[[Names], bytes],
    hides: Callable[[str], bool],
    /,
) -> NamesRead:
    columns = starts, numbers, ends, valueless, values, names
    of_row, alike = np.empty(len(wanted), np.int32), np.empty(len(wanted), np.int32)
    wanted = np.ascontiguousarray(wanted)
    read = _native.read_names(*columns, kinds, wanted, of_row, alike, stems, pack, hides)
    if read is None:  # names made to collide in the hash table
        return plain_names.read_names(*columns, kinds, wanted, stems, pack, hides)
    buckets, first, candidates, hidden = read
    return (
        of_row,
        alike,
        np.frombuffer(buckets, np.uint16).reshape(-1, NAME_WORDS),
        np.frombuffer(first, np.int32),
        candidates,
        np.frombuffer(hidden, np.int32),
    )


def network(
    weights: NetworkWeights, facts: Floats, blocks: BlockColumns, widest: int, /
) -> tuple[Floats, Floats]:
    score = np.empty(len(blocks.over), np.float32)
    kinds = np.empty(weights.sizes[_TYPES], np.float32)
    _native.network(*weights, facts, *blocks, score, kinds, widest)
    return score, kinds
