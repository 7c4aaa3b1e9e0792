"""What a control of the page opens: tabs, accordions, the rest of a list."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from string import ascii_lowercase
from typing import Final

import numpy as np

from chaffinch.caching import cached_property, finds
from chaffinch.elements import WORDS, whole_names
from chaffinch.elements.hiding_styles import hides_itself
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.flattening import siblings_before

_FOLDED_CLASS: Final = re.compile(whole_names("names of what is folded"), re.IGNORECASE)
class_folds: Final = finds(_FOLDED_CLASS)
FOLDED_WORDS: Final = ("tab", "accordion", "collaps", "panel-", "toggle-content", "spoiler", "faq")
"""Every name that `_FOLDED_CLASS` finds has one of these in it."""
_FOLDED_ROLES: Final = frozenset({"tabpanel", "region"})
_FOLDED: Final = Search("class", *FOLDED_WORDS)
_FOLDED_BY_ROLE: Final = Search("role", *_FOLDED_ROLES)
_OPENED: Final = re.compile(WORDS["names of what opens"], re.IGNORECASE)
"""Names, as class or id of a hidden element or of what holds it, of what a control opens."""
_names_opened: Final = finds(_OPENED, 2048)
_CONTROL_CLASS: Final = re.compile(whole_names("names of controls"), re.IGNORECASE)
_names_control: Final = finds(_CONTROL_CLASS, 2048)
_CONTROL_ATTRIBUTES: Final = tuple(WORDS["attributes of controls"].split())
_NAMES_ID: Final = frozenset(WORDS["attributes that lead to what opens"].split())
_ANCHORS: Final = Search("href", *(f"#{first}" for first in ascii_lowercase))
_DETAILS: Final = tags.CODES["details"]
_SKIPPED: Final = frozenset({tags.TEXT, tags.CODES["script"], tags.CODES["style"]})
BOXES: Final = tags.table("div section article figure".split())
_LONGEST: Final = 200  # characters of a name that are read, and of the text of a control
_ABOVE: Final = 2  # ancestors whose names say that a control opens what is in them


class Controls:
    """The controls of a page, as far as they open what is hidden."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._runs: dict[int, tuple[int, int]] = {}

    def open(self, row: int) -> bool:
        """Return whether a control of the page opens a row that bears a mark of hiding."""
        page, pairs = self.page, self.page.attributes(row)
        own = pairs.get("id")
        if own and (own in self._named or own in self._described):
            return own in self._named
        if any(map(self._opens, near(page, row))):
            return True
        if (pairs.get("hidden") or "").strip().lower() == "until-found":
            return True
        around = [at for at in self._around(row) if at >= 0]
        return any(self._takes_turns(row, at) or self._holds_control(at) for at in around)

    def _opens(self, row: int) -> bool:
        """Return whether an element is one that opens, by its tag, role or name."""
        pairs = self.page.own_attributes.of(row)
        return self.page.tag.item(row) == _DETAILS or (
            bool(pairs) and (role_folds(pairs.get("role") or "") or _names_opened(names_of(pairs)))
        )

    @cached_property
    def _named(self) -> frozenset[str]:
        """The ids that links and controls name."""
        columns, found = self.page.own_attributes, set[str]()
        for name in self.page.attribute_names & _NAMES_ID:
            for value in columns.rows_by_value(name) if name != "href" else ():
                found.update(one.removeprefix("#") for one in value.split())
        if "href" in self.page.attribute_names:
            rows = _ANCHORS.candidates(self.page)
            found.update((value or "")[1:] for (value,) in columns.values_of(rows, "href"))
        return frozenset(found)

    @cached_property
    def _described(self) -> frozenset[str]:
        """The ids of what describes an element to who doesn't see it."""
        found = self.page.own_attributes.rows_by_value("aria-describedby")
        return frozenset(one for value in found for one in value.split())

    def _holds_control(self, row: int) -> bool:
        """Return whether an element is a control, or the first element in it is.

        A summary opens what it stands in, and nothing beside that.
        """
        page, inner = self.page, row + 1
        while inner < page.end.item(row) and page.tag.item(inner) == tags.TEXT:
            inner += 1
        is_inner = inner < page.end.item(row) and page.tag.item(row) != _DETAILS
        return (is_inner and is_control(page, inner)) or is_control(page, row)

    def _around(self, row: int) -> tuple[int, int]:
        """Return the elements before and behind a row and its like that hide beside it, or -1.

        A control shows them all: the rest of a list, or of a table. Behind the last row in an
        element stands what stands behind that.
        """
        if row not in self._runs:
            page, above = self.page, int(self.page.parent[row])
            before, earlier = self._passed(row, self.previous)
            after, later = self._passed(row, self.following)
            if after < 0 and page.tag[above] == tags.CODES["tbody"]:
                above = int(page.parent[above])
            if after < 0 and above > page.body:
                after = self.following(above)
            self._runs.update(dict.fromkeys((row, *earlier, *later), (before, after)))
        return self._runs[row]

    def _passed(self, row: int, step: Callable[[int], int]) -> tuple[int, list[int]]:
        """Return the first sibling, step by step, that doesn't hide like a row; and what does."""
        passed, tag, at = list[int](), self.page.tag.item, step(row)
        while at >= 0 and tag(at) == tag(row) and hides_itself(self.page, at):
            passed.append(at)
            at = step(at)
        return at, passed

    def _takes_turns(self, row: int, other: int) -> bool:
        """Return whether a box beside a hidden one is like it and shown: a script swaps them."""
        page = self.page
        names = page.attribute(row, "class")
        return (
            bool(names)
            and bool(BOXES[page.tag[row]])
            and page.tag[other] == page.tag[row]
            and page.attribute(other, "class") == names
            and not hides_itself(page, other)
        )

    def following(self, row: int) -> int:
        """Return the sibling behind that is an element, other than a script; -1 for none."""
        end, tag = self.page.end.item, self.page.tag.item
        at, stop = end(row), end(self.page.parent.item(row)) if row else 0
        while at < stop and tag(at) in _SKIPPED:
            at = end(at)
        return at if at < stop else -1

    def previous(self, row: int) -> int:
        """Return the sibling before that is an element; -1 for none."""
        before, tag = siblings_before(self.page, row), self.page.tag.item
        return next((at for at in before if tag(at) != tags.TEXT), -1)


def near(page: Page, row: int) -> list[int]:
    """Return a row and the next ones above it, but the body and what holds that."""
    rows, parent, body = [row], page.parent.item, page.body
    while len(rows) <= _ABOVE and (above := parent(rows[-1])) > body:
        rows.append(above)
    return rows


def names_of(pairs: Mapping[str, str | None]) -> str:
    return f"{(pairs.get('class') or '')[:_LONGEST]} {(pairs.get('id') or '')[:_LONGEST]}"


def is_control(page: Page, row: int) -> bool:
    """Return whether an element opens something, by its tag, role, attributes or name."""
    pairs, tag = page.own_attributes.of(row), page.name(row)
    if "zoom" in (pairs.get("onclick") or ""):  # a picture, which shows itself
        return False
    if tag in ("button", "summary") or not pairs.keys().isdisjoint(_CONTROL_ATTRIBUTES):
        return True
    if (pairs.get("role") or "").lower() in ("button", "tab"):
        return True
    if tag == "input":
        return (pairs.get("type") or "").lower() in ("checkbox", "radio", "button")
    if tag == "a" and (pairs.get("href") or "#").lower().startswith(("#", "javascript:")):
        return "href" in pairs or "class" in pairs
    names = (pairs.get("class") or "")[:_LONGEST]
    return page.length.item(row) <= _LONGEST and _names_control(names)


def _is_closed(page: Page, row: int, *, named: bool) -> bool:
    if page.tag[row] == _DETAILS and "open" not in page.attributes(row):
        return True
    return named and hides_itself(page, row)


def role_folds(role: str) -> bool:
    """Return whether a role is one of elements that a click opens."""
    return role.strip().lower() in _FOLDED_ROLES


def closed(page: Page) -> Mask:
    """Return bool[n]: rows of parts that a click opens and that aren't open."""
    named, folds = unfolding(page), np.zeros(len(page), dtype=bool)
    for row in (named | page.is_tag("details")).nonzero()[0].tolist():
        if _is_closed(page, row, named=bool(named[row])):
            is_details = page.tag[row] == _DETAILS
            inner = page.children(row) if is_details else [row]
            folds[[one for one in inner if not is_details or page.name(one) != "summary"]] = True
    return page.inside(folds)


def unfolding(page: Page) -> Mask:
    """Return bool[n]: rows whose role or class is one of elements that a click opens."""
    rows = _FOLDED.where(page, class_folds) + _FOLDED_BY_ROLE.where(page, role_folds)
    return marked(len(page), rows)


# Widgets whose parts are opened by a click: tabs, accordions, lists of details.
#
# A part is what `folded` takes for one, opened or not; those that stand beside each other, or each
# in a box beside the others', are one widget if at least one of them is closed: what only bears
# the name of a panel and is never hidden is layout.


def parts_by_widget(page: Page, named: Mask | None = None) -> list[list[int]]:
    """Return the rows of each widget's parts; a part within a part belongs to the outer widget.

    ``named`` is bool[n], rows that are named as panels (`class_folds`, `role_folds`), where they
    are known; those without text may be left out.
    """
    named = unfolding(page) if named is None else named
    parts = named | page.is_tag("details") if "details" in page.tag_names else named
    if np.count_nonzero(parts) <= 1:
        return []
    groups: dict[int, list[int]] = defaultdict(list)
    stop = 0
    for row in (parts & page.around(page.written & page.shown)).nonzero()[0].tolist():
        if row >= stop:
            stop = int(page.end[row])
            groups[int(page.parent[row])].append(row)
    boxes: dict[int, list[int]] = defaultdict(list)
    for above, rows in groups.items():
        # A box with one part is one of an accordion's; the boxes stand in the accordion.
        boxes[above if len(rows) > 1 else int(page.parent[above])] += rows
    return [
        rows
        for rows in boxes.values()
        if len(rows) > 1 and any(_is_closed(page, row, named=bool(named[row])) for row in rows)
    ]
