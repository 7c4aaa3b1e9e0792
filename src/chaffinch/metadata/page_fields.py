"""Fields that pages declare: site, description, canonical address, topics, image, type, licence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Final
from urllib.parse import urldefrag, urlsplit

import numpy as np

from chaffinch.elements.image_sources import ImageSources
from chaffinch.elements.parts import pictures
from chaffinch.metadata.sources import Evidence, is_by_learned_rule, value_by_rule
from chaffinch.metadata.values import (
    FieldCandidate,
    FieldValue,
    choose_value,
    clean,
    fold,
    one_line,
    path_of,
    split_title,
)
from chaffinch.page import Page
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import FETCHED, absolute, split_url

_KINDS: Final[dict[str, str]] = {
    kind.lower(): name
    for name, kinds in {
        "article": "Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle post"
        " AnalysisNewsArticle BackgroundNewsArticle ReviewNewsArticle ScholarlyArticle Report"
        " AdvertiserContentArticle LiveBlogPosting MedicalScholarlyArticle TechArticle blog news",
        "forum": "DiscussionForumPosting QAPage Question SocialMediaPosting",
        "product": "Product ProductGroup IndividualProduct og:product product.item",
        "listing": "CollectionPage ItemList SearchResultsPage",
        "video": "VideoObject video.other video.movie video.episode",
        "book": "Book",
        "recipe": "Recipe",
        "event": "Event",
        "job": "JobPosting",
        "profile": "ProfilePage Person",
        "dataset": "Dataset",
        "website": "WebSite",
    }.items()
    for kind in kinds.split()
}
_SITE_METAS: Final = {
    "og:site_name": 0.8, "application-name": 0.5, "dc.publisher": 0.4,
    "apple-mobile-web-app-title": 0.4, "al:ios:app_name": 0.2,
}  # fmt: skip
_DESCRIPTION_METAS: Final = {
    "description": 0.6, "og:description": 0.6, "twitter:description": 0.5, "dc.description": 0.4,
    "dcterms.description": 0.4,
}  # fmt: skip
_SOURCES: Final = ("src", "data-src", "data-original")
_IMAGE_METAS: Final = {
    "og:image": 0.7, "og:image:url": 0.7, "og:image:secure_url": 0.6, "twitter:image": 0.6,
    "twitter:image:src": 0.6, "image": 0.4, "thumbnail": 0.3,
}  # fmt: skip
_EMBLEM: Final = re.compile(r"logo|icon|favicon|placeholder|default|social|avatar|share|banner")
_EMBLEM_SHARE: Final = (
    0.4  # factor on the weight of an image whose file name is that of a logo or icon
)
_COPYRIGHT: Final = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/")
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s++)?[,;，、；|]\s*")
_SIZE: Final = re.compile(r"(?:[-_]\d{2,4}x\d{2,4}|@\dx|-scaled)(?=\.|$)")
MOST_IMAGES: Final = 200
SHORTEST_NAME: Final = 6  # characters of a file name that identifies a picture
MOST_TOPICS: Final = 50
MOST_TYPES: Final = 20
LONGEST_TOPIC: Final = 80


def site_name(evidence: Evidence) -> FieldValue[str] | None:
    """Return the name of the site; None where there is none."""
    candidates = _from_metas(evidence, _SITE_METAS)
    for node in evidence.graph.nodes:
        if node.rank == 3:  # noqa: PLR2004
            text = evidence.graph.text(node.properties.get("publisher"), "name")
            candidates.append((text, node.source("publisher"), node.row, 0.6))
        elif node.type == "WebSite":
            text = evidence.graph.text(node.properties.get("name"))
            candidates.append((text, node.source("name"), node.row, 0.6))
    found = choose_value(_texts(candidates))
    return found or choose_value(_texts(_from_title(evidence)))


def description(evidence: Evidence) -> FieldValue[str] | None:
    """Return the description that the page declares; None where there is none."""
    candidates = _from_metas(evidence, _DESCRIPTION_METAS)
    for node in evidence.main_nodes:
        text = evidence.graph.text(node.properties.get("description"))
        candidates.append((text, node.source("description"), node.row, 0.5))
    return choose_value(_texts(candidates))


def canonical(evidence: Evidence) -> FieldValue[str] | None:
    """Return the canonical address, absolute; None if unknown."""
    named = [(h, "link:canonical", r, 0.8) for r, rel, h in evidence.page.head.links
             if rel == "canonical"]  # fmt: skip
    named += [(text, source, row, 0.6) for row, source, text in evidence.metas("og:url")]
    for node in evidence.main_nodes:
        for field in ("mainEntityOfPage", "url"):
            text = evidence.graph.text(node.properties.get(field), "@id", "url")
            named.append((text, node.source(field), node.row, 0.4))
    if evidence.page.url:
        named.append((evidence.page.url, "url", -1, 0.3))
    candidates = []
    own = split_url(evidence.page.url or "")
    deep = own is not None and len(own.path) > 1
    for href, source, row, weight in named:
        url = urldefrag(evidence.absolute(href))[0] if href else ""
        if url and "//" in url:
            home = deep and len(urlsplit(url).path) <= 1 and not urlsplit(url).query
            key = url.partition("//")[2].rstrip("/")
            candidates.append(
                FieldCandidate(url, key, source, row, weight * (0.2 if home else 1.0))
            )
    return choose_value(candidates)


def lead_image(evidence: Evidence) -> FieldValue[str] | None:
    """Return the absolute address of the representative image; None if none is declared."""
    named = _from_metas(evidence, _IMAGE_METAS)
    for node in evidence.main_nodes:
        text = evidence.graph.text(node.properties.get("image"), "url", "contentUrl", "@id")
        named.append((text, node.source("image"), node.row, 0.6))
    named += [(h, "link:image_src", r, 0.5) for r, rel, h in evidence.page.head.links
              if rel == "image_src"]  # fmt: skip
    urls = ((evidence.absolute(text) if text else "", s, row, w) for text, s, row, w in named)
    found = [
        FieldCandidate(
            url, picture_key(url), s, row, weight * (_EMBLEM_SHARE if _is_emblem(url) else 1)
        )
        for url, s, row, weight in urls
        if path_of(url) not in {"", "/"}
    ]
    return choose_value([*found, *_image_elements(evidence, {one.key for one in found})])


def _image_elements(evidence: Evidence, wanted: set[Any]) -> Iterator[FieldCandidate]:
    """Yield the img elements that show one of the wanted pictures, in any size."""
    if not wanted:
        return
    page = evidence.page
    rows = np.flatnonzero(page.is_tag("img"))[:MOST_IMAGES]
    values = page.own_attributes.values_of(rows.astype(np.int32), *_SOURCES)
    for row, addresses in zip(rows.tolist(), values, strict=True):
        for href in filter(None, addresses):
            if (key := picture_key(href)) in wanted and (url := evidence.absolute(href)):
                yield FieldCandidate(url, key, "img", row, 0.3)
                break


def _is_emblem(url: str) -> bool:
    return _EMBLEM.search(url.partition("?")[0].rpartition("/")[2].lower()) is not None


def picture_key(url: str) -> str:
    """Return the key of a picture: the part of its address that doesn't depend on its size."""
    path = url.partition("?")[0].partition("#")[0]
    name = _SIZE.sub("", path.rpartition("/")[2].lower())
    return name if len(name.partition(".")[0]) >= SHORTEST_NAME else url


def categories(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the sections that the page belongs to; None where none is declared."""
    fields = [(n, "articleSection", 0.7) for n in evidence.main_nodes]
    fields += [(n, "category", 0.5) for n in evidence.main_nodes]
    metas = {"article:section": 0.7, "parsely-section": 0.6, "category": 0.5, "og:section": 0.5}
    return _topics(evidence, fields, metas, split=False) or choose_value(_breadcrumbs(evidence))


def tags(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the keywords of the page; None where none is declared."""
    fields = [(n, "keywords", 0.7) for n in evidence.main_nodes]
    metas = {"article:tag": 0.8, "news_keywords": 0.6, "parsely-tags": 0.6, "sailthru.tags": 0.6,
             "keywords": 0.5, "citation_keywords": 0.6, "dc.subject": 0.5}  # fmt: skip
    found = _topics(evidence, fields, metas, split=True)
    if found is not None:
        return found
    rows = [r for r, value in evidence.page.having("rel") if "tag" in value.lower().split()]
    names = _unique_topics(one_line(evidence.page.text_of(row)) for row in rows)
    return FieldValue(names, "rel:tag", rows[0], 0.4) if names else None


def declared_type(evidence: Evidence) -> FieldValue[str] | None:
    """Return the declared page type, such as "article" or "product"; None if none.

    A type that isn't known here is returned as declared, in lower case.
    """
    candidates = []
    for node in evidence.main_nodes or evidence.graph.of_rank(1):
        kind = node.type.lower()
        known = _KINDS.get(kind, "")
        if known or node.rank > 1:
            candidates.append((known or kind, f"json-ld:{node.type}", node.row, 0.7))
    for row, source, text in evidence.metas("og:type"):
        kind = _KINDS.get(text.lower(), text.lower())[:40]
        candidates.append((kind, source, row, 0.2 if kind == "website" else 0.6))
    for row, value in evidence.page.having("itemtype")[:MOST_TYPES]:
        kind = _KINDS.get(value.strip().rpartition("/")[2].lower(), "")
        if kind and row <= evidence.headline_row < evidence.page.end[row]:
            candidates.append((kind, "microdata:itemtype", row, 0.5))
    return choose_value(_texts(candidates))


def licence(evidence: Evidence) -> FieldValue[str] | None:
    """Return the licence's address, or its text where it has none; None if not declared."""
    page = evidence.page
    named = [(evidence.absolute(h), "link:license", r, 0.8) for r, rel, h in page.head.links
             if "license" in rel.split()]  # fmt: skip
    for row, value in page.having("rel"):
        if "license" in value.lower().split() and page.name(row) == "a":
            href = evidence.absolute(page.attribute(row, "href") or "")
            named.append((href or one_line(page.text_of(row)), "rel:license", row, 0.7))
    for node in evidence.main_nodes:
        text = evidence.graph.text(node.properties.get("license"), "url", "@id", "name")
        named.append((text, node.source("license"), node.row, 0.8))
    named += _from_metas(
        evidence, {"dcterms.license": 0.7, "dc.rights": 0.4, "dcterms.rights": 0.4}
    )
    if not named:
        links = [(r, h) for r, h in page.having("href") if _COPYRIGHT.search(h)]
        named = [(evidence.absolute(href), "link:creativecommons", row, 0.4) for row, href in links]
    return choose_value(_texts(named))


def _from_metas(evidence: Evidence, weights: dict[str, float]) -> list[tuple[str, str, int, float]]:
    """Return (text, source, row, weight) of the metas named."""
    return [
        (text, source, row, weight)
        for name, weight in evidence.among(weights)
        for row, source, text in evidence.metas(name)
    ]


def _texts(found: Iterable[tuple[str, str, int, float]]) -> Iterator[FieldCandidate]:
    for text, source, row, weight in found:
        if text and (key := fold(text)):
            yield FieldCandidate(text, key, source, row, weight)


def _from_title(evidence: Evidence) -> Iterator[tuple[str, str, int, float]]:
    """Yield the last or first part of the title element if the host's name confirms it."""
    head = evidence.page.head
    parts = split_title(clean(head.title))
    headings = {fold(text) for _, text in evidence.headings}
    for part in (parts[-1:] + parts[:1]) if len(parts) > 1 else ():
        if evidence.names_site(part):
            yield part, "title", head.title_row, 0.5
        elif part is parts[-1] and fold(parts[0]) in headings:
            yield part, "title", head.title_row, 0.3


def _topics(
    evidence: Evidence,
    fields: list[tuple[Any, str, float]],
    metas: dict[str, float],
    *,
    split: bool,
) -> FieldValue[tuple[str, ...]] | None:
    candidates = []
    for node, field, weight in fields:
        texts = [clean(one) for one in evidence.graph.values(node.properties.get(field))]
        candidates.append((texts, node.source(field), node.row, weight))
    for name, weight in evidence.among(metas):
        found = evidence.metas(name)
        if found:
            candidates.append(([t for _, _, t in found], found[0][1], found[0][0], weight))
    named = []
    for texts, source, row, weight in candidates:
        parts = [p for t in texts for p in (_BETWEEN.split(t) if split else [t])]
        if names := _unique_topics(parts):
            named.append(FieldCandidate(names, tuple(map(fold, names)), source, row, weight))
    return choose_value(named)


def _breadcrumbs(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the steps of a JSON-LD breadcrumb without the first (site) and the last (page)."""
    graph = evidence.graph
    for node in graph.nodes:
        if node.type != "BreadcrumbList":
            continue
        steps = []
        for item in graph.values(node.properties.get("itemListElement")):
            if isinstance(item, dict):
                name = clean(item.get("name")) or graph.text(item.get("item"), "name")
                steps.append(name)
        names = _unique_topics(steps[1:-1])
        if names:
            yield FieldCandidate(names, tuple(map(fold, names)), node.source("item"), node.row, 0.5)


def _unique_topics(texts: Iterable[str]) -> tuple[str, ...]:
    named = {fold(t): t for t in texts if t and len(t) <= LONGEST_TOPIC}
    named.pop("", None)
    return tuple(named.values())[:MOST_TOPICS]


AGENT: Final = "chaffinch"
"""The name by which robots.txt, robots meta and X-Robots-Tag may address this crawler."""

RESERVATION: Final = "tdm-reservation"
"""Name of the header and of the meta that reserve text and data mining; 1 for reserved."""

OPT_OUT_HEADERS: Final = frozenset({"x-robots-tag", RESERVATION})
"""Names of the headers that are read, in lower case."""

DIRECTIVES: Final = (
    "none", "noindex", "noarchive", "nosnippet", "noimageindex", "noai", "noimageai",
)  # fmt: skip
"""Directives of robots that take back a use of the page, in the order of output."""

_WITH_VALUE: Final = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_ROW: Final = itemgetter(0)
_COLON: Final = re.compile(r"\s?:\s?")
_NAMED: Final = re.compile(r"\A\s*+([A-Za-z][\w.-]*)\s*+:\s*+(.*)\Z", re.DOTALL)


def find_opt_outs(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the uses that are taken back: names of `DIRECTIVES`, and `RESERVATION`.

    None where nothing is taken back. ``agreeing`` are the further places that declare any of it.
    """
    stated = [
        *_in_robots(evidence),
        *_in_headers(evidence.headers),
        *_reservation(evidence),
    ]
    known = (*DIRECTIVES, RESERVATION)
    words = {word for _, _, group in stated for word in group}
    value = tuple(word for word in known if word in words)
    if not value:
        return None
    places = [(source, row) for source, row, group in stated if words & set(group) & set(known)]
    (source, row), *others = dict.fromkeys(places)
    return FieldValue(value, source, row, 1.0, tuple(dict.fromkeys(name for name, _ in others)))


def _in_robots(evidence: Evidence) -> list[tuple[str, int, list[str]]]:
    found = [
        (row, f"meta:{name}", content)
        for name in ("robots", AGENT)
        for row, content in evidence.meta.get(name, ())
    ]
    return [
        (name, row, read_directives([content])) for row, name, content in sorted(found, key=_ROW)
    ]


def _in_headers(headers: Sequence[tuple[str, str]]) -> list[tuple[str, int, list[str]]]:
    return [
        ("header:x-robots-tag", -1, list(header_directives(value)))
        for name, value in headers
        if name.lower() == "x-robots-tag"
    ]


def _reservation(evidence: Evidence) -> list[tuple[str, int, list[str]]]:
    """Return the reservation where there is one: the page's own word, else that of the header."""
    stated = [
        (f"meta:{RESERVATION}", row, content) for row, content in evidence.meta.get(RESERVATION, ())
    ]
    stated += [
        (f"header:{RESERVATION}", -1, value.strip())
        for name, value in evidence.headers
        if name.lower() == RESERVATION
    ]
    valid = [one for one in stated if one[2] in ("0", "1")]
    return [(source, row, [RESERVATION]) for source, row, value in valid[:1] if value == "1"]


def header_directives(value: str) -> Iterable[str]:
    """Return the directives of one X-Robots-Tag that hold for all agents or for this one."""
    named = _NAMED.match(value)
    if named and named[1].lower() not in _WITH_VALUE:
        return read_directives([named[2]]) if named[1].lower() == AGENT else ()
    return read_directives([value])


def read_directives(values: Iterable[str]) -> list[str]:
    """Return directives in lower case; a date, which may hold a comma, stays with its own."""
    out: list[list[str]] = []
    for value in values:
        for part in value.lower().split(","):
            word = " ".join(part.split())
            if out and out[-1][0].startswith("unavailable_after:") and word[:1].isdigit():
                out[-1].append(word)
            elif word:
                out.append([_COLON.sub(":", word, count=1)])
    return [", ".join(parts) for parts in out]


def lead_image_by_rule(
    evidence: Evidence, general: FieldValue[str] | None
) -> FieldValue[str] | None:
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
    return general if is_by_learned_rule(evidence, "image", found) else found


def image_address(page: Page, row: int) -> str:
    """Return the absolute address of the image at ``row``, in it, or that it names; "" for none."""
    if page.name(row) == "meta":
        return absolute(page.attribute(row, "content"), page.base, FETCHED)
    inside = np.flatnonzero(pictures(page)[row : page.end[row]])
    if not len(inside):
        return ""
    source = ImageSources(page).of(row + int(inside[0]))
    return "" if source is None else source.url
