"""Links of one text that stand on a page many times: «Read more» below each entry of a list.

On pages of which a template knows few, such links return on none of its others, and what keeps the
entries would keep them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from chaffinch.page.arrays import Mask
    from chaffinch.site.page_summary import PageSummary

_OFTEN: Final = 3
"""Blocks of a page with one text from which they are boilerplate."""
_LINKED: Final = 0.95
"""Least share of a block's text that is links."""


def are_repeated_links(page: PageSummary) -> Mask:
    """Return bool[m]: links that the page-level model denies, of a text that recurs on the page."""
    linked = page.linked >= _LINKED * np.maximum(page.length, 1)
    mask: Mask = linked & (page.log_odds < 0)
    if np.count_nonzero(mask) >= _OFTEN:
        _, of_text, count = np.unique(page.texts.verbatim, return_inverse=True, return_counts=True)
        return mask & (count[of_text] >= _OFTEN)
    return np.zeros(len(page), dtype=bool)
