"""A selector that was tried on all sample pages, and what a rule with it would change."""

from __future__ import annotations

from dataclasses import dataclass

from chaffinch.site.rules import Rule


@dataclass(frozen=True)
class Change:
    """A text that a candidate changes, or an element that it selects for a field.

    Attributes:
        page: number of the page.
        row: its row.
        what: ``added`` to the content, ``removed`` from it, or ``selected`` for a field.
        is_collateral: whether no mark speaks for it.
        text: its text, or the value that is read of it, cut to 160 characters.
    """

    page: int
    row: int
    what: str
    is_collateral: bool
    text: str


@dataclass(frozen=True)
class Candidate:
    """A selector, and what a rule with it would do on the sample.

    Attributes:
        select: the selector.
        template: name of the template whose pages the rule is for; "" for all pages.
        of: sample pages that it is for.
        pages: those on which it selects anything.
        elements: elements that it selects on them.
        changed: numbers of the pages that it changes; of a field, that it selects on.
        added, removed: characters that it adds to the content and takes away.
        collateral: characters among them, or elements of a field, that no mark speaks for.
        against: texts or elements that a person marked otherwise; such a rule isn't kept.
        missed: marks of this kind that it doesn't select.
        in_slot: whether all that it selects stands in the slot of the marked element.
        examples: some of the changes, collateral first.
    """

    select: str
    template: str
    of: int
    pages: int
    elements: int
    changed: tuple[int, ...]
    added: int
    removed: int
    collateral: int
    against: int
    missed: int
    in_slot: bool
    examples: tuple[Change, ...]

    @property
    def is_positional(self) -> bool:
        """Whether it counts siblings: it breaks where a page has one more, so none is proposed."""
        return ":nth-" in self.select

    @property
    def is_clean(self) -> bool:
        """Whether it selects all that was marked, and changes nothing else that is firm."""
        return not (self.collateral or self.against or self.missed)

    def rule(self, kind: str, date: str) -> Rule:
        """Return the rule of a person that it makes, kept on a date (ISO 8601)."""
        share = round(self.pages / max(self.of, 1), 3)
        return Rule(kind=kind, select=self.select, by_hand=True, taught=date, share=share)
