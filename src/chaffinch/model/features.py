"""The features of text blocks: numbers, hashed names and words, and groups of similar blocks.

Everything is computed for all blocks at once from the page table; sums over subtrees are
differences of prefix sums, and columns lie one after the other in memory. `text_features` has the
features of a block's own text, `tree_features` those of its place in the tree, `name_hashes` and
`words` the hashed ones, `head_signals` those of the page's head.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.model import text_features, tree_features
from chaffinch.model.name_hashes import read_name_hashes
from chaffinch.model.tree_features import Ancestors
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.name_hashes import NameHashes
    from chaffinch.model.tree_features import Groups
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

NUMBERS: Final = (*text_features.NAMES, *tree_features.NAMES)
"""Names of the columns of `Features.numbers`."""
_OF_TEXT: Final = len(text_features.NAMES)


@dataclass(eq=False)  # a frozen one sets each field by a call
class Features:
    """The features of m text blocks.

    Attributes:
        blocks: the blocks.
        numbers: float32[m, f], about 0..5 each.
        near: int32[m, NEAR], rows whose tag and names are features: the element of the first text,
            the owner, its parent, and the next container with more blocks.
        above: the elements above the blocks.
        names: hashed names by row; only rows that hold blocks have any.
        words: uint16[words.SLOTS, m], buckets of the words at the start of each block.
        facts: float32[len(head_signals.FACTS)], what the head declares the page to be.
        heading: int32[m], the last heading block before each block; m where there is none.
        section: int32[m], the last heading block before the next container of each block.
        groups: groups of blocks in elements with the same tags and names.
        low, high: int32[m], the blocks of the nearest container but one: low:high.
        units: float32[m], words (characters in scripts without spaces); see `writing_systems`.
    """

    blocks: TextBlocks
    numbers: Floats
    near: Rows
    above: Ancestors
    names: NameHashes
    words: NDArray[np.uint16]
    facts: Floats
    heading: Rows
    section: Rows
    groups: Groups
    low: Rows
    high: Rows
    units: Floats

    def __len__(self) -> int:
        return len(self.units)

    @property
    def group(self) -> Rows:
        """int32[m]: number of each block's group of similar blocks."""
        return self.groups.of_block


def features(page: Page) -> Features:
    """Return the features of the text blocks of ``page``, which must have at least one."""
    blocks = text_blocks(page)
    columns = np.empty((len(NUMBERS), len(blocks)), dtype=np.float32)
    above = Ancestors.of(blocks)
    names = read_name_hashes(page, above.holds)
    text = text_features.read(blocks, columns[:_OF_TEXT])
    tree = tree_features.read(blocks, above, names, text.sums, columns[_OF_TEXT:])
    return Features(
        blocks=blocks,
        numbers=columns.T,
        near=tree.near,
        above=above,
        names=names,
        words=text.words,
        facts=text.facts,
        heading=tree.heading,
        section=tree.section,
        groups=tree.groups,
        low=tree.low,
        high=tree.high,
        units=text.units,
    )
