"""The address that a page calls its own, for pages that come without one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

from chaffinch.page.head import read_links

if TYPE_CHECKING:
    from chaffinch.page import Page


def addressed(page: Page) -> Page:
    """Return a page with an address: that which was given, or else the canonical one that it names.

    A page whose address was given as "" has none, whatever it names.
    """
    if page.url is not None:
        return page
    url = canonical_address(page)
    return page if url is None else replace(page, url=url)


def canonical_address(page: Page) -> str | None:
    """Return the web address of the page's canonical link; None where it names none."""
    for _, rel, href in read_links(page):
        if "canonical" in rel.split() and (url := web_address(page.base, href)):
            return url
    return None


def web_address(base: str, href: str) -> str | None:
    """Return ``href`` on ``base`` if that is a web address, its fragment left out."""
    try:
        url = urldefrag(urljoin(base, href.strip())).url
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname else None
