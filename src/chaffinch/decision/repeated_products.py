"""Texts that a shop's page repeats are kept once: a product's name in its card and its box.

On a page of products each short text is content once, if at all. A text that stands there many
times is no copy but a property that many products have: a label («Weight:»), a size or a price.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

PAGE_TYPES: Final = ("product", "collection")
"""Page types of shops."""
_EXEMPT: Final = tags.table(["pre", "table"])
_MOST: Final = 5
"""Most times that a repeated text stands there, the first one counted. Chosen on held-out
folds of the training corpora: 4 and 8 are as good, without a limit collections fall on half of the
domains."""


def repeated_texts(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: kept blocks, however short, whose text stands in an earlier kept block.

    Code and tables may repeat and don't count.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
    """
    kept = np.flatnonzero(keep & ~blocks.inside(_EXEMPT)).tolist()
    texts = [blocks.text(block).casefold() for block in kept]
    amount = Counter(texts)
    seen: set[str] = set()
    mask = np.zeros(len(blocks), dtype=bool)
    for block, text in zip(kept, texts, strict=True):
        mask[block] = text in seen and amount[text] <= _MOST
        seen.add(text)
    return mask
