"""A page with its address, which may be its own."""

import re
from functools import partial
from typing import Final

from chaffinch.caching import put_off
from chaffinch.page import Page, PageInput, parse, tags
from chaffinch.page.attributes import Search
from chaffinch.page.bounds import Limits
from chaffinch.page.urls import host_name, joined, split_url

_WHOLE: Final = re.compile(r"\Ahttps?://[a-z0-9.-]++(?>(?:/[^\s#\\]*+)?)")
"""Web addresses that joining leaves as they are, but for dots in their path."""
_CANONICAL: Final = Search("rel", "canonical")
_LINK: Final = tags.CODES["link"]
_SVG: Final = tags.CODES["svg"]


def addressed(page: Page, *, later: bool = False) -> Page:
    """Return a page with an address: that which was given, or else the canonical one that it names.

    A page whose address was given as "" has none, whatever it names. With ``later``, the canonical
    one is looked for when the address is first read.
    """
    if page.url is not None:
        return page
    if later:
        put_off(unknown := page.with_url(None), "url", partial(canonical_address, page))
        return unknown
    url = canonical_address(page)
    return page if url is None else page.with_url(url)


def canonical_address(page: Page) -> str | None:
    """Return the web address of the page's canonical link; None where it names none."""
    for row in _CANONICAL.where(page, lambda own: "canonical" in own.lower().split()):
        href = page.attribute(row, "href")
        if page.tag[row] != _LINK or not href:
            continue
        if any(page.tag[above] == _SVG for above in page.ancestors(row)):
            continue
        if url := href if _is_whole(href) else web_address(page.base, href):
            return url
    return None


def web_address(base: str, href: str) -> str | None:
    """Return ``href`` on ``base`` if that is a web address, its fragment left out."""
    if _is_whole(href):
        return href
    url = joined(base, href, fragment=False)
    parts = split_url(url)
    is_web = parts is not None and parts.scheme in {"http", "https"} and bool(host_name(url))
    return url if is_web else None


def _is_whole(href: str) -> bool:
    return "/." not in href and _WHOLE.fullmatch(href) is not None


def read_page(
    html: PageInput,
    *,
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """Return a page, `addressed`; one that is parsed anew looks for its own address later."""
    page = parse(html, url=url, encoding=encoding, limits=limits)
    return addressed(page, later=page is not html)
