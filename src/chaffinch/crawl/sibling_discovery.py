"""Same-layer discovery: finds and fetches the siblings of one page.

Candidates are the page's own links; where they don't suffice, links of the lists above it and of
their further pages, then entries of feeds and sitemaps. The chosen ones are fetched and checked: a
further part of the same article, or a page whose tag paths differ too much, is replaced by the next
candidate.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chaffinch.crawl.crawl_plan import SIBLINGS
from chaffinch.crawl.frontier import Scope
from chaffinch.crawl.page_fetcher import PageFetcher
from chaffinch.crawl.parsed_response import canonical, feeds_of
from chaffinch.crawl.polite_client import PoliteClient, StoppedError
from chaffinch.crawl.robots import RobotsCache
from chaffinch.crawl.settings import CrawlLimits
from chaffinch.crawl.sitemaps import listed_urls
from chaffinch.errors import FetchError, PageError
from chaffinch.siblings.further_parts import further_parts
from chaffinch.siblings.reference_choice import common_paths
from chaffinch.siblings.sibling_links import pagination_links, sibling_links, spread
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from chaffinch.crawl.polite_client import Download
    from chaffinch.crawl.settings import Politeness
    from chaffinch.fetch import AddressGuard, FetchLimits
    from chaffinch.loading.loader import Loader
    from chaffinch.page import Page
    from chaffinch.siblings.sibling_links import SiblingLink, SiblingLinks

_LISTS, _LIST_PAGES, _FEEDS, _SITEMAPS = 2, 3, 2, 3  # fetched at most, of each
_LEAST_SIMILAR = 0.5  # share of tag paths in common, from which on pages are of one template
_LISTED = 10_000  # entries of feeds and sitemaps that are looked at


@dataclass(frozen=True, kw_only=True, eq=False)
class Sibling:
    """A page of the same layer.

    Attributes:
        url: its address.
        page: the page.
        score: 0..1, as of `chaffinch.siblings.sibling_links.SiblingLink`.
        path_similarity: share (0..1) of tag paths that it has in common with the page.
        reasons: why it was chosen, in words.
        source: address of the page that links to it.
    """

    url: str
    page: Page
    score: float
    path_similarity: float
    reasons: tuple[str, ...]
    source: str


@dataclass(eq=False)
class Discovery:
    """The siblings of a page, and how they were found.

    Attributes:
        url: address of the page, after redirects.
        page: the page.
        siblings: those found, best first.
        parts: further parts of the same article, set apart.
        left_out: (address, reason) of candidates that were rejected.
        looked_at: addresses of lists, feeds and sitemaps that were read.
        downloads: address → download, of everything that was fetched.
    """

    url: str
    page: Page
    siblings: list[Sibling] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    downloads: dict[str, Download] = field(default_factory=dict, repr=False)


def find_siblings(  # noqa: PLR0913  options are keyword-only
    url: str,
    *,
    count: int = SIBLINGS,
    politeness: Politeness,
    limits: FetchLimits,
    guard: AddressGuard,
    loader: Loader | None = None,
) -> Discovery:
    """Find the siblings of the page at ``url`` and fetch them.

    Args:
        url: address of the page.
        count: siblings to find.
        politeness: delays, retries and waits.
        limits: bounds of one request.
        guard: the address guard.
        loader: renders pages where that is wanted; None for never.

    Raises:
        FetchError: the page itself can't be fetched.
    """

    async def found() -> Discovery:
        most = CrawlLimits().most_requests(count + 1)
        client = PoliteClient(limits, guard, politeness, most)
        try:
            scope = Scope(hosts=frozenset({host_of(plain_url(url))}))
            return await discover(
                url,
                client=client,
                robots=RobotsCache(client, scope),
                count=count,
                loader=loader,
            )
        finally:
            client.close()

    return asyncio.run(found())


async def discover(
    url: str,
    *,
    client: PoliteClient,
    robots: RobotsCache,
    count: int = SIBLINGS,
    loader: Loader | None = None,
) -> Discovery:
    """Find siblings with an existing client; see `find_siblings`.

    Where the client's limit of requests ends the search, what was found until then is returned.
    """
    fetcher = PageFetcher(client, robots, loader)
    search = _Search(fetcher, count)
    found, page = await fetcher.page(plain_url(url))
    discovery = Discovery(url=found, page=page, downloads=fetcher.downloads)
    try:
        near = await search.candidates(discovery)
        discovery.parts = list(near.parts)
        await search.choose(discovery, list(near.links))
    except StoppedError:
        if not client.is_exhausted:
            raise
        discovery.left_out.append((found, f"more than {client.max_requests:,} requests"))
    return discovery


@dataclass
class _Search:
    fetcher: PageFetcher
    count: int

    async def candidates(self, discovery: Discovery) -> SiblingLinks:
        """Return candidates, from further sources until there are enough."""
        url, page = discovery.url, discovery.page
        pages, feeds = [page], feeds_of(page)[:_FEEDS]
        near = sibling_links(url, pages)
        for above in near.lists[:_LISTS]:
            if self._suffices(near):
                return near
            pages += await self._lists(discovery, above)
            near = sibling_links(url, pages)
        rules = await self.fetcher.robots.rules(url)
        found: list[str] = []
        for address in [*feeds, *rules.sitemaps[:_SITEMAPS]]:
            if self._suffices(near):
                break
            found += await self._entries(discovery, address)
            near = sibling_links(url, pages, listed=found[:_LISTED])
        return near

    async def choose(self, discovery: Discovery, links: list[SiblingLink]) -> None:
        """Fetch candidates until there are enough siblings, or no candidate is left to try."""
        tries = 2 * self.count
        while links and tries > 0 and len(discovery.siblings) < self.count:
            some = spread(links, min(self.count - len(discovery.siblings), tries))
            tries -= len(some)
            taken = {link.url for link in some}
            links = [link for link in links if link.url not in taken]
            await asyncio.gather(*(self._try(discovery, link) for link in some))
        discovery.siblings.sort(key=lambda sibling: (-sibling.score, sibling.url))

    async def _try(self, discovery: Discovery, link: SiblingLink) -> None:
        """Fetch and check a candidate: a sibling, a further part, or left out."""
        try:
            url, page = await self.fetcher.page(link.url)
        except PageError as error:
            discovery.left_out.append((link.url, str(error)))
            return
        known = {discovery.url, *(sibling.url for sibling in discovery.siblings)}
        similarity = common_paths(discovery.page, page)
        if url in known or canonical(page, url) in known:
            discovery.left_out.append((link.url, "a page that is there already"))
        elif further_parts(discovery.page, [page])[0]:
            discovery.parts.append(url)
        elif similarity < _LEAST_SIMILAR:
            reason = f"another template: {similarity:.0%} of tag paths in common"
            discovery.left_out.append((link.url, reason))
        else:
            discovery.siblings.append(
                Sibling(
                    url=url,
                    page=page,
                    score=link.score,
                    path_similarity=similarity,
                    reasons=link.reasons,
                    source=link.source,
                )
            )

    async def _lists(self, discovery: Discovery, above: str) -> list[Page]:
        """Return a list and some of its further pages, spread over them."""
        try:
            url, page = await self.fetcher.page(above)
        except PageError as error:
            discovery.left_out.append((above, str(error)))
            return []
        out, turns = [page], pagination_links(page)
        discovery.looked_at.append(url)
        step = max(len(turns) // _LIST_PAGES, 1)
        for turn in turns[step - 1 :: step][:_LIST_PAGES]:
            try:
                out.append((await self.fetcher.page(turn))[1])
            except PageError as error:
                discovery.left_out.append((turn, str(error)))
            else:
                discovery.looked_at.append(turn)
        return out

    async def _entries(self, discovery: Discovery, address: str) -> list[str]:
        """Return the pages in a feed or sitemap; of a sitemap index, those in its last sitemap."""
        try:
            _, body, _ = await self.fetcher.fetch(address, "map")
            discovery.looked_at.append(address)
            found = listed_urls(body, address)
            more = [url for url, role in found if role == "map"][-1:]
            for url in more:
                _, body, _ = await self.fetcher.fetch(url, "map")
                discovery.looked_at.append(url)
                found += listed_urls(body, url)
        except FetchError as error:
            discovery.left_out.append((address, str(error)))
            return []
        return [url for url, role in found if role == "page"]

    def _suffices(self, near: SiblingLinks) -> bool:
        return len(near.links) >= self.count
