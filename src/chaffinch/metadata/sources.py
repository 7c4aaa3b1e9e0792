"""JSON-LD of a page: its nodes, and which of them describe the page itself.

Pages use schema.org's vocabulary loosely: any value may be a string, an object, a reference to
another node or a list of these, and may be of a wrong type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.aids import reading_aids, without_edit_links
from chaffinch.metadata.regions import HeadlineWindow, named_rows
from chaffinch.metadata.values import (
    HOST,
    LONGEST_TEXT,
    FieldValue,
    clean,
    fold,
    named_like_site,
    one_line,
    path_of,
    split_title,
    words_of,
)
from chaffinch.page import Page, tags
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import host_name, join_urls
from chaffinch.result import Content, RoleRule

ARTICLES: Final = frozenset(
    "Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle"
    " BackgroundNewsArticle ReviewNewsArticle AdvertiserContentArticle SatiricalArticle TechArticle"
    " ScholarlyArticle MedicalScholarlyArticle LiveBlogPosting Report SocialMediaPosting"
    " DiscussionForumPosting Question Review CriticReview Recipe HowTo".split()
)
WORKS: Final = frozenset(
    "Product ProductGroup IndividualProduct Book Movie VideoObject AudioObject PodcastEpisode"
    " MusicRecording Event JobPosting Course SoftwareApplication Dataset CreativeWork".split()
)
PAGES: Final = frozenset(
    "WebPage QAPage ItemPage AboutPage ContactPage CollectionPage ProfilePage FAQPage CheckoutPage"
    " MedicalWebPage RealEstateListing SearchResultsPage".split()
)
MOST_NODES: Final = 200
MOST_VALUES: Final = 50


@dataclass(frozen=True, slots=True)
class JsonLdNode:
    """A JSON-LD object.

    Attributes:
        row: row of the script that holds it.
        type: its schema.org type; of several the one of the highest rank.
        rank: 3 article, 2 other creative work or product, 1 page, 0 anything else.
        properties: the object.
    """

    row: int
    type: str
    rank: int
    properties: dict[str, Any]

    def source(self, name: str) -> str:
        """Return the provenance of a property, such as ``json-ld:Article.author``."""
        return f"json-ld:{self.type}.{name}"


@dataclass(frozen=True)
class JsonLdGraph:
    """The JSON-LD nodes of a page, and its objects by ``@id``."""

    nodes: tuple[JsonLdNode, ...]
    by_id: dict[str, dict[str, Any]]

    def of_rank(self, *ranks: int) -> list[JsonLdNode]:
        """Return the nodes of the given ranks, in order of the page."""
        return [node for node in self.nodes if node.rank in ranks]

    def values(self, value: Any) -> Iterator[Any]:
        """Yield the members of a value: lists flattened, references resolved; 50 at most."""
        stack, count = [value], 0
        while stack and count < MOST_VALUES:
            count += 1
            one = stack.pop()
            if isinstance(one, list):
                stack.extend(reversed(one[:MOST_VALUES]))
            elif isinstance(one, dict):
                yield self._resolved(one)
            elif one is not None:
                yield one

    def text(self, value: Any, *keys: str) -> str:
        """Return the first text of a value: a string, or the first of ``keys`` of an object."""
        for one in self.values(value):
            found = clean(one)
            if isinstance(one, dict):
                found = next((t for k in (*keys, "@value") if (t := _string(one.get(k)))), "")
            if found:
                return found
        return ""

    def _resolved(self, one: dict[str, Any]) -> dict[str, Any]:
        name = one.get("@id")
        if isinstance(name, str) and "name" not in one and "url" not in one:
            return self.by_id.get(name, one)
        return one


def read_graph(page: Page) -> JsonLdGraph:
    """Return the `JsonLdGraph` of ``page``, with main entities as nodes of their own."""
    nodes: list[JsonLdNode] = []
    by_id: dict[str, dict[str, Any]] = {}
    for row, own in page.head.json_ld[:MOST_NODES]:
        name = own.get("@id")
        if isinstance(name, str) and len(own) > 1:
            by_id.setdefault(name, own)
        nodes.append(_node(row, own))
        for key in ("mainEntity", "mainEntityOfPage"):
            inner = own.get(key)
            if isinstance(inner, dict) and "@type" in inner and len(inner) > 2:  # noqa: PLR2004
                nodes.append(_node(row, inner))
    return JsonLdGraph(tuple(nodes), by_id)


def types_of(own: dict[str, Any]) -> list[str]:
    """Return the types of an object, without the vocabulary's address."""
    value = own.get("@type")
    named = value if isinstance(value, list) else [value]
    return [k.rpartition("/")[2].rpartition(":")[2] for k in named if isinstance(k, str)]


def main_nodes(
    graph: JsonLdGraph, address: Callable[[], str], titles: Callable[[], frozenset[str]]
) -> list[JsonLdNode]:
    """Return the nodes that describe the page itself: articles, else other works; three at most.

    Of several, those with the page's address or one of its titles (folded) are taken; the others
    describe pages that this one links to. Both are made where there are several.
    """
    for rank in (3, 2):
        nodes = graph.of_rank(rank)
        if len(nodes) > 1:
            known = address(), titles()
            named = [n for n in nodes if _is_page_itself(graph, n, *known)]
            nodes = named or ([] if len({t for n in nodes if (t := _title(n))}) > 1 else nodes)
        if nodes:
            return nodes[:3]
    return []


def _node(row: int, own: dict[str, Any]) -> JsonLdNode:
    best, chosen = 0, ""
    for name in types_of(own):
        rank = 3 if name in ARTICLES else 2 if name in WORKS else 1 if name in PAGES else 0
        if rank > best or not chosen:
            best, chosen = rank, name
    return JsonLdNode(row, clean(chosen)[:60], best, own)


def _title(node: JsonLdNode) -> str:
    return fold(_string(node.properties.get("headline")) or _string(node.properties.get("name")))


def _is_page_itself(
    graph: JsonLdGraph, node: JsonLdNode, address: str, titles: frozenset[str]
) -> bool:
    if _title(node) in titles:
        return True
    pages = (node.properties.get("mainEntityOfPage"), node.properties.get("url"))
    return any(_address(graph.text(page, "@id", "url")) == address != "" for page in pages)


def _address(url: str) -> str:
    return url.partition("//")[2].partition("#")[0].rstrip("/")


def _string(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    return clean(value)


_MOST_ITEMS: Final = 50
_MOST_PROPERTIES: Final = 1_000
_MOST_DEPTH: Final = 8
"""Items within one another that are read."""
_ADDRESSES: Final = {"a": "href", "link": "href", "area": "href", "img": "src", "time": "datetime",
                     "data": "value", "meter": "value", "meta": "content"}  # fmt: skip


def main_item(evidence: Evidence, types: frozenset[str]) -> tuple[int, dict[str, Any]] | None:
    """Return (row, values) of the page's own item of one of the types; None for none.

    Of several items that aren't within one another, the one that holds the headline or has one of
    the page's titles as its name is meant.

    Args:
        evidence: the page.
        types: names of types, without the address of the vocabulary.
    """
    page = evidence.page
    if "itemtype" not in page.attribute_names:
        return None
    rows = [row for row, value in page.having("itemtype") if types.intersection(_types(value))]
    outer: list[int] = []
    for row in rows[:_MOST_ITEMS]:
        if not outer or row >= page.end[outer[-1]]:
            outer.append(row)
    items = [(row, _item(page, row)) for row in outer]
    if len(items) > 1:
        head = evidence.headline_row
        items = [
            (row, own)
            for row, own in items
            if row <= head < page.end[row] or fold(_name(own)) in evidence.titles
        ]
    return items[0] if items else None


def _item(page: Page, top: int) -> dict[str, Any]:
    """Return the values of an item, its nested items as values of theirs."""
    root: dict[str, Any] = {"@type": _types(page.attribute(top, "itemtype") or "")}
    open_items = [(int(page.end[top]), root)]
    for count, row in enumerate(_rows_of_properties(page, top)):
        if count == _MOST_PROPERTIES:
            break
        while row >= open_items[-1][0]:
            open_items.pop()
        own = open_items[-1][1]
        value: Any = _value(page, row)
        if page.attribute(row, "itemscope") is not None:
            value = {"@type": _types(page.attribute(row, "itemtype") or "")}
            if len(open_items) < _MOST_DEPTH:
                open_items.append((int(page.end[row]), value))
        for name in (page.attribute(row, "itemprop") or "").split():
            own.setdefault(name, []).append(value)
    return root


def _rows_of_properties(page: Page, top: int) -> list[int]:
    """Return the rows of properties and of items without a name within an item, in order."""
    stop = int(page.end[top])
    named = {row for row, value in page.having("itemprop") if value}
    named |= {row for row, _ in page.having("itemscope")}
    return sorted(row for row in named if top < row < stop)


def _value(page: Page, row: int) -> str:
    """Return the value of a property: ``content``, an address, or its text."""
    content = page.attribute(row, "content")
    if content is None:
        content = page.attribute(row, _ADDRESSES.get(page.name(row), "content"))
    if content is not None:
        return clean(content)
    start, stop = page.text_at[[row, page.end[row]]].tolist()
    return one_line(page.text[start : min(stop, start + 2 * LONGEST_TEXT)])


def _types(value: str) -> list[str]:
    return [one.rstrip("/").rpartition("/")[2] for one in value.split()]


def _name(own: dict[str, Any]) -> str:
    found = own.get("name") or [""]
    return found[0] if isinstance(found[0], str) else ""


_MOST_HEADINGS: Final = 8
"""Headings below one that are compared with the title element."""
_MOST_ENTRIES: Final = 4
"""Headings among which another entry of the list is looked for."""
_ROWS_TO_LINK: Final = 4
"""Rows of a heading among which a link that it consists of begins."""
_REPEATED: Final = 0.6
"""Share of a heading's letters that the first part of the title element has."""


def is_banner(evidence: Evidence, row: int, text: str) -> bool:
    """Return whether a heading is the banner of the site or of a section of it.

    Args:
        evidence: of the page.
        row: of the heading.
        text: of the heading.
    """
    if evidence.is_title_boilerplate(text):
        return True
    first, *later = evidence.title_parts or [""]
    if text in later and named_like_site(text):
        return True
    ends_title = bool(later) and fold(text) in fold(later[-1])
    is_doubtful = ends_title or (
        len(first) >= max(map(len, later), default=0)
        and evidence.title_words.isdisjoint(words_of(text))
    )
    if is_doubtful and _is_headed_otherwise(evidence, row, fold(text), fold(first)):
        return True
    link = _address_banners(evidence, row)
    return link is not None and path_of(link) == "/" != path_of(evidence.page.url or "")


def names_other_page(evidence: Evidence, row: int, text: str) -> bool:
    """Return whether a heading is an entry of a list, and is nothing of the title element.

    Like another heading of its level, it is a link to another page.
    """
    if not evidence.page.head.title or not _leads_away(evidence, row):
        return False
    if not evidence.title_words.isdisjoint(words_of(text)):
        return False
    page = evidence.page
    alike = np.flatnonzero(page.tag == page.tag[row])[:_MOST_ENTRIES].tolist()
    return any(other != row and _leads_away(evidence, other) for other in alike)


def _leads_away(evidence: Evidence, row: int) -> bool:
    """Return whether a heading is a link to another page."""
    link = _address_banners(evidence, row)
    if not link or not evidence.address:
        return False
    return link.partition("//")[2].partition("#")[0].rstrip("/") != evidence.address


def _address_banners(evidence: Evidence, row: int) -> str | None:
    """Return the address to which a heading leads, "" for none on the web; None without a link."""
    page = evidence.page
    for child in range(row + 1, min(int(page.end[row]), row + _ROWS_TO_LINK)):
        href = page.attribute(child, "href")
        if href is not None:
            return evidence.absolute(href)
    return None


def _is_headed_otherwise(evidence: Evidence, row: int, key: str, first: str) -> bool:
    """Return whether a heading below ``row`` says the first part of the title element.

    Args:
        evidence: of the page.
        row: of a heading.
        key: its text, folded.
        first: the first part of the title element, folded; where it is longer than the heading, the
            one below may say a little more.
    """
    page, share = evidence.page, _REPEATED if len(first) > len(key) else 1
    below = tags.HEADING.take(page.tag[row + 1 :]).nonzero()[0][:_MOST_HEADINGS] + row + 1
    headings = (fold(page.text_of(other)) for other in below.tolist())
    return any(first in one and len(first) >= share * len(one) for one in headings if one)


Made = TypeVar("Made")

_COMMON_LABELS: Final = frozenset("www m mobile amp news blog blogs co com org net gov edu".split())
_SHORT_LABEL: Final = 2

_AIDS: Final = frozenset({tags.CODES["a"], tags.CODES["button"]})
_READINGS: Final = frozenset(tags.CODES[name] for name in ("rt", "rp", "rtc"))
"""What stands above the letters of a heading, and the brackets for browsers that can't set it."""
_WHOLE: Final = re.compile(r"https?://[a-z0-9.-]++(?:/[\w/%.&=+~!*'(),$@-]*+)?+", re.ASCII)
"""Web addresses that joining leaves as they are: without query, fragment and parameters."""
_HOME_LINKS: Final = 4
_ROWS_OF_LINK: Final = 12
"""Links to the site's start whose texts are its name, and rows of one that are looked at."""
_NOTICE: Final = 60  # characters of a notice of copyright with its holder
_LONG_HEADING: Final = 400
"""Rows of a heading from which its parts aren't looked at one by one."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page and its main content (or None), as the fields of metadata read them.

    Attributes:
        page: the page.
        content: its main content.
        headers: of the HTTP response that had the page, as far as they are known.
        roles: rules of a site model for fields.
        author_blacklist: names that are no author's.
        title_boilerplate: parts of title elements that return on the site's pages, those of most
            titles first.
    """

    page: Page
    content: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()
    roles: tuple[RoleRule, ...] = ()
    author_blacklist: tuple[str, ...] = ()
    title_boilerplate: tuple[str, ...] = ()

    @cached_property
    def _nobodies(self) -> frozenset[str]:
        return frozenset(map(fold, self.author_blacklist))

    def people(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return names without those of the blacklist."""
        if not self._nobodies:
            return names
        return tuple(name for name in names if fold(name) not in self._nobodies)

    @cached_property
    def meta(self) -> dict[str, list[tuple[int, str]]]:
        """Name in lower case → (row, content as one line) of each meta that isn't empty."""
        out: dict[str, list[tuple[int, str]]] = {}
        for row, name, content in self.page.head.meta:
            if content:
                out.setdefault(name, []).append((row, content))
        return out

    def metas(self, *names: str) -> list[tuple[int, str, str]]:
        """Return (row, source, content) of the metas with the given names, name by name."""
        return [one for name in names if name in self.meta for one in self._cleaned(name)]

    def _cleaned(self, name: str) -> list[tuple[int, str, str]]:
        """Return the metas with a name that the page has; several fields read the same ones."""
        if name not in self._metas:
            texts = [(row, clean(content)) for row, content in self.meta[name]]
            self._metas[name] = [(row, f"meta:{name}", text) for row, text in texts if text]
        return self._metas[name]

    @cached_property
    def _metas(self) -> dict[str, list[tuple[int, str, str]]]:
        """Cache of `metas` by name."""
        return {}

    def among(self, weights: Mapping[str, float]) -> list[tuple[str, float]]:
        """Return (name, weight) of those metas that the page has, in the order of the weights."""
        own = self.meta
        if own.keys().isdisjoint(weights):
            return []
        return [(name, weight) for name, weight in weights.items() if name in own]

    @cached_property
    def graph(self) -> JsonLdGraph:
        """The JSON-LD of the page."""
        return read_graph(self.page)

    @cached_property
    def main_nodes(self) -> list[JsonLdNode]:
        """The JSON-LD nodes that describe the page itself."""
        return self.main_of(self.graph)

    def main_of(self, graph: JsonLdGraph) -> list[JsonLdNode]:
        """Return those nodes of a graph of the page that describe the page itself."""
        return main_nodes(graph, lambda: self.address, lambda: self.titles)

    @cached_property
    def titles(self) -> frozenset[str]:
        """The titles of the page, folded: of its title element, its metas and its headings."""
        titles = {fold(self.page.head.title)}
        titles.update(fold(t) for _, _, t in self.metas("og:title", "twitter:title"))
        titles.update(fold(text) for _, text in self.headings)
        return frozenset(titles - {""})

    @cached_property
    def address(self) -> str:
        """The page's own address without scheme, fragment and final slash; "" if unknown."""
        named = [href for _, rel, href in self.page.head.links if rel == "canonical"]
        url = self.absolute(named[0]) if named else self.page.url or ""
        return url.partition("//")[2].partition("#")[0].rstrip("/")

    def absolute(self, href: str) -> str:
        """Return an http(s) address, absolute if the page's is known; "" for other schemes."""
        href = href.strip()
        try:
            if _WHOLE.fullmatch(href) and (not (base := self.page.base) or urlsplit(base)):
                return clean(href)  # joined to a base that isn't broken it stays what it is
            url = join_urls(self.page.base, href)
            scheme = urlsplit(url).scheme
        except ValueError:
            return ""
        return clean(url) if scheme in {"http", "https", ""} and " " not in url else ""

    @cached_property
    def host_labels(self) -> tuple[str, ...]:
        """The distinctive labels of the host's name, folded, such as ``spiegel``."""
        labels = host_name(self.page.url or self.absolute("")).split(".")[:-1]
        kept = [fold(x) for x in labels if x not in _COMMON_LABELS and len(x) > _SHORT_LABEL]
        return tuple(label for label in kept if label)

    @cached_property
    def site_names(self) -> dict[str, str]:
        """Folded name → name of the site as declared, best source first."""
        names = [text for _, _, text in self.metas("og:site_name", "application-name")]
        for node in self.graph.nodes:
            if node.rank == 3:  # noqa: PLR2004
                names.append(self.graph.text(node.properties.get("publisher"), "name"))
            elif node.type == "WebSite":
                names.append(self.graph.text(node.properties.get("name")))
        return {key: name for name in names if (key := fold(name))}

    def names_site(self, text: str) -> bool:
        """Return whether ``text`` is the site's name, as declared or as in its host name."""
        key = fold(text)
        if not key or key in self.site_names or HOST.fullmatch(text):
            return bool(key)
        labels = self.host_labels
        longest = 2 * max(map(len, labels)) if labels else 0
        for label in labels:
            if key == label or (label in key and len(key) <= max(longest, len(label) + 6)):
                return True
            if len(key) > _SHORT_LABEL and key in label and 2 * len(key) > len(label):
                return True
        return False

    def names_owner(self, text: str) -> bool:
        """Return whether ``text`` is that of a link to the site's start, or a notice's holder."""
        key = fold(text)
        if key in self._home_links:
            return True
        at = self.page.text.rfind("©")
        notice = fold(self.page.text[at : at + _NOTICE]).lstrip("0123456789") if at >= 0 else ""
        return len(key) > _SHORT_LABEL and notice.startswith(key)

    @cached_property
    def _home_links(self) -> frozenset[str]:
        """The folded texts of the first links to the site's own start, and of images in them."""
        page = self.page
        names: set[str] = set()
        host = self.address.partition("/")[0]
        roots = (f"{scheme}://{host}" for scheme in ("http", "https"))
        addresses = {"/", *(root + end for root in roots for end in ("", "/"))}
        values = page.values("href")
        rows = values.rows_of(one for one in addresses if one in values.rows)
        for row in sorted(rows)[:_HOME_LINKS]:
            stop = min(int(page.end[row]), row + _ROWS_OF_LINK)
            alts = (page.attribute(at, "alt") or "" for at in range(row + 1, stop))
            names.update(map(fold, (one_line(page.text_of(row)), *alts)))
        return frozenset(name for name in names if len(name) > _SHORT_LABEL)

    def is_title_boilerplate(self, text: str) -> bool:
        """Return whether ``text`` names the site, or returns in the titles of its pages."""
        return self.names_site(text) or fold(text) in self._of_other_titles

    @cached_property
    def _of_other_titles(self) -> frozenset[str]:
        """What returns in titles, folded; where all of this page's does, but its rarest part."""
        rank = {fold(part): at for at, part in enumerate(self.title_boilerplate)}
        own = [fold(part) for part in self.title_parts] if rank else []
        if own and all(part in rank for part in own):
            del rank[max(own, key=rank.__getitem__)]
        return frozenset(rank)

    def names_publisher(self, text: str) -> bool:
        """Return whether ``text`` names the site, or is contained in the last part of the title."""
        if self.names_site(text):
            return True
        key = fold(text)
        return len(key) >= _SHORT_LABEL and key in self._title_end

    @cached_property
    def _title_end(self) -> str:
        return fold(self.title_parts[-1]) if len(self.title_parts) > 1 else ""

    @cached_property
    def title_parts(self) -> list[str]:
        """The parts of the title element; the whole of one that has none."""
        return split_title(self.page.head.title)

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words of the title element; each heading is compared with them."""
        return words_of(self.page.head.title)

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """(row, text) of those of the first eight h1 elements that aren't empty."""
        rows = self.page.is_tag("h1").nonzero()[0][:8].tolist()
        texts = ((row, self.heading(row)) for row in rows)
        return [(row, text) for row, text in texts if text]

    @cached_property
    def banners(self) -> frozenset[int]:
        """Rows of those of `headings` that are banners of the site or of a section of it."""
        return frozenset(row for row, text in self.headings if is_banner(self, row, text))

    @cached_property
    def other_headings(self) -> frozenset[int]:
        """Rows of those of `headings` that are no headline: banners, and entries of a list."""
        rest = [(row, text) for row, text in self.headings if row not in self.banners]
        return self.banners.union(row for row, text in rest if names_other_page(self, row, text))

    def heading(self, row: int) -> str:
        """Return the text of a heading as one line, with spaces for its line breaks."""
        page, stop = self.page, int(self.page.end[row])
        if stop - row > _LONG_HEADING:
            return without_edit_links(one_line(page.text_of(row)).rstrip("¶# "))
        codes = page.tag[row:stop].tolist()
        texts = [at for at, code in enumerate(codes, row) if code == tags.TEXT]
        if not _AIDS.isdisjoint(codes):
            inner = np.zeros(len(page), dtype=bool)
            inner[row:stop] = True
            aids = [(aid, int(page.end[aid])) for aid in reading_aids(page, inner)]
            texts = [at for at in texts if not any(aid <= at < end for aid, end in aids)]
        if not _READINGS.isdisjoint(codes):
            above = page.inside(np.isin(page.tag, list(_READINGS)))
            texts = [at for at in texts if not above[at]]
        line = page.line
        breaks = ["", *(" " * bool(line[at] != line[after]) for at, after in pairwise(texts))]
        pieces = (gap + page.text_of(at) for gap, at in zip(breaks, texts, strict=False))
        return without_edit_links(one_line("".join(pieces)).rstrip("¶# "))

    @cached_property
    def content_start(self) -> int:
        """First text row of the main content; -1 where there is none."""
        if self.content is None:
            return -1
        kept = self.content.kept & self.page.written
        first = int(kept.argmax()) if len(kept) else 0
        return first if len(kept) and kept[first] else -1

    @cached_property
    def headline_row(self) -> int:
        """Row of the h1 nearest to the content, else the content's first row; -1 for neither."""
        rows = [row for row, _ in self.headings if row not in self.other_headings]
        if not rows:
            return self.content_start
        if self.content_start < 0:
            return rows[0]
        at = self.page.text_at
        return min(rows, key=lambda row: abs(int(at[row]) - int(at[self.content_start])))

    @cached_property
    def window(self) -> HeadlineWindow:
        """The rows around the headline."""
        return HeadlineWindow(self.page, self.headline_row, self.derived(named_rows))

    def derived(self, make: Callable[[Evidence], Made]) -> Made:
        """Return what several fields read of this evidence: made once, kept by its function."""
        if make not in self._derived:
            self._derived[make] = make(self)
        found: Made = self._derived[make]
        return found

    @cached_property
    def _derived(self) -> dict[Callable[[Evidence], Any], Any]:
        """Cache of `derived`."""
        return {}

    def words_in_text(self, words: tuple[str, ...]) -> list[str]:
        """Return those of some words, 32 at most, that stand in the page's text; in one pass."""
        found = kernels.words_in(self._encoded_text, _encoded(words))
        return [word for at, word in enumerate(words) if found >> at & 1]

    @cached_property
    def _encoded_text(self) -> bytes:
        return self.page.text.encode("utf-8", "surrogatepass")


@lru_cache(maxsize=16)
def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return words as a kernel takes them."""
    return tuple(word.encode() for word in words)


_RULE: Final = "rule:"
_MOST_SELECTED: Final = 10
"""Elements that one rule selects and that are tried, until one has a value."""


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
        for one in found[:_MOST_SELECTED]:
            if value := read(one):
                return FieldValue(value, f"{_RULE}{rule.select}", one.row, rule.confidence)
    return None


def is_by_learned_rule(evidence: Evidence, role: str, found: FieldValue[Any]) -> bool:
    """Return whether no person wrote the rule that a value of a field is by."""
    by_hand = {rule.select for rule in evidence.roles if rule.role == role and rule.by_hand}
    return found.source.removeprefix(_RULE) not in by_hand


def selected_rows(page: Page, roles: tuple[RoleRule, ...], role: str) -> list[int]:
    """Return the rows that the first rule for ``role`` selects which selects any; [] for none."""
    found = (rows_of_rule(page, rule) for rule in roles if rule.role == role)
    return next(filter(None, found), [])


def rows_of_rule(page: Page, rule: RoleRule) -> list[int]:
    """Return the rows that a rule selects, in order; a text that it computes has none."""
    return sorted({one.row for one in page.selected(rule.select) if one.row >= 0})


def written(page: Page, one: Selected) -> str:
    """Return the value of what is selected: the attribute that holds its value, else its text."""
    if one.value is not None:
        return one.value
    row = one.row
    name = {"meta": "content", "time": "datetime", "img": "alt"}.get(page.name(row))
    return (page.attribute(row, name) if name else "") or page.folded(row)
