"""Responses parsed: their kind, their links, the opt-outs of their owners; pages one by one."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import numpy as np

from chaffinch.assessment.assessment import assess_page
from chaffinch.errors import FetchError, PageError, RefusedError
from chaffinch.loading.loader import Loader
from chaffinch.metadata import read_metadata
from chaffinch.metadata.language import primary
from chaffinch.page import Page, parse
from chaffinch.page.source import page_source
from chaffinch.segment.text_blocks import prose_length
from chaffinch.siblings.url_shapes import LONGEST_LINK, MOST_LINKS, host_of, plain_url, url_key
from chaffinch.web.archive import payload_digest
from chaffinch.web.client import (
    FAILED,
    PAGE_TYPES,
    REDIRECT_STATUSES,
    SUCCESS,
    RawResponse,
    ReadsBody,
    Way,
    charset_of,
    decoded_body,
    describe_status,
    media_type,
    no_page,
    refresh_target,
)  # fmt: skip
from chaffinch.web.frontier import Scope, UrlRole, VisitKind
from chaffinch.web.guard import AddressGuard, printable_url
from chaffinch.web.listings import MAP_TYPES, listed_pages
from chaffinch.web.polite import Download, OptOuts, PoliteClient, RobotsCache, opt_outs_of
from chaffinch.web.settings import FetchLimits, Politeness

Made = TypeVar("Made")

_REFUSALS: Final = frozenset({401, 403, 405, 406, 418, 429, 451, 503})
"""Statuses that block pages come with, besides success."""
_MOST_PROSE: Final = 2000  # characters of prose beyond which a page is taken for none that blocks
_LIKELY: Final = 0.7
"""Probability from which on a page counts as one that blocks: tiny pages of any kind are called so
with less, as those made up are all walls, errors or empty."""
_DIGITS: Final = re.compile(r"\d+")
_FEEDS: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


@dataclass(frozen=True, kw_only=True)
class ParsedResponse:
    """The content of a response; fields as of `chaffinch.web.frontier.Visit`.

    ``is_block``: whether it is a block page, such as a captcha, in place of what was requested.
    ``rendered`` is the page as a browser rendered it, as HTML; empty where none did. ``canonical``
    is the canonical address that the page declares; "" where that is the requested
    one or the root of a site, or where there is none. ``language`` is the page's where languages
    are wanted and it isn't among them; else "".
    """

    kind: VisitKind
    reason: str = ""
    payload: str = ""
    text_key: str = ""
    canonical: str = ""
    opt_outs: OptOuts = field(default_factory=OptOuts)
    outlink: tuple[tuple[str, UrlRole], ...] = ()
    rendered: bytes = b""
    is_block: bool = False
    language: str = ""


def reads_body(role: UrlRole) -> ReadsBody:
    """Return which bodies are read: of pages and error pages, and of sitemaps for role ``map``."""
    kinds = PAGE_TYPES | MAP_TYPES if role == "map" else PAGE_TYPES

    def reads(status: int, headers: Mapping[str, str]) -> bool:
        kind = media_type(headers.get("content-type", ""))
        return (status in SUCCESS or status in FAILED) and kind in kinds

    return reads


def parse_response(  # noqa: PLR0911, PLR0913  a kind of response each; the last is keyword-only
    url: str,
    role: UrlRole,
    response: RawResponse,
    limits: FetchLimits,
    in_file: tuple[bool | None, str] = (None, ""),
    *,
    loader: Loader | None = None,
    languages: tuple[str, ...] = (),
) -> ParsedResponse:
    """Parse a response to a request of a role.

    ``in_file`` is what the host's tdmrep.json says of the address: (reserved, policy). The loader
    renders the page where that is wanted.
    """
    if response.status in REDIRECT_STATUSES:
        return _parse_redirect(url, role, response.location)
    if response.status not in SUCCESS:
        is_block = role == "page" and _is_blocking_answer(url, response, limits)
        reason = describe_status(response.status)
        return ParsedResponse(kind="failed", reason=reason, is_block=is_block)
    kind = response.header("content-type")
    if not reads_body(role)(response.status, {"content-type": kind}):
        opt_outs = opt_outs_of(None, response.headers, in_file)
        return ParsedResponse(kind="other", reason=no_page(kind), opt_outs=opt_outs)
    try:
        body = decoded_body(response, limits)
        payload = payload_digest(response.body)
        if role == "map":
            listed = tuple((one.url, one.role) for one in listed_pages(body, url))
            return ParsedResponse(kind="map", payload=payload, outlink=listed)
        if target := refresh_target(body, url):
            return _parse_redirect(url, role, target)
        page = parse(body, url=url, encoding=charset_of(response.header("content-type")))
        if loader is not None:
            page = replace(loader.rendered(page), url=url)
    except (FetchError, PageError) as error:
        return ParsedResponse(kind="failed", reason=str(error))
    code: str = (languages and read_metadata(page).value("language")) or ""
    return ParsedResponse(
        kind="page",
        payload=payload,
        text_key=text_key(page),
        canonical=canonical(page, url),
        opt_outs=opt_outs_of(page, response.headers, in_file),
        outlink=tuple((target, "page") for target in page_links(page, languages)),
        rendered=page_source(page) if page.layout is not None else b"",
        is_block=_is_block(page.with_status(response.status)),
        language="" if code in languages else code,
    )


def _is_block(page: Page) -> bool:
    if prose_length(page) >= _MOST_PROSE:
        return False
    found = assess_page(page)
    return found.state == "block_page" and found.probability >= _LIKELY


def _is_blocking_answer(url: str, response: RawResponse, limits: FetchLimits) -> bool:
    kind = response.header("content-type")
    if response.status not in _REFUSALS or media_type(kind) not in PAGE_TYPES:
        return False
    try:
        page = parse(decoded_body(response, limits), url=url, encoding=charset_of(kind))
    except (FetchError, PageError):
        return False
    return _is_block(page.with_status(response.status))


def page_links(page: Page, languages: tuple[str, ...] = ()) -> list[str]:
    """Return the normalised addresses of a page's links, each once, in order.

    The first `MOST_LINKS`; addresses that are too long to be followed are left out, and links that
    declare (``hreflang``) to lead to a page in none of ``languages``, where these are given.
    """
    link = page.is_tag("a", "area")
    base = page.base if len(page.base) <= LONGEST_LINK else page.url or ""
    codes = page.having("hreflang") if languages else ()
    others = {row for row, code in codes if primary(code) not in ("", *languages)}
    given = (
        href.partition("#")[0]
        for row, href in page.having("href")
        if link[row] and len(href) <= LONGEST_LINK and row not in others
    )
    found = (plain_url(href, base) for href in islice(dict.fromkeys(given), MOST_LINKS) if href)
    return list(dict.fromkeys(filter(None, found)))


def feeds_of(page: Page) -> list[str]:
    """Return the addresses of a page's feeds: declared, named by links, or of JSON."""
    declared = [(row, href) for row, rel, href in page.head.links if "alternate" in rel.split()]
    shown = page.having("href")
    for links, kinds in ((declared, _FEEDS), (shown, _FEEDS), (declared, {"application/json"})):
        typed = [one for one in links if media_type(page.attribute(one[0], "type") or "") in kinds]
        if feeds := list(filter(None, (plain_url(href, page.base) for _, href in typed))):
            return list(dict.fromkeys(feeds))
    return []


def canonical(page: Page, url: str) -> str:
    """Return a page's canonical address, if it isn't ``url`` and no root of a site; else ""."""
    declared = (href for _, rel, href in page.head.links if "canonical" in rel.split())
    found = plain_url(next(declared, ""), page.base)
    split = urlsplit(found)
    is_root = (split.path, split.query) == ("/", "")
    return "" if not found or is_root or url_key(found) == url_key(url) else found


def text_key(page: Page) -> str:
    """Return a hash (hex) of the page's text outside links, without digits and white space."""
    rows = np.flatnonzero((page.tag == 0) & page.shown & ~page.in_link)
    text = "".join(page.text[page.text_at[row] : page.text_at[row + 1]] for row in rows.tolist())
    bare = _DIGITS.sub("", "".join(text.split()))
    return hashlib.blake2b(bare.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _parse_redirect(url: str, role: UrlRole, location: str) -> ParsedResponse:
    target = plain_url(location, url)
    if not target:
        reason = "no Location"
        if location:
            reason = f"redirected to what is no web URL: {printable_url(location)}"
        return ParsedResponse(kind="failed", reason=reason)
    if target == url:
        return ParsedResponse(kind="failed", reason="redirected to itself")
    return ParsedResponse(kind="redirect", outlink=((target, role),))


@dataclass
class PageFetcher:
    """Fetches pages, sitemaps and feeds as robots.txt allows; keeps downloads by address."""

    client: PoliteClient
    robots: RobotsCache
    loader: Loader | None = None
    downloads: dict[str, Download] = field(default_factory=dict)

    async def page(self, url: str) -> tuple[str, Page]:
        """Return the page at ``url`` and the address that it has after redirects."""
        found, body, charset = await self.fetch(url, "page")
        if self.loader is None:
            return found, parse(body, url=found, encoding=charset)
        page = self.loader.parsed(body, url=found, encoding=charset)
        return found, await asyncio.to_thread(self.loader.rendered, page)

    async def fetch(self, url: str, role: UrlRole) -> tuple[str, bytes, str | None]:
        """Return (address after redirects, decoded body, charset)."""
        scope = self.robots.scope
        way = Way(url, self.client.limits, refreshes=role == "page")
        while True:
            url = plain_url(way.url)
            if scope is not None and not scope.leads(host_of(url)):
                way_there = "redirected to" if way.passed else "it is on"
                raise RefusedError(f"{way_there} another host: {url}")
            if refusal := (await self.robots.rules(url)).refusal(url):
                raise RefusedError(refusal)
            download = self.downloads.get(url)
            if download is None:
                download = await self.client.get(url, reads_body=reads_body(role))
            response = download.response
            if response is None:
                raise FetchError(download.problem)
            self.downloads[url] = download
            if not response.location and response.status not in SUCCESS:
                raise FetchError(describe_status(response.status))
            if not response.location and role == "page" and response.media_type not in PAGE_TYPES:
                raise FetchError(no_page(response.header("content-type")))
            if (body := way.follow(response)) is not None:
                return url, body, charset_of(response.header("content-type"))


def fetching(  # noqa: PLR0913  options are keyword-only
    work: Callable[[PageFetcher], Coroutine[Any, Any, Made]],
    *,
    most: int | None = None,
    politeness: Politeness,
    limits: FetchLimits,
    guard: AddressGuard,
    scope: Scope | None = None,
    loader: Loader | None = None,
) -> Made:
    """Return what ``work`` makes with a fetcher of its own, by ``most`` requests."""

    async def made() -> Made:
        client = PoliteClient(limits, guard, politeness, most)
        try:
            return await work(PageFetcher(client, RobotsCache(client, scope), loader))
        finally:
            client.close()

    return asyncio.run(made())
