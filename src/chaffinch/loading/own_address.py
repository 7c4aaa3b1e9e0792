"""The address that a page calls its own, for pages that come without one."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from chaffinch.page import tags
from chaffinch.page.urls import host_name, joined, split_url

if TYPE_CHECKING:
    from chaffinch.page import Page

_WHOLE: Final = re.compile(r"\Ahttps?://[a-z0-9.-]++(?:/[^\s#\\]*+)?+")
"""Web addresses that joining leaves as they are, but for dots in their path."""
_LINK: Final = tags.CODES["link"]
_SVG: Final = tags.CODES["svg"]
_CANONICAL: Final = ("canonical",)


def addressed(page: Page, *, later: bool = False) -> Page:
    """Return a page with an address: that which was given, or else the canonical one that it names.

    A page whose address was given as "" has none, whatever it names. With ``later``, the canonical
    one is looked for when the address is first read.
    """
    if page.url is not None:
        return page
    if later:
        return page.with_url_of(partial(canonical_address, page))
    url = canonical_address(page)
    return page if url is None else page.with_url(url)


def canonical_address(page: Page) -> str | None:
    """Return the web address of the page's canonical link; None where it names none."""
    rels = page.own_attributes.candidate_values("rel", _CANONICAL)
    for row in sorted(row for rel, rows in rels.items() if _is_canonical(rel) for row in rows):
        href = page.attribute(row, "href")
        if page.tag[row] != _LINK or not href or _is_drawn(page, row):
            continue
        if url := href if _is_whole(href) else web_address(page.base, href):
            return url
    return None


def _is_drawn(page: Page, row: int) -> bool:
    """Return whether a row stands in a drawing."""
    return page.holds("svg") and any(page.tag[above] == _SVG for above in page.ancestors(row))


@lru_cache(maxsize=256)
def _is_canonical(rel: str) -> bool:
    return "canonical" in rel.lower().split()


def web_address(base: str, href: str) -> str | None:
    """Return ``href`` on ``base`` if that is a web address, its fragment left out."""
    if _is_whole(href):
        return href
    url = joined(base, href, fragment=False)
    parts = split_url(url)
    is_web = parts is not None and parts.scheme in {"http", "https"} and bool(host_name(url))
    return url if is_web else None


def _is_whole(href: str) -> bool:
    """Return whether joining would leave a web address as it is."""
    return "/." not in href and _WHOLE.fullmatch(href) is not None
