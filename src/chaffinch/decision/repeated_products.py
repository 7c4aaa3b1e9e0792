"""What a shop tells more than once: a thing's name in its card, in the box that opens, on a button.

On a page of products each short text is content once, if at all. What stands there many times is no
copy but what many things have in common («Weight:»), a size or a price.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

KINDS: Final = ("product", "collection")
"""Types of the pages of shops."""
_EXEMPT: Final = tags.table(["pre", "table"])
_MOST: Final = 5
"""Times that a copy stands there, the first one counted. Chosen on held-out folds of the training
corpora: 4 and 8 are as good, without a limit collections fall on half of the domains."""


def told_before(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: kept blocks, however short, whose very text was kept before.

    Code and tables have their reasons to repeat and don't count.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
    """
    kept = np.flatnonzero(keep & ~blocks.inside(_EXEMPT)).tolist()
    texts = [blocks.text(block).casefold() for block in kept]
    amount = Counter(texts)
    told: set[str] = set()
    mask = np.zeros(len(blocks), dtype=bool)
    for block, text in zip(kept, texts, strict=True):
        mask[block] = text in told and amount[text] <= _MOST
        told.add(text)
    return mask
