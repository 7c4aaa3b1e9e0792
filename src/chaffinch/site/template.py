"""A template: pages of a site that are built alike, and what they teach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.block_evidence import Evidence

if TYPE_CHECKING:
    from chaffinch.page.arrays import Hashes
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.rules import Rule
    from chaffinch.site.slot_tables import ReturningTexts, SlotTable

LEAST_PAGES: Final = 2
"""Pages from which a template can be learned: with one there is nothing to compare."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Template:
    """Pages that are built alike, and what they teach.

    Attributes:
        name: what people call it.
        pages: pages that it was learned from.
        share: share of the site's pages that are built like this, estimated.
        page: address of the page most like the others; "" if unknown.
        sketch: uint64[64], the sketch by which pages are told to be of it.
        likeness: mean likeness of its pages to that.
        known: mean share (0..1) of a page's text that stands in slots which other pages have, too.
        kept: mean share (0..1) of a page's text that is content.
        signs: selectors that nearly all of its pages match and few others: how rules tell them.
        lacks: selectors that hardly any of its pages match and nearly all of another template do.
        rules: the rules, those written by hand last.
        slots: how its slots behave.
        texts: which texts return.
        dropped: uint32, ascending: returning texts (numbers masked) that rules drop.
        longest: characters of the longest of these.
        keys: uint64, ascending: the keys of its pages, by which they are known again.
    """

    name: str
    pages: int
    share: float
    page: str
    sketch: Hashes
    likeness: float
    known: float
    kept: float
    signs: tuple[str, ...]
    lacks: tuple[str, ...]
    rules: tuple[Rule, ...]
    slots: SlotTable
    texts: ReturningTexts
    dropped: Hashes
    longest: int
    keys: Hashes

    @property
    def usable(self) -> bool:
        """Whether it has enough pages to say something."""
        return self.pages >= LEAST_PAGES

    def returning(self, pages: int) -> int:
        """Return how many texts, numbers masked, stand on at least ``pages`` of its pages."""
        return int((self.texts.counts[1] >= pages).sum())

    def evidence(self, page: PageSummary) -> Evidence:
        """Return what the template says of a page's blocks, be it one that it was learned from."""
        own = bool((self.keys == np.uint64(page.key)).any())
        return Evidence.of(page, self.slots, self.texts, own=own)
