"""Documents in markup that are no pages: feeds, site maps, pictures, by their root."""

from __future__ import annotations

import re
from typing import Final

from chaffinch.errors import PageError

_HEAD: Final = 4_096  # characters in which the root element begins
_SHORT: Final = 512
"""Characters that hold the root element of most pages."""
_BEFORE_ROOT: Final = re.compile(
    r"\A\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*", re.DOTALL
)
_ROOT: Final = re.compile(r"<([A-Za-z][\w:.-]*)([^>]*)", re.ASCII)
_USUAL: Final = re.compile(
    rb"\A\s*+(?:<!doctype[^<>]*+>\s*+)?+<(?:html|head|meta)[\s>]", re.IGNORECASE
)
"""How most pages begin: no root element of another kind follows."""
_KINDS: Final = {
    "rss": "RSS feed",
    "rdf:rdf": "RSS feed (RDF)",
    "feed": "Atom feed",
    "urlset": "site map",
    "sitemapindex": "index of site maps",
    "opml": "list of feeds (OPML)",
    "svg": "SVG image",
}
_NEEDS: Final = {"rdf:rdf": "purl.org/rss", "feed": "w3.org/2005/atom", "svg": "w3.org/2000/svg"}
"""Root → what its attributes must hold."""


def refuse_other_markup(html: bytes | str) -> None:
    """Raise where the root element of ``html`` is that of a feed, a site map or a picture.

    An ``svg`` counts only behind an XML declaration: pages may begin with a picture.

    Raises:
        PageError: it is; the message names the kind.
    """
    if isinstance(html, bytes) and _USUAL.match(html):
        return
    text, root = _begin(html, _SHORT)
    if root is None or root.end() == len(text):
        text, root = _begin(html, _HEAD)
    name = root[1].lower() if root else ""
    if root is None or name not in _KINDS or _NEEDS.get(name, "") not in root[2].lower():
        return
    if name == "svg" and "<?xml" not in text[: root.start()]:
        return
    raise PageError(f"not HTML: {_KINDS[name]}")


def _begin(html: bytes | str, length: int) -> tuple[str, re.Match[str] | None]:
    """Return the first ``length`` characters, and the root element as far as they have it."""
    head = html[:length]
    text = head if isinstance(head, str) else head.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")
    before = _BEFORE_ROOT.match(text)
    return text, _ROOT.match(text, before.end() if before else 0)
