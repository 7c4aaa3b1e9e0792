"""A line that is a short link and nothing else is dropped from pages of running text.

Such links lead on or invite: read more, sign up, check the price. In headings, lists, tables and
code links are titles, entries and data. On pages of other types links may be the main content.

Chosen on held-out folds of the training corpora (`python -m training.decoding`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

PAGE_TYPES: Final = ("article", "service")
"""Page types of running text."""
_MOST_WORDS: Final = 6
"""Words of such a link; longer ones may be titles."""
_LINKED: Final = 0.95
"""Share of a line's characters in links, white space apart, from which it is links alone."""
_EXEMPT: Final = tags.table("h1 h2 h3 h4 h5 h6 li table pre".split())
_LEAST_LEFT: Final = 10
"""Words that must be left, or nothing is dropped."""
_SHARE_LEFT: Final = 0.3
"""Share of the kept words that must be left: else links are the main content."""


def lone_links(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept lines that are a short link alone; None where there are none.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
    """
    blocks, units = found.blocks, found.units
    mask: Mask = keep & (units <= _MOST_WORDS)
    short = _of_links(blocks, mask.nonzero()[0])
    if not short:
        return None
    mask[:] = False
    mask[short] = True
    mask &= ~blocks.inside(_EXEMPT)
    left = units[keep & ~mask].sum(dtype=np.float64)
    least = max(_LEAST_LEFT, _SHARE_LEFT * units[keep].sum(dtype=np.float64))
    return None if left < least else mask


def links_alone(blocks: TextBlocks) -> Mask:
    """Return bool[m]: blocks that are links alone, but for headings, lists, tables and code."""
    linked: Mask = blocks.link_length > _LINKED * blocks.length
    return linked & ~blocks.inside(_EXEMPT)


def _of_links(blocks: TextBlocks, some: NDArray[np.intp]) -> list[int]:
    """Return those of ``some`` blocks whose characters are in links, all but a few."""
    page, found = blocks.page, []
    in_link = page.in_link.tobytes()
    firsts, lasts = blocks.first.take(some).tolist(), blocks.last.take(some).tolist()
    for block, first, last in zip(some.tolist(), firsts, lasts, strict=True):
        linked = in_link.count(1, first, last)
        if linked == last - first or (linked and _is_nearly_linked(page, first, last)):
            found.append(block)
    return found


def _is_nearly_linked(page: Page, first: int, last: int) -> bool:
    """Return whether all but a few characters of the rows first:last are in links."""
    before = page.written_before[first : last + 1]
    written = before[1:] - before[:-1]
    linked = written[page.in_link[first:last]].sum()
    return bool(linked > _LINKED * (before[-1] - before[0]))
