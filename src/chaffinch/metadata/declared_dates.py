"""Dates that a page declares: JSON-LD, metas, its address, its title, embedded states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.elements.dates import MONTHS, day_of, parse_date, plausible
from chaffinch.metadata.found import Candidate
from chaffinch.metadata.page_regions import of_reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.metadata.evidence import Evidence

PUBLISHED: Final = {
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
MODIFIED: Final = {
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
    r'(?:date_?published|publish(?:ed)?_?(?:date|at|on|time)|publication_?date|post_?date|pub_?(?:date|time))'
    r'\\?"\s*:\s*\\?"((?:19|20)\d\d-[^"\\]{5,25})',
    re.IGNORECASE,
)  # fmt: skip
_TITLE_DATE: Final = 20  # characters of a part of the title that is a date and nothing else
_DAY_FIRST_HOSTS: Final = (".uk", ".au", ".nz", ".ie", ".in", ".za")
_UNSURE: Final = 0.85
"""What is left of the weight of a published date that is the modified one to the second: it is
often that of the last build. Chosen on the tuning half of wcxb (bench/quality/metadata.py)."""


def declared(
    evidence: Evidence, metas: dict[str, float], fields: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield the dates of JSON-LD fields, the first ones the heavier, and of metas by name."""
    graph = evidence.graph
    for node in evidence.main or graph.of_rank(1):
        changed = graph.text(node.own.get("dateModified"))
        for place, field in enumerate(fields):
            text = graph.text(node.own.get(field))
            weight = (0.75 if node.rank == 3 else 0.5) - 0.15 * place  # noqa: PLR2004  an article
            if metas is PUBLISHED and text == changed:
                weight *= _UNSURE
            yield from dated(evidence, text, node.source(field), node.row, weight)
    for name in [name for name in evidence.meta if name in metas]:  # in the page's order
        for row, source, text in evidence.metas(name):
            if not of_reply(evidence.page, row):
                yield from dated(evidence, text, source, row, metas[name])


def by_name(evidence: Evidence, *, changed: bool) -> Iterator[Candidate]:
    """Yield the dates of metas whose unknown names speak of publishing, or of a change."""
    wanted = _META_MODIFIED if changed else _META_PUBLISHED
    for name in evidence.meta:
        if name in PUBLISHED or name in MODIFIED or _META_OTHER.search(name):
            continue
        weight = 0.5 if wanted.search(name) else 0.35 if _META_DATE.search(name) else 0.0
        if not weight or (changed != bool(_META_MODIFIED.search(name))):
            continue
        for row, source, text in evidence.metas(name):
            yield from dated(evidence, text, source, row, weight)


def dated(
    evidence: Evidence, text: str, source: str, row: int, weight: float
) -> Iterator[Candidate]:
    """Yield the date that a text holds, if a page may bear it.

    A numeric date that may be read both ways gives two candidates, the one that the language
    speaks for the heavier.
    """
    if not text:
        return
    usual = month_first(evidence)
    first = parse_date(text, month_first=usual)
    other = parse_date(text, month_first=not usual)
    for found, share in ((first, 1.0), (other if other != first else None, 0.6)):
        if found is not None and plausible(found):
            yield Candidate(found, day_of(found), source, row, weight * share)


def month_first(evidence: Evidence) -> bool:
    """Tell whether 4/5/2014 is probably April 5."""
    lang = evidence.page.head.lang.lower().replace("_", "-")
    host = evidence.address.partition("/")[0]
    return lang in {"", "en", "en-us"} and not host.endswith(_DAY_FIRST_HOSTS)


def in_address(evidence: Evidence) -> list[Candidate]:
    """Return the day in the page's address, in numbers or with the month's name."""
    url = (evidence.page.url or evidence.address)[:500]
    for found in _ADDRESS.finditer(url):
        text = f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}"
        return list(dated(evidence, text, "url", -1, 0.5))
    for found in _ADDRESS_NAMED.finditer(url):
        if month := MONTHS.get(found[2][:3].lower()):
            text = f"{found[1]}-{month:02}-{int(found[3]):02}"
            return list(dated(evidence, text, "url", -1, 0.5))
    return []


def in_image(evidence: Evidence) -> list[Candidate]:
    """Return the day in the address of the image that stands for the page."""
    for row, source, url in evidence.metas("og:image", "twitter:image"):
        if found := _ADDRESS.search(url[:500]):
            text = f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}"
            return list(dated(evidence, text, source, row, 0.2))
    return []


def in_title(evidence: Evidence) -> list[Candidate]:
    """Return the day that is a part of the title element by itself."""
    head = evidence.page.head
    last = head.title.rpartition("|")[2].strip()
    if 0 < len(last) <= _TITLE_DATE and last[:1].isdigit():
        return list(dated(evidence, last, "title", head.title_row, 0.5))
    return []


def in_states(evidence: Evidence) -> Iterator[Candidate]:
    """Yield the first published date of each embedded state: perhaps another page's."""
    for row, kind, _, source in evidence.page.head.scripts:
        if kind != "application/ld+json" and (found := _STATE.search(source)):
            yield from dated(evidence, found[1], "state", row, 0.2)
