"""Fields by the rules of a site model: they have the last word over the general finders.

A rule selects an element; its text is the value, or the attribute that holds it (``content`` of a
``meta``, ``datetime`` of a ``time``). An element within an entry of a list, as rules for records
select them, is a field of that entry and not of the page. Where no rule selects anything that can
be read, the general finder answers.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.dates import day_of, parse_date
from chaffinch.elements.image_sources import ImageSources
from chaffinch.elements.parts import pictures
from chaffinch.metadata.declared_dates import locale
from chaffinch.metadata.field_value import FieldValue
from chaffinch.metadata.person_names import split_names
from chaffinch.metadata.text_cleaning import clean, fold
from chaffinch.page import tags
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import FETCHED, absolute

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page
    from chaffinch.result import RoleRule

_SOURCE: Final = "rule:"
_MOST: Final = 10
"""Elements that one rule selects and that are tried, until one has a value."""


def title(evidence: Evidence, general: FieldValue[str] | None) -> FieldValue[str] | None:
    """Return the title that a rule selects; None for none.

    Where a learned rule and the general finder give the same letters, the latter's has no marks
    that only the element has.
    """
    found = value_by_rule(evidence, "title", lambda one: _title(evidence, one))
    if found is None or general is None or found.value == general.value:
        return found
    is_same = fold(found.value) == fold(general.value)
    return general if is_same and _is_learned(evidence, "title", found) else found


def _title(evidence: Evidence, one: Selected) -> str:
    if one.value is None and tags.HEADING[evidence.page.tag[one.row]]:
        return evidence.heading(one.row)
    return clean(written(evidence.page, one))


def authors(
    evidence: Evidence, general: FieldValue[tuple[str, ...]] | None
) -> FieldValue[tuple[str, ...]] | None:
    """Return the authors that a rule selects; None for none.

    Where a learned rule selects an element that names those of the general finder, among other
    things such as links, or only some of them, the general finder has read the page better.
    """
    page = evidence.page
    found = value_by_rule(
        evidence, "author", lambda one: evidence.people(split_names(written(page, one)))
    )
    if found is None or general is None:
        return found
    if not _is_learned(evidence, "author", found):
        return found
    names = written(page, Selected(found.row)) if found.row >= 0 else ""
    is_better = all(name in names for name in general.value) or {*found.value} < {*general.value}
    return general if is_better else found


def published(evidence: Evidence, general: FieldValue[date] | None) -> FieldValue[date] | None:
    """Return the date that a rule selects; None for none.

    Where the general finder's date is of the same day and has a time, it is the more precise one.
    """
    own = locale(evidence)
    found = value_by_rule(
        evidence, "date", lambda one: parse_date(written(evidence.page, one), locale=own)
    )
    if found is None or general is None or day_of(found.value) != day_of(general.value):
        return found
    return general if isinstance(general.value, datetime) else found


def lead_image(evidence: Evidence, general: FieldValue[str] | None) -> FieldValue[str] | None:
    """Return the absolute address of the image that a rule selects; None for none.

    What the page declares comes before what a learned rule selects.
    """
    page = evidence.page

    def address(one: Selected) -> str:
        if one.value is None:
            return image_address(page, one.row)
        return absolute(one.value, page.base, FETCHED)

    found = value_by_rule(evidence, "image", address)
    if found is None or general is None:
        return found
    return general if _is_learned(evidence, "image", found) else found


def _is_learned(evidence: Evidence, role: str, found: FieldValue[Any]) -> bool:
    """Return whether no person wrote the rule that a value of a field is by."""
    by_hand = {rule.select for rule in evidence.roles if rule.role == role and rule.by_hand}
    return found.source.removeprefix(_SOURCE) not in by_hand


def image_address(page: Page, row: int) -> str:
    """Return the absolute address of the image at ``row``, in it, or that it names; "" for none."""
    if page.name(row) == "meta":
        return absolute(page.attribute(row, "content"), page.base, FETCHED)
    inside = np.flatnonzero(pictures(page)[row : page.end[row]])
    if not len(inside):
        return ""
    source = ImageSources(page).of(row + int(inside[0]))
    return "" if source is None else source.url


def selected_rows(page: Page, roles: tuple[RoleRule, ...], role: str) -> list[int]:
    """Return the rows that the first rule for ``role`` selects which selects any; [] for none."""
    found = (rows_of_rule(page, rule) for rule in roles if rule.role == role)
    return next(filter(None, found), [])


def rows_of_rule(page: Page, rule: RoleRule) -> list[int]:
    """Return the rows that a rule selects, in order; a text that it computes has none."""
    return sorted({one.row for one in page.selected(rule.select) if one.row >= 0})


def value_by_rule(
    evidence: Evidence, role: str, read: Callable[[Selected], Any]
) -> FieldValue[Any] | None:
    """Return the first value that ``read`` makes of what a rule for a field selects; or None."""
    rules = [rule for rule in evidence.roles if rule.role == role]
    if not rules:
        return None
    page = evidence.page
    entries = np.zeros(len(page), dtype=bool)
    entries[selected_rows(page, evidence.roles, "record")] = True
    within = page.inside(entries)
    for rule in rules:
        found = [one for one in page.selected(rule.select) if one.row < 0 or not within[one.row]]
        for one in found[:_MOST]:
            if value := read(one):
                return FieldValue(value, f"{_SOURCE}{rule.select}", one.row, rule.confidence)
    return None


def written(page: Page, one: Selected) -> str:
    """Return the value of what is selected: the attribute that holds its value, else its text."""
    if one.value is not None:
        return one.value
    row = one.row
    name = {"meta": "content", "time": "datetime", "img": "alt"}.get(page.name(row))
    return (page.attribute(row, name) if name else "") or page.folded(row)
