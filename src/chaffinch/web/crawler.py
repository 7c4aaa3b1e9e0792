"""A whole crawl, from its plan to a WARC file and a summary."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, get_args
from urllib.parse import urlsplit

from chaffinch.errors import FetchError, OptionError, RefusedError, require_one_of
from chaffinch.loading.loader import Loader, LoadingOptions
from chaffinch.metadata.language import primary
from chaffinch.siblings.url_shapes import UrlBlacklist, host_of, plain_url
from chaffinch.web.archive import Archive
from chaffinch.web.frontier import CrawlRequest, Frontier, Scope, Visit
from chaffinch.web.guard import AddressGuard
from chaffinch.web.polite import Download, PoliteClient, RobotsCache, StoppedError, reserved_by
from chaffinch.web.response import ParsedResponse, parse_response, reads_body
from chaffinch.web.settings import CrawlLimits, FetchLimits, Politeness
from chaffinch.wording import counted

Extent = Literal["site", "sitemap"]
EXTENTS: Final[tuple[Extent, ...]] = get_args(Extent)

_DEFAULT_FETCH: Final = FetchLimits(max_bytes=16 << 20)


@dataclass(frozen=True, kw_only=True)
class CrawlPlan(LoadingOptions):
    """What to crawl, and how; links are those of the rendered page, where one is rendered.

    Raises:
        OptionError: there is no start address, or a value is impossible.
    """

    urls: tuple[str, ...]  # start addresses
    # ``site``, links on the hosts of the start addresses are followed; ``sitemap``, entries of
    # their sitemaps are fetched
    extent: Extent = "site"
    # further hosts to follow links to, with the port where it isn't the usual one
    hosts: tuple[str, ...] = ()
    limits: CrawlLimits = field(default_factory=CrawlLimits)  # bounds of the crawl
    politeness: Politeness = field(default_factory=Politeness)  # delays, retries, binding opt-outs
    fetch: FetchLimits = _DEFAULT_FETCH  # bounds of one request
    # codes of languages, such as ``("en",)``: a page in another one is left out, and its links
    # aren't followed unless it is a start page; links that declare another one (``hreflang``)
    # aren't, either. A page whose language isn't known is taken. Empty for all
    languages: tuple[str, ...] = ()
    # addresses that aren't requested; one that ends with ``*`` stands for all that begin so
    url_blacklist: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_one_of("extent", self.extent, EXTENTS)
        LoadingOptions.__post_init__(self)
        if not self.urls:
            raise OptionError("a crawl needs a start URL")
        for url in self.urls:
            if not plain_url(url):
                raise OptionError(f"not a web URL: {url!r}")
        codes = tuple(map(primary, self.languages))
        if not all(codes):
            raise OptionError(f"no codes of languages: {', '.join(self.languages)}")
        object.__setattr__(self, "languages", codes)
        UrlBlacklist.of(self.url_blacklist)

    def loader(self) -> Loader:
        contact = self.politeness.contact
        return Loader(contact=contact, fetch_limits=self.fetch, **self.loading)

    @property
    def scope(self) -> Scope:
        """The hosts that the crawl may request."""
        own = (host_of(plain_url(url)) for url in self.urls)
        return Scope(
            hosts=frozenset((*own, *map(str.lower, self.hosts))),
            follows=self.extent == "site",
            blacklist=UrlBlacklist.of(self.url_blacklist),
        )

    @property
    def most_requests(self) -> int:
        """How many requests the crawl may send; see `CrawlLimits.requests`."""
        pages = self.limits.pages
        return self.limits.most_requests(pages and max(pages, len(self.urls)))

    @property
    def saved(self) -> dict[str, str]:
        """What must be the same when a crawl is resumed: fields of the file's warcinfo record."""
        chosen = {
            "chaffinch-languages": " ".join(sorted(self.languages)),
            "chaffinch-url-blacklist": " ".join(sorted(self.url_blacklist)),
        }
        return {
            "chaffinch-urls": " ".join(plain_url(url) for url in self.urls),
            "chaffinch-extent": self.extent,
            "chaffinch-hosts": " ".join(sorted(self.scope.hosts)),
            "robots": "obeyed",
            **{name: value for name, value in chosen.items() if value},
        }


@dataclass
class CrawlSummary:
    """Counts of visits and lists of problems; earlier runs of the same file are included."""

    # visits by kind (`chaffinch.web.frontier.VisitKind`)
    counts: Counter[str] = field(default_factory=Counter)
    # (address, reason) of failures, in order
    problems: list[tuple[str, str]] = field(default_factory=list)
    # (address, reason) of what robots.txt or the address guard forbids
    forbidden: list[tuple[str, str]] = field(default_factory=list)
    # (address, reason) of what binding opt-outs excluded
    left_out: list[tuple[str, str]] = field(default_factory=list)
    # (address, reason) of responses that are no pages
    others: list[tuple[str, str]] = field(default_factory=list)
    # reason → addresses that were never requested
    refused: Mapping[str, int] = field(default_factory=dict)
    # (shape of addresses, last address) of crawl traps that were found by their pages
    traps: list[tuple[str, str]] = field(default_factory=list)
    # directive of owners, or ``tdm reserved`` → pages
    opt_outs: Counter[str] = field(default_factory=Counter)
    requests: int = 0  # requests sent, retries included
    # host → Crawl-delay in seconds, where robots.txt sets one
    delays: dict[str, float] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)  # host → why it got no more requests
    resumed: int = 0  # visits that were in the file before this run
    cut: int = 0  # bytes of a torn record that were cut off, as a crash leaves it
    is_cut_short: bool = False  # whether a limit ended it while addresses were queued
    most_requests: int = 0  # the limit of requests, if that ended it; else 0
    is_stopped: bool = False  # whether a signal ended it
    _redirects: dict[str, str] = field(default_factory=dict)

    def add(self, visit: Visit) -> None:
        self.counts[visit.kind] += 1
        lists = {
            "failed": self.problems, "forbidden": self.forbidden, "left out": self.left_out,
            "other": self.others,
        }  # fmt: skip
        if visit.kind in lists:
            lists[visit.kind].append((visit.url, visit.reason))
        if visit.kind not in ("forbidden", "left out") or visit.status:
            self.requests += visit.attempts
        if visit.kind == "redirect":
            self._redirects[visit.url] = visit.outlink[0][0]
        self.opt_outs.update(word for word in visit.robots.split(", ") if word)
        if visit.reserved == "1":
            self.opt_outs["tdm reserved"] += 1

    def close(self, hops: int) -> None:
        """Add redirects in circles and chains of more than ``hops`` redirects to the problems."""
        for url in self._redirects:
            place, passed = url, set[str]()
            while place in self._redirects and place not in passed and len(passed) <= hops:
                passed.add(place)
                place = self._redirects[place]
            if place in passed:
                self.problems.append((url, "redirects in a circle"))
            elif len(passed) > hops:
                self.problems.append((url, f"more than {hops} redirects"))

    def lines(self, most: int = 20) -> list[str]:
        """Return the summary as lines of text, with at most ``most`` entries of each list."""
        out = [f"{counted(self.counts['page'], 'page')}, {counted(self.requests, 'request')}"]
        out += [
            f"  {count:,} {kind}" for kind, count in self.counts.most_common() if kind != "page"
        ]
        is_full = self.is_cut_short and not self.most_requests
        notes = {
            f"  {self.resumed:,} of these visits were in the file before": self.resumed,
            f"  {self.cut:,} bytes of half a record were cut from the file": self.cut,
            f"  ended by its limit of {self.most_requests:,} requests": self.most_requests,
            "  URLs are left: the limit of pages was reached": is_full,
            "  stopped before its end: go on with --resume": self.is_stopped,
        }
        out += [note for note, holds in notes.items() if holds]
        named = {
            "failed": self.problems,
            "forbidden": self.forbidden,
            "left out": self.left_out,
            "no page": self.others,
            "trap": self.traps,
            "left": list(self.left.items()),
        }
        for name, found in named.items():
            out += [f"{name}: {url}: {reason}" for url, reason in found[:most]]
            if len(found) > most:
                out.append(f"{name}: and {len(found) - most:,} more")
        out += [f"not requested, {reason}: {count:,}" for reason, count in self.refused.items()]
        out += [
            f"{host} asks for {delay:g} s between requests" for host, delay in self.delays.items()
        ]
        if self.opt_outs:
            words = (f"{word} {count:,}" for word, count in self.opt_outs.most_common())
            out.append(f"opt-outs: {', '.join(words)}")
        return out


class LeftOutError(RefusedError):
    """Text and data mining of the address is reserved, and reservations are binding."""


def crawl(
    plan: CrawlPlan,
    out: str | Path,
    *,
    resume: bool = False,
    on_visit: Callable[[Visit], None] | None = None,
    stop_signals: Sequence[signal.Signals] = (),
) -> CrawlSummary:
    """Crawl into a WARC file.

    Args:
        plan: what to fetch, and how.
        out: the file, which must not exist unless ``resume``.
        resume: resume the crawl of this file, which ended early: by a crash, a signal or its limit
            of pages.
        on_visit: called with each visit of this run.
        stop_signals: signals that stop the crawl cleanly: requests in flight are finished and
            recorded, no others are sent. A second signal has the effect that it had before the
            crawl. Needs the main thread; not on Windows.

    Raises:
        ArchiveError: a file can't be read or written, or ``out`` is of another crawl.
        OptionError: the contact or an allowed host is malformed.
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
    """

    async def crawled() -> CrawlSummary:
        guard = AddressGuard(plan.allow, plan.resolve)
        client = PoliteClient(plan.fetch, guard, plan.politeness, plan.most_requests)
        try:
            with _stopped_by(stop_signals, client.stop), plan.loader() as loader:
                return await _Crawler(plan, client, loader, on_visit).crawl(Path(out), resume)
        finally:
            client.close()

    return asyncio.run(crawled())


@contextlib.contextmanager
def _stopped_by(signals: Sequence[signal.Signals], stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` at the first of ``signals``; a second one has its earlier effect."""
    loop = asyncio.get_running_loop()
    before = {one: signal.getsignal(one) for one in signals}

    def restore() -> None:
        for one in list(before):
            loop.remove_signal_handler(one)
            signal.signal(one, before.pop(one))

    def stop_once() -> None:
        restore()
        stop()

    for one in signals:
        loop.add_signal_handler(one, stop_once)
    try:
        yield
    finally:
        restore()


@dataclass
class _Crawler:
    """A crawl, from its start addresses to the summary.

    Each request is an asyncio task, which awaits only the download and robots.txt: parsing and
    recording a response isn't interrupted, so that the archive and the frontier always agree.
    """

    plan: CrawlPlan
    client: PoliteClient
    loader: Loader
    on_visit: Callable[[Visit], None] | None
    summary: CrawlSummary = field(default_factory=CrawlSummary)
    archive: Archive = field(init=False)

    def __post_init__(self) -> None:
        plan = self.plan
        self.robots = RobotsCache(self.client, plan.scope)
        self.frontier = Frontier(plan.scope, plan.limits, plan.politeness.per_host)

    async def crawl(self, out: Path, resume: bool) -> CrawlSummary:  # noqa: FBT001
        # Where the client is stopped before the first task; a running crawl handles it itself.
        with (
            contextlib.suppress(StoppedError),
            Archive(out, plan=self.plan.saved, resume=resume) as self.archive,
        ):
            visits = self.archive.visits
            self.client.sent += sum(visit.attempts for visit in visits)
            for request in await self._start():
                self.frontier.add(request)
            for visit in visits:
                self.frontier.record(visit)
                self.summary.add(visit)
            self.summary.resumed, self.summary.cut = len(visits), self.archive.cut
            visits.clear()
            await self._run()
        summary, frontier, client = self.summary, self.frontier, self.client
        summary.close(self.plan.limits.redirects)
        summary.refused, summary.traps = frontier.refused, frontier.closed
        summary.is_stopped = client.is_stopped and not client.is_exhausted
        summary.is_cut_short = frontier.has_queued() and not summary.is_stopped
        summary.most_requests = self.plan.most_requests if client.is_exhausted else 0
        summary.left, summary.delays = dict(client.left), self.robots.delays()
        return summary

    async def _start(self) -> list[CrawlRequest]:
        """Return the first requests: pages, or sitemaps that robots.txt names, else the usual."""
        urls = dict.fromkeys(plain_url(url) for url in self.plan.urls)
        if self.plan.extent != "sitemap":
            return [CrawlRequest(url=url) for url in urls]
        out = []
        for url in urls:
            maps = (await self.robots.rules(url)).sitemaps or (plain_url("/sitemap.xml", url),)
            out += [CrawlRequest(url=one, role="map") for one in maps]
        return out

    async def _run(self) -> None:
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                while len(running) < self.plan.politeness.at_once and (next_ := self._next()):
                    running.add(asyncio.create_task(self._visit(next_)))
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                if failures := [error for task in done if (error := task.exception())]:
                    raise failures[0]
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _next(self) -> CrawlRequest | None:
        for host in self.client.left.keys() - self.frontier.left:
            self.frontier.leave(host)
        return None if self.client.is_stopped else self.frontier.next_request()

    async def _visit(self, request: CrawlRequest) -> None:
        try:
            download, in_file = await self._download(request)
        except StoppedError:
            return  # requested again when the crawl is resumed
        except FetchError as error:  # for good
            kind = "failed"
            if isinstance(error, RefusedError):
                kind = "left out" if isinstance(error, LeftOutError) else "forbidden"
            self._record(request, {"kind": kind, "reason": str(error)})
            return
        seconds = round(download.seconds, 3)
        fields: dict[str, Any] = {"attempts": download.attempts, "seconds": seconds}
        response = download.response
        if response is None:
            self._record(request, {**fields, "kind": "failed", "reason": download.problem})
            return
        fields["status"] = response.status
        parse = partial(
            parse_response, request.url, request.role, response, self.client.limits, in_file,
            languages=self.plan.languages,
        )  # fmt: skip
        if self.plan.render == "never":
            found = parse()
        else:
            found = await asyncio.to_thread(parse, loader=self.loader)
        if found.kind in ("page", "failed"):
            self.client.note_page(host_of(request.url), is_block=found.is_block)
        self._record_parsed(request, download, found, fields)

    async def _download(self, request: CrawlRequest) -> tuple[Download, tuple[bool | None, str]]:
        rules = await self.robots.rules(request.url)
        if refusal := rules.refusal(request.url):
            raise RefusedError(refusal)
        split = urlsplit(request.url)
        target = f"{split.path}?{split.query}" if split.query else split.path
        in_file = reserved_by(rules.tdm, target)
        if in_file[0] and "tdm" in self.client.politeness.binding:
            raise LeftOutError(f"text and data mining is reserved {in_file[1]}".rstrip())
        return await self.client.get(request.url, reads_body=reads_body(request.role)), in_file

    def _record_parsed(
        self,
        request: CrawlRequest,
        download: Download,
        found: ParsedResponse,
        fields: dict[str, Any],
    ) -> None:
        opt_outs, binding = found.opt_outs, self.client.politeness.binding
        fields |= {
            "kind": found.kind,
            "reason": found.reason,
            "robots": ", ".join(opt_outs.robots),
            "policy": opt_outs.policy,
            "reserved": {None: "", True: "1", False: "0"}[opt_outs.reserved],
            "payload": found.payload,
            "text_key": found.text_key,
            "outlink": found.outlink,
        }
        if "robots" in binding and opt_outs.forbids_following:
            fields["outlink"] = ()
        exclusion = opt_outs.exclusion if "robots" in binding else ""
        if not exclusion and "tdm" in binding and opt_outs.reserved:
            exclusion = "text and data mining is reserved"
        if not exclusion and found.language:
            exclusion = f"its language is {found.language}"
            fields["outlink"] = found.outlink if request.depth == 0 else ()
        if exclusion and found.kind in ("page", "other"):
            fields |= {"kind": "left out", "reason": exclusion, "payload": "", "text_key": ""}
            self._record(request, fields)
            return
        same = None
        # A page that another one declares as canonical, and that declares a further one in turn, is
        # taken for what it is: of some servers each answer names another one.
        is_believed = bool(found.canonical) and request.role != "canonical"
        if found.kind == "page" and is_believed and self.frontier.may_be_page(found.canonical):
            reason = f"its canonical URL is {found.canonical}"
            fields |= {"kind": "duplicate", "reason": reason}
            fields["outlink"] = (*found.outlink, (found.canonical, "canonical"))
        elif found.kind == "page" and (same := self.archive.first_responses.get(found.payload)):
            fields |= {"kind": "duplicate", "reason": f"the same as {same.url}"}
        rendered = found.rendered if fields["kind"] == "page" else b""
        self._record(request, fields, download, same=same, rendered=rendered)

    def _record(
        self,
        request: CrawlRequest,
        fields: dict[str, Any],
        download: Download | None = None,
        **more: Any,
    ) -> None:
        visit = Visit(**vars(request), **fields)
        self.archive.write(visit, download, **more)
        self.frontier.record(visit)
        self.summary.add(visit)
        if self.on_visit is not None:
            self.on_visit(visit)
