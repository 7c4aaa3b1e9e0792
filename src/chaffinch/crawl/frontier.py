"""The frontier: which addresses are known, and which is requested next.

Its state is a function of the start addresses and the visits in order (`Frontier.record`), so that
a crawl is resumed by replaying its visits; it does no input or output. Hosts take turns; within a
host the order is that of discovery, sitemaps first, unless as many pages wait as the crawl may
still fetch: sitemaps may name further ones without end. Hosts that are left (`Frontier.leave`) are
no part of that state: a resumed crawl tries them again.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.crawl.crawl_traps import ShapeMonitor, trap_reason
from chaffinch.crawl.visits import CrawlRequest, Visit
from chaffinch.siblings.url_blacklist import UrlBlacklist
from chaffinch.siblings.url_shapes import host_of, url_key, url_shape

if TYPE_CHECKING:
    from chaffinch.crawl.settings import CrawlLimits

NON_PAGE_EXTENSIONS: Final = frozenset(
    "7z apk avi bin bmp css csv deb dmg doc docx eot epub exe flac gif gz ico iso jar jpeg jpg js"
    " json m4a m4v mkv mov mp3 mp4 mpeg mpg msi odt ogg otf pdf png ppt pptx ps rar rpm rtf svg"
    " swf tar tgz tif tiff ttf wav webm webp wmv woff woff2 xls xlsx zip".split()
)
"""Extensions of files that are no pages."""

_NONE: Final = UrlBlacklist()
_LEFT: Final = "on a host that was left"
_GONE: Final = frozenset({404, 410})  # count as pages that bring nothing new


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Where a crawl may go.

    Attributes:
        hosts: the only hosts that are requested, with the port where it isn't the usual one.
        follows: whether links of pages are followed; redirects, canonical addresses and entries of
            sitemaps always are.
        blacklist: addresses that are never requested.
    """

    hosts: frozenset[str]
    follows: bool = True
    blacklist: UrlBlacklist = _NONE


_Queue = OrderedDict[str, CrawlRequest]
"""Address → request, in order. A plain dict would look for its first entry behind all that were
taken from it, which takes quadratic time."""


@dataclass
class Frontier:
    """Known, queued and pending addresses.

    Attributes:
        counts: visits by kind.
        refused: addresses that weren't queued, by reason.
        closed: (shape, last address) of crawl traps.
        left: hosts that get no more requests.
    """

    scope: Scope
    limits: CrawlLimits
    per_host: int = 2
    counts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    closed: list[tuple[str, str]] = field(default_factory=list)
    left: set[str] = field(default_factory=set)
    _known: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _not_pages: set[str] = field(default_factory=set)
    _queued: dict[str, tuple[_Queue, _Queue]] = field(default_factory=dict)
    _turns: deque[str] = field(default_factory=deque)
    _pending: dict[str, CrawlRequest] = field(default_factory=dict)
    _pending_of_host: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._shapes = ShapeMonitor(self.limits.idle_pages)

    def add(self, request: CrawlRequest) -> bool:
        """Queue an address unless it is known or out of scope; return whether it was queued."""
        key = url_key(request.url)
        if key in self._known:
            return False
        if len(self._known) >= self.limits.addresses:
            self.refused[f"more than {self.limits.addresses:,} addresses are known"] += 1
            return False
        if reason := self._refusal(request):
            if not reason.startswith("more redirects"):
                self._known.add(key)
            self.refused[reason] += 1
            return False
        self._known.add(key)
        host = host_of(request.url)
        if host not in self._queued:
            self._queued[host] = (OrderedDict(), OrderedDict())
            self._turns.append(host)
        self._queued[host][request.role != "map"][request.url] = request
        return True

    def next_request(self) -> CrawlRequest | None:
        """Return the next request; None where none may be sent now."""
        if self._is_full():
            return None
        for _ in range(len(self._turns)):
            host = self._turns[0]
            self._turns.rotate(-1)
            if self._pending_of_host[host] < self.per_host and (request := self._next_of(host)):
                self._pending[request.url] = request
                self._pending_of_host[host] += 1
                return request
        return None

    def _next_of(self, host: str) -> CrawlRequest | None:
        sitemaps, pages = self._queued[host]
        for queue in (pages, sitemaps) if len(pages) >= self._pages_left() else (sitemaps, pages):
            while queue:
                _, request = queue.popitem(last=False)
                if not (reason := self._trap(request.url)):  # closed since it was queued
                    return request
                self.refused[reason] += 1
        return None

    def leave(self, host: str) -> None:
        """Send ``host`` no more requests; what is queued for it is counted as refused."""
        self.left.add(host)
        for queue in self._queued.get(host, ()):
            if queue:
                self.refused[_LEFT] += len(queue)
                queue.clear()

    def has_queued(self) -> bool:
        """Return whether an address is queued."""
        return any(sitemaps or pages for sitemaps, pages in self._queued.values())

    def is_no_page(self, url: str) -> bool:
        """Return whether an address was visited and is no page, but a duplicate, a failure, …."""
        return url_key(url) in self._not_pages

    def record(self, visit: Visit) -> None:
        """Update the state by a visit, of this run or of an earlier run of the same crawl."""
        host = host_of(visit.url)
        if self._pending.pop(visit.url, None):
            self._pending_of_host[host] -= 1
        else:  # of an earlier run
            self._known.add(url_key(visit.url))
            for queue in self._queued.get(host, ()):
                queue.pop(visit.url, None)
        self.counts[visit.kind] += 1
        if visit.kind not in ("page", "unchanged"):
            self._not_pages.add(url_key(visit.url))
        shape = url_shape(visit.url)
        leads_on = False
        for url, role in visit.outlink:
            if role == "page" and not self.scope.follows and visit.kind not in ("redirect", "map"):
                continue
            hops = visit.hops + 1 if visit.kind == "redirect" else 0
            depth = visit.depth + (visit.kind != "redirect")
            new = self.add(CrawlRequest(url=url, depth=depth, via=visit.url, role=role, hops=hops))
            leads_on |= new and role == "page" and url_shape(url) != shape
        if visit.kind == "map":
            if self._shapes.record_page(shape, brings_new=leads_on):
                self.closed.append((shape, visit.url))
        elif visit.text_key or visit.status in _GONE:
            brings_new = leads_on or bool(visit.text_key and visit.text_key not in self._texts)
            self._texts.add(visit.text_key)
            if self._shapes.record_page(shape, brings_new=brings_new):
                self.closed.append((shape, visit.url))

    def _is_full(self) -> bool:
        return self._pages_left() <= 0

    def _pages_left(self) -> float:
        """Return how many more pages may be fetched."""
        if self.limits.pages is None:
            return math.inf
        # Every pending request may turn out to be a page.
        return self.limits.pages - self.counts["page"] - len(self._pending)

    def _refusal(self, request: CrawlRequest) -> str:
        """Return why an address is out of scope or of the limits; "" where it isn't."""
        path = request.url.partition("?")[0].partition("://")[2].partition("/")[2]
        host = host_of(request.url)
        if host not in self.scope.hosts or host in self.left:
            return _LEFT if host in self.left else "on another host"
        if request.hops > self.limits.redirects:
            return f"more redirects than {self.limits.redirects}"
        if request.depth > self.limits.depth:
            return f"more than {self.limits.depth} links away"
        if request.role == "map" and request.depth > self.limits.map_depth:
            return f"a sitemap below more than {self.limits.map_depth} others"
        if request.role != "map" and path.rpartition(".")[2].lower() in NON_PAGE_EXTENSIONS:
            return "no page by its name"
        return "blacklisted" if request.url in self.scope.blacklist else self._trap(request.url)

    def _trap(self, url: str) -> str:
        if reason := trap_reason(url, self.limits):
            return f"a trap: {reason}"
        if url_shape(url) in self._shapes.closed:
            return "a trap: pages of this shape bring nothing new"
        return ""
