"""Places that hold the lead of an article: one prose text on each page, another on every page.

The page-level model doubts a standfirst, or the caption of the picture at the top, on each page
alike, and its slot's mean makes the doubt certain. What speaks for such a place is what its pages
have in common: nearly all of them have it, once, above most of the content, with a text that
returns on none of the others and has no links. Titles of other stories are short or links, and what
a site says of itself returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.sorted_hashes import values_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.slot_table import SlotTable

PAGE_TYPES: Final = ("article", "documentation")
"""Page types whose text has a lead."""
_PROSE: Final = 50.0
"""Characters from which a text counts in full; the square of its share below."""
_MOST_DOUBT: Final = -1.5
"""Mean log-odds of a slot below which the page-level model doesn't doubt but denies."""
_ABOVE: Final = 0.5
"""Largest share of a page's likely content above a lead."""


def lead_shares(
    page: PageSummary, slots: SlotTable, returns: Floats, pages: int
) -> NDArray[np.float64]:
    """Return float64[m] in 0..1: how far each block's place is that of a lead.

    Args:
        page: the page, of m blocks.
        slots: statistics of its template's slots.
        returns: float32[KINDS, m], as in `BlockEvidence`.
        pages: that the statistics were counted on.
    """
    at = slots.indices(page.places)
    columns = (slots.pages, slots.blocks, slots.log_odds, slots.linked, slots.repeats, slots.length)
    found = [values_at(column, at).astype(np.float64) for column in columns]
    having, blocks, log_odds, linked, repeats, length = found
    own = page.length.astype(np.float64)
    share = np.minimum(having / max(pages, 1), 1) * having / np.maximum(blocks, 1)
    share *= (1 - np.minimum(2 * linked, 1)) * (1 - np.minimum(repeats, 1))
    share *= np.minimum(length / _PROSE, 1) ** 2 * np.minimum(own / _PROSE, 1)
    verbatim, masked, head, tail = returns.astype(np.float64)
    share *= 1 - np.maximum(np.maximum(verbatim, masked), np.minimum(head, tail))
    share[(log_odds <= _MOST_DOUBT) | (_above(page) > _ABOVE)] = 0
    return share


def _above(page: PageSummary) -> NDArray[np.float64]:
    """Return float64[m] in 0..1: the share of the page's likely content above each block."""
    likely = page.length / (1 + np.exp(-page.log_odds.astype(np.float64)))
    above = np.cumsum(likely) - likely
    return np.asarray(above / max(float(likely.sum()), 1e-9))
