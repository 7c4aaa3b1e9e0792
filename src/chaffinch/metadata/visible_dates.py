"""Visible dates: microdata, time elements, classes and ids, lines near the headline, any text."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.dates import may_hold_date
from chaffinch.metadata.class_words import DATES
from chaffinch.metadata.date_roles import dated_parts, label_role
from chaffinch.metadata.declared_dates import candidates_of, date_candidates, locale
from chaffinch.metadata.page_regions import (
    belongs_elsewhere,
    below_references,
    boilerplate_at,
    in_boilerplate,
    in_boilerplate_except_sidebar,
    in_comments,
    in_reply,
    is_behind_content,
)
from chaffinch.metadata.text_cleaning import clean, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chaffinch.metadata.candidates import FieldCandidate
    from chaffinch.metadata.date_roles import DateRole
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page

_MODIFIED: Final = ("updat", "modif", "edited", "revis", "aktualis", "actualiz", "aggiorn")
"""Parts of names of elements that hold the date of a change."""
_MOST_BEFORE: Final = 4  # texts of them
_BEFORE: Final = 40  # characters before an element in which its label is sought
_YEAR: Final = re.compile(r"[12](?<!\d[12])(?:(?<=1)9|(?<=2)0)\d\d(?!\d)")
"""A year; written so that its first step is one of two digits, which is sought fast."""
_ATTRIBUTES: Final = ("datetime", "content", "title", "data-time", "data-timestamp", "data-date")
"""Attributes that hold the date of an element, best first."""
_BLOCK: Final = 200  # characters of an element that may be a dateline
_PUBLISHED_LABELS: Final = (
    "ublished", "osted", "eröffentlicht", "ublié", "ublicado", "ubblicato", "发布", "发表", "發佈",
    "公開", "Опубликовано",
)  # fmt: skip
_MODIFIED_LABELS: Final = (
    "ast modified", "ast updated", "ast reviewed", "ast changed", "age updated", "etzte Änderung",
    "ktualisiert", "is à jour", "ctualizado", "ggiornato", "最后更新", "更新时间", "更新於",
    "最后修订", "最後修訂", "最后修改", "最後修改", "最后编辑", "最後編輯", "最後更新", "更新時間",
)  # fmt: skip
_MOST_OCCURRENCES: Final = 5  # occurrences of a label that are examined
_LINE: Final = 90  # characters of a line that gives a date; longer ones are prose
_MOST_ROWS: Final = 60


def visible_dates(evidence: Evidence) -> list[tuple[FieldCandidate, bool]]:
    """Return (candidate, whether it is a modification date) of visible dates outside replies."""
    return evidence.derived(_outside_replies)


def _outside_replies(evidence: Evidence) -> list[tuple[FieldCandidate, bool]]:
    found = _in_elements_and_lines(evidence)
    return [(one, changed) for one, changed in found if not in_reply(evidence, one.row)]


def time_elements(page: Page) -> list[int]:
    """Return the rows of the time elements, in order."""
    rows: list[int] = page.is_tag("time").nonzero()[0].tolist() if page.holds("time") else []
    return rows


def _in_elements_and_lines(evidence: Evidence) -> Iterator[tuple[FieldCandidate, bool]]:
    for row, names in evidence.window.having("itemprop"):
        field = next(
            (f for f in ("datepublished", "datemodified", "datecreated") if f in names), ""
        )
        if field:
            changed = field == "datemodified"
            for _, one, role in _in_elements(evidence, [row], f"microdata:{field}", 0.6):
                yield one, role == "modified" if role else changed
    first, last = evidence.window.rows
    times = [row for row in time_elements(evidence.page) if first <= row < last][:_MOST_ROWS]
    named = evidence.window.named(DATES)[:_MOST_ROWS]
    for rows, source, weight in ((times, "time", 0.6), (named, "date:class", 0.5)):
        for row, one, own in _in_elements(evidence, rows, source, weight):
            role = own or _role_of(evidence, row)
            if role != "other":
                yield one, role == "modified"
    yield from _lines(evidence)


def _in_elements(
    evidence: Evidence, rows: list[int], source: str, weight: float
) -> Iterator[tuple[int, FieldCandidate, DateRole]]:
    """Yield (row, date, role by a label in it) of elements: of one of `_ATTRIBUTES`, or their text.

    Most elements that are looked at have no date; what costs more than finding that out comes
    after it.
    """
    if not rows:
        return
    page = evidence.page
    places = np.array(rows, dtype=np.int32)
    values = page.own_attributes.values_of(places, *_ATTRIBUTES)
    starts, stops = page.text_at[places].tolist(), page.text_at[page.end[places]].tolist()
    for row, own, start, stop in zip(rows, values, starts, stops, strict=True):
        # A reference to a character may be one of a digit, and be escaped twice.
        texts = [
            clean(one)
            for one in own
            if one and ("&" in one or may_hold_date(one) or one.strip().isdigit())
        ]
        line = _dateline(page.text, start, stop)
        if texts or line:
            weighed = weight * (0.25 + 0.75 * evidence.window.nearness(row))
            make = partial(date_candidates, evidence, source=source, row=row, weight=weighed)
            found: list[tuple[FieldCandidate, DateRole]]
            found = [(one, "") for one in _first_value(make, texts)]
            for one, role in found or in_line(evidence, line, source, row, weighed):
                if not in_boilerplate(evidence, row):
                    yield row, one, role


def in_line(
    evidence: Evidence, line: str, source: str, row: int, weight: float
) -> Iterator[tuple[FieldCandidate, DateRole]]:
    """Yield the dates of a line that aren't of something else, with the roles by their labels.

    Of those without a label the first one; of a day in two calendars, the Gregorian one.
    """
    parts = dated_parts(line, locale(evidence)) if line else ()
    gregorian = tuple(part for part in parts if part.reading.gregorian)
    unlabelled = False
    for reading, role in gregorian or parts:
        if role == "other" or (not role and unlabelled):
            continue
        unlabelled |= not role
        for one in candidates_of(reading.value, reading.other, source, row, weight):
            yield one, role


def _dateline(text: str, start: int, stop: int) -> str:
    """Return a stretch of a page's text as one line if it may be a dateline; else ""."""
    if not 0 < stop - start <= 4 * _BLOCK or not may_hold_date(text, start, stop):
        return ""
    line = one_line(text[start:stop])
    return line if len(line) <= _BLOCK else ""


def _first_value(
    make: Callable[[str], Iterable[FieldCandidate]], values: list[str]
) -> Iterator[FieldCandidate]:
    """Yield the first date that one of some values of attributes has."""
    for text in values:
        for one in make(text):
            yield one
            return


def _role_of(evidence: Evidence, row: int) -> DateRole:
    """Return what the date of an element is of, by its names and the text that it follows."""
    page = evidence.page
    pairs = page.attributes(row)
    own = f"{pairs.get('class') or ''} {pairs.get('itemprop') or ''}".lower()
    # WordPress calls the time of publication "published updated" where nothing was changed.
    if "publish" not in own and any(word in own for word in _MODIFIED):
        return "modified"
    before = _text_before(page, row, int(page.text_at[row]))
    last = next((n for n in range(len(before), 0, -1) if before[n - 1].isdigit()), 0)
    return label_role(before[last:])


def _text_before(page: Page, row: int, stop: int) -> str:
    """Return the text before a place in a row, texts of different rows apart."""
    parts: list[str] = []
    start = stop
    while row >= 0 and stop - start < _BEFORE and len(parts) < _MOST_BEFORE:
        own = max(int(page.text_at[row]), stop - _BEFORE)
        if own < start:
            parts.append(page.text[own:start])
            start = own
        row -= 1
    return one_line(" ".join(parts[::-1]))


def _lines(evidence: Evidence) -> Iterator[tuple[FieldCandidate, bool]]:
    """Yield the dates in short lines of text around the headline."""
    lines = [(row, text) for row, text in evidence.window.near_dated if len(text) <= _BLOCK]
    apart = [boilerplate_at(evidence, row) for row, _ in lines]
    for (row, text), region in zip(lines, apart, strict=True):
        weight = 0.4 * (0.25 + 0.75 * evidence.window.nearness(row))
        found = list(in_line(evidence, text, "text", row, weight))
        labelled = any(role for _, role in found)
        # Several lines with dates in a sidebar are of teasers.
        if not labelled and (len(text) > _LINE or (region >= 0 and apart.count(region) > 1)):
            continue
        if (
            found
            and not in_comments(evidence, row)
            and (
                labelled
                or not is_behind_content(evidence, row)
                or not (region >= 0 or _begins_with_link(evidence.page, row))
            )
            and not belongs_elsewhere(evidence, row)
            and not below_references(evidence, row)
        ):
            for one, role in found:
                yield one, role == "modified"


def _begins_with_link(page: Page, row: int) -> bool:
    """Return whether a line's first text is that of a link, and no date: of a list of pages."""
    return page.name(int(page.parent[row])) == "a" and not may_hold_date(page.text_of(row))


def published_by_label(evidence: Evidence) -> list[FieldCandidate]:
    """Return dates anywhere on the page after words such as "published on", the first ones."""
    return _labelled(evidence, _PUBLISHED_LABELS)


def changed_by_label(evidence: Evidence) -> list[FieldCandidate]:
    """Return the same after words such as "last modified"; they may stand in the footer."""
    return _labelled(evidence, _MODIFIED_LABELS)


def _labelled(evidence: Evidence, labels: tuple[str, ...]) -> list[FieldCandidate]:
    page = evidence.page
    out: list[FieldCandidate] = []
    changed = labels is _MODIFIED_LABELS
    for word in evidence.words_in_text(labels):
        at = page.text.find(word)
        for _ in range(_MOST_OCCURRENCES):
            if at < 0:
                break
            found = []
            if may_hold_date(page.text, at, at + _LINE):
                row = int(np.searchsorted(page.text_at, at, "right")) - 1
                text = one_line(page.text[max(0, at - 1) : at + _LINE])
                wanted = {"modified" if changed else "published", ""}
                dated = in_line(evidence, text, "text", row, 0.2)
                found = [one for one, role in dated if role in wanted]
            if (
                found
                and page.shown[row]
                and (changed or not in_boilerplate_except_sidebar(evidence, row))
            ):
                out += found
                break
            at = page.text.find(word, at + len(word))
    return out


def dates_in_text(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield every date on the page, weighted by nearness to the headline: the last resort."""
    page = evidence.page
    times = time_elements(page)[:_MOST_ROWS]
    for row in _without_teasers(evidence, times):
        text = page.attribute(row, "datetime") or page.folded(row)
        weight = 0.15 * evidence.window.nearness(row) + 0.02
        if _role_of(evidence, row) != "other":
            yield from date_candidates(evidence, clean(text), "time", row, weight)
    spans = [found.span() for found in islice(_YEAR.finditer(page.text), _MOST_ROWS)]
    if not spans:
        return
    rows = (page.text_at.searchsorted([start for start, _ in spans], "right") - 1).tolist()
    kept = {*_without_teasers(evidence, rows)}
    for row, (start, end) in zip(rows, spans, strict=True):
        before = _text_before(page, row, start)
        if row not in kept or not page.shown[row] or label_role(before) == "other":
            continue
        if belongs_elsewhere(evidence, row) or below_references(evidence, row):
            continue
        weight = 0.12 * evidence.window.nearness(row) + 0.01
        begin, stop = max(0, start - 20), end + 8
        own = max(int(page.text_at[row]), begin)
        # Where this text has no day and month, they may be in the element before.
        for at in (own, begin):
            text = one_line(page.text[at:stop])
            candidates = list(date_candidates(evidence, text, "text", row, weight))
            yield from candidates
            if candidates:
                break


def _without_teasers(evidence: Evidence, rows: list[int]) -> list[int]:
    """Return the dated rows outside boilerplate; several in a sidebar are of teasers."""
    regions = [boilerplate_at(evidence, row) for row in rows]
    return [
        row
        for row, region in zip(rows, regions, strict=True)
        if region < 0
        or (regions.count(region) == 1 and not in_boilerplate_except_sidebar(evidence, row))
    ]
