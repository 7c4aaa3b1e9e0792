"""What a selector would change on the sample pages, beside what people marked there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.reasons import SiteReason
from chaffinch.site.rules import Rule
from chaffinch.site.teaching.candidate import Candidate, Change
from chaffinch.site.teaching.effects import (
    PlaceOfEntries,
    content_effect,
    field_effect,
    record_effect,
)

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


@dataclass(frozen=True, eq=False)
class Trial:
    """What candidates for one mark are tried against."""

    sample: Sequence[SamplePage]
    focus: Mark
    examples: Sequence[Mark]
    others: Sequence[Mark]
    meant: Sequence[Mask]
    wanted: Sequence[Reasons]

    @classmethod
    def of(cls, sample: Sequence[SamplePage], focus: Mark, others: Sequence[Mark]) -> Trial:
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
            rows = rows[np.argsort(-page.own_length[rows], kind="stable")]  # the longest speak most
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
    is_field = home.is_field(focus.row)
    for number, page in enumerate(sample):
        out = np.zeros(len(page.page), dtype=bool)
        rows = [one.row for one in examples if one.page == number]
        same = np.flatnonzero(page.slots == slot)
        if is_single and len(same) == 1:
            rows.append(int(same[0]))
        elif is_field:
            rows += [row for row in same.tolist() if page.is_field(row)]
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
