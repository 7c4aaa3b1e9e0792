"""A list goes with the line that announces it: «Sources:», «You need:».

The line is the block directly above the list and ends with a colon. Kept, it keeps the list; a kept
list keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks

_LISTS: Final = tags.table("ul ol dl".split())
_BARS: Final = tags.table("nav header footer aside form".split())
_COLONS: Final = (":", "：", "﹕", "︰")
_LINKED: Final = 0.8
_LEAST: Final = 0.05


def announced_lists(blocks: TextBlocks, keep: Mask, score: Floats) -> Mask | None:
    """Return bool[m]: blocks of lists and lines above them that are to be kept, too; None for none.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
        score: float32[m], probability that each block is content.
    """
    page = blocks.page
    uneven = np.flatnonzero(keep[:-1] != keep[1:])
    if not len(uneven) or not page.holds("ul", "ol", "dl"):
        return None
    mask = np.zeros(len(blocks), dtype=bool)
    for at in uneven.tolist():
        start, stop = page.text_at[[blocks.first[at], blocks.last[at]]].tolist()
        if not page.text[max(start, stop - 50) : stop].rstrip().endswith(_COLONS):
            continue
        lists = _list_below(blocks, at)
        if lists is None:
            continue
        own = slice(at + 1, lists)
        if keep[at]:
            if not keep[own].any():
                mask[own] = True
        else:
            mask[at] = True
    mask &= ~blocks.inside(_BARS)
    return mask if mask.any() else None


def _list_below(blocks: TextBlocks, at: int) -> int | None:
    """Return the end of the blocks of the list that begins with the block after ``at``."""
    page = blocks.page
    row, found = int(blocks.first[at + 1]), -1
    for above in page.ancestors(row):
        if above <= blocks.first[at]:
            break
        if _LISTS[page.tag[above]]:
            found = above
    if found < 0:
        return None
    return int(np.searchsorted(blocks.first, page.end[found]))
