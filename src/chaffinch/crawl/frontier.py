"""Which address is asked for next: all that a crawl knows, rebuilt from its visits.

The frontier is a function of the start addresses and the visits in order (`learn`), live as after a
crash; it does no input or output. Hosts take turns; within a host the order is that of discovery,
maps first.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.crawl.traps import ShapeBook, trap_in
from chaffinch.crawl.visits import Visit, Wanted
from chaffinch.siblings.url_shapes import host_of, url_key, url_shape

if TYPE_CHECKING:
    from chaffinch.crawl.settings import CrawlLimits

NOT_PAGES: Final = frozenset(
    "7z apk avi bin bmp css csv deb dmg doc docx eot epub exe flac gif gz ico iso jar jpeg jpg js"
    " json m4a m4v mkv mov mp3 mp4 mpeg mpg msi odt ogg otf pdf png ppt pptx ps rar rpm rtf svg"
    " swf tar tgz tif tiff ttf wav webm webp wmv woff woff2 xls xlsx zip".split()
)
"""File names' endings of what is no page."""

_GONE: Final = frozenset({404, 410})  # statuses that say as little as a page without news


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Where a crawl may go.

    Attributes:
        hosts: hosts, with the port where it is unusual; nothing else is asked.
        follows: whether links of pages are followed; redirects, canonical addresses and what site
            maps list are, in any case.
    """

    hosts: frozenset[str]
    follows: bool = True


@dataclass
class Frontier:
    """What is known, what is waiting, what is on the line.

    Attributes:
        counts: visits by kind.
        refused: addresses that weren't queued, by reason.
        closed: (shape, address) of traps.
    """

    scope: Scope
    limits: CrawlLimits
    per_host: int = 2
    counts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    closed: list[tuple[str, str]] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _no_pages: set[str] = field(default_factory=set)
    _waiting: dict[str, tuple[dict[str, Wanted], dict[str, Wanted]]] = field(default_factory=dict)
    _turns: deque[str] = field(default_factory=deque)
    _on_line: dict[str, Wanted] = field(default_factory=dict)
    _busy: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._shapes = ShapeBook(self.limits.idle_pages)

    def offer(self, wanted: Wanted) -> bool:
        """Queue an address unless it is known or out of bounds; return whether it was queued."""
        key = url_key(wanted.url)
        if key in self._seen:
            return False
        if reason := self._refusal(wanted):
            if not reason.startswith("more redirects"):
                self._seen.add(key)
            self.refused[reason] += 1
            return False
        self._seen.add(key)
        host = host_of(wanted.url)
        if host not in self._waiting:
            self._waiting[host] = ({}, {})
            self._turns.append(host)
        self._waiting[host][wanted.role != "map"][wanted.url] = wanted
        return True

    def take(self) -> Wanted | None:
        """Return the next address; None where none may be asked for now."""
        if self._is_full():
            return None
        for _ in range(len(self._turns)):
            host = self._turns[0]
            self._turns.rotate(-1)
            if self._busy[host] < self.per_host and (wanted := self._next_of(host)):
                self._on_line[wanted.url] = wanted
                self._busy[host] += 1
                return wanted
        return None

    def _next_of(self, host: str) -> Wanted | None:
        for queue in self._waiting[host]:
            while queue:
                wanted = queue.pop(next(iter(queue)))
                if not (reason := self._trap(wanted.url)):  # closed since it was queued
                    return wanted
                self.refused[reason] += 1
        return None

    def has_more(self) -> bool:
        """Tell whether an address is waiting that may still be asked for."""
        return not self._is_full() and self.is_waiting()

    def is_waiting(self) -> bool:
        """Tell whether an address is waiting."""
        return any(maps or pages for maps, pages in self._waiting.values())

    def lacks(self, url: str) -> bool:
        """Tell whether an address is known to be no page of its own."""
        return url_key(url) in self._no_pages

    def learn(self, visit: Visit) -> None:
        """Take in what became of an address, be it of this run or of one before."""
        host = host_of(visit.url)
        if self._on_line.pop(visit.url, None):
            self._busy[host] -= 1
        else:  # of a run before
            self._seen.add(url_key(visit.url))
            for queue in self._waiting.get(host, ()):
                queue.pop(visit.url, None)
        self.counts[visit.kind] += 1
        if visit.kind not in ("page", "unchanged"):
            self._no_pages.add(url_key(visit.url))
        shape = url_shape(visit.url)
        leads_on = False
        for url, role in visit.outlink:
            if role == "page" and not self.scope.follows and visit.kind not in ("redirect", "map"):
                continue
            hops = visit.hops + 1 if visit.kind == "redirect" else 0
            depth = visit.depth + (visit.kind != "redirect")
            new = self.offer(Wanted(url=url, depth=depth, via=visit.url, role=role, hops=hops))
            leads_on |= new and url_shape(url) != shape
        if visit.text_key or visit.status in _GONE:
            brings_new = leads_on or bool(visit.text_key and visit.text_key not in self._texts)
            self._texts.add(visit.text_key)
            if self._shapes.note(shape, brings_new=brings_new):
                self.closed.append((shape, visit.url))

    def _is_full(self) -> bool:
        if self.limits.pages is None:
            return False
        # Whatever is on the line may turn out to be a page.
        return self.counts["page"] + len(self._on_line) >= self.limits.pages

    def _refusal(self, wanted: Wanted) -> str:
        """Return why an address is out of bounds; "" where it isn't."""
        path = wanted.url.partition("?")[0].partition("://")[2].partition("/")[2]
        if host_of(wanted.url) not in self.scope.hosts:
            return "on another host"
        if wanted.hops > self.limits.redirects:
            return f"more redirects than {self.limits.redirects}"
        if wanted.depth > self.limits.depth:
            return f"more than {self.limits.depth} links away"
        if wanted.role != "map" and path.rpartition(".")[2].lower() in NOT_PAGES:
            return "no page by its name"
        return self._trap(wanted.url)

    def _trap(self, url: str) -> str:
        if reason := trap_in(url, self.limits):
            return f"a trap: {reason}"
        if url_shape(url) in self._shapes.closed:
            return "a trap: pages of this shape bring nothing new"
        return ""
