"""What the network sees of each text block: numbers, names, words, and who stands together.

Everything is computed for all blocks at once from the page table; sums over subtrees are
differences of prefix sums. `text_features` says what a block's own text is like, `tree_features`
where it stands; this room puts the two together with hashed names (`marks`) and words (`words`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.model import text_features, tree_features, words
from chaffinch.model.marks import Marks, read_marks
from chaffinch.page import tags
from chaffinch.segment.text_blocks import TextBlocks, text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows

SLOTS: Final = 4
"""Rows near a block whose names are read one by one: see `Features.near`."""

NUMBERS: Final = (*text_features.NAMES, *tree_features.NAMES)
"""Names of the columns of `Features.numbers`."""


@dataclass(frozen=True, eq=False)
class Features:
    """The features of m text blocks.

    Attributes:
        blocks: the blocks.
        numbers: float32[m, f], about 0..5 each.
        near: int32[m, SLOTS], rows whose tag and names are read: the element of the first text,
            the owner, its parent, and the next container with more blocks.
        held: int32[n], blocks that begin in each row's subtree.
        marks: names by row; only rows that hold blocks have any.
        words: hashed words of the block's start.
        heading: int32[m], the last heading block before each block; m where there is none.
        group: int32[m], blocks with the same number hang in elements with the same names.
        low, high: int32[m], the blocks of the nearest container but one: low:high.
        units: float32[m], words (characters in scripts without spaces); see `scripts`.
    """

    blocks: TextBlocks
    numbers: Floats
    near: Rows
    held: Rows
    marks: Marks
    words: words.Words
    heading: Rows
    group: Rows
    low: Rows
    high: Rows
    units: Floats

    def __len__(self) -> int:
        return len(self.units)


def features(page: Page) -> Features:
    """Return the features of the text blocks of ``page``, which must have at least one."""
    blocks = text_blocks(page)
    held = _held(page, blocks)
    marks = read_marks(page, held > 0)
    text = text_features.read(page, blocks)
    tree = tree_features.read(page, blocks, held, marks, text)
    numbers = np.concatenate([text.numbers, tree.numbers], axis=1, dtype=np.float32)
    return Features(
        blocks=blocks,
        numbers=numbers,
        near=tree.near,
        held=held,
        marks=marks,
        words=text.words,
        heading=_last_heading(page, blocks),
        group=tree.group,
        low=tree.low,
        high=tree.high,
        units=text.units,
    )


def _held(page: Page, blocks: TextBlocks) -> Rows:
    """Return int32[n]: how many blocks begin in the subtree of each row."""
    begins = np.zeros(len(page) + 1, dtype=np.int32)
    begins[blocks.first + 1] = 1
    prefix = np.cumsum(begins, dtype=np.int32)
    held: Rows = prefix[page.end] - prefix[:-1]
    return held


def _last_heading(page: Page, blocks: TextBlocks) -> NDArray[np.int32]:
    """Return int32[m]: the last heading block before each block, m where there is none."""
    count = len(blocks)
    is_heading = tags.HEADING[page.tag[blocks.owner]]
    at = np.where(is_heading, np.arange(count), -1)
    before = np.full(count, -1)
    np.maximum.accumulate(at[:-1], out=before[1:])
    heading: NDArray[np.int32] = np.where(before < 0, count, before).astype(np.int32)
    return heading
