"""Feeds and sitemaps, and the addresses that a page and these list.

Formats: sitemaps.org (urlset, sitemapindex, text), RSS 0.9 to 2.0, Atom (RFC 4287), JSON Feed.
Many of them aren't well formed; their tags are read as they come, as feed readers do. Entities that
a document declares aren't expanded (entity expansion attacks). Of a document that is too long or
too deep, what stands before that is used.
"""

from __future__ import annotations

import html
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from chaffinch.elements.dates_in_text import parse_date
from chaffinch.errors import PageError
from chaffinch.metadata.language import primary
from chaffinch.metadata.values import clean
from chaffinch.page.decoding import decode
from chaffinch.page.urls import joined
from chaffinch.siblings.url_shapes import LONGEST_LINK, plain_url
from chaffinch.web.frontier import UrlRole

MAP_TYPES: Final = frozenset(
    "application/xml text/xml text/x-xml application/rss+xml application/x-rss+xml text/rss+xml"
    " application/atom+xml text/atom+xml application/rdf+xml application/feed+json application/json"
    " text/plain application/gzip application/x-gzip application/octet-stream"
    " binary/octet-stream".split()
)
"""Media types that a sitemap or feed may have."""

_MAX_BYTES: Final = 64 << 20  # of a decompressed sitemap; the format allows 50 MB
_MOST_ENTRIES: Final = 50_000  # of one sitemap, by the format
_MOST_ELEMENTS: Final = 2_000_000
_DEEPEST: Final = 64  # elements inside one another; sitemaps and feeds have about four
_GZIP: Final = b"\x1f\x8b"
_LAYERS: Final = 2  # gzip in gzip: a packed file that was packed for the transfer, too
_ROOTS: Final = frozenset({"rss", "rdf", "channel", "feed", "urlset", "sitemapindex"})
_ENTRIES: Final = frozenset({"url", "sitemap", "item", "entry"})
_QUOTED: Final = frozenset({"source", "content"})
"""Elements of an entry whose links are those of something else."""
_FIELDS: Final = {
    "title": "title", "pubdate": "date", "published": "date", "publication_date": "date",
    "date": "date", "updated": "date", "lastmod": "date",
}  # fmt: skip
"""Element of an entry → field; of several of a field the first counts."""
_LEAVES: Final = frozenset({*_FIELDS, "link", "loc", "guid", "description", "priority"})
_WITH_ATTRIBUTES: Final = frozenset({"feed", "entry", "item", "link", "guid"})
_HTML: Final = frozenset({"", "text/html", "application/xhtml+xml"})
_TOKEN: Final = re.compile(
    r"""<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<[?!][^<>]*+>
    |<(?P<end>/?)(?P<name>[A-Za-z_][\w:.-]*+)
    (?P<rest>(?>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*)(?=>)|[^<>]*+)>""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]++))"""
)
_ENTITY: Final = re.compile(r"&(?:\#\d{1,7}|\#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,31});")


@dataclass(frozen=True, slots=True)
class ListedPage:
    """An entry of a sitemap or feed."""

    url: str  # normalised address
    role: UrlRole  # ``page``, or ``map`` for another sitemap
    title: str = ""  # as a feed or a sitemap of news gives it; "" for none
    date: str = ""  # of the entry's publication or last change, ISO 8601; "" for unknown
    # primary subtag of the language that the entry or its feed declares; "" for none
    language: str = ""


@dataclass
class _Entry:
    """An entry while its elements come; ``links`` by how well they fit, the best first."""

    role: UrlRole
    about: dict[str, str]
    links: dict[int, str] = field(default_factory=dict)

    def add(self, rank: int, url: str) -> None:
        """Note an address; of those of a rank the first counts."""
        if url.strip():
            self.links.setdefault(rank, url.strip().replace("&amp;", "&"))  # escaped twice


class _Reader:
    """Collects entries from tags and texts: addresses, and what an entry declares itself."""

    def __init__(self) -> None:
        self.found: list[tuple[str, UrlRole, dict[str, str]]] = []
        self._path: list[str] = []
        self._bases = [""]  # of the document, and of each element of the path
        self._attributes: dict[str, str] = {}
        self._is_own = True  # whether the last link leads to the entry's own page
        self._text: list[str] = []
        self._entry: _Entry | None = None
        self._language = ""

    def read(self, text: str) -> None:
        at = 0
        for count, token in enumerate(_TOKEN.finditer(text)):
            self._text.append(_unescaped(text[at : token.start()]))
            at = token.end()
            if token["data"] is not None:
                self._text.append(token["data"])
            elif token["name"]:
                name = token["name"].rpartition(":")[2].lower()
                if token["end"]:
                    self._end(name)
                else:
                    if count > _MOST_ELEMENTS or len(self._path) >= _DEEPEST:
                        break
                    self._start(name, token["rest"])
                    if token["rest"].endswith("/"):
                        self._end(name)
            if len(self.found) >= _MOST_ENTRIES:
                break
        self._end(self._path[0] if self._path else "")

    def _start(self, name: str, rest: str) -> None:
        self._take_text()
        last = self._path[-1] if self._path else ""
        if name in _ENTRIES and name in self._path:  # the end of the one before is missing
            self._end(name)
        elif name in _LEAVES and last in _LEAVES:
            self._end(last)
        given: dict[str, str] = {}
        if name in _WITH_ATTRIBUTES or "xml:" in rest:
            given = {
                key.lower(): _unescaped(one or two or three)
                for key, one, two, three in _ATTRIBUTE.findall(rest)
            }
        self._attributes = given
        relation = given.get("rel", "").strip().rpartition("/")[2].lower()  # may be an address
        self._is_own = relation in {"", "alternate"}
        base = self._bases[-1]
        own = joined(base, given["xml:base"]) if given.get("xml:base") else base
        self._bases.append(own if len(own) <= LONGEST_LINK else base)  # each link repeats it
        if name in _ENTRIES and not self._entry and not _ROOTS.isdisjoint(self._path):
            role: UrlRole = "map" if name == "sitemap" else "page"
            self._entry = _Entry(role, {"language": given.get("xml:lang", self._language)})
            self._entry.add(5, given.get("rdf:about", ""))
        elif name == "feed":
            self._language = given.get("xml:lang", "")
        elif name == "link" and self._entry and self._is_own and _QUOTED.isdisjoint(self._path):
            is_page = given.get("type", "").lower() in _HTML
            self._entry.add(1 if is_page else 2, joined(self._bases[-1], given.get("href", "")))
        self._path.append(name)

    def _end(self, name: str) -> None:
        self._take_text()
        if name not in self._path:
            return
        while self._path:
            last = self._path.pop()
            self._bases.pop()
            if last in _ENTRIES and self._entry and _ENTRIES.isdisjoint(self._path):
                if self._entry.links:
                    url = self._entry.links[min(self._entry.links)]
                    self.found.append((url, self._entry.role, self._entry.about))
                self._entry = None
            if last == name:
                return

    def _take_text(self) -> None:
        """Note the text since the last tag by the element that it stands in."""
        text = "".join(self._text)
        self._text.clear()
        if not text.strip() or not self._path:
            return
        parent, name = ("", *self._path)[-2:]
        if parent == "channel" and name == "language":
            self._language = text
        if self._entry is None:
            return
        if parent in _ENTRIES and name in {"loc", "link"} and self._is_own:
            self._entry.add(0, joined(self._bases[-1], text))
        elif parent in _ENTRIES and name == "origlink":  # where a counting redirect leads
            self._entry.add(-1, text)
        elif parent in _ENTRIES and name in {"guid", "id"}:
            is_link = self._attributes.get("ispermalink", "true").strip().lower() != "false"
            if is_link and text.strip().startswith(("http://", "https://")):
                self._entry.add(4, text)
        elif name in _FIELDS:
            self._entry.about.setdefault(_FIELDS[name], text)


def listed_pages(body: bytes, base: str) -> list[ListedPage]:
    """Return the entries of a sitemap or feed, in order, each address once; [] for neither."""
    out: dict[str, ListedPage] = {}
    for given, role, about in _entries(body):
        url = plain_url(given, base)
        if url and url not in out:
            day = parse_date(clean(about.get("date", "")))
            out[url] = ListedPage(
                url,
                role,
                clean(about.get("title", "")),
                day.isoformat() if day else "",
                primary(about.get("language", "")),
            )
    return list(out.values())


def _entries(body: bytes) -> list[tuple[str, UrlRole, dict[str, str]]]:
    """Return (address as written, role, what the entry declares) of each entry."""
    try:
        text = decode(_unpacked(body), max_bytes=_MAX_BYTES).text.lstrip("\ufeff \t\r\n")
    except PageError:
        return []
    if text.startswith("{"):
        found = list(_of_json(text))
    elif "<" not in text:
        lines = text.split(maxsplit=_MOST_ENTRIES)[:_MOST_ENTRIES]
        found = [(line, "page", {}) for line in lines if "://" in line]
    else:
        reader = _Reader()
        reader.read(text)
        found = reader.found
    return [one for one in found if len(one[0]) <= LONGEST_LINK]


def _of_json(text: str) -> Iterator[tuple[str, UrlRole, dict[str, str]]]:
    try:
        feed: Any = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    items = feed.get("items")
    for item in items[:_MOST_ENTRIES] if isinstance(items, list) else ():
        if not isinstance(item, dict):
            continue
        given = {key: one for key, one in item.items() if isinstance(one, str)}
        about = {
            "title": given.get("title", ""),
            "date": given.get("date_published") or given.get("date_modified") or "",
            "language": given.get("language") or str(feed.get("language") or ""),
        }
        url = given.get("url") or given.get("external_url") or given.get("id", "")
        if url and (given.get("url") or "://" in url):
            yield url, "page", about


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def _unpacked(body: bytes) -> bytes:
    for _ in range(_LAYERS):
        if not body.startswith(_GZIP):
            break
        try:
            body = zlib.decompressobj(wbits=31).decompress(body, _MAX_BYTES)
        except zlib.error:
            return b""
    return body
