"""Same-layer discovery: finds and fetches the siblings of one page.

The page's own links first; where they don't suffice, the lists above it and their further pages,
then feeds, then site maps. What is chosen is fetched and checked: a page that is a further part of
the same article, or whose tag paths differ too much, gives its place to the next.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.crawl.answers import canonical, feeds_of, wants
from chaffinch.crawl.frontier import Scope
from chaffinch.crawl.polite_line import PoliteLine
from chaffinch.crawl.robots import RobotsBook
from chaffinch.crawl.site_maps import listed
from chaffinch.errors import FetchError, PageError, RefusedError
from chaffinch.fetch.failures import status_in_words
from chaffinch.fetch.line import unpacked
from chaffinch.fetch.request import PAGE_TYPES, REDIRECTS, charset_of, media_type, utf8
from chaffinch.page import parse
from chaffinch.siblings.further_parts import further_parts
from chaffinch.siblings.near_links import near_links, spread, turns_of
from chaffinch.siblings.similar_urls import common_paths
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from chaffinch.crawl.polite_line import Reply
    from chaffinch.crawl.settings import Politeness
    from chaffinch.crawl.visits import Role
    from chaffinch.fetch import AddressGuard, FetchLimits
    from chaffinch.page import Page
    from chaffinch.siblings.near_links import Near, NearLink

COUNT: Final = 8
"""Siblings that are looked for, unless more are asked for."""

_ENOUGH = 3  # times as many candidates as are wanted end the search for more
_LISTS, _TURNS, _FEEDS, _MAPS = 2, 3, 2, 3  # of each, so many are fetched at most
_LAYOUT = 0.5  # share of tag paths that pages of one template have in common at least
_GOOD = range(200, 300)


@dataclass(frozen=True, kw_only=True, eq=False)
class Sibling:
    """A page of the same layer.

    Attributes:
        url: its address.
        page: the page.
        score: 0..1, as of `chaffinch.siblings.near_links.NearLink`.
        layout: share (0..1) of tag paths that it has in common with the page.
        reasons: why it was chosen, in words.
        source: address of the page that links to it.
    """

    url: str
    page: Page
    score: float
    layout: float
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
        left_out: (address, why) of candidates that were looked at and not taken.
        looked_at: addresses of lists, feeds and site maps that were read.
    """

    url: str
    page: Page
    siblings: list[Sibling] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    replies: dict[str, Reply] = field(default_factory=dict, repr=False)


def find_siblings(
    url: str,
    *,
    count: int = COUNT,
    manners: Politeness,
    limits: FetchLimits,
    guard: AddressGuard,
) -> Discovery:
    """Find the siblings of the page at ``url`` and fetch them.

    Args:
        url: address of the page.
        count: siblings wanted.
        manners: as of `chaffinch.crawl.settings.Politeness`.
        limits: bounds of one request.
        guard: judges every address that is connected to.

    Raises:
        FetchError: the page itself can't be had.
    """

    async def found() -> Discovery:
        line = PoliteLine(limits, guard, manners)
        try:
            scope = Scope(hosts=frozenset({host_of(plain_url(url))}))
            return await discover(url, line=line, robots=RobotsBook(line, scope), count=count)
        finally:
            line.close()

    return asyncio.run(found())


async def discover(
    url: str, *, line: PoliteLine, robots: RobotsBook, count: int = COUNT
) -> Discovery:
    """Find siblings over a line that is there already; see `find_siblings`."""
    search = _Search(line, robots, count)
    found, page = await search.page(plain_url(url))
    discovery = Discovery(url=found, page=page, replies=search.replies)
    near = await search.candidates(discovery)
    discovery.parts = list(near.parts)
    await search.choose(discovery, list(near.links))
    return discovery


@dataclass
class _Search:
    line: PoliteLine
    robots: RobotsBook
    count: int
    replies: dict[str, Reply] = field(default_factory=dict)

    async def page(self, url: str) -> tuple[str, Page]:
        """Return the page at ``url`` and the address that it has after redirects.

        Raises:
            FetchError: it can't be had; robots.txt may forbid it.
            PageError: it can't be parsed.
        """
        found, body, charset = await self._got(url, "page")
        return found, parse(body, url=found, encoding=charset)

    async def candidates(self, discovery: Discovery) -> Near:
        """Return what may lead to siblings, looking further until there is enough."""
        url, page = discovery.url, discovery.page
        pages, maps = [page], [*feeds_of(page)[:_FEEDS]]
        near = near_links(url, pages)
        for above in near.lists[:_LISTS]:
            if self._suffices(near):
                return near
            pages += await self._lists(discovery, above)
            near = near_links(url, pages)
        rules = await self.robots.rules(url)
        found: list[str] = []
        for place in [*maps, *rules.sitemaps]:
            if self._suffices(near) or len(discovery.looked_at) > _LISTS * _TURNS + _MAPS:
                break
            found += await self._listed(discovery, place)
            near = near_links(url, pages, listed=found)
        return near

    async def choose(self, discovery: Discovery, links: list[NearLink]) -> None:
        """Fetch candidates until there are enough good ones, or none is left to try."""
        tries = 2 * self.count
        while links and tries > 0 and len(discovery.siblings) < self.count:
            some = spread(links, min(self.count - len(discovery.siblings), tries))
            tries -= len(some)
            taken = {link.url for link in some}
            links = [link for link in links if link.url not in taken]
            await asyncio.gather(*(self._try(discovery, link) for link in some))
        discovery.siblings.sort(key=lambda sibling: (-sibling.score, sibling.url))

    async def _try(self, discovery: Discovery, link: NearLink) -> None:
        """Take a candidate in, or say why not."""
        try:
            url, page = await self.page(link.url)
        except PageError as error:
            discovery.left_out.append((link.url, str(error)))
            return
        known = {discovery.url, *(sibling.url for sibling in discovery.siblings)}
        layout = common_paths(discovery.page, page)
        if url in known or canonical(page, url) in known:
            discovery.left_out.append((link.url, "a page that is there already"))
        elif further_parts(discovery.page, [page])[0]:
            discovery.parts.append(url)
        elif layout < _LAYOUT:
            reason = f"another template: {layout:.0%} of tag paths in common"
            discovery.left_out.append((link.url, reason))
        else:
            discovery.siblings.append(
                Sibling(
                    url=url,
                    page=page,
                    score=link.score,
                    layout=layout,
                    reasons=link.reasons,
                    source=link.source,
                )
            )

    async def _lists(self, discovery: Discovery, above: str) -> list[Page]:
        """Return a list and some of its further pages, spread over them."""
        try:
            url, page = await self.page(above)
        except PageError as error:
            discovery.left_out.append((above, str(error)))
            return []
        out, turns = [page], turns_of(page)
        discovery.looked_at.append(url)
        step = max(len(turns) // _TURNS, 1)
        for turn in turns[step - 1 :: step][:_TURNS]:
            try:
                out.append((await self.page(turn))[1])
            except PageError as error:
                discovery.left_out.append((turn, str(error)))
            else:
                discovery.looked_at.append(turn)
        return out

    async def _listed(self, discovery: Discovery, place: str) -> list[str]:
        """Return the pages that a feed or site map lists; of an index, those of its last map."""
        try:
            _, body, _ = await self._got(place, "map")
            discovery.looked_at.append(place)
            found = listed(body, place)
            more = [url for url, role in found if role == "map"][-1:]
            for url in more:
                _, body, _ = await self._got(url, "map")
                discovery.looked_at.append(url)
                found += listed(body, url)
        except FetchError as error:
            discovery.left_out.append((place, str(error)))
            return []
        return [url for url, role in found if role == "page"]

    def _suffices(self, near: Near) -> bool:
        return len(near.links) >= self.count

    async def _got(self, url: str, role: Role) -> tuple[str, bytes, str | None]:
        """Return address after redirects, unpacked body, charset.

        Raises:
            FetchError: it can't be had; robots.txt may forbid it.
        """
        hosts = self.robots.scope.hosts
        for _ in range(self.line.limits.max_redirects + 1):
            if host_of(url) not in hosts:
                raise RefusedError(f"redirected to another host: {url}")
            if refusal := (await self.robots.rules(url)).refusal(url):
                raise RefusedError(refusal)
            reply = self.replies.get(url)
            if reply is None:
                reply = await self.line.get(url, wants=wants(role))
            answer = reply.exchange
            if answer is None:
                raise FetchError(reply.problem)
            self.replies[url] = reply
            if answer.status in REDIRECTS and (place := answer.header("location")):
                url = plain_url(utf8(place), url)
                continue
            if answer.status not in _GOOD:
                raise FetchError(status_in_words(answer.status))
            kind = media_type(answer.header("content-type"))
            if role == "page" and kind not in PAGE_TYPES:
                raise FetchError(f"not a page: the server calls it {kind!r}")
            charset = charset_of(answer.header("content-type"))
            return url, unpacked(answer, self.line.limits), charset
        raise FetchError(f"more than {self.line.limits.max_redirects} redirects")
