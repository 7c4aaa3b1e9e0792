"""Requests of a crawl and their outcomes: the visits, from which its state can be rebuilt.

A visit is written as a WARC metadata record (application/warc-fields): ``via``, ``hopsFromSeed``
and ``outlink`` have the meaning that other crawlers give them; the other fields are this one's.

Two tests, neither of which knows a site. An address by itself is a trap when it is too long or too
deep, or repeats a directory or a key. A shape of addresses (`siblings.url_shapes`) is one when the
last ``idle_pages`` pages of that shape brought nothing new: they didn't exist, or their
text outside links, without digits, equals that of an earlier page; and they linked to no new
address of another shape. Pages of calendars differ in digits, of sessions not at all, of endless
queries in their links; articles and lists always bring something new. A sitemap brings something
new if it lists a page that wasn't known; the shape of those that only list further sitemaps ends.

Its state is a function of the start addresses and the visits in order (`Frontier.record`), so that
a crawl is resumed by replaying its visits; it does no input or output. Hosts take turns; within a
host the order is that of discovery, sitemaps first, unless as many pages wait as the crawl may
still fetch: sitemaps may name further ones without end. Hosts that are left (`Frontier.leave`) are
no part of that state: a resumed crawl tries them again.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field, fields
from posixpath import splitext
from typing import Final, Literal, get_args
from urllib.parse import parse_qsl, urlsplit

from chaffinch.siblings.url_shapes import UrlBlacklist, host_of, url_key, url_shape
from chaffinch.web.settings import CrawlLimits
from chaffinch.web.warc import warc_fields

VisitKind = Literal[
    "page", "duplicate", "redirect", "map", "failed", "forbidden", "left out", "other"
]
VISIT_KINDS: Final[tuple[VisitKind, ...]] = get_args(VisitKind)
UrlRole = Literal["page", "map", "canonical"]

_ROLES: Final = get_args(UrlRole)
_NAMES: Final = {"depth": "hopsFromSeed"}


@dataclass(frozen=True, kw_only=True)
class CrawlRequest:
    """An address to request, and how it was found."""

    url: str  # normalised by `chaffinch.siblings.url_shapes.plain_url`
    depth: int = 0  # links from a start page
    via: str = ""  # address it was found at; "" for a start page
    # ``page``; ``map``, a sitemap or feed; ``canonical``, a page that another page declares as its
    # canonical address
    role: UrlRole = "page"
    hops: int = 0  # redirects in a row that led to it


@dataclass(frozen=True, kw_only=True)
class Visit(CrawlRequest):
    """The outcome of a request."""

    # ``page``; ``duplicate`` of another address or of its canonical one; ``redirect``; ``map``;
    # ``failed``; ``forbidden`` by robots.txt or the guard; ``left out`` by a binding opt-out;
    # ``other``, a response that is no page
    kind: VisitKind
    status: int = 0  # HTTP status; 0 where there was no response
    reason: str = ""  # why it failed, is forbidden, left out or a duplicate; "" otherwise
    # hash of the page's text outside links without digits; "" for what is no page
    text_key: str = ""
    payload: str = ""  # digest of the body in its content coding
    # robots, reserved, policy: as in `chaffinch.web.polite.OptOuts`. ``reserved`` is "1", "0" or ""
    robots: str = ""
    reserved: str = ""
    policy: str = ""
    attempts: int = 1  # requests sent, retries included
    seconds: float = 0.0  # duration of the last one, without waits
    # (address, role) of what it links, redirects or refers to
    outlink: tuple[tuple[str, UrlRole], ...] = ()


def to_fields(visit: Visit) -> bytes:
    """Return a visit as the lines of application/warc-fields, without its address."""
    lines: list[str] = []
    for one in fields(Visit):
        value = getattr(visit, one.name)
        if one.name == "outlink":
            lines += [f"outlink: {url} {role}" for url, role in value]
        elif one.name != "url" and value != "":
            text = " ".join(str(value).split())
            lines.append(f"{_NAMES.get(one.name, one.name)}: {text}")
    return "".join(f"{line}\r\n" for line in lines).encode()


def from_fields(url: str, lines: bytes) -> Visit:
    given: dict[str, str] = {}
    outlink: list[tuple[str, UrlRole]] = []
    for name, value in warc_fields(lines):
        if name == "outlink":
            target, _, role = value.rpartition(" ")
            outlink.append((target, role if role in _ROLES else "page"))  # type: ignore[arg-type]
        else:
            given[name] = value
    values: dict[str, object] = {}
    for one in fields(Visit):
        text = given.get(_NAMES.get(one.name, one.name))
        if text is not None and one.name not in ("url", "outlink"):
            convert = {"int": int, "float": float}.get(str(one.type), str)
            values[one.name] = convert(text)
    if values["kind"] not in VISIT_KINDS:
        raise ValueError(values["kind"])
    return Visit(url=url, outlink=tuple(outlink), **values)  # type: ignore[arg-type]


_REPEATS: Final = 3  # of one directory in an address make it a trap
_LONGEST: Final = 2000  # characters of an address
_DEEPEST: Final = 20  # directories
_MOST_PAIRS: Final = 8  # of a query


def trap_reason(url: str) -> str:
    """Return why an address looks like a crawl trap; "" where it doesn't."""
    split = urlsplit(url)
    segments = [segment for segment in split.path.split("/") if segment]
    pairs = parse_qsl(split.query, keep_blank_values=True)
    if len(url) > _LONGEST:
        return f"a URL of more than {_LONGEST:,} characters"
    if len(segments) > _DEEPEST:
        return f"more than {_DEEPEST} directories"
    if len(pairs) > _MOST_PAIRS:
        return f"a query of more than {_MOST_PAIRS} pairs"
    if max(Counter(segments[:-1]).values(), default=0) >= _REPEATS:
        return "a directory that repeats"
    if max(Counter(pairs).values(), default=0) > 1:
        return "a query that repeats"
    return ""


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
    """Where a crawl may go."""

    # the only hosts that are requested, with the port where it isn't the usual one
    hosts: frozenset[str]
    # whether links of pages are followed; redirects, canonical addresses and entries of sitemaps
    # always are
    follows: bool = True
    blacklist: UrlBlacklist = _NONE  # addresses that are never requested

    def leads(self, host: str) -> bool:
        """Return whether a start may lead to a host: one of these, with or without ``www``."""
        bare = host.removeprefix("www.")
        return host in self.hosts or bare in {one.removeprefix("www.") for one in self.hosts}


_Queue = OrderedDict[str, CrawlRequest]
"""Address → request, in order. A plain dict would look for its first entry behind all that were
taken from it, which takes quadratic time."""


@dataclass
class Frontier:
    """Known, queued and pending addresses."""

    scope: Scope
    limits: CrawlLimits
    per_host: int = 2
    counts: Counter[str] = field(default_factory=Counter)  # visits by kind
    # addresses that weren't queued, by reason
    refused: Counter[str] = field(default_factory=Counter)
    # (shape, last address) of crawl traps
    closed: list[tuple[str, str]] = field(default_factory=list)
    left: set[str] = field(default_factory=set)  # hosts that get no more requests
    _known: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)
    _not_pages: set[str] = field(default_factory=set)
    _queued: dict[str, tuple[_Queue, _Queue]] = field(default_factory=dict)
    _turns: deque[str] = field(default_factory=deque)
    _pending: dict[str, CrawlRequest] = field(default_factory=dict)
    _pending_of_host: Counter[str] = field(default_factory=Counter)
    _idle: Counter[str] = field(default_factory=Counter)
    _closed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._hosts = set(self.scope.hosts)

    def add(self, request: CrawlRequest) -> bool:
        """Queue an address unless it is known or out of scope; return whether it was queued."""
        key = url_key(request.url)
        if key in self._known:
            return False
        if len(self._known) >= self.limits.addresses:
            self.refused[f"more than {self.limits.addresses:,} URLs are known"] += 1
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
        if self._pages_left() <= 0:
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
        return any(sitemaps or pages for sitemaps, pages in self._queued.values())

    def may_be_page(self, url: str) -> bool:
        """Return whether an address may be requested and may be a page, as far as is known."""
        return host_of(url) in self._hosts and url_key(url) not in self._not_pages

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
        if visit.kind != "page":
            self._not_pages.add(url_key(visit.url))
        shape = url_shape(visit.url)
        leads_on = self._add_links(visit, shape)
        if visit.kind == "map":
            brings_new = leads_on
        elif visit.text_key or visit.status in _GONE:
            brings_new = leads_on or bool(visit.text_key and visit.text_key not in self._texts)
            self._texts.add(visit.text_key)
        else:
            return
        self._idle[shape] = 0 if brings_new else self._idle[shape] + 1
        if self._idle[shape] >= self.limits.idle_pages and shape not in self._closed:
            self._closed.add(shape)
            self.closed.append((shape, visit.url))

    def _add_links(self, visit: Visit, shape: str) -> bool:
        """Queue what a visit leads to; return whether a page of another shape is new among it."""
        leads_on = False
        if visit.kind == "redirect" and not visit.depth:  # an apex that sends on to www
            found = map(host_of, dict(visit.outlink))
            self._hosts.update(host for host in found if self.scope.leads(host))
        for url, role in visit.outlink:
            if role == "page" and not self.scope.follows and visit.kind not in ("redirect", "map"):
                continue
            hops = visit.hops + 1 if visit.kind == "redirect" else 0
            depth = visit.depth + (visit.kind != "redirect")
            new = self.add(CrawlRequest(url=url, depth=depth, via=visit.url, role=role, hops=hops))
            leads_on |= new and role == "page" and url_shape(url) != shape
        return leads_on

    def _pages_left(self) -> float:
        if self.limits.pages is None:
            return math.inf
        # Every pending request may turn out to be a page.
        return self.limits.pages - self.counts["page"] - len(self._pending)

    def _refusal(self, request: CrawlRequest) -> str:
        """Return why an address is out of scope or of the limits; "" where it isn't."""
        path = request.url.partition("?")[0].partition("://")[2].partition("/")[2]
        host = host_of(request.url)
        if host not in self._hosts or host in self.left:
            return _LEFT if host in self.left else "on another host"
        if request.hops > self.limits.redirects:
            return f"more redirects than {self.limits.redirects}"
        if request.depth > self.limits.depth:
            return f"more than {self.limits.depth} links away"
        if request.role == "map" and request.depth > self.limits.map_depth:
            return f"a sitemap below more than {self.limits.map_depth} others"
        if request.role != "map" and splitext(path)[1][1:].lower() in NON_PAGE_EXTENSIONS:
            return "no page by its name"
        return "blacklisted" if request.url in self.scope.blacklist else self._trap(request.url)

    def _trap(self, url: str) -> str:
        if reason := trap_reason(url):
            return f"a trap: {reason}"
        if url_shape(url) in self._closed:
            return "a trap: pages of this shape bring nothing new"
        return ""
