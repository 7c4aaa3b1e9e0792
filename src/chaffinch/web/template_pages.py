"""Pages of the same layer, and the parts of an article, found by their links.

Candidates are the page's own links; where they don't suffice, links of the lists above it and of
their further pages, then entries of feeds and sitemaps. The chosen ones are fetched and checked: a
further part of the same article, or a page whose tag paths differ too much, is replaced by the next
candidate.

From the page that is given, links that may lead to other parts are followed; a page counts as a
part only where `chaffinch.siblings.pagination` finds it and a part that links to it. Where
the article declares a page that has all of it («view all»), and that page holds what the first one
does, that one page is taken.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np

from chaffinch import errors
from chaffinch.loading.address import canonical_address
from chaffinch.loading.loader import Loader
from chaffinch.page import Page
from chaffinch.siblings import sibling_links
from chaffinch.siblings.pagination import bare_title, further_parts, in_order, part_links
from chaffinch.siblings.url_shapes import host_of, plain_url
from chaffinch.site.site import Site, SiteFolder
from chaffinch.web.frontier import Scope
from chaffinch.web.guard import AddressGuard
from chaffinch.web.listings import listed_pages
from chaffinch.web.polite import StoppedError
from chaffinch.web.response import PageFetcher, canonical, feeds_of, fetching
from chaffinch.web.settings import SIBLINGS, CrawlLimits, FetchLimits, Politeness

GetPage = Callable[[str], Awaitable[Page]]
NextOf = Callable[[Page], str]

_LISTS, _LIST_PAGES, _FEEDS, _SITEMAPS = 2, 3, 2, 3  # fetched at most, of each
_LEAST_SIMILAR = 0.5  # share of tag paths in common, from which on pages are of one template
_LISTED = 10_000  # entries of feeds and sitemaps that are looked at


@dataclass(frozen=True, kw_only=True, eq=False)
class Sibling(sibling_links.SiblingLink):
    """A page of the same layer, and the link that led to it; ``url`` is that of the page."""

    page: Page  # the page
    path_similarity: float  # share (0..1) of tag paths that it has in common with the page


@dataclass(eq=False)
class Discovery:
    """The siblings of a page, and how they were found."""

    url: str  # address of the page, after redirects
    page: Page  # the page
    siblings: list[Sibling] = field(default_factory=list)  # those found, best first
    parts: list[str] = field(default_factory=list)  # further parts of the same article, set apart
    # (address, reason) of candidates that were rejected
    left_out: list[tuple[str, str]] = field(default_factory=list)
    # addresses of lists, feeds and sitemaps that were read
    looked_at: list[str] = field(default_factory=list)


def find_siblings(  # noqa: PLR0913  options are keyword-only
    url: str,
    *,
    count: int = SIBLINGS,
    politeness: Politeness,
    limits: FetchLimits,
    guard: AddressGuard,
    loader: Loader | None = None,
) -> Discovery:
    """Find ``count`` siblings of the page at ``url`` and fetch them, rendered by a loader, if any.

    Raises:
        FetchError: the page itself can't be fetched.
    """
    return fetching(
        lambda fetcher: _Search(fetcher, count).run(url),
        most=CrawlLimits().most_requests(count + 1),
        politeness=politeness,
        limits=limits,
        guard=guard,
        scope=Scope(hosts=frozenset({host_of(plain_url(url))})),
        loader=loader,
    )


@dataclass
class _Search:
    fetcher: PageFetcher
    count: int

    async def run(self, url: str) -> Discovery:
        """Return what is found until the limit of requests ends the search."""
        found, page = await self.fetcher.page(plain_url(url))
        discovery = Discovery(url=found, page=page)
        try:
            near = await self._candidates(discovery)
            discovery.parts = list(near.parts)
            await self._choose(discovery, list(near.links))
        except StoppedError:
            client = self.fetcher.client
            if not client.is_exhausted:
                raise
            discovery.left_out.append((found, f"more than {client.max_requests:,} requests"))
        return discovery

    async def _candidates(self, discovery: Discovery) -> sibling_links.SiblingLinks:
        url, page = discovery.url, discovery.page
        pages, feeds = [page], feeds_of(page)[:_FEEDS]
        near = sibling_links.sibling_links(url, pages)
        for above in near.lists[:_LISTS]:
            if len(near.links) >= self.count:
                return near
            pages += await self._lists(discovery, above)
            near = sibling_links.sibling_links(url, pages)
        rules = await self.fetcher.robots.rules(url)
        found: list[str] = []
        for address in [*feeds, *rules.sitemaps[:_SITEMAPS]]:
            if len(near.links) >= self.count:
                break
            found += await self._entries(discovery, address)
            near = sibling_links.sibling_links(url, pages, listed=found[:_LISTED])
        return near

    async def _choose(self, discovery: Discovery, links: list[sibling_links.SiblingLink]) -> None:
        """Fetch candidates until there are enough siblings, or no candidate is left to try."""
        tries = 2 * self.count
        while links and tries > 0 and len(discovery.siblings) < self.count:
            some = sibling_links.spread(links, min(self.count - len(discovery.siblings), tries))
            tries -= len(some)
            taken = {link.url for link in some}
            links = [link for link in links if link.url not in taken]
            await asyncio.gather(*(self._try(discovery, link) for link in some))
        discovery.siblings.sort(key=lambda sibling: (-sibling.score, sibling.url))

    async def _try(self, discovery: Discovery, link: sibling_links.SiblingLink) -> None:
        try:
            url, page = await self.fetcher.page(link.url)
        except errors.PageError as error:
            discovery.left_out.append((link.url, str(error)))
            return
        known = {discovery.url, *(sibling.url for sibling in discovery.siblings)}
        similarity = sibling_links.common_paths(discovery.page, page)
        if url in known or canonical(page, url) in known:
            discovery.left_out.append((link.url, "a page that is there already"))
        elif further_parts(discovery.page, [page])[0]:
            discovery.parts.append(url)
        elif similarity < _LEAST_SIMILAR:
            reason = f"another template: {similarity:.0%} of tag paths in common"
            discovery.left_out.append((link.url, reason))
        else:
            found = vars(link) | {"url": url, "page": page, "path_similarity": similarity}
            discovery.siblings.append(Sibling(**found))

    async def _lists(self, discovery: Discovery, above: str) -> list[Page]:
        try:
            url, page = await self.fetcher.page(above)
        except errors.PageError as error:
            discovery.left_out.append((above, str(error)))
            return []
        out, turns = [page], sibling_links.pagination_links(page)
        discovery.looked_at.append(url)
        step = max(len(turns) // _LIST_PAGES, 1)
        for turn in turns[step - 1 :: step][:_LIST_PAGES]:
            try:
                out.append((await self.fetcher.page(turn))[1])
            except errors.PageError as error:
                discovery.left_out.append((turn, str(error)))
            else:
                discovery.looked_at.append(turn)
        return out

    async def _entries(self, discovery: Discovery, address: str) -> list[str]:
        try:
            _, body, _ = await self.fetcher.fetch(address, "map")
            discovery.looked_at.append(address)
            found = listed_pages(body, address)
            more = [one.url for one in found if one.role == "map"][-1:]
            for url in more:
                _, body, _ = await self.fetcher.fetch(url, "map")
                discovery.looked_at.append(url)
                found += listed_pages(body, url)
        except errors.FetchError as error:
            discovery.left_out.append((address, str(error)))
            return []
        return [one.url for one in found if one.role == "page"]


MAX_PARTS: Final = 50
"""Default for the most parts of an article."""

_MISSES: Final = 5  # pages that turn out to be no parts, until no more are tried
_ENDINGS: Final = frozenset({".html", ".htm", ".xhtml"})
_SAMPLE: Final = 40  # characters of a text run that is looked for on a page of all parts
_LEAST_HELD: Final = 0.8  # share of these that it must hold


def load_parts(
    source: str | PathLike[str],
    *,
    max_parts: int = MAX_PARTS,
    politeness: Politeness | None = None,
    fetch_limits: FetchLimits | None = None,
    site: Site | SiteFolder | None = None,
    **loading: Any,
) -> list[Page]:
    """Return the pages of an article in parts, in order, for `chaffinch.extract_parts`.

    Args:
        source: an http or https address of any of the parts, or the path of a saved page, whose
            parts lie in the same folder.
        max_parts: most parts that are taken.
        politeness: delays, retries, waits and the contact; robots.txt is obeyed.
        fetch_limits: bounds of one request.
        site: a site model; where it has a rule for ``next``, the page that this leads to is the
            next part, of a list as well as of an article.
        **loading: ``render`` ("never" if not given), ``browser``, ``wait``, ``expand``, ``allow``
            and ``resolve``, as of `load`.

    Returns:
        The parts; the one page where it has no others, or the page that has them all.

    Raises:
        PageError: the page itself can't be fetched or read. Parts that can't are left out.
        SetupError: an option is wrong.
    """
    errors.require_path("an address or path", source)
    errors.require_whole("max_parts", max_parts, 1)
    errors.require_kind("politeness", politeness, Politeness)
    if site is not None and not isinstance(site, Site | SiteFolder):
        raise errors.OptionError(f"a site model is wanted, not {site!r}")
    next_of = None if site is None else site.next_by_rule
    manners, chosen = politeness or Politeness(), {"render": "never", **loading}
    with Loader(contact=manners.contact, fetch_limits=fetch_limits, **chosen) as loader:
        if not (isinstance(source, str) and "://" in source):
            return _saved_parts(Path(source), loader, max_parts, next_of)
        if not (plain := plain_url(source)):
            raise errors.FetchError(f"not a web URL: {source}")
        most = CrawlLimits().most_requests(max_parts)

        async def walked(fetcher: PageFetcher) -> list[Page]:
            async def page(address: str) -> Page:
                try:
                    return (await fetcher.page(address))[1]
                except StoppedError as error:
                    raise errors.FetchError(f"more than {most:,} requests") from error

            return await _Walk(page, max_parts, next_of).parts(plain)

        return fetching(
            walked,
            most=most,
            politeness=manners,
            limits=fetch_limits or FetchLimits(),
            guard=AddressGuard(tuple(loading.get("allow", ())), tuple(loading.get("resolve", ()))),
            scope=Scope(hosts=frozenset({host_of(plain)})),
            loader=loader,
        )


def _saved_parts(path: Path, loader: Loader, max_parts: int, next_of: NextOf | None) -> list[Page]:
    first = loader.path(path)
    if first.url:  # of a web archive, which holds one page
        return [first]
    address, folder = path.resolve().as_uri(), path.resolve().parent

    def saved(url: str) -> Page:
        if url == address:
            return replace(first, url=url)
        try:
            file = Path(url2pathname(urlsplit(url).path)).resolve()
        except (OSError, ValueError) as error:
            raise errors.PageError("no file's name") from error
        if file.suffix.lower() not in _ENDINGS or not file.is_relative_to(folder):
            raise errors.PageError("no page of the same folder")
        return loader.path(file, url=url)

    async def page(url: str) -> Page:
        return saved(url)

    found = asyncio.run(_Walk(page, max_parts, next_of).parts(address))
    bare = [replace(one, url=None) for one in found]  # not the file's, but what it gives itself
    return [replace(one, url=canonical_address(one)) for one in bare]


@dataclass
class _Walk:
    """The way from one part of an article to all others."""

    get: GetPage
    max_parts: int
    next_of: NextOf | None = None
    pages: dict[str, Page] = field(default_factory=dict)
    misses: int = 0

    async def parts(self, url: str) -> list[Page]:
        first = await self.get(url)
        self.pages[first.url or url] = first
        waiting = deque([first])
        tried = {url, first.url or url}
        while waiting and self.misses < _MISSES:
            page = waiting.popleft()
            links = part_links(page)
            if (whole := await self._whole(links.whole, first, tried)) is not None:
                return [whole]
            following = self.next_of(page) if self.next_of is not None else ""
            for target in filter(None, (following, *links.next, *links.others)):
                if len(self.pages) >= self.max_parts or self.misses >= _MISSES:
                    break
                if target not in tried:
                    tried.add(target)
                    sure = target == following
                    if (found := await self._part(target, page, first, sure=sure)) is not None:
                        waiting.append(found)
        pages = list(self.pages.values())
        return [pages[index] for index in in_order(pages, self.next_of)]

    async def _part(self, url: str, linking: Page, first: Page, *, sure: bool) -> Page | None:
        """Return the page at ``url`` if it is a part that wasn't known; ``sure``, by a rule."""
        page = await self._page(url)
        if page is None or (page.url or url) in self.pages:
            return None
        if not sure and not any(further_parts(one, [page])[0] for one in (linking, first)):
            self.misses += 1
            return None
        self.pages[page.url or url] = page
        return page

    async def _whole(self, urls: Sequence[str], first: Page, tried: set[str]) -> Page | None:
        for url in urls:
            if url in tried or self.misses >= _MISSES:
                continue
            tried.add(url)
            page = await self._page(url)
            if page is not None and _holds(page, first):
                return page
            self.misses += 1
        return None

    async def _page(self, url: str) -> Page | None:
        try:
            return await self.get(url)
        except errors.PageError:
            self.misses += 1
            return None


def _holds(whole: Page, part: Page) -> bool:
    if bare_title(whole.head.title) != bare_title(part.head.title):
        return False
    rows = np.flatnonzero(part.is_tag("#text") & ~part.in_link & (part.own_length >= _SAMPLE))
    samples = [part.folded(row) for row in rows.tolist()]
    text = " ".join(whole.text.split())
    held = sum(one in text for one in samples)
    return (
        bool(samples) and held >= _LEAST_HELD * len(samples) and len(text) > len(part.text.strip())
    )
