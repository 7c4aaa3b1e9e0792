"""Sample pages of a site, each with what the model makes of it in both of its modes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError
from chaffinch.model.method_confidence import expected_f1
from chaffinch.page import tags
from chaffinch.result import Content
from chaffinch.site.application import by_rules, in_full
from chaffinch.site.rules import KINDS, selected_by_hand
from chaffinch.site.site_notes import SiteNotes
from chaffinch.site.slots import slot_hashes
from chaffinch.site.usage import Usage

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes, Mask
    from chaffinch.result import Verdict
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel


@dataclass(frozen=True)
class Mark:
    """What a person says of one element of a sample page.

    Attributes:
        page: number of the page in the sample.
        row: the element, or a text in it.
        kind: one of `chaffinch.site.rules.KINDS`: ``content``, ``drop`` (noise), or the field that
            it is.

    Raises:
        OptionError: the kind is unknown.
    """

    page: int
    row: int
    kind: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(f"unknown kind of mark {self.kind!r}; known: {', '.join(KINDS)}")


@dataclass(frozen=True, eq=False)
class SamplePage:
    """A page of the sample; n rows.

    Attributes:
        page: the page.
        rules: the site's rules that hold on it.
        template: name of the template that the model takes it for; "" for none.
        verdict: of the model's own mode.
        full, ruled: the verdicts of the modes ``full`` and ``rules``.
        use: counts of this one use of the model, in its own mode, by which drift is found.
    """

    page: Page
    rules: tuple[Rule, ...]
    template: str
    verdict: Verdict
    full: Verdict
    ruled: Verdict
    use: Usage = field(default_factory=Usage)

    @classmethod
    def of(cls, site: SiteModel, page: Page) -> SamplePage:
        """Return ``page`` with what ``site`` makes of it; the site's own counts stay."""
        own, other = Usage(), Usage()
        by_mode = (own, other) if site.mode == "full" else (other, own)
        full = in_full(site, page, by_mode[0])
        ruled = by_rules(site, site.rule_set, page, by_mode[1])
        verdict = ruled if site.mode == "rules" else full
        notes = verdict.notes
        name = (notes.template or "") if isinstance(notes, SiteNotes) else ""
        by_template = next((one.rules for one in site.templates if name and one.name == name), ())
        return cls(page, (*site.rules, *by_template), name, verdict, full, ruled, own)

    @cached_property
    def text(self) -> Mask:
        """bool[n]: texts that a browser shows."""
        page = self.page
        shown: Mask = (page.tag == tags.TEXT) & (page.own_length > 0) & page.shown
        return shown

    @cached_property
    def kept(self) -> Mask:
        """bool[n]: texts that any of the modes keeps."""
        return self.text & (self.full.keep | self.ruled.keep)

    @cached_property
    def dropped(self) -> Mask:
        """bool[n]: texts that mode ``full`` drops, which reads them; rules may be broken."""
        return self.text & ~self.full.keep

    @cached_property
    def slots(self) -> Hashes:
        """uint64[n]: the slot of each row."""
        return slot_hashes(self.page)

    @cached_property
    def repeated(self) -> Mask:
        """bool[n]: elements beside which another one stands in their slot, as entries of a list."""
        page = self.page
        rows = np.flatnonzero(page.tag != tags.TEXT)
        places = np.stack([page.parent[rows].astype(np.uint64), self.slots[rows]])
        _, number, count = np.unique(places, axis=1, return_inverse=True, return_counts=True)
        out = np.zeros(len(page), dtype=bool)
        out[rows] = count[number.ravel()] > 1
        return out

    def is_field(self, row: int) -> bool:
        """Return whether an element is the only one of its slot in an entry of a list."""
        page, at = self.page, row
        while at >= 0 and not self.repeated[at]:
            at = int(page.parent[at])
        if at < 0 or at == row:
            return False
        return int((self.slots[at : page.end[at]] == self.slots[row]).sum()) == 1

    @cached_property
    def by_hand(self) -> list[tuple[Rule, list[int]]]:
        """The rules written by hand for content and noise, each with the rows it selects."""
        return selected_by_hand(self.page, self.rules)

    @cached_property
    def entries(self) -> Mask:
        """bool[n]: rows that the first rule for records selects which selects any."""
        out = np.zeros(len(self.page), dtype=bool)
        for rule in sorted(self.rules, key=lambda one: not one.by_hand):
            if rule.kind == "record" and (rows := rule.rows(self.page)):
                out[rows] = True
                break
        return out

    @cached_property
    def agreement(self) -> float:
        """0..1: F1, by characters, of what the modes keep; 1 where both keep nothing."""
        length = self.page.own_length.astype(np.int64)
        both = int(length[self.text & self.full.keep & self.ruled.keep].sum())
        either = sum(int(length[self.text & one.keep].sum()) for one in (self.full, self.ruled))
        return 2 * both / either if either else 1.0

    @cached_property
    def confidence(self) -> float | None:
        """The word F1 that the model expects of itself on the page, 0..1; None if unknown."""
        verdict = self.verdict
        if verdict.confidence is not None or verdict.notes is None:
            return verdict.confidence
        return expected_f1(Content(self.page, verdict), verdict.notes.calibration)

    @property
    def doubt(self) -> float:
        """0..1: how much the page is worth a look: the modes disagree, or the model doubts."""
        confidence = self.confidence
        return max(1 - self.agreement, 0.0 if confidence is None else 1 - confidence)


def element_of(page: Page, row: int) -> int:
    """Return the row of the element of a row: itself, or the one that holds a text.

    Raises:
        OptionError: the page has no such row.
    """
    if not 0 <= row < len(page):
        raise OptionError(f"the page has no row {row}; it has {len(page)}")
    return int(page.parent[row]) if page.tag[row] == tags.TEXT else row


def entry_of(page: Page, row: int, slots: Hashes) -> int:
    """Return the entry of a list that an element is, or lies in; itself where there is none.

    That is the nearest element around it, or itself, beside which another one stands in its slot.
    """
    at = row
    while at > max(page.body, 0):
        up = int(page.parent[at])
        alike = np.flatnonzero(slots[up + 1 : page.end[up]] == slots[at]) + up + 1
        if len(alike) > 1:
            return at
        at = up
    return row
