"""An answer read: what it is, where it leads, what its owner wishes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from chaffinch.crawl.archive import payload_digest
from chaffinch.crawl.opt_outs import Wishes, wishes_of
from chaffinch.crawl.site_maps import MAP_TYPES, listed
from chaffinch.errors import FetchError, PageError
from chaffinch.fetch.failures import shown, status_in_words
from chaffinch.fetch.line import unpacked
from chaffinch.fetch.request import PAGE_TYPES, REDIRECTS, charset_of, media_type, utf8
from chaffinch.page import parse
from chaffinch.siblings.url_shapes import plain_url, url_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.crawl.visits import Kind, Role
    from chaffinch.fetch import FetchLimits
    from chaffinch.fetch.line import Exchange
    from chaffinch.page import Page

_GOOD: Final = range(200, 300)
_BAD: Final = range(400, 600)
_DIGITS: Final = re.compile(r"\d+")
_FEEDS: Final = frozenset({"application/rss+xml", "application/atom+xml"})


@dataclass(frozen=True, kw_only=True)
class Read:
    """What an answer says; the fields are those of `chaffinch.crawl.visits.Visit`.

    ``canonical`` is the address that the page calls its own, "" where that is the one asked for,
    the root of a site, or not given.
    """

    kind: Kind
    reason: str = ""
    payload: str = ""
    text_key: str = ""
    canonical: str = ""
    wishes: Wishes = field(default_factory=Wishes)
    outlink: tuple[tuple[str, Role], ...] = ()


def wants(role: Role) -> _Wants:
    """Return which bodies are read: pages, maps where one is asked for, and pages of errors."""
    return _Wants(PAGE_TYPES | MAP_TYPES if role == "map" else PAGE_TYPES)


@dataclass(frozen=True)
class _Wants:
    kinds: frozenset[str]

    def __call__(self, status: int, headers: Mapping[str, str]) -> bool:
        kind = media_type(headers.get("content-type", ""))
        return (status in _GOOD or status in _BAD) and kind in self.kinds


def read(
    url: str,
    role: Role,
    answer: Exchange,
    limits: FetchLimits,
    in_file: tuple[bool | None, str] = (None, ""),
) -> Read:
    """Read an answer.

    Args:
        url: address asked for.
        role: what it was asked for as.
        answer: what came.
        limits: bounds on the body.
        in_file: what tdmrep.json says of the address.
    """
    if answer.status in REDIRECTS:
        return _redirect(url, role, answer)
    if answer.status not in _GOOD:
        return Read(kind="failed", reason=status_in_words(answer.status))
    kind = media_type(answer.header("content-type"))
    if not wants(role)(answer.status, {"content-type": kind}):
        said = wishes_of(None, answer.headers, in_file)
        return Read(kind="other", reason=f"not a page: {kind!r}", wishes=said)
    try:
        body = unpacked(answer, limits)
        payload = payload_digest(answer.body)
        if role == "map":
            return Read(kind="map", payload=payload, outlink=listed(body, url))
        page = parse(body, url=url, encoding=charset_of(answer.header("content-type")))
    except (FetchError, PageError) as error:
        return Read(kind="failed", reason=str(error))
    return Read(
        kind="page",
        payload=payload,
        text_key=text_key(page),
        canonical=canonical(page, url),
        wishes=wishes_of(page, answer.headers, in_file),
        outlink=tuple((target, "page") for target in page_links(page)),
    )


def page_links(page: Page) -> list[str]:
    """Return the plain addresses that the links of a page lead to, each once, in order."""
    link = page.is_tag("a", "area")
    found = (plain_url(href, page.base) for row, href in page.having("href") if link[row])
    return list(dict.fromkeys(filter(None, found)))


def feeds_of(page: Page) -> list[str]:
    """Return the plain addresses of the feeds that a page names."""
    out = []
    for row, rel, href in page.head.links:
        kind = (page.attribute(row, "type") or "").strip().lower()
        if "alternate" in rel.split() and kind in _FEEDS:
            out.append(plain_url(href, page.base))
    return list(dict.fromkeys(filter(None, out)))


def canonical(page: Page, url: str) -> str:
    """Return the address that a page calls its own, if it is another one and no root of a site."""
    for _, rel, href in page.head.links:
        if "canonical" in rel.split():
            found = plain_url(href, page.base)
            split = urlsplit(found)
            if (
                not found
                or url_key(found) == url_key(url)
                or (split.path, split.query) == ("/", "")
            ):
                return ""
            return found
    return ""


def text_key(page: Page) -> str:
    """Return a hash of the page's text outside links, without digits and white space."""
    rows = np.flatnonzero((page.tag == 0) & page.shown & ~page.in_link)
    text = "".join(page.text[page.text_at[row] : page.text_at[row + 1]] for row in rows.tolist())
    bare = _DIGITS.sub("", "".join(text.split()))
    return hashlib.blake2b(bare.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _redirect(url: str, role: Role, answer: Exchange) -> Read:
    place = utf8(answer.header("location"))
    target = plain_url(place, url)
    if not target:
        reason = f"redirected to what is no web address: {shown(place)}" if place else "no Location"
        return Read(kind="failed", reason=reason)
    if target == url:
        return Read(kind="failed", reason="redirected to itself")
    return Read(kind="redirect", outlink=((target, role),))
