"""Statistics of each slot over the pages of a template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.site.returning_texts import returning_texts
from chaffinch.site.sorted_hashes import concatenated, indices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Hashes
    from chaffinch.site.page_summary import PageSummary


@dataclass(frozen=True, eq=False)
class SlotTable:
    """Statistics of s slots over the pages of a template.

    Attributes:
        slots: uint64[s], ascending.
        pages: float32[s], pages that have text in the slot.
        blocks: float32[s], text blocks in the slot, over all pages.
        log_odds: float32[s], mean log-odds of the blocks of being content, by the page-level model.
        linked: float32[s] in 0..1, mean share of the blocks' text in links.
        length: float32[s], mean characters of a block.
        repeats: float32[s] in 0..1, mean share of the other pages that have the block's text, with
            numbers masked.
    """

    slots: Hashes
    pages: Floats
    blocks: Floats
    log_odds: Floats
    linked: Floats
    length: Floats
    repeats: Floats

    def __len__(self) -> int:
        return len(self.slots)

    def indices(self, slots: Hashes) -> NDArray[np.intp]:
        """Return intp[k]: the index of each slot in the table; -1 if absent."""
        return indices(self.slots, slots)


def slot_table(pages: Sequence[PageSummary]) -> SlotTable:
    """Return the statistics of the slots of ``pages``."""
    own = concatenated([page.places for page in pages], np.uint64)
    known, slot = np.unique(own, return_inverse=True)
    size = len(known)
    each = [np.unique(page.places) for page in pages]
    on_pages = np.unique(concatenated(each, np.uint64), return_counts=True)[1]
    log_odds = concatenated([page.log_odds for page in pages], np.float16).astype(np.float64)
    length = concatenated([page.length for page in pages], np.uint16).astype(np.float64)
    linked = concatenated([page.linked for page in pages], np.uint16) / np.maximum(length, 1)
    blocks = np.bincount(slot, minlength=size)
    return SlotTable(
        known,
        on_pages.astype(np.float32),
        blocks.astype(np.float32),
        *(
            # Rounded as they are saved, so that a saved model gives the same verdicts.
            np.round(np.bincount(slot, values, minlength=size) / blocks, 3).astype(np.float32)
            for values in (log_odds, linked, length, _repeats(pages))
        ),
    )


def _repeats(pages: Sequence[PageSummary]) -> NDArray[np.float64]:
    """Return float64[blocks of all pages]: the share of other pages with the block's text."""
    texts = returning_texts(pages)
    out = []
    for page in pages:
        at = indices(texts.hashes[1], page.texts.masked)
        out.append((texts.counts[1][at] - 1) / max(len(pages) - 1, 1))
    return concatenated(out, np.float64)
