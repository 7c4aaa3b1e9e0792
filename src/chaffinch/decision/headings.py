"""A heading directly above kept text is kept at a lower score than text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

_SHARE: Final = 0.8
"""Share of the threshold that such a heading must reach."""
_SECTION: Final = tags.table("h2 h3 h4 h5 h6".split())


def headings_above_kept(
    blocks: TextBlocks, score: NDArray[np.floating], keep: Mask, threshold: float
) -> Mask | None:
    """Return bool[m]: headings (h2 to h6) whose next block is kept and no heading; None if none.

    Only those that aren't kept yet.

    Args:
        blocks: the page's m text blocks.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
        threshold: the score from which text is kept.
    """
    near: Mask = score >= _SHARE * threshold
    near &= ~keep
    if not np.count_nonzero(near):
        return None
    owner = blocks.page.tag.take(blocks.owner)
    near &= _SECTION.take(owner)
    near[:-1] &= keep[1:] > tags.HEADING.take(owner[1:])
    near[-1] = False
    return near
