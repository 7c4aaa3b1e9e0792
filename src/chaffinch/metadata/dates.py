"""When it was published, and when it was changed.

Candidates: JSON-LD, metas, microdata, time elements, elements whose class or id speaks of a date,
lines of text near the title, and the page's address. What stands in comments, lists of related
pages and footers counts little, and no date lies in the future.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.metadata.found import Candidate, Found, choose
from chaffinch.metadata.strings import clean, one_line
from chaffinch.segment.date_text import day_of, parse_date, plausible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime

    from chaffinch.metadata.evidence import Evidence

_PUBLISHED: Final = {
    "article:published_time": 0.75,
    "og:article:published_time": 0.7,
    "article:published": 0.7,
    "og:published_time": 0.7,
    "og:pubdate": 0.6,
    "datepublished": 0.7,
    "parsely-pub-date": 0.7,
    "sailthru.date": 0.65,
    "citation_publication_date": 0.6,
    "citation_date": 0.55,
    "citation_online_date": 0.55,
    "dc.date": 0.5,
    "dc.date.issued": 0.65,
    "dcterms.date": 0.5,
    "dcterms.created": 0.6,
    "dcterms.issued": 0.65,
    "cxenseparse:recs:publishtime": 0.65,
    "publish-date": 0.65,
    "publish_date": 0.65,
    "publishdate": 0.65,
    "publication_date": 0.65,
    "pubdate": 0.6,
    "pdate": 0.5,
    "published_at": 0.6,
    "article_date_original": 0.65,
    "date": 0.5,
    "datecreated": 0.5,
    "created": 0.45,
    "weibo: article:create_at": 0.6,
}
_MODIFIED: Final = {
    "article:modified_time": 0.7,
    "og:article:modified_time": 0.7,
    "og:updated_time": 0.6,
    "datemodified": 0.7,
    "dcterms.modified": 0.65,
    "dc.date.modified": 0.65,
    "lastmod": 0.5,
    "last-modified": 0.4,
    "article:modified": 0.65,
    "revised": 0.4,
    "weibo: article:update_at": 0.6,
}
_SURE: Final = 0.7
_WORDS: Final = (
    "date", "publish", "posted", "time", "byline", "pub_", "created", "datum", "fecha",
    "-meta", "_meta", "info", "source",
)  # fmt: skip
_CHANGED: Final = re.compile(
    r"updat|modif|edited|revis|aktualis|geändert|mis à jour|actualiz|aggiorn|bijgewerkt|更新|修改"
    r"|обновл|zmieni|ενημ", re.IGNORECASE
)  # fmt: skip
_IN_ADDRESS: Final = re.compile(
    r"(?<![\d])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2]|[1-9](?=\D))\2(0[1-9]|[12]\d|3[01]|[1-9](?=\D|$))(?!\d)"
)
_DAY_FIRST_HOSTS: Final = (".uk", ".au", ".nz", ".ie", ".in", ".za")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BLOCK: Final = 200  # characters of an element that may be a date line
_ANNOUNCED: Final = (
    "ublished", "osted", "eröffentlicht", "ublié", "ublicado", "ubblicato", "发布", "发表", "發佈",
    "公開", "Опубликовано",
)  # fmt: skip
_LINE: Final = 90  # characters of a line that gives a date; longer ones tell a story
_MOST_ROWS: Final = 60


def published(evidence: Evidence) -> Found[Any] | None:
    """Return when it was published, as date or datetime; None where the page doesn't tell."""
    candidates = list(
        _declared(evidence, _PUBLISHED, ("datePublished", "dateCreated", "uploadDate"))
    )
    candidates += _address(evidence)
    found = choose(candidates, _near_days)
    if found is not None and found.confidence >= _SURE:
        return found
    candidates += [one for one, changed in _visible(evidence) if not changed]
    if not candidates:
        candidates = _announced(evidence) or [_weaker(one) for one in _changes(evidence)]
        candidates = candidates or list(_anywhere(evidence))
    return choose(_with_times(candidates), _near_days)


def modified(evidence: Evidence) -> Found[Any] | None:
    """Return when it was last changed; None where the page doesn't tell."""
    return choose(_with_times(list(_changes(evidence))), _near_days)


def _changes(evidence: Evidence) -> Iterator[Candidate]:
    yield from _declared(evidence, _MODIFIED, ("dateModified",))
    yield from (one for one, changed in _visible(evidence) if changed)


def _weaker(one: Candidate) -> Candidate:
    return Candidate(one.value, one.key, one.source, one.row, one.weight * 0.5)


def _declared(
    evidence: Evidence, metas: dict[str, float], fields: tuple[str, ...]
) -> Iterator[Candidate]:
    graph = evidence.graph
    for node in evidence.main or graph.of_rank(1):
        for place, field in enumerate(fields):
            text = graph.text(node.own.get(field))
            weight = (0.75 if node.rank == 3 else 0.5) - 0.15 * place  # noqa: PLR2004  an article
            yield from _candidate(evidence, text, node.source(field), node.row, weight)
    for name in evidence.meta.keys() & metas.keys():
        for row, source, text in evidence.metas(name):
            yield from _candidate(evidence, text, source, row, metas[name])


def _candidate(
    evidence: Evidence, text: str, source: str, row: int, weight: float
) -> Iterator[Candidate]:
    found = parse_date(text, month_first=_month_first(evidence)) if text else None
    if found is not None and plausible(found):
        yield Candidate(found, day_of(found), source, row, weight)


def _month_first(evidence: Evidence) -> bool:
    lang = evidence.page.head.lang.lower().replace("_", "-")
    host = evidence.address.partition("/")[0]
    return lang in {"", "en", "en-us"} and not host.endswith(_DAY_FIRST_HOSTS)


def _address(evidence: Evidence) -> list[Candidate]:
    url = evidence.page.url or evidence.address
    for found in _IN_ADDRESS.finditer(url[:500]):
        text = f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}"
        return list(_candidate(evidence, text, "url", -1, 0.5))
    return []


def _visible(evidence: Evidence) -> Iterator[tuple[Candidate, bool]]:
    """Yield candidates that a reader sees, each with whether it speaks of a change."""
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
        if text and (own := list(_candidate(evidence, clean(text), source, row, weight))):
            if not evidence.aside(row):
                yield own[0], changed
            return
    start, stop = int(page.text_at[row]), int(page.text_at[page.end[row]])
    if 0 < stop - start <= 4 * _BLOCK:
        text = one_line(page.text[start:stop])
        if len(text) <= _BLOCK:
            for one in _candidate(evidence, text, source, row, weight):
                if not evidence.aside(row):
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
            for one in _candidate(evidence, text, "text", row, weight):
                yield one, bool(_CHANGED.search(text))


def _announced(evidence: Evidence) -> list[Candidate]:
    """Return dates anywhere on the page after words such as "published on", the first ones."""
    page = evidence.page
    out: list[Candidate] = []
    for word in _ANNOUNCED:
        at = page.text.find(word)
        if at < 0:
            continue
        row = int(np.searchsorted(page.text_at, at, "right")) - 1
        text = one_line(page.text[at : at + _LINE])
        if page.shown[row] and not evidence.aside(row):
            out += _candidate(evidence, text, "text", row, 0.2)
    return out


def _anywhere(evidence: Evidence) -> Iterator[Candidate]:
    """Yield every day written on the page, the nearer to the title the heavier: a last resort."""
    page = evidence.page
    for row in np.flatnonzero(page.is_tag("time"))[:_MOST_ROWS].tolist():
        text = page.attribute(row, "datetime") or page.folded(row)
        weight = 0.15 * evidence.nearness(row) + 0.02
        if not evidence.aside(row):
            yield from _candidate(evidence, clean(text), "time", row, weight)
    for found in islice(_YEAR.finditer(page.text), _MOST_ROWS):
        at = max(0, found.start() - 20)
        row = int(np.searchsorted(page.text_at, found.start(), "right")) - 1
        if page.shown[row] and not evidence.aside(row):
            text = one_line(page.text[at : found.end() + 8])
            weight = 0.12 * evidence.nearness(row) + 0.01
            yield from _candidate(evidence, text, "text", row, weight)


def _with_times(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates, each day's value the most exact one that a source gives for it."""
    known = list(candidates)
    exact: dict[Any, date | datetime] = {}
    for one in sorted(known, key=lambda c: -c.weight):
        held = exact.get(one.key)
        if held is None or (not hasattr(held, "hour") and hasattr(one.value, "hour")):
            exact[one.key] = one.value
    return [Candidate(exact[c.key], c.key, c.source, c.row, c.weight) for c in known]


def _near_days(key: date, other: date) -> float:
    """Return how far a day supports another: neighbours may differ by the time zone."""
    return 0.4 if abs((key - other).days) == 1 else 0.0
