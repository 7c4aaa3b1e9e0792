"""Rules proposed for what a person marked, tried on all sample pages before any is kept.

Each selector of the marked element is a candidate, first for all pages of the site, then for those
of the element's template alone. What it would change is computed page by page. Collateral is what
it would turn against the model (noise: what any mode keeps; content: what mode ``full`` drops), or
against an earlier rule of a person, where no mark speaks for it. A mark speaks for the element, for
the only element of its slot on pages where that slot has one, and, where it is the only one of its
slot in an entry of a list, such as a title, for those of all entries. Proposed is the candidate
without collateral that selects on most pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from chaffinch.errors import OptionError
from chaffinch.site.selector_matching import Matcher
from chaffinch.site.teaching.sample import element_of, entry_of
from chaffinch.site.teaching.selectors import selectors_of
from chaffinch.site.teaching.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.site.teaching.candidate import Candidate
    from chaffinch.site.teaching.sample import Mark, SamplePage


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
    trial = Trial.of(sample, focus, others)
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
