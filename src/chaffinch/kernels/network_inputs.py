"""What the kernel of the network takes: weights, and the columns of a page's blocks.

Both are passed to C as they are, in the order of their fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Places, Rows

    Sizes = NDArray[np.int64]


class NetworkWeights(NamedTuple):
    """Weights, as `chaffinch.model.network.PackedNetwork` makes them.

    Attributes:
        sizes: int64[8], see there.
        first_steps, last_steps: int64[…], dilations before and after the second look.
        packed: float32[…], all layers.
        tag_vectors, name_vectors, word_vectors: float32[…, e]; the last vectors of names and of
            words are those of none.
    """

    sizes: Sizes
    first_steps: Sizes
    last_steps: Sizes
    packed: Floats
    tag_vectors: Floats
    name_vectors: Floats
    word_vectors: Floats


class BlockColumns(NamedTuple):
    """What is known of the m blocks of a page of n rows; at least one.

    Attributes:
        numbers: float32[f, m], features of the blocks.
        tag, of_row: uint16[n] and int32[n], the tag and the set of names of each row.
        place, rows, up, over: the elements above the blocks, as the kernel ``above`` returns them.
        names: uint16[s, NAME_WORDS], buckets of the words of each set of names.
        near: int32[m, NEAR_ROWS], rows whose tag and names are read.
        words: uint16[WORD_SLOTS, m], buckets of the words at the start of each block.
        heading, section: int32[m], the last heading before each block and before its container; m
            where there is none.
        low, high: int32[m], the blocks of a container around each: low:high.
        group: int32[m], number of each block's group.
        group_sizes: int64[g], blocks of each group.
    """

    numbers: Floats
    tag: Codes
    of_row: Rows
    place: Rows
    rows: Places
    up: Rows
    over: Rows
    names: Codes
    near: Rows
    words: Codes
    heading: Rows
    section: Rows
    low: Rows
    high: Rows
    group: Rows
    group_sizes: Sizes
