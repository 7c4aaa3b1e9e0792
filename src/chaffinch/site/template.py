"""A template: a cluster of a site's pages with similar structure, with its tables and rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.block_evidence import BlockEvidence
from chaffinch.site.roles import role_rules
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.page.arrays import Floats, Hashes
    from chaffinch.result import RoleRule
    from chaffinch.site.page_groups import PageGroup
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.returning_texts import ReturningTexts
    from chaffinch.site.rules import Rule
    from chaffinch.site.slot_table import SlotTable

LEAST_PAGES: Final = 2
"""Least pages that a template can be learned from."""
_MOST_LOST: Final = 0.005
_LEAST_KNOWN: Final = 0.8
_ENOUGH_PAGES: Final = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Template:
    """A cluster of a site's pages with similar structure, with its tables and rules.

    Attributes:
        name: its name, unique in the model.
        pages: pages that it was learned from.
        share: estimated share (0..1) of the site's pages that have this template.
        page: address of the page most similar to the sketch; "" if unknown.
        sketch: uint64[64], the sketch that pages are compared with.
        likeness: mean likeness (0..1) of its pages to the sketch.
        known: mean share (0..1) of a page's text in slots that other pages have, too.
        kept: mean share (0..1) of a page's text that is content.
        lost: mean loss (0..1) of expected F1 on its pages, where its rules alone decide.
        signs: selectors that nearly all of its pages match and few others; the ``rules`` mode
            recognises its pages by them.
        lacks: selectors that hardly any of its pages match and nearly all of another template do.
        rules: the rules, those written by hand last.
        slots: statistics of its slots.
        texts: its returning texts.
        groups: name → tables of a group of its pages alone; see `chaffinch.site.page_groups`.
        dropped: uint32, ascending: returning texts (numbers masked) that rules drop.
        longest: characters of the longest of these.
        keys: uint64, ascending: the keys of the pages that it was learned from.
    """

    name: str
    pages: int
    share: float
    page: str
    sketch: Hashes
    likeness: float
    known: float
    kept: float
    lost: float
    signs: tuple[str, ...]
    lacks: tuple[str, ...]
    rules: tuple[Rule, ...]
    slots: SlotTable
    texts: ReturningTexts
    groups: Mapping[str, PageGroup]
    dropped: Hashes
    longest: int
    keys: Hashes

    @property
    def usable(self) -> bool:
        """Whether it was learned from enough pages to be applied."""
        return self.pages >= LEAST_PAGES

    @property
    def is_learned(self) -> bool:
        """Whether it has slots and a sketch, which rules written by hand alone don't make."""
        return self.pages > 0

    @property
    def roles(self) -> tuple[RoleRule, ...]:
        """Its rules for fields, those written by hand before learned ones of the same field."""
        return role_rules(self.rules)

    @property
    def decided_by_hand(self) -> bool:
        """Whether a person wrote what is content on its pages, or what isn't."""
        return any(rule.by_hand and rule.decides for rule in self.rules)

    def returning(self, pages: int) -> int:
        """Return how many texts, numbers masked, stand on at least ``pages`` of its pages."""
        return int((self.texts.counts[1] >= pages).sum())

    @property
    def doubt(self) -> str:
        """Why its learned rules aren't trusted alone; "" where they are, or none was learned.

        The bounds were chosen on 369 sites, of which those of each source were left out in turn.
        """
        if not self.is_learned or self.decided_by_hand:
            return ""
        if self.pages < _ENOUGH_PAGES:
            return f"{self.name} was learned from {counted(self.pages, 'page')} only"
        if self.known < _LEAST_KNOWN:
            return f"the pages of {self.name} are too unlike one another for rules"
        if self.lost > _MOST_LOST:
            return f"the rules of {self.name} can't say what its pages together say"
        return ""

    def evidence(self, page: PageSummary, votes: Floats | None = None) -> BlockEvidence:
        """Return the evidence for a page's m blocks, also of a page that it was learned from.

        Args:
            page: the page.
            votes: float32[m], of its learned rules; None for none.
        """
        own = bool((self.keys == np.uint64(page.key)).any())
        return BlockEvidence.of(
            page, self.slots, self.texts, groups=self.groups, own=own, votes=votes
        )
