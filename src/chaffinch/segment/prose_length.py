"""How much prose a page holds: a cheap estimate of whether it has content at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.segment.text_blocks import TextBlocks

_WIDE: Final = 0x2E80
"""The first code point of the East Asian scripts, whose characters carry more than a letter."""

_WIDE_WEIGHT: Final = 3
"""Latin letters that carry as much as one such character; about the ratio of translated texts."""


def prose_length(page: Page, *, min_block: int = 60) -> int:
    """Return the characters outside links in all text blocks that have at least ``min_block``.

    East Asian characters count as three, so that one threshold serves all scripts.
    """
    prose = block_prose(text_blocks(page))
    return int(prose[prose >= min_block].sum())


def block_prose(blocks: TextBlocks) -> NDArray[np.float64]:
    """Return float64[m]: characters outside links of each block, East Asian ones as three.

    They are counted on first use and kept with the page.
    """
    return blocks.page.derived("prose of blocks", lambda: (_counted(blocks),))[0]


def _counted(blocks: TextBlocks) -> NDArray[np.float64]:
    if not len(blocks):
        return np.zeros(0)
    page = blocks.page
    wide = _wide_before(page.text)
    of_block = wide[page.text_at[blocks.last]] - wide[page.text_at[blocks.first]]
    share = of_block / np.maximum(blocks.length, 1)
    weight = 1 + (_WIDE_WEIGHT - 1) * np.minimum(share, 1)
    prose: NDArray[np.float64] = (blocks.length - blocks.link_length) * weight
    return prose


def _wide_before(text: str) -> NDArray[np.int64]:
    """Return int64[c+1]: East Asian characters before each offset of ``text``."""
    before = np.zeros(len(text) + 1, dtype=np.int64)
    if not text.isascii():
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        np.cumsum(codes >= _WIDE, out=before[1:])
    return before
