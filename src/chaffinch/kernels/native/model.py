"""Words, names and the network; see `chaffinch.kernels.plain.text_features`, `names`, `network`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels import _native
from chaffinch.kernels.codes import NAME_WORDS, WORD_SLOTS
from chaffinch.kernels.plain import names as plain_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Kinds, Mask, Places, Rows
    from chaffinch.kernels.network_inputs import BlockColumns, NetworkWeights
    from chaffinch.kernels.plain.names import Names, NamesRead

_TYPES: int = 5
"""Where the number of page types stands among the sizes of a network."""


def text_features(
    text: str,
    title: str,
    description: str,
    body: str,
    kinds: Kinds,
    hashes: NDArray[np.uint32],
    written_at: Places,
    written_before: Places,
    text_at: Rows,
    in_link: Mask,
    first: Rows,
    last: Rows,
    columns: Floats,
    sums: NDArray[np.int32],
    /,
) -> Codes:
    words = np.empty((WORD_SLOTS, len(first)), dtype=np.uint16)
    of_rows = written_at, written_before, text_at, in_link, first, last
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
    of_row, alike = np.empty((2, len(wanted)), dtype=np.int32)
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
    score = np.empty(len(blocks.over), dtype=np.float32)
    kinds = np.empty(weights.sizes[_TYPES], dtype=np.float32)
    _native.network(*weights, facts, *blocks, score, kinds, widest)
    return score, kinds
