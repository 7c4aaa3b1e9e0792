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
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

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


class _UnfitError(Exception):
    """The document declares entities, or is longer or deeper than sitemaps and feeds are."""


class _Handler:
    """Collects addresses from the events of expat."""

    def __init__(self) -> None:
        self.found: list[tuple[str, UrlRole]] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._count = 0

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
        is_link = self._path[-2:] == ["entry", "link"]
        if is_link and attributes.get("rel", "alternate") == "alternate" and "href" in attributes:
            self.found.append((attributes["href"], "page"))

    def data(self, text: str) -> None:
        self._text.append(text)

    def end(self, _name: str) -> None:
        place = self._path[-2:]
        if place in (["url", "loc"], ["item", "link"]):
            self.found.append(("".join(self._text), "page"))
        elif place == ["sitemap", "loc"]:
            self.found.append(("".join(self._text), "map"))
        self._path.pop()
        self._text.clear()


def listed_urls(body: bytes, base: str) -> tuple[tuple[str, UrlRole], ...]:
    """Return (normalised address, role) for the entries of a sitemap or feed, in order, each once.

    Role ``map`` is another sitemap. Empty where ``body`` is neither.
    """
    body = _decompressed(body)
    if b"<" not in body[:1000]:
        lines = body.split(maxsplit=_MOST_ENTRIES)[:_MOST_ENTRIES]
        texts = (line.decode("utf-8", "replace") for line in lines if b"://" in line)
        found: list[tuple[str, UrlRole]] = [(text, "page") for text in texts]
    else:
        found = _parse(body)
    plain = ((plain_url(url, base), role) for url, role in found if len(url) <= LONGEST_LINK)
    return tuple(dict.fromkeys((url, role) for url, role in plain if url))


def _parse(body: bytes) -> list[tuple[str, UrlRole]]:
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
