"""A line that is a short link and nothing else is dropped from pages of running text.

Such links lead on or invite: read more, sign up, check the price. In headings, lists, tables and
code links are titles, entries and data. On pages of other types links may be the main content.

Chosen on held-out folds of the training corpora (`python -m training.decoding`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Mask

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
    before = blocks.page.written_before
    mask: Mask = keep & (units <= _MOST_WORDS)
    short = mask.nonzero()[0]
    if not len(short):
        return None
    first, last = blocks.first[short], blocks.last[short]
    linked = kernels.amounts_between(before, blocks.page.in_link, first, last)
    amounts = zip(
        linked.tolist(), before.take(first).tolist(), before.take(last).tolist(), strict=True
    )
    short = short[[own > _LINKED * (stop - start) for own, start, stop in amounts]]
    if not len(short):
        return None
    mask[:] = False
    mask[short] = True
    mask &= ~blocks.inside(_EXEMPT)
    left = units[keep & ~mask].sum(dtype=np.float64)
    least = max(_LEAST_LEFT, _SHARE_LEFT * units[keep].sum(dtype=np.float64))
    return None if left < least else mask
