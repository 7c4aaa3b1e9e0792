"""Captions and credits of pictures among the blocks of a page; `elements.images` finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.tables_and_code import between_kept
from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from chaffinch.elements import images as captions
    from chaffinch.elements import parts as image
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:
    captions = lazy_module("chaffinch.elements.images")
    image = lazy_module("chaffinch.elements.parts")

_MOST: Final = 500
"""Pictures whose captions are searched for."""


def in_captions(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks that are captions of pictures, anywhere on the page."""
    del keep
    page = blocks.page
    shown = image.pictures(page)
    mask = np.zeros(len(page), dtype=bool)
    for row in np.flatnonzero(shown)[:_MOST].tolist():
        for first, last in captions.caption_rows(page, row, shown):
            mask[first:last] = True
    of_blocks: Mask = mask[blocks.first]
    return of_blocks


def captions_between(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: captions between the first kept block and the last."""
    return between_kept(in_captions(blocks, keep), keep)
