"""Rules proposed for what a person marked, tried on all sample pages before any is kept.

Each selector of the marked element is a candidate, first for all pages of the site, then for those
of the element's template alone. What it would change is computed page by page. Collateral is what
it would turn against the model (noise: what any mode keeps; content: what mode ``full`` drops), or
against an earlier rule of a person, where no mark speaks for it; a mark speaks for the element, and
for the only element of the same slot on pages where that slot has one. Proposed is the candidate
without collateral that selects on most pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import OptionError
from chaffinch.site.reasons import SiteReason
from chaffinch.site.rules import Rule
from chaffinch.site.selector_matching import Matcher
from chaffinch.site.teaching.effects import (
    PlaceOfEntries,
    content_effect,
    field_effect,
    record_effect,
)
from chaffinch.site.teaching.sample import element_of, entry_of
from chaffinch.site.teaching.selectors import selectors_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Reasons
    from chaffinch.site.teaching.effects import PageEffect
    from chaffinch.site.teaching.sample import Mark, SamplePage

_EXAMPLES: Final = 6
_SHOWN: Final = 160
"""Changes that are shown of a candidate, and characters of each."""
_WANTED: Final = {"content": SiteReason.CONTENT_BY_HAND, "drop": SiteReason.DROP_BY_HAND}


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


@dataclass(frozen=True)
class Proposal:
    """The candidates for what was marked last.

    Attributes:
        kind: of the rule.
        page, row: the element that it is made for.
        candidates: from narrow to wide: by the pages, then the elements that they select.
        chosen: number of the proposed one; -1 where none is without collateral.
        nearest: number of the one to look at first: the proposed one, else the widest that selects
            nothing but elements of the marked one's slot; -1 for neither.
    """

    kind: str
    page: int
    row: int
    candidates: tuple[Candidate, ...]
    chosen: int
    nearest: int

    @property
    def best(self) -> Candidate | None:
        """The proposed candidate; None where none is without collateral."""
        return self.candidates[self.chosen] if self.chosen >= 0 else None


def propose(sample: Sequence[SamplePage], marks: Sequence[Mark], *, selector: str = "") -> Proposal:
    """Return what rules might be made for the last of some marks.

    Args:
        sample: the pages of the sample.
        marks: all marks of a person, the one that a rule is wanted for last; others of its kind are
            further examples, those of other kinds are what a rule must leave alone.
        selector: the only one to try; "" for all that the element has.

    Raises:
        OptionError: there is no mark, its page or row isn't there, or the selector is broken.
    """
    focus, *others = [_at_element(sample, mark) for mark in reversed(marks)] or [None]
    if focus is None:
        raise OptionError("a rule is proposed for a mark, and there is none")
    if focus.kind == "record":
        table = sample[focus.page]
        focus = replace(focus, row=entry_of(table.page, focus.row, table.slots))
    trial = _Trial.of(sample, focus, others)
    home = sample[focus.page]
    tried = [selector] if selector else selectors_of(home.page, focus.row, home.slots)
    groups = _distinct(sample, tried)
    found = [one for select, rows in groups for one in trial.candidates(select, rows)]
    found.sort(key=lambda one: (one.pages, one.elements, one.template == "", -len(one.select)))
    named = [n for n, one in enumerate(found) if selector or not one.is_positional]
    clean = [number for number in named if found[number].is_clean]
    alike = [n for n in named if found[n].in_slot and not found[n].against]
    chosen = clean[-1] if clean else -1
    nearest = chosen if clean or not alike else alike[-1]
    return Proposal(focus.kind, focus.page, focus.row, tuple(found), chosen, nearest)


def _at_element(sample: Sequence[SamplePage], mark: Mark) -> Any:
    """Return a mark at its element.

    Raises:
        OptionError: its page or row isn't there.
    """
    if not 0 <= mark.page < len(sample):
        raise OptionError(f"the sample has no page {mark.page}; it has {len(sample)}")
    return replace(mark, row=element_of(sample[mark.page].page, mark.row))


def _distinct(
    sample: Sequence[SamplePage], selectors: Sequence[str]
) -> list[tuple[str, list[list[int]]]]:
    """Return selectors with the rows that each selects on each page, the first of equal ones."""
    matcher = Matcher(selectors)
    matches = [matcher(one.page) for one in sample]
    seen: dict[tuple[tuple[int, ...], ...], str] = {}
    for number, select in enumerate(selectors):
        seen.setdefault(tuple(tuple(sorted(one[number])) for one in matches), select)
    return [(select, [list(one) for one in rows]) for rows, select in seen.items()]


@dataclass(frozen=True, eq=False)
class _Trial:
    """What candidates for one mark are tried against."""

    sample: Sequence[SamplePage]
    focus: Mark
    examples: Sequence[Mark]
    others: Sequence[Mark]
    meant: Sequence[Mask]
    wanted: Sequence[Reasons]

    @classmethod
    def of(cls, sample: Sequence[SamplePage], focus: Mark, others: Sequence[Mark]) -> _Trial:
        """Return the trial for a mark, with all others."""
        examples = [focus, *(one for one in others if one.kind == focus.kind)]
        contrary = [one for one in others if one.kind != focus.kind]
        meant = list(_meant(sample, focus, examples))
        wanted = list(_wanted(sample, [focus, *others]))
        return cls(sample, focus, examples, contrary, meant, wanted)

    def candidates(self, select: str, rows: Sequence[Sequence[int]]) -> Iterator[Candidate]:
        """Yield the candidate for all pages, and for one template where the other has collateral.

        ``rows`` are those that the selector selects, page by page.
        """
        effects = [
            self._effect(number, select, found) if found else None
            for number, found in enumerate(rows)
        ]
        everywhere = self._candidate(select, "", effects)
        yield everywhere
        template = self.sample[self.focus.page].template
        if template and not everywhere.is_clean:
            own = self._candidate(select, template, effects)
            if (own.collateral, own.against) < (everywhere.collateral, everywhere.against):
                yield own

    def _effect(self, number: int, select: str, rows: Sequence[int]) -> PageEffect:
        page, kind = self.sample[number], self.focus.kind
        if kind in _WANTED:
            rule = Rule(kind=kind, select=select, by_hand=True)
            return content_effect(page, rule, rows, self.meant[number], self.wanted[number])
        other = [one.row for one in self.others if one.page == number]
        other += self._unlike(number, rows)
        home = self.sample[self.focus.page]
        if kind == "record":
            return record_effect(page, rows, PlaceOfEntries.of(home, self.focus.row), other)
        around = home.entries[[self.focus.row, *home.page.ancestors(self.focus.row)]]
        return field_effect(page, kind, rows, in_entries=bool(around.any()), other=other)

    def _unlike(self, number: int, rows: Sequence[int]) -> list[int]:
        """Return the elements of a field beside the one that a person marked on the page."""
        if self.focus.kind == "record" or self.sample[number].entries.any():
            return []
        own = {one.row for one in self.examples if one.page == number}
        return [row for row in rows if own and row not in own]

    def _candidate(
        self, select: str, template: str, effects: Sequence[PageEffect | None]
    ) -> Candidate:
        chosen = [
            (number, effect)
            for number, effect in enumerate(effects)
            if effect is not None and template in {"", self.sample[number].template}
        ]
        lengths = [self.sample[number].page.own_length for number, _ in chosen]
        decides = self.focus.kind in _WANTED

        def characters(name: str) -> int:
            masks = (getattr(effect, name) for _, effect in chosen)
            pairs = zip(lengths, masks, strict=True)
            return sum(
                int((length[mask] if decides else mask[mask]).sum()) for length, mask in pairs
            )

        of = sum(template in {"", one.template} for one in self.sample)
        return Candidate(
            select=select,
            template=template,
            of=of,
            pages=len(chosen),
            elements=sum(len(effect.elements) for _, effect in chosen),
            changed=tuple(n for n, one in chosen if not decides or (one.gained | one.lost).any()),
            added=characters("gained"),
            removed=characters("lost"),
            collateral=characters("collateral"),
            against=sum(int(effect.against.sum()) for _, effect in chosen),
            missed=sum(not self._holds(mark, dict(chosen)) for mark in self.examples),
            in_slot=self._in_slot(chosen),
            examples=self._examples(chosen),
        )

    def _in_slot(self, chosen: Sequence[tuple[int, PageEffect]]) -> bool:
        slot = self.sample[self.focus.page].slots[self.focus.row]
        return all(
            bool((self.sample[number].slots[list(effect.elements)] == slot).all())
            for number, effect in chosen
        )

    def _holds(self, mark: Mark, effects: dict[int, PageEffect]) -> bool:
        """Return whether a rule selects an element that was marked, or one around it."""
        if mark.page not in effects:
            return False
        page, rows = self.sample[mark.page].page, effects[mark.page].elements
        if self.focus.kind in _WANTED or self.focus.kind == "record":
            return any(row <= mark.row < page.end[row] for row in rows)
        return mark.row in rows

    def _examples(self, chosen: Sequence[tuple[int, PageEffect]]) -> tuple[Change, ...]:
        found: list[Change] = []
        for is_collateral in (True, False):
            for number, effect in chosen:
                if len(found) >= _EXAMPLES:
                    return tuple(found)
                found += self._changes(number, effect, is_collateral=is_collateral)[:2]
        return tuple(found[:_EXAMPLES])

    def _changes(self, number: int, effect: PageEffect, *, is_collateral: bool) -> list[Change]:
        page = self.sample[number].page
        if self.focus.kind in _WANTED:
            rows = np.flatnonzero(
                (effect.gained | effect.lost) & (effect.collateral == is_collateral)
            )
        else:
            rows = np.array(
                [r for r in effect.elements if effect.collateral[r] == is_collateral], int
            )
        return [
            Change(number, row, self._what(effect, row), is_collateral, _text_of(page, row))
            for row in rows[:2].tolist()
        ]

    @staticmethod
    def _what(effect: PageEffect, row: int) -> str:
        return "added" if effect.gained[row] else "removed" if effect.lost[row] else "selected"


def _text_of(page: Page, row: int) -> str:
    """Return the texts in an element, a space between them, as far as they are shown."""
    texts = np.flatnonzero(page.own_length[row : page.end[row]]) + row
    words = (word for one in texts.tolist() for word in page.text_of(one).split())
    return " ".join(islice(words, _SHOWN))[:_SHOWN]


def _meant(sample: Sequence[SamplePage], focus: Mark, examples: Sequence[Mark]) -> Iterator[Mask]:
    """Yield bool[n] of each page: what marks of one kind speak for."""
    home = sample[focus.page]
    slot = home.slots[focus.row]
    is_single = int((home.slots == slot).sum()) == 1
    for number, page in enumerate(sample):
        out = np.zeros(len(page.page), dtype=bool)
        rows = [one.row for one in examples if one.page == number]
        same = np.flatnonzero(page.slots == slot)
        if is_single and len(same) == 1:
            rows.append(int(same[0]))
        for row in rows:
            out[row : page.page.end[row]] = True
        yield out


def _wanted(sample: Sequence[SamplePage], marks: Sequence[Mark]) -> Iterator[Reasons]:
    """Yield int8[n] of each page: the `SiteReason` that marks want; of nested ones the innermost.

    What a person marked as a field isn't noise, either.
    """
    for number, page in enumerate(sample):
        out = np.zeros(len(page.page), dtype=np.int8)
        own = {one.row: one.kind for one in reversed(marks) if one.page == number}
        for row, kind in sorted(own.items()):
            if kind in _WANTED:
                out[row : page.page.end[row]] = _WANTED[kind]
        yield out
