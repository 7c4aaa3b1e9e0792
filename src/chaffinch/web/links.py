"""The addresses that a page, its feeds, or the sitemaps of its site list."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from chaffinch.errors import FetchError, OptionError, PageError, require_one_of, require_whole
from chaffinch.extraction.extract import PageFilter
from chaffinch.loading.loader import Loader
from chaffinch.page import Page, parse
from chaffinch.siblings.url_shapes import UrlBlacklist, host_of, plain_url
from chaffinch.web.guard import AddressGuard
from chaffinch.web.listings import ListedPage, listed_pages
from chaffinch.web.polite import StoppedError
from chaffinch.web.response import PageFetcher, feeds_of, fetching, page_links
from chaffinch.web.settings import FetchLimits, Politeness

LINK_SOURCES: Final = ("page", "feeds", "sitemaps")
"""Where addresses are taken from: the links of a page, its feeds, the sitemaps of its host."""
MOST_LISTS: Final = 100
"""Feeds and sitemaps that are read by default."""
MOST_LISTED: Final = 1_000_000
"""Addresses that are kept."""


@dataclass(frozen=True, kw_only=True)
class LinkFilter:
    """Which of the listed addresses are wanted."""

    external: bool = False  # those on other hosts, too
    # its languages count where an entry or a link declares another one, and its blacklist; its
    # other fields are of pages
    wanted: PageFilter = field(default_factory=PageFilter)

    def chosen(self, listed: Iterable[ListedPage], host: str) -> list[ListedPage]:
        blocked, languages = UrlBlacklist.of(self.wanted.url_blacklist), self.wanted.languages
        return [
            one
            for one in listed
            if one.role == "page"
            and (self.external or host_of(one.url) == host)
            and (not languages or not one.language or one.language in languages)
            and one.url not in blocked
        ]


_ALL: Final = LinkFilter()


@dataclass(eq=False)
class LinkList:
    """The addresses that were listed."""

    url: str  # address of the page, after redirects
    pages: list[ListedPage] = field(default_factory=list)  # the listed pages, in order, each once
    # addresses of the feeds or sitemaps that were read
    lists: list[str] = field(default_factory=list)
    # (address, reason) of those that couldn't be
    left_out: list[tuple[str, str]] = field(default_factory=list)

    @property
    def urls(self) -> list[str]:
        return [one.url for one in self.pages]


def links_of(page: Page, chosen: LinkFilter = _ALL) -> LinkList:
    """Return the links of a parsed page, in order; those without a web address are left out."""
    own = plain_url(page.url or "")
    urls = page_links(page, chosen.wanted.languages)
    listed = [ListedPage(one, "page") for one in urls if one != own]
    host = host_of(own)
    return LinkList(own, chosen.chosen(listed, host) if host else listed)


def find_links(  # noqa: PLR0913  options are keyword-only
    url: str,
    source: str = "page",
    *,
    chosen: LinkFilter = _ALL,
    most_lists: int = MOST_LISTS,
    politeness: Politeness | None = None,
    limits: FetchLimits | None = None,
    guard: AddressGuard | None = None,
    loader: Loader | None = None,
) -> LinkList:
    """Fetch and return the addresses that a page, its feeds or the sitemaps of its host list.

    robots.txt is obeyed.

    Args:
        url: address of a page; of a feed with ``feeds``, or of a sitemap with ``sitemaps``, too.
            Where a page names no feed, those of the site's first page are read.
        source: one of `LINK_SOURCES`.
        chosen: which addresses are wanted.
        most_lists: feeds and sitemaps that are read at most.
        politeness: delays, retries and waits.
        limits: bounds of one request.
        guard: the address guard.
        loader: renders the page whose links are taken; None to take it as it comes.

    Raises:
        FetchError: the page can't be fetched.
        OptionError: the source is unknown, or ``url`` is no web address.
    """
    require_one_of("source", source, LINK_SOURCES)
    require_whole("most_lists", most_lists, 1)
    start = plain_url(url) if isinstance(url, str) else ""
    if not start:
        raise OptionError(f"not a web URL: {url!r}")
    polite = politeness or Politeness()
    return fetching(
        lambda fetcher: _Search(fetcher, chosen, most_lists).run(start, source),
        most=(most_lists + 2) * (2 + polite.retries),
        politeness=polite,
        limits=limits or FetchLimits(),
        guard=guard or AddressGuard(),
        loader=loader,
    )


@dataclass
class _Search:
    fetcher: PageFetcher
    chosen: LinkFilter
    most_lists: int

    async def run(self, url: str, source: str) -> LinkList:
        if source == "page":
            found, page = await self.fetcher.page(url)
            return links_of(page if page.url == found else page.with_url(found), self.chosen)
        if source == "feeds":
            return await self._feeds(url)
        return await self._sitemaps(url)

    async def _feeds(self, url: str) -> LinkList:
        found, body, charset = await self.fetcher.fetch(url, "map")
        out = LinkList(found)
        if entries := listed_pages(body, found):
            self._take(out, found, entries)
            return out
        feeds = feeds_of(parse(body, url=found, encoding=charset))
        home = plain_url("/", found)
        if not feeds and found != home:
            with suppress(PageError):
                feeds = feeds_of((await self.fetcher.page(home))[1])
        await self._read(out, feeds)
        return out

    async def _sitemaps(self, url: str) -> LinkList:
        out = LinkList(url)
        name = urlsplit(url).path.lower().rpartition("/")[2]
        is_list = name.endswith((".xml", ".txt", ".rss", ".gz")) and name != "robots.txt"
        if "sitemap" in name or is_list:
            await self._read(out, [url])
        if not out.pages:
            rules = await self.fetcher.robots.rules(url)
            await self._read(out, list(rules.sitemaps) or [plain_url("/sitemap.xml", url)])
        return out

    async def _read(self, out: LinkList, lists: list[str]) -> None:
        queue, known = deque(lists), set(lists)
        while queue and len(out.lists) + len(out.left_out) < self.most_lists:
            url = queue.popleft()
            try:
                found, body, _ = await self.fetcher.fetch(url, "map")
            except StoppedError:
                return
            except FetchError as error:
                out.left_out.append((url, str(error)))
                continue
            entries = listed_pages(body, found)
            self._take(out, url, entries)
            maps = [one.url for one in entries if one.role == "map" and one.url not in known]
            known.update(maps)
            queue.extend(maps)
        out.left_out += [(url, f"more than {self.most_lists} lists") for url in queue]

    def _take(self, out: LinkList, url: str, entries: list[ListedPage]) -> None:
        out.lists.append(url)
        have = {one.url for one in out.pages}
        new = [one for one in self.chosen.chosen(entries, host_of(out.url)) if one.url not in have]
        out.pages += new[: MOST_LISTED - len(out.pages)]
