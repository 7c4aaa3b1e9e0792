"""Dates that a page declares: JSON-LD, metas, address, title, embedded state."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chaffinch.elements.date_words import locale_of, month_of
from chaffinch.elements.dates import day_of, parse_both_ways, plausible
from chaffinch.metadata.candidates import FieldCandidate
from chaffinch.metadata.page_regions import in_reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from chaffinch.metadata.evidence import Evidence

PUBLISHED: Final = {
    "article:published_time": 0.75, "og:article:published_time": 0.7, "article:published": 0.7,
    "og:published_time": 0.7, "og:pubdate": 0.6, "datepublished": 0.7, "parsely-pub-date": 0.7,
    "sailthru.date": 0.65, "citation_publication_date": 0.6, "citation_date": 0.55,
    "citation_online_date": 0.55, "dc.date": 0.5, "dc.date.issued": 0.65, "dcterms.date": 0.5,
    "dcterms.created": 0.6, "dcterms.issued": 0.65, "cxenseparse:recs:publishtime": 0.65,
    "publish-date": 0.65, "publish_date": 0.65, "publishdate": 0.65, "publication_date": 0.65,
    "pubdate": 0.6, "pdate": 0.5, "published_at": 0.6, "article_date_original": 0.65, "date": 0.5,
    "datecreated": 0.5, "created": 0.45, "weibo: article:create_at": 0.6,
}  # fmt: skip
MODIFIED: Final = {
    "article:modified_time": 0.7, "og:article:modified_time": 0.7, "og:updated_time": 0.6,
    "datemodified": 0.7, "dcterms.modified": 0.65, "dc.date.modified": 0.65, "lastmod": 0.5,
    "last-modified": 0.4, "article:modified": 0.65, "revised": 0.4, "weibo: article:update_at": 0.6,
}  # fmt: skip
_META_PUBLISHED: Final = re.compile(r"publi[sc]|posted|issued|release|creat|pub[_-]?(?:date|time)")
_META_MODIFIED: Final = re.compile(r"modif|updat|revis|changed")
_META_DATE: Final = re.compile(r"(?:^|[.:_-])date$")
_META_OTHER: Final = re.compile(
    r"expir|valid|event|start|end|until|birth|copyright|publisher|verif"
)
_ADDRESS: Final = re.compile(
    r"(?<![\d])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2]|[1-9](?=\D))\2(0[1-9]|[12]\d|3[01]|[1-9](?=\D|$))(?!\d)"
)
_ADDRESS_NAMED: Final = re.compile(
    r"/((?:19|20)\d\d)/([a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?=/|$)", re.IGNORECASE
)
_STATE: Final = re.compile(
    r"[Pp](?i:(?:(?<=date.)|(?<=date_.))ublished|ublish(?:ed)?_?(?:date|at|on|time)"
    r"|ublication_?date|ost_?date|ub_?(?:date|time))"
    r'\\?"\s*:\s*\\?"((?:19|20)\d\d-[^"\\]{5,25})'
)
_TITLE_DATE: Final = 20  # characters of a title part that is only a date
_LIKELY_BUILD_DATE: Final = 0.85
"""Factor on the weight of a publication date equal to the modification date to the second: often
it is the time of the last build. Chosen on the tuning half of wcxb (bench/quality/metadata.py)."""


def declared(
    evidence: Evidence, metas: dict[str, float], fields: tuple[str, ...]
) -> Iterator[FieldCandidate]:
    """Yield the dates of JSON-LD fields, in descending weight, and of metas by name."""
    graph = evidence.graph
    for node in evidence.main_nodes or graph.of_rank(1):
        changed = graph.text(node.properties.get("dateModified"))
        for position, field in enumerate(fields):
            text = graph.text(node.properties.get(field))
            weight = (0.75 if node.rank == 3 else 0.5) - 0.15 * position  # noqa: PLR2004  an article
            if metas is PUBLISHED and text == changed:
                weight *= _LIKELY_BUILD_DATE
            yield from date_candidates(evidence, text, node.source(field), node.row, weight)
    for name in [name for name in evidence.meta if name in metas]:  # in the page's order
        for row, source, text in evidence.metas(name):
            if not in_reply(evidence, row):
                yield from date_candidates(evidence, text, source, row, metas[name])


def by_name(evidence: Evidence, *, changed: bool) -> Iterator[FieldCandidate]:
    """Yield dates of other metas whose names contain a word for publication or modification."""
    for name, weight, of_change in evidence.derived(_metas_of_dates):
        if of_change == changed:
            for row, source, text in evidence.metas(name):
                yield from date_candidates(evidence, text, source, row, weight)


def _metas_of_dates(evidence: Evidence) -> list[tuple[str, float, bool]]:
    """Return (name, weight of a date, whether it is of a change) of metas that may hold a date."""
    return [(name, *found) for name in evidence.meta if (found := _named_date(name))[0]]


@lru_cache(maxsize=4096)
def _named_date(name: str) -> tuple[float, bool]:
    """Return the weight of a date in a meta by its name, 0 for none, and whether it is of a change.

    Cached, since pages share the names of their metas.
    """
    of_change = _META_MODIFIED.search(name) is not None
    if name in PUBLISHED or name in MODIFIED or _META_OTHER.search(name):
        return 0.0, of_change
    named = of_change or _META_PUBLISHED.search(name)
    return 0.5 if named else 0.35 if _META_DATE.search(name) else 0.0, of_change


def date_candidates(
    evidence: Evidence, text: str, source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    """Yield the date in a text, if it is plausible for a page.

    An ambiguous numeric date gives two candidates; the order of day and month that is usual in the
    page's language and country has the higher weight.
    """
    if text:
        yield from candidates_of(*parse_both_ways(text, locale(evidence)), source, row, weight)


def candidates_of(
    first: date | None, other: date | None, source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    """Yield a date that was read, and its other reading, if they are plausible for a page."""
    for found, share in ((first, 1.0), (other if other != first else None, 0.6)):
        if found is not None and plausible(found):
            yield FieldCandidate(found, day_of(found), source, row, weight * share)


def locale(evidence: Evidence) -> str:
    """Return the language and country in whose order the page writes dates."""
    return evidence.derived(_locale)


def _locale(evidence: Evidence) -> str:
    return locale_of(evidence.page.head.lang, evidence.address.partition("/")[0])


def in_address(evidence: Evidence) -> list[FieldCandidate]:
    """Return the day in the page's address, in numbers or with the month's name."""
    url = (evidence.page.url or evidence.address)[:500]
    for found in _ADDRESS.finditer(url):
        text = f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}"
        return list(date_candidates(evidence, text, "url", -1, 0.5))
    for found in _ADDRESS_NAMED.finditer(url):
        if month := month_of(found[2]):
            text = f"{found[1]}-{month:02}-{int(found[3]):02}"
            return list(date_candidates(evidence, text, "url", -1, 0.5))
    return []


def in_image(evidence: Evidence) -> list[FieldCandidate]:
    """Return the day in the address of the image that represents the page."""
    for row, source, url in evidence.metas("og:image", "twitter:image"):
        if found := _ADDRESS.search(url[:500]):
            text = f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}"
            return list(date_candidates(evidence, text, source, row, 0.2))
    return []


def in_title(evidence: Evidence) -> list[FieldCandidate]:
    """Return the day that is a whole part of the title element."""
    head = evidence.page.head
    last = head.title.rpartition("|")[2].strip()
    if 0 < len(last) <= _TITLE_DATE and last[:1].isdigit():
        return list(date_candidates(evidence, last, "title", head.title_row, 0.5))
    return []


def in_embedded_state(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the first publication date in each embedded state; it may be another page's."""
    for row, kind, _, source in evidence.page.head.scripts:
        if kind != "application/ld+json" and (found := _STATE.search(source)):
            yield from date_candidates(evidence, found[1], "state", row, 0.2)
