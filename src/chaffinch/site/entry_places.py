"""Slots that hold the entries of lists: their texts repeat on other list pages and are content.

The title and teaser of a story stand on the front page, on its section's page and in its tag's
list, so that text which repeats across pages isn't boilerplate there. A slot of entries has several
blocks on each page that has the slot, and the page-level model classifies them as content. Text
that repeats on most pages is boilerplate in such a slot, too; of few pages, text that repeats on
more than one other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.sorted_hashes import values_at

if TYPE_CHECKING:
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.slot_table import SlotTable

_MANY: Final = 4.0
"""Blocks that a slot of entries has on a page, in the mean of those that have it."""
_MOST_PAGES: Final = 0.6
"""Share of pages on which an entry may return; with 0.8 three labelled sites lose over 0.01."""
_LEAST_PAGES: Final = 8
"""Pages of a template from which that share is fine enough: of four, one other page is a third."""
_FEWEST: Final = 3
_LIKELY: Final = 0.5
"""Pages of a template, and mean log-odds of a slot, from which one other page may have an entry."""
_ONE_OTHER: Final = 1.6
"""Bound, in pages, between one other page, also of one fewer pages than were counted, and two."""


def are_entries(page: PageSummary, slots: SlotTable, returns: Floats, pages: int) -> Mask:
    """Return bool[m]: blocks of ``page`` in places of entries, which don't return on most pages.

    Args:
        page: the page, of m blocks.
        slots: statistics of its template's slots.
        returns: float32[KINDS, m], as in `BlockEvidence`.
        pages: that the statistics were counted on.
    """
    if pages < _FEWEST:
        return np.zeros(len(page), dtype=bool)
    at = slots.indices(page.places)
    columns = (slots.pages, slots.blocks, slots.log_odds)
    having, blocks, log_odds = (values_at(column, at) for column in columns)
    verbatim, masked, head, tail = returns
    often = np.maximum(np.maximum(verbatim, masked), np.minimum(head, tail))
    if pages < _LEAST_PAGES:
        seldom = (often * pages < _ONE_OTHER) & (log_odds > _LIKELY)
    else:
        seldom = (often < _MOST_PAGES) & (log_odds > 0)
    mask: Mask = (blocks >= _MANY * np.maximum(having, 1)) & seldom
    return mask
