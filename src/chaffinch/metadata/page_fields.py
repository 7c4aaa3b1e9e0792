"""Fields that pages declare: site, description, address, topics, image, type, licence, opt-outs.

Opt-outs are what owners declare must not be done with a page. Sources: the robots meta tag and
X-Robots-Tag as the large search engines document them (directives for all, or for one agent by its
name); ``noai`` and ``noimageai`` among them, as DeviantArt brought them up in 2022; TDM Reservation
Protocol, W3C Community Group report of 2024: header ``tdm-reservation`` and meta of that name, of
which the page's own is the stronger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Final
from urllib.parse import urldefrag, urlsplit

import numpy as np

from chaffinch.elements.dates_in_text import dates_in
from chaffinch.elements.image_sources import ImageSources, stem_of
from chaffinch.elements.listed import pictures
from chaffinch.metadata.json_ld import PAGE
from chaffinch.metadata.names import has_label
from chaffinch.metadata.sources import Evidence, Named, value_by_rule
from chaffinch.metadata.values import (
    METAS,
    WORDS,
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
from chaffinch.page.attributes import Search
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import FETCHED, absolute, host_name, split_url

_KINDS: Final[dict[str, str]] = {
    kind: name for name, kinds in WORDS["kinds"].items() for kind in kinds.split("|")
}
_SOURCES: Final = ("src", "data-src", "data-original")
_EMBLEM: Final = re.compile(r"logo|icon|favicon|placeholder|default|social|avatar|share|banner")
_COPYRIGHT: Final = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/")
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s++)?[,;，、；|]\s*")
_NO_SITE: Final = re.compile(
    rf"https?://.*|{WORDS['titles of no page']}|{WORDS['names of no site']}", re.IGNORECASE
)
"""An address, and what stands where nobody has given a name."""
_SHORT_SITE: Final = 24  # characters of a name in which no title is
_MOST_TOPICS, _LONGEST_TOPIC = 50, 80
_OF_TOPICS: Final = ("category", "tag")
_TAGGED: Final = Search("class", "tags", "tag-l", "tagl", "tag_l", "keywords", "schlagw")
_LEVELS: Final = 4  # from a link up to the list of a text's topics
_LONGEST_LIST: Final = 300  # characters of a text's tags
_OF_TAGS: Final = re.compile(WORDS["names of lists of tags"], re.IGNORECASE)
"""Class names of an element with the links of a text's tags, and what they contain."""


def _chosen(named: Iterable[Named]) -> FieldValue[Any] | None:
    return choose_value(
        FieldCandidate(text, key, source, row, weight)
        for text, source, row, weight in named
        if text and (key := fold(text))
    )


def site_name(evidence: Evidence) -> FieldValue[str] | None:
    named = [*evidence.weighed_metas(METAS["site"]), *evidence.sites_in_nodes]
    longest = max((len(name) for name, *_ in named), default=0)
    if longest > _SHORT_SITE:  # "A quiet harvest - The Courier"
        titles = {fold(text) for _, text in evidence.headings}
        parts = [split_title(text) for text, *_ in named]
        named = [
            (own[-1] if len(own) > 1 and fold(own[0]) in titles else one[0], *one[1:])
            for own, one in zip(parts, named, strict=True)
        ]
    others = chain(_from_title(evidence), _publisher(evidence))
    hosts = ((host_name(one[0]).removeprefix("www."), *one[1:]) for one in named)
    return (
        _chosen(one for one in named if not _NO_SITE.fullmatch(one[0]))
        or _chosen(one for one in others if not _NO_SITE.fullmatch(one[0]))
        or _chosen(hosts)
    )


def _publisher(evidence: Evidence) -> Iterator[Named]:
    """Yield the name of the first publisher in microdata."""
    page, named = evidence.page, evidence.page.having("itemprop")
    top = next((row for row, name in named if name == "publisher"), len(page) - 1)
    inner = (row for row, name in named if name == "name" and top < row < page.end[top])
    for row in islice(inner, 1):
        text = page.attribute(row, "content") or one_line(page.text_of(row))
        yield text, "microdata:publisher", row, 0.4


def _from_title(evidence: Evidence) -> Iterator[Named]:
    """Yield the last or first part of the title element if the host's name confirms it."""
    head = evidence.page.head
    parts, row = split_title(clean(head.title)), head.title_row
    headings = {fold(text) for _, text in evidence.headings}
    for part in (parts[-1:] + parts[:1]) if len(parts) > 1 else ():
        if evidence.names_site(part):
            yield part, "title", row, 0.5
        elif part is not parts[-1] or has_label(part) or dates_in(part)[1]:
            continue
        elif fold(parts[0]) in headings:
            yield part, "title", row, 0.3


def description(evidence: Evidence) -> FieldValue[str] | None:
    metas = evidence.weighed_metas(METAS["description"])
    return _chosen([*metas, *evidence.of_nodes("description", 0.5)])


def canonical(evidence: Evidence) -> FieldValue[str] | None:
    named = [(h, "link:canonical", r, 0.8) for r, rel, h in evidence.page.head.links
             if rel == "canonical"]  # fmt: skip
    named += evidence.weighed_metas({"og:url": 0.6})
    for field in ("mainEntityOfPage", "url"):
        named += evidence.of_nodes(field, 0.4, "@id", "url")
    if evidence.page.url:
        named.append((evidence.page.url, "url", -1, 0.3))
    candidates = []
    own = split_url(evidence.page.url or "")
    deep = own is not None and len(own.path) > 1
    for href, source, row, weight in named:
        url = urldefrag(evidence.absolute(href))[0] if href else ""
        if url and "//" in url:
            is_home = deep and len(urlsplit(url).path) <= 1 and not urlsplit(url).query
            key = url.partition("//")[2].rstrip("/")
            weighed = weight * (0.2 if is_home else 1.0)
            candidates.append(FieldCandidate(url, key, source, row, weighed))
    return choose_value(candidates)


def lead_image(evidence: Evidence) -> FieldValue[str] | None:
    """Return the absolute address of the image, by a rule or as declared; None if none is.

    What the page declares comes before what a learned rule selects.
    """
    page = evidence.page

    def address(one: Selected) -> str:
        if one.value is None:
            return image_address(page, one.row)
        return absolute(one.value, page.base, FETCHED)

    return value_by_rule(evidence, "image", address, _declared_image(evidence))


def image_address(page: Page, row: int) -> str:
    """Return the absolute address of the image at ``row``, in it, or that it names; "" for none."""
    if page.name(row) == "meta":
        return absolute(page.attribute(row, "content"), page.base, FETCHED)
    inside = pictures(page)[row : page.end[row]].nonzero()[0]
    source = ImageSources(page).of(row + int(inside[0])) if len(inside) else None
    return "" if source is None else source.url


def _declared_image(evidence: Evidence) -> FieldValue[str] | None:
    named = evidence.weighed_metas(METAS["image"])
    named += evidence.of_nodes("image", 0.6, "url", "contentUrl", "@id")
    named += [(h, "link:image_src", r, 0.5) for r, rel, h in evidence.page.head.links
              if rel == "image_src"]  # fmt: skip
    found = []
    for text, source, row, weight in named:
        url = evidence.absolute(text) if text else ""
        if path_of(url) not in {"", "/"}:
            file = url.partition("?")[0].rpartition("/")[2].lower()
            share = 0.4 if _EMBLEM.search(file) else 1
            found.append(FieldCandidate(url, picture_key(url), source, row, weight * share))
    return choose_value([*found, *_image_elements(evidence, {one.key for one in found})])


def _image_elements(evidence: Evidence, wanted: set[Any]) -> Iterator[FieldCandidate]:
    """Yield the img elements that show one of the wanted pictures, in any size."""
    if not wanted:
        return
    page = evidence.page
    rows = page.is_tag("img").nonzero()[0][:200]
    values = page.own_attributes.values_of(rows.astype(np.int32), *_SOURCES)
    for row, addresses in zip(rows.tolist(), values, strict=True):
        for href in filter(None, addresses):
            if (key := picture_key(href)) in wanted and (url := evidence.absolute(href)):
                yield FieldCandidate(url, key, "img", row, 0.3)
                break


def picture_key(url: str) -> str:
    """Return the key of a picture in all sizes: the name of its file, where that tells it apart."""
    return stem_of(url) or url


def categories(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    fields = {"articleSection": 0.7, "category": 0.5}
    found = _topics(evidence, fields, METAS["section"]) or choose_value(_breadcrumbs(evidence))
    return found or _linked(evidence, "category")


def tags(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    found = _topics(evidence, {"keywords": 0.7}, METAS["tag"], between=_BETWEEN)
    return found or _linked(evidence, "tag")


def _linked(evidence: Evidence, kind: str) -> FieldValue[tuple[str, ...]] | None:
    """Return the topics of one kind to which links lead; WordPress names one "category tag"."""
    page, places = evidence.page, evidence.places
    rels = [(row, value.lower().split()) for row, value in page.having("rel")]
    rows = [r for r, rel in rels if kind == next((one for one in rel if one in _OF_TOPICS), "")]
    source = f"rel:{kind}"
    if rows:  # those beside the first one: others are of teasers
        first = next((row for row in rows if not places.belongs_elsewhere(row)), rows[0])
        near = ([r for r in rows if up < r < page.end[up]] for up in page.ancestors(first))
        rows = next((some for some in islice(near, _LEVELS) if len(some) > 1), [first])
    elif kind == "tag":
        source = "class:tags"
        for row in _TAGGED.candidates(page).tolist():
            is_list = (
                page.length[row] <= _LONGEST_LIST and 2 * page.link_length[row] > page.length[row]
            )
            is_own = is_list and row > evidence.headline_row and not places.in_boilerplate(row)
            if is_own and _OF_TAGS.search(page.attribute(row, "class") or ""):
                rows = [at for at in range(row, int(page.end[row])) if page.name(at) == "a"]
                break
    names = _unique_topics(one_line(page.text_of(row)).lstrip("#") for row in rows)
    return FieldValue(names, source, rows[0], 0.4) if names else None


def _topics(
    evidence: Evidence,
    fields: dict[str, float],
    metas: dict[str, float],
    *,
    between: re.Pattern[str] | None = None,
) -> FieldValue[tuple[str, ...]] | None:
    named = [
        (map(clean, evidence.values(node.properties.get(field))), node.source(field), node.row, own)
        for field, own in fields.items()
        for node in evidence.main_nodes
    ]
    named += [
        (map(itemgetter(2), found), found[0][1], found[0][0], metas[name])
        for name in evidence.among(metas)
        if (found := evidence.metas(name))
    ]
    candidates: list[FieldCandidate] = []
    for texts, source, row, weight in named:
        parts = chain.from_iterable(map(between.split, texts)) if between else texts
        candidates += _topic_candidate(parts, source, row, weight)
    return choose_value(candidates)


def _topic_candidate(
    texts: Iterable[str], source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    if names := _unique_topics(texts):
        yield FieldCandidate(names, tuple(map(fold, names)), source, row, weight)


def _breadcrumbs(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the steps of a JSON-LD breadcrumb without the first (site) and the last (page)."""
    for node in evidence.nodes:
        if node.type == "BreadcrumbList":
            items = evidence.values(node.properties.get("itemListElement"))
            steps = [
                clean(one.get("name")) or evidence.text(one.get("item"), "name")
                for one in items
                if isinstance(one, dict)
            ]
            yield from _topic_candidate(steps[1:-1], node.source("item"), node.row, 0.5)


def _unique_topics(texts: Iterable[str]) -> tuple[str, ...]:
    named = {fold(t): t for t in texts if t and len(t) <= _LONGEST_TOPIC}
    named.pop("", None)
    return tuple(named.values())[:_MOST_TOPICS]


def declared_type(evidence: Evidence) -> FieldValue[str] | None:
    """Return the declared page type, such as "article" or "product"; None if none.

    A type that isn't known here is returned as declared, in lower case.
    """
    named: list[Named] = []
    for node in evidence.own_nodes:
        kind = node.type.lower()
        known = _KINDS.get(kind, "")
        if known or node.rank > PAGE:
            named.append((known or kind, f"json-ld:{node.type}", node.row, 0.7))
    for row, source, text in evidence.metas("og:type"):
        kind = _KINDS.get(text.lower(), text.lower())[:40]
        named.append((kind, source, row, 0.2 if kind == "website" else 0.6))
    for row, value in evidence.page.having("itemtype")[:20]:
        kind = _KINDS.get(value.strip().rpartition("/")[2].lower(), "")
        if kind and row <= evidence.headline_row < evidence.page.end[row]:
            named.append((kind, "microdata:itemtype", row, 0.5))
    return _chosen(named)


def licence(evidence: Evidence) -> FieldValue[str] | None:
    page = evidence.page
    named = [(evidence.absolute(h), "link:license", r, 0.8) for r, rel, h in page.head.links
             if "license" in rel.split()]  # fmt: skip
    for row, value in page.having("rel"):
        if "license" in value.lower().split() and page.name(row) == "a":
            href = evidence.absolute(page.attribute(row, "href") or "")
            named.append((href or one_line(page.text_of(row)), "rel:license", row, 0.7))
    named += evidence.of_nodes("license", 0.8, "url", "@id", "name")
    named += evidence.weighed_metas(METAS["licence"])
    if not named:
        links = [(r, h) for r, h in page.having("href") if _COPYRIGHT.search(h)]
        named = [(evidence.absolute(href), "link:creativecommons", row, 0.4) for row, href in links]
    return _chosen(named)


# Opt-outs.
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
_COLON: Final = re.compile(r"\s?:\s?")
_NAMED: Final = re.compile(r"\A\s*+([A-Za-z][\w.-]*)\s*+:\s*+(.*)\Z", re.DOTALL)


def opt_outs(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the uses that are taken back: names of `DIRECTIVES`, and `RESERVATION`.

    None where nothing is taken back. ``agreeing`` are the further places that declare any of it.
    """
    headers = [(name.lower(), value) for name, value in evidence.headers]
    own = evidence.page.head.meta
    metas = sorted((r, name, text) for name in ("robots", AGENT) for r, text in own.get(name, ()))
    stated = [(f"meta:{name}", row, read_directives([text])) for row, name, text in metas]
    sent = (header_directives(value) for name, value in headers if name == "x-robots-tag")
    stated += [("header:x-robots-tag", -1, list(words)) for words in sent]
    reserved = [("meta", row, text) for row, text in own.get(RESERVATION, ())]
    reserved += [("header", -1, value.strip()) for name, value in headers if name == RESERVATION]
    for source, row, said in [one for one in reserved if one[2] in {"0", "1"}][:1]:
        if said == "1":  # the page's own word comes first
            stated.append((f"{source}:{RESERVATION}", row, [RESERVATION]))
    words = {word for _, _, group in stated for word in group}
    value = tuple(word for word in (*DIRECTIVES, RESERVATION) if word in words)
    if not value:
        return None
    places = [(source, row) for source, row, group in stated if not set(value).isdisjoint(group)]
    (source, row), *others = dict.fromkeys(places)
    return FieldValue(value, source, row, 1.0, tuple(dict.fromkeys(name for name, _ in others)))


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
