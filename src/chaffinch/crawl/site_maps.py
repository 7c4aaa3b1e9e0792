"""Site maps and feeds: the addresses that they list.

Formats: sitemaps.org (urlset, sitemapindex, text), RSS 0.9 to 2.0, Atom (RFC 4287). Documents with
entity declarations are not read: nothing good comes of them. What comes before an error counts.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import zlib
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from chaffinch.siblings.url_shapes import plain_url

if TYPE_CHECKING:
    from chaffinch.crawl.visits import Role

MAP_TYPES: Final = frozenset(
    "application/xml text/xml application/rss+xml application/atom+xml application/rdf+xml"
    " text/plain application/gzip application/x-gzip".split()
)
"""Media types that a site map or feed may have."""

_MOST: Final = 64 << 20  # bytes unpacked, of a packed map; the format allows 50 MB
_GZIP: Final = b"\x1f\x8b"


class _RefusedError(Exception):
    """The document declares entities."""


class _Reader:
    """Collects addresses while expat reads."""

    def __init__(self) -> None:
        self.found: list[tuple[str, Role]] = []
        self._path: list[str] = []
        self._text: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(_bare(name))
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


def listed(body: bytes, base: str) -> tuple[tuple[str, Role], ...]:
    """Return (plain address, role) for what a site map or feed lists, in order, each once.

    ``map`` is another site map. Nothing where ``body`` is neither.
    """
    body = _unpacked(body)
    if b"<" not in body[:1000]:
        lines = body.decode("utf-8", "replace").split()
        found: list[tuple[str, Role]] = [(line, "page") for line in lines if "://" in line]
    else:
        found = _read(body)
    plain = ((plain_url(url, base), role) for url, role in found)
    return tuple(dict.fromkeys((url, role) for url, role in plain if url))


def _read(body: bytes) -> list[tuple[str, Role]]:
    reader, parser = _Reader(), expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    parser.EntityDeclHandler = _refuse
    with contextlib.suppress(expat.ExpatError, _RefusedError):
        parser.Parse(body.lstrip(), True)
    return reader.found


def _refuse(*_: object) -> None:
    raise _RefusedError


def _bare(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    try:
        with gzip.open(io.BytesIO(body)) as packed:
            return packed.read(_MOST)
    except (OSError, EOFError, zlib.error):
        return b""
