"""Sitemaps and feeds: the addresses that they list.

Formats: sitemaps.org (urlset, sitemapindex, text), RSS 0.9 to 2.0, Atom (RFC 4287). Documents with
entity declarations are rejected (entity expansion attacks). Of a malformed document, what stands
before the error is used, and of one that is too long or too deep, what stands before that.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from chaffinch.elements.dates import parse_date
from chaffinch.metadata.language import primary
from chaffinch.metadata.text_cleaning import clean
from chaffinch.siblings.url_shapes import LONGEST_LINK, plain_url

if TYPE_CHECKING:
    from chaffinch.crawl.visits import UrlRole

MAP_TYPES: Final = frozenset(
    "application/xml text/xml application/rss+xml application/atom+xml application/rdf+xml"
    " text/plain application/gzip application/x-gzip".split()
)
"""Media types that a sitemap or feed may have."""

_MAX_BYTES: Final = 64 << 20  # of a decompressed sitemap; the format allows 50 MB
_MOST_ENTRIES: Final = 50_000  # of one sitemap, by the format
_MOST_ELEMENTS: Final = 2_000_000
_DEEPEST: Final = 64  # elements inside one another; sitemaps and feeds have about four
_GZIP: Final = b"\x1f\x8b"
_ENTRIES: Final = frozenset({"url", "sitemap", "item", "entry"})
_FIELDS: Final = {
    "title": "title", "pubdate": "date", "published": "date", "publication_date": "date",
    "date": "date", "updated": "date", "lastmod": "date",
}  # fmt: skip
"""Element of an entry → field; of several of a field the first counts."""


class _UnfitError(Exception):
    """The document declares entities, or is longer or deeper than sitemaps and feeds are."""


@dataclass(frozen=True, slots=True)
class ListedPage:
    """An entry of a sitemap or feed.

    Attributes:
        url: normalised address.
        role: ``page``, or ``map`` for another sitemap.
        title: as a feed or a sitemap of news gives it; "" for none.
        date: of the entry's publication or last change, ISO 8601; "" for unknown.
        language: primary subtag of the language that the entry or its feed declares; "" for none.
    """

    url: str
    role: UrlRole
    title: str = ""
    date: str = ""
    language: str = ""


class _Handler:
    """Collects entries from the events of expat: addresses, and what an entry declares itself."""

    def __init__(self) -> None:
        self.found: list[tuple[str, UrlRole, dict[str, str]]] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._count = 0
        self._entry: dict[str, str] = {}
        self._language = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if (
            self._count > _MOST_ELEMENTS
            or len(self._path) >= _DEEPEST
            or len(self.found) >= _MOST_ENTRIES
        ):
            raise _UnfitError
        self._path.append(_local_name(name))
        self._text.clear()
        if self._path[-1] in _ENTRIES:
            self._entry = {"language": attributes.get("xml:lang", self._language)}
        elif self._path == ["feed"]:
            self._language = attributes.get("xml:lang", "")
        is_link = self._path[-2:] == ["entry", "link"]
        if is_link and attributes.get("rel", "alternate") == "alternate" and "href" in attributes:
            self.found.append((attributes["href"], "page", self._entry))

    def data(self, text: str) -> None:
        self._text.append(text)

    def end(self, _name: str) -> None:
        place = self._path[-2:]
        if place in (["url", "loc"], ["item", "link"]):
            self.found.append(("".join(self._text), "page", self._entry))
        elif place == ["sitemap", "loc"]:
            self.found.append(("".join(self._text), "map", self._entry))
        elif place == ["channel", "language"]:
            self._language = "".join(self._text)
        elif place[-1] in _FIELDS and not _ENTRIES.isdisjoint(self._path[:-1]):
            self._entry.setdefault(_FIELDS[place[-1]], "".join(self._text))
        self._path.pop()
        self._text.clear()


def listed_urls(body: bytes, base: str) -> tuple[tuple[str, UrlRole], ...]:
    """Return (normalised address, role) for the entries of a sitemap or feed, in order, each once.

    Role ``map`` is another sitemap. Empty where ``body`` is neither.
    """
    plain = ((plain_url(url, base), role) for url, role, _ in _entries(body))
    return tuple(dict.fromkeys((url, role) for url, role in plain if url))


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
    body = _decompressed(body)
    if b"<" not in body[:1000]:
        lines = body.split(maxsplit=_MOST_ENTRIES)[:_MOST_ENTRIES]
        texts = (line.decode("utf-8", "replace") for line in lines if b"://" in line)
        found: list[tuple[str, UrlRole, dict[str, str]]] = [(text, "page", {}) for text in texts]
    else:
        found = _parse(body)
    return [one for one in found if len(one[0]) <= LONGEST_LINK]


def _parse(body: bytes) -> list[tuple[str, UrlRole, dict[str, str]]]:
    handler, parser = _Handler(), expat.ParserCreate()
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.data
    parser.EntityDeclHandler = _reject
    with contextlib.suppress(expat.ExpatError, _UnfitError):
        parser.Parse(body.lstrip(), True)
    return handler.found


def _reject(*_: object) -> None:
    raise _UnfitError


def _local_name(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _decompressed(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    try:
        with gzip.open(io.BytesIO(body)) as packed:
            return packed.read(_MAX_BYTES)
    except (OSError, EOFError, zlib.error):
        return b""
