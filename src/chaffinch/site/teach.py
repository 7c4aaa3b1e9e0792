"""Rules of a site by example: what a person marks on sample pages becomes a tried rule.

Each selector of the marked element is a candidate, first for all pages of the site, then for those
of the element's template alone. What it would change is computed page by page. Collateral is what
it would turn against the model (noise: what it keeps; content: what it drops), or against an
earlier rule of a person, where no mark speaks for it. A mark speaks for the element, for
the only element of its slot on pages where that slot has one, and, where it is the only one of its
slot in an entry of a list, such as a title, for those of all entries. Proposed is the candidate
without collateral that selects on most pages.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements.dates_in_text import parse_date
from chaffinch.errors import OptionError
from chaffinch.kernels.arrays import Hashes, Mask, Reasons
from chaffinch.lists.labelled import OWN, own_value
from chaffinch.metadata.names import split_names
from chaffinch.metadata.page_fields import image_address
from chaffinch.metadata.product import read_price
from chaffinch.metadata.sources import written
from chaffinch.metadata.values import clean
from chaffinch.page import Page, tags
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import FETCHED, absolute
from chaffinch.site.apply import apply
from chaffinch.site.fields import first_link
from chaffinch.site.model import SiteModel, SiteNotes
from chaffinch.site.rules import Rule, SiteReason, Usage, labels, refused_kind, selecting, today
from chaffinch.site.sample import steps_of
from chaffinch.site.slots import SlotTree, slot_hashes
from chaffinch.verdict import Verdict


@dataclass(frozen=True)
class Change:
    """A text that a candidate changes, or an element that it selects for a field."""

    page: int  # number of the page
    row: int  # its row
    what: str  # ``added`` to the content, ``removed`` from it, or ``selected`` for a field
    is_collateral: bool  # whether no mark speaks for it
    text: str  # its text, or the value that is read of it, cut to 160 characters


@dataclass(frozen=True)
class Candidate:
    """A selector, and what a rule with it would do on the sample."""

    select: str  # the selector
    template: str  # name of the template whose pages the rule is for; "" for all pages
    of: int  # sample pages that it is for
    pages: int  # those on which it selects anything
    elements: int  # elements that it selects on them
    changed: tuple[int, ...]  # numbers of the pages that it changes; of a field, that it selects on
    # added, removed: characters that it adds to the content and takes away
    added: int
    removed: int
    collateral: int  # characters among them, or elements of a field, that no mark speaks for
    against: int  # texts or elements that a person marked otherwise; such a rule isn't kept
    missed: int  # marks of this kind that it doesn't select
    in_slot: bool  # whether all that it selects stands in the slot of the marked element
    examples: tuple[Change, ...]  # some of the changes, collateral first

    @property
    def is_positional(self) -> bool:
        return ":nth-" in self.select

    @property
    def is_clean(self) -> bool:
        """Whether it selects all that was marked, and changes nothing else."""
        return not (self.collateral or self.against or self.missed)

    def rule(self, kind: str) -> Rule:
        """Return the rule of a person that it makes, kept today."""
        share = round(self.pages / max(self.of, 1), 3)
        return Rule(kind=kind, select=self.select, by_hand=True, taught=today(), share=share)


_LONGEST: Final = {"title": 500, "author": 300, "date": 300, "price": 300}
_LONGEST_OWN: Final = 500
"""Most characters of an element that is taken for a field: a longer one only mentions it."""


def _field_value(page: Page, kind: str, row: int) -> str:
    """Return the value of a field that an element has, as text; "" for none."""
    if kind == "image":
        return image_address(page, row)
    if kind == "next":
        href = first_link(page, row)
        return absolute(href, page.base, FETCHED) if href else ""
    text = written(page, Selected(row))
    reader, longest = _READERS.get(kind, own_value), _LONGEST.get(kind, _LONGEST_OWN)
    return reader(text) if len(text) <= longest else ""


def _amount(text: str) -> str:
    price = read_price(text)
    return "" if price is None else f"{price.lowest} {price.currency}".strip()


_READERS: Final[dict[str, Callable[[str], str]]] = {
    "title": clean,
    "author": lambda text: "; ".join(split_names(text)),
    "date": lambda text: "" if (day := parse_date(text)) is None else day.isoformat(),
    "price": _amount,
}

MOST: Final = 80
"""Selectors that are tried of one element."""
_BY_NAMES: Final = 60
_PLAIN_TAGS: Final = frozenset(
    "html body div span p a li ul ol dl dt dd table tbody thead tr td th b i em strong br font"
    " center section".split()
)
"""Tags that name nothing by themselves."""
_ATTRIBUTES: Final = ("itemprop", "rel", "property", "name", "role", "data-testid", "data-role")
"""Attributes whose values name what an element is."""
_LOOKS: Final = ("bgcolor", "width", "size", "color", "align", "valign", "colspan", "height")
"""Attributes by which pages without style sheets tell their parts apart."""
_LOOK: Final = re.compile(r"\A[\w#%.,+-]{1,20}\Z", re.ASCII)
_NAME: Final = re.compile(r"\A[A-Za-z_][\w:.-]{0,60}\Z", re.ASCII)


def selectors_of(page: Page, row: int, slots: Hashes) -> list[str]:
    """Return selectors of the element ``row``, each of which matches it, the simplest first.

    By its tag, where that says what it is; by attributes that name it, or by looks where it has
    neither id nor class; by id, classes, named elements around it and paths of children, as learned
    rules have them (`chaffinch.site.slots`); by its positions among siblings, which matches it
    alone. ``slots`` are `chaffinch.site.slots.slot_hashes` of the page.
    """
    slot = int(slots[row])  # in the tree of its own slot and those around
    tree = SlotTree.of(steps_of(page, slots, [row]), [slot])
    by_names = (select for select, _ in tree.selectors(tree.number[slot]))
    every = [*_by_itself(page, row), *islice(by_names, _BY_NAMES)]
    every += [*_below(page, row), page.selector(row)]
    matching = (one for one in dict.fromkeys(every) if _matches(page, one, row))
    return list(islice(matching, MOST))


def _matches(page: Page, selector: str, row: int) -> bool:
    """Return whether a selector matches a row; one of names that CSS can't write matches none."""
    try:
        return row in Rule(kind="content", select=selector).rows(page)
    except OptionError:
        return False


_LONGEST_LABEL: Final = 40
_LABELLED: Final = "[normalize-space()="


def _by_label(page: Page, row: int) -> Iterator[str]:
    """Yield an XPath of the element that follows a label: a term, a cell, the first of two."""
    siblings = page.children(page.parent.item(row))
    before = [at for at in siblings if at < row and page.tag[at] > tags.TEXT]
    label = page.folded(before[-1]) if before else ""
    if 0 < len(label) <= _LONGEST_LABEL and '"' not in label:
        name = page.name(row)
        path = f'//{page.name(before[-1])}{_LABELLED}"{label}"]/following-sibling::{name}[1]'
        if _matches(page, path, row):
            yield path


def _by_itself(page: Page, row: int) -> Iterator[str]:
    tag = page.name(row)
    if tag not in _PLAIN_TAGS:
        yield tag
    for name in _ATTRIBUTES:
        value = page.attribute(row, name) or ""
        if _NAME.match(value) and not any(map(str.isdigit, value)):
            yield f'{tag}[{name}="{value}"]'
    if page.attribute(row, "class") or page.attribute(row, "id"):
        return
    for name in _LOOKS:
        if _LOOK.match(value := page.attribute(row, name) or ""):
            yield f'{tag}[{name}="{value}"]'


def _below(page: Page, row: int) -> Iterator[str]:
    step = page.selector(row).rpartition(" > ")[2]
    for up in page.ancestors(row):
        names = (page.attribute(up, "class") or "").split()
        if names:
            outer = f"{page.name(up)}.{names[0]}"
            yield f"{outer} > {step}" if up == page.parent[row] else f"{outer} {step}"
            return


@dataclass(frozen=True)
class Mark:
    """What a person says of one element of a sample page."""

    page: int  # number of the page in the sample
    row: int  # the element, or a text in it
    # one of `chaffinch.site.rules.KINDS`: ``content``, ``drop`` (noise), or the field that it is
    kind: str

    def __post_init__(self) -> None:
        if why := refused_kind(self.kind):
            raise OptionError(why)


@dataclass(frozen=True, eq=False)
class SamplePage:
    """A page of the sample; n rows."""

    page: Page  # the page
    rules: tuple[Rule, ...]  # the site's rules that hold on it
    template: str  # name of the template that the model takes it for; "" for none
    verdict: Verdict  # of the model

    @classmethod
    def of(cls, site: SiteModel, page: Page, usage: Usage | None = None) -> "SamplePage":
        """Return ``page`` with what ``site`` makes of it, which is counted in ``usage`` alone."""
        verdict = apply(site, page, Usage() if usage is None else usage)
        name = (isinstance(verdict.notes, SiteNotes) and verdict.notes.template) or ""
        template = next((one for one in site.templates if name and one.name == name), None)
        return cls(page, site.rules_for(template), name, verdict)

    @cached_property
    def text(self) -> Mask:
        """bool[n]: texts that a browser shows."""
        page = self.page
        return np.asarray((page.tag == tags.TEXT) & (page.own_length > 0) & page.shown)

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

    def entry_of(self, row: int) -> int:
        """Return the entry of a list that an element is, or lies in; itself where there is none."""
        around = [row, *self.page.ancestors(row)]
        return next((one for one in around if self.repeated[one]), row)

    def is_field(self, row: int) -> bool:
        """Return whether an element is the only one of its slot in an entry of a list."""
        entry = self.entry_of(row)
        same = self.slots[entry : self.page.end[entry]] == self.slots[row]
        return entry != row and int(same.sum()) == 1

    @cached_property
    def by_hand(self) -> list[tuple[Rule, list[int]]]:
        """The rules written by hand for content and noise, each with the rows it selects."""
        return selecting(self.page, (one for one in self.rules if one.by_hand))

    @cached_property
    def entries(self) -> Mask:
        """bool[n]: rows that the first rule for records selects which selects any."""
        out = np.zeros(len(self.page), dtype=bool)
        rules = sorted(self.rules, key=lambda one: not one.by_hand)
        found = (one.rows(self.page) for one in rules if one.kind == "record")
        out[list(next(filter(None, found), ()))] = True
        return out

    @property
    def doubt(self) -> float:
        """0..1: how much the page is worth a look: what the model doubts of itself."""
        confidence = self.verdict.confidence
        return 0.0 if confidence is None else 1 - confidence


@dataclass(frozen=True, eq=False)
class PageEffect:
    """What a rule changes on one page; n rows."""

    elements: Sequence[int]  # rows that it selects
    # bool[n], texts that it adds to the content, or takes away; of a rule for a field or for
    # entries, the elements
    changed: Mask
    collateral: Mask  # bool[n], those among them that no mark speaks for, or that are no such field
    against: Mask  # bool[n], texts or elements that a person marked otherwise


_EXAMPLES: Final = 6  # changes that are shown of a candidate
_SHOWN: Final = 160  # characters of each
_WANTED: Final = {"content": SiteReason.CONTENT_BY_HAND, "drop": SiteReason.DROP_BY_HAND}
_WHAT: Final = {"content": "added", "drop": "removed"}
"""Kind of rule → what it does to a text; others select elements."""


class _Trial:
    """What candidates for one mark are tried against."""

    def __init__(self, sample: Sequence[SamplePage], focus: Mark, others: Sequence[Mark]) -> None:
        self.sample, self.focus, self.kind = sample, focus, focus.kind
        self.home = sample[focus.page]
        self.examples = [focus, *(one for one in others if one.kind == focus.kind)]
        self.others = [one for one in others if one.kind != focus.kind]
        self.decides = focus.kind in _WANTED
        if self.decides:
            self.meant = [self._meant(number) for number in range(len(sample))]
            self.wanted = [self._wanted(number, [focus, *others]) for number in range(len(sample))]
        around = self.home.entries[[focus.row, *self.home.page.ancestors(focus.row)]]
        self.in_entries = bool(around.any())

    def _meant(self, number: int) -> Mask:
        """Return bool[n] of a page: what marks of one kind speak for."""
        page, slot = self.sample[number], self.home.slots[self.focus.row]
        rows = [one.row for one in self.examples if one.page == number]
        same = np.flatnonzero(page.slots == slot).tolist()
        if len(same) == 1 and np.count_nonzero(self.home.slots == slot) == 1:
            rows += same
        elif self.home.is_field(self.focus.row):
            rows += [one for one in same if page.is_field(one)]
        out = np.zeros(len(page.page), dtype=bool)
        for one in rows:
            out[one : page.page.end[one]] = True
        return out

    def _wanted(self, number: int, marks: Sequence[Mark]) -> Reasons:
        """Return int8[n] of a page: the `SiteReason` that marks want; of nested ones the innermost.

        What a person marked as a field isn't noise, either.
        """
        page = self.sample[number].page
        out = np.zeros(len(page), dtype=np.int8)
        own = {one.row: one.kind for one in reversed(marks) if one.page == number}
        for row, kind in sorted(own.items()):
            if kind in _WANTED:
                out[row : page.end[row]] = _WANTED[kind]
        return out

    def candidates(self, select: str, rows: Sequence[Sequence[int]]) -> Iterator[Candidate]:
        """Yield the candidate for all pages, and for one template where the other has collateral.

        ``rows`` are those that the selector selects, page by page.
        """
        of_kind = self._decided if self.decides else self._selected
        effects = {n: of_kind(n, select, found) for n, found in enumerate(rows) if found}
        everywhere = self._candidate(select, "", effects)
        yield everywhere
        template = self.home.template
        if template and not everywhere.is_clean:
            inside = {n: one for n, one in effects.items() if self.sample[n].template == template}
            own = self._candidate(select, template, inside)
            if (own.collateral, own.against) < (everywhere.collateral, everywhere.against):
                yield own

    def _decided(self, number: int, select: str, rows: Sequence[int]) -> PageEffect:
        """Return what a rule for content or noise changes.

        Collateral is, outside of what is meant, all text that it takes away or adds: what the model
        decides otherwise.
        """
        page, wanted = self.sample[number], self.wanted[number]
        keeps = self.kind == "content"
        rule = Rule(kind=self.kind, select=select, by_hand=True)
        before = labels(page.page, page.by_hand)
        after = labels(page.page, [*page.by_hand, (rule, rows)])
        turned = (after != before) & (after == rule.reason) & page.text
        changed = turned & (page.verdict.keep != keeps)
        against = turned & (wanted != 0) & (wanted != rule.reason)
        return PageEffect(rows, changed, changed & ~self.meant[number], against)

    def _selected(self, number: int, _: str, rows: Sequence[int]) -> PageEffect:
        """Return what a rule for a field or for entries selects."""
        page = self.sample[number]
        other = {one.row for one in self.others if one.page == number}
        own = {one.row for one in self.examples if one.page == number}
        if self.kind == "record":
            alien = self._no_entry(page, rows)
        else:
            alien = self._no_field(page, rows)
            if own and not page.entries.any():  # beside the one that a person marked on the page
                other.update(set(rows) - own)
        selected, wrong, against = np.zeros((3, len(page.page)), dtype=bool)
        selected[list(rows)] = True
        wrong[list(alien)] = True
        against[list(other.intersection(rows))] = True
        return PageEffect(rows, selected, wrong, against)

    def _no_field(self, page: SamplePage, rows: Sequence[int]) -> Iterator[int]:
        """Yield selected elements that aren't the field: it can't be read, or is another one.

        That is one beyond the first with another value on a page or in an entry, or outside of
        entries where one in them is meant.
        """
        table, starts = page.page, np.flatnonzero(page.entries)
        values: dict[int, str] = {}
        for row in rows:
            value = _field_value(table, self.kind, row)
            at = int(starts.searchsorted(row, "right")) - 1
            holder = int(starts[at]) if at >= 0 and row < table.end[starts[at]] else -1
            is_other = values.setdefault(holder, value) != value if value else True
            if is_other or (holder >= 0) != self.in_entries:
                yield row

    def _no_entry(self, page: SamplePage, rows: Sequence[int]) -> Iterator[int]:
        """Yield selected elements that stand in another place than the entry that was marked.

        Or share no class name with it, such as an advertisement among entries, or are in one
        another.
        """
        place, names = _place(self.home, self.focus.row)
        end = -1
        for row in rows:
            here, classes = _place(page, row)
            alike = bool(names & classes) or not (names or classes)
            if row < end or not alike or here != place:
                yield row
            end = max(end, int(page.page.end[row]))

    def _candidate(self, select: str, template: str, effects: dict[int, PageEffect]) -> Candidate:
        def size(name: str) -> int:
            masks = [(self.sample[n].page, getattr(one, name)) for n, one in effects.items()]
            sizes = (page.own_length[mask] if self.decides else mask for page, mask in masks)
            return sum(int(one.sum()) for one in sizes)

        slot = self.home.slots[self.focus.row]
        changed = size("changed")
        return Candidate(
            select=select,
            template=template,
            of=sum(template in {"", one.template} for one in self.sample),
            pages=len(effects),
            elements=sum(len(one.elements) for one in effects.values()),
            changed=tuple(n for n, one in effects.items() if one.changed.any()),
            added=changed if self.kind == "content" else 0,
            removed=changed if self.kind == "drop" else 0,
            collateral=size("collateral"),
            against=sum(int(one.against.sum()) for one in effects.values()),
            missed=sum(not self._holds(mark, effects) for mark in self.examples),
            in_slot=all(
                bool((self.sample[n].slots[list(one.elements)] == slot).all())
                for n, one in effects.items()
            ),
            examples=tuple(islice(self._examples(effects), _EXAMPLES)),
        )

    def _holds(self, mark: Mark, effects: dict[int, PageEffect]) -> bool:
        if mark.page not in effects:
            return False
        end, rows = self.sample[mark.page].page.end, effects[mark.page].elements
        if self.decides or self.kind == "record":
            return any(row <= mark.row < end[row] for row in rows)
        return mark.row in rows

    def _examples(self, effects: dict[int, PageEffect]) -> Iterator[Change]:
        """Yield some of the changes, at most two of a page, collateral first."""
        for is_collateral in (True, False):
            for number, one in effects.items():
                page = self.sample[number].page
                rows = np.flatnonzero(one.changed & (one.collateral == is_collateral))
                if self.decides:  # the longest
                    rows = rows[np.argsort(-page.own_length[rows], kind="stable")]
                for row in rows[:2].tolist():
                    what = _WHAT.get(self.kind, "selected")
                    yield Change(number, row, what, is_collateral, _text_of(page, row))


def _place(page: SamplePage, row: int) -> tuple[tuple[int, int], frozenset[str]]:
    """Return the slot around an element and its tag, and its class names."""
    table = page.page
    names = frozenset((table.attribute(row, "class") or "").split())
    return (int(page.slots[max(int(table.parent[row]), 0)]), int(table.tag[row])), names


def _text_of(page: Page, row: int) -> str:
    """Return the texts in an element, a space between them, as far as they are shown."""
    texts = np.flatnonzero(page.own_length[row : page.end[row]]) + row
    words = (word for one in texts.tolist() for word in page.text_of(one).split())
    return " ".join(islice(words, _SHOWN))[:_SHOWN]


@dataclass(frozen=True)
class Proposal:
    """The candidates for what was marked last."""

    kind: str  # of the rule
    # page, row: the element that it is made for
    page: int
    row: int
    # from narrow to wide: by the pages, then the elements that they select
    candidates: tuple[Candidate, ...]
    chosen: int  # number of the proposed one; -1 where none is without collateral
    # number of the one to look at first: the proposed one, else the widest that selects nothing but
    # elements of the marked one's slot; -1 for neither
    nearest: int

    @property
    def best(self) -> Candidate | None:
        """The proposed candidate; None where none is without collateral."""
        return self.candidates[self.chosen] if self.chosen >= 0 else None


def propose(sample: Sequence[SamplePage], marks: Sequence[Mark], *, selector: str = "") -> Proposal:
    """Return what rules might be made for the last of a person's marks on the pages of a sample.

    Others of its kind are further examples; those of other kinds are what a rule must leave alone.
    ``selector`` is the only one to try; "" for all that the element has.
    """
    if not marks:
        raise OptionError("a rule is proposed for a mark, and there is none")
    focus, *others = [_at_element(sample, mark) for mark in reversed(marks)]
    home = sample[focus.page]
    if focus.kind == "record":
        focus = replace(focus, row=home.entry_of(focus.row))
    trial = _Trial(sample, focus, others)
    placed = bool(selector) or focus.kind.startswith(OWN)  # such a field may be told by its place
    tried = [selector] if selector else selectors_of(home.page, focus.row, home.slots)
    if placed and not selector:
        tried = [*_by_label(home.page, focus.row), *tried]
    groups: dict[tuple[tuple[int, ...], ...], str] = {}  # of selectors of the same rows the first
    for select in tried:
        rule = Rule(kind="content", select=select)
        rows = tuple(tuple(rule.rows(one.page)) for one in sample)
        groups.setdefault(rows, select)
    found = [one for rows, select in groups.items() for one in trial.candidates(select, rows)]
    found.sort(key=lambda one: (one.pages, one.elements, one.template == "", -len(one.select)))
    named = [n for n, one in enumerate(found) if placed or not one.is_positional]
    clean = [number for number in named if found[number].is_clean]
    alike = [n for n in named if found[n].in_slot and not found[n].against]
    labelled = [n for n in clean if placed and _LABELLED in found[n].select]
    labelled = [n for n in labelled if 2 * found[n].pages >= found[clean[-1]].pages]
    chosen = [*clean, *labelled][-1] if clean else -1
    nearest = chosen if clean or not alike else alike[-1]
    return Proposal(focus.kind, focus.page, focus.row, tuple(found), chosen, nearest)


def _at_element(sample: Sequence[SamplePage], mark: Mark) -> Mark:
    """Return a mark on the element of its row: itself, or the one that holds a text."""
    if not 0 <= mark.page < len(sample):
        raise OptionError(f"the sample has no page {mark.page}; it has {len(sample)}")
    page, row = sample[mark.page].page, mark.row
    if not 0 <= row < len(page):
        raise OptionError(f"the page has no row {row}; it has {len(page)}")
    return replace(mark, row=int(page.parent[row])) if page.tag[row] == tags.TEXT else mark
