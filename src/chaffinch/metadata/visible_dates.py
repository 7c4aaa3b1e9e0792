"""Dates that a reader sees: microdata, time elements, marks, lines near the title, any text."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.metadata.declared_dates import dated
from chaffinch.metadata.page_regions import aside, elsewhere, of_reply
from chaffinch.metadata.strings import clean, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.metadata.found import Candidate

_WORDS: Final = (
    "date", "publish", "posted", "time", "byline", "pub_", "created", "datum", "fecha",
    "-meta", "_meta", "info", "source",
)  # fmt: skip
_CHANGED: Final = re.compile(
    r"updat|modif|edited|revis|aktualis|geändert|mis à jour|actualiz|aggiorn|bijgewerkt|更新|修改"
    r"|обновл|zmieni|ενημ", re.IGNORECASE
)  # fmt: skip
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BLOCK: Final = 200  # characters of an element that may be a date line
_ANNOUNCED: Final = (
    "ublished", "osted", "eröffentlicht", "ublié", "ublicado", "ubblicato", "发布", "发表", "發佈",
    "公開", "Опубликовано",
)  # fmt: skip
_ANNOUNCED_CHANGES: Final = (
    "ast modified", "ast updated", "ast reviewed", "ast changed", "age updated", "etzte Änderung",
    "ktualisiert", "is à jour", "ctualizado", "ggiornato", "最后更新", "更新时间", "更新於",
)  # fmt: skip
_MOST_PLACES: Final = 5  # of a word on the page
_LINE: Final = 90  # characters of a line that gives a date; longer ones tell a story
_MOST_ROWS: Final = 60


def visible(evidence: Evidence) -> Iterator[tuple[Candidate, bool]]:
    """Yield candidates that a reader sees outside replies, and whether each speaks of a change."""
    for one, changed in _seen(evidence):
        if not of_reply(evidence.page, one.row):
            yield one, changed


def _seen(evidence: Evidence) -> Iterator[tuple[Candidate, bool]]:
    page = evidence.page
    for row, names in evidence.having("itemprop"):
        field = next(
            (f for f in ("datepublished", "datemodified", "datecreated") if f in names), ""
        )
        if field:
            changed = field == "datemodified"
            yield from _at(evidence, row, f"microdata:{field}", 0.6, changed=changed)
    first, last = evidence.window
    for row in (np.flatnonzero(page.is_tag("time")[first:last]) + first)[:_MOST_ROWS].tolist():
        changed = _speaks_of_change(evidence, row)
        yield from _at(evidence, row, "time", 0.6, changed=changed)
    for row in evidence.marked(*_WORDS)[:_MOST_ROWS]:
        changed = _speaks_of_change(evidence, row)
        yield from _at(evidence, row, "date:class", 0.5, changed=changed)
    yield from _lines(evidence)


def _at(
    evidence: Evidence, row: int, source: str, weight: float, *, changed: bool
) -> Iterator[tuple[Candidate, bool]]:
    """Yield the date of one element: of its ``datetime``, ``content`` or ``title``, or its text."""
    page = evidence.page
    near = evidence.nearness(row)
    weight *= 0.25 + 0.75 * near
    for name in ("datetime", "content", "title", "data-time", "data-timestamp", "data-date"):
        text = page.attribute(row, name)
        if text and (own := list(dated(evidence, clean(text), source, row, weight))):
            if not aside(evidence, row):
                yield own[0], changed
            return
    start, stop = int(page.text_at[row]), int(page.text_at[page.end[row]])
    if 0 < stop - start <= 4 * _BLOCK:
        text = one_line(page.text[start:stop])
        if len(text) <= _BLOCK:
            for one in dated(evidence, text, source, row, weight):
                if not aside(evidence, row):
                    yield one, changed


def _speaks_of_change(evidence: Evidence, row: int) -> bool:
    page = evidence.page
    own = f"{page.attribute(row, 'class') or ''} {page.attribute(row, 'itemprop') or ''}"
    at = int(page.text_at[row])
    stop = min(at + 12, int(page.text_at[page.end[row]]))
    return bool(_CHANGED.search(own) or _CHANGED.search(page.text[max(0, at - 25) : stop]))


def _lines(evidence: Evidence) -> Iterator[tuple[Candidate, bool]]:
    """Yield the dates in short lines of text around the title."""
    for row, text in evidence.near_lines:
        if len(text) <= _LINE:
            weight = 0.4 * (0.25 + 0.75 * evidence.nearness(row))
            for one in dated(evidence, text, "text", row, weight):
                yield one, bool(_CHANGED.search(text))


def announced(evidence: Evidence, *, changed: bool = False) -> list[Candidate]:
    """Return dates anywhere on the page after words such as "published on", the first ones.

    Args:
        evidence: of the page.
        changed: after words such as "last modified" instead.
    """
    page = evidence.page
    out: list[Candidate] = []
    for word in _ANNOUNCED_CHANGES if changed else _ANNOUNCED:
        at = page.text.find(word)
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            row = int(np.searchsorted(page.text_at, at, "right")) - 1
            found = list(dated(evidence, one_line(page.text[at : at + _LINE]), "text", row, 0.2))
            # The last change stands in the footer more often than not.
            if found and page.shown[row] and (changed or not elsewhere(evidence, row)):
                out += found
                break
            at = page.text.find(word, at + len(word))
    return out


def anywhere(evidence: Evidence) -> Iterator[Candidate]:
    """Yield every day written on the page, the nearer to the title the heavier: a last resort."""
    page = evidence.page
    for row in np.flatnonzero(page.is_tag("time"))[:_MOST_ROWS].tolist():
        text = page.attribute(row, "datetime") or page.folded(row)
        weight = 0.15 * evidence.nearness(row) + 0.02
        if not elsewhere(evidence, row):
            yield from dated(evidence, clean(text), "time", row, weight)
    for found in islice(_YEAR.finditer(page.text), _MOST_ROWS):
        row = int(np.searchsorted(page.text_at, found.start(), "right")) - 1
        if not page.shown[row] or elsewhere(evidence, row):
            continue
        weight = 0.12 * evidence.nearness(row) + 0.01
        begin, stop = max(0, found.start() - 20), found.end() + 8
        own = max(int(page.text_at[row]), begin)
        # Where the text itself has no day and month, they stand in an element before.
        for at in (own, begin):
            candidates = list(dated(evidence, one_line(page.text[at:stop]), "text", row, weight))
            yield from candidates
            if candidates:
                break
