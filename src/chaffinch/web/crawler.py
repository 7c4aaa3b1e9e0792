"""A whole crawl, from its plan to a WARC file and a summary.

Each request is an asyncio task, ``at_once`` of them at a time. A task awaits only the download and
robots.txt; parsing and recording a response isn't interrupted, so that the archive and the
frontier always agree.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args
from urllib.parse import urlsplit

from chaffinch.errors import FetchError, OptionError, RefusedError, require_one_of
from chaffinch.loading.loader import RENDER, Loader
from chaffinch.metadata.language import primary
from chaffinch.siblings.url_shapes import UrlBlacklist, host_of, plain_url
from chaffinch.web.archive import Archive, KnownPage, known_pages
from chaffinch.web.frontier import CrawlRequest, Frontier, Scope, Visit
from chaffinch.web.guard import AddressGuard
from chaffinch.web.polite import Download, PoliteClient, StoppedError
from chaffinch.web.response import ParsedResponse, parse_response, reads_body
from chaffinch.web.robots import RobotsCache
from chaffinch.web.settings import SIBLINGS, CrawlLimits, FetchLimits, Politeness
from chaffinch.web.siblings import discover
from chaffinch.wording import counted

Extent = Literal["site", "sitemap", "same-layer"]
EXTENTS: Final[tuple[Extent, ...]] = get_args(Extent)

_DEFAULT_FETCH: Final = FetchLimits(max_bytes=16 << 20)


@dataclass(frozen=True, kw_only=True)
class CrawlPlan:
    """What to crawl, and how.

    Attributes:
        urls: start addresses.
        extent: ``site``, links on the hosts of the start addresses are followed; ``sitemap``,
            entries of their sitemaps are fetched; ``same-layer``, each start address and
            pages of its layer.
        hosts: further hosts to follow links to, with the port where it isn't the usual one.
        limits: bounds of the crawl. For ``same-layer``, ``pages`` counts for each start address,
            itself included; 9 if not given.
        politeness: delays, retries, binding opt-outs.
        fetch: bounds of one request.
        allow: hosts that may be in a private network; see `AddressGuard`.
        resolve: names with a fixed address; see `AddressGuard`.
        render: when a browser runs the scripts of a page: ``auto``, where it waits for them,
            ``always`` or ``never``. Links are those of the rendered page.
        browser: path or name of the browser's program; None to look for one.
        wait: what a rendered page is waited for, as of `chaffinch.render.Renderer`.
        expand: whether controls that bring more are clicked, as there.
        languages: codes of languages, such as ``("en",)``: a page in another one is left out, and
            its links aren't followed unless it is a start page; links that declare another one
            (``hreflang``) aren't, either. A page whose language isn't known is taken. Empty for
            all.
        url_blacklist: addresses that aren't requested; one that ends with ``*`` stands for all that
            begin so.

    Raises:
        OptionError: there is no start address, or a value is impossible.
    """

    urls: tuple[str, ...]
    extent: Extent = "site"
    hosts: tuple[str, ...] = ()
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    politeness: Politeness = field(default_factory=Politeness)
    fetch: FetchLimits = _DEFAULT_FETCH
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()
    render: str = "never"
    browser: str | None = None
    wait: str | float | None = None
    expand: bool = False
    languages: tuple[str, ...] = ()
    url_blacklist: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_one_of("extent", self.extent, EXTENTS)
        require_one_of("render", self.render, RENDER)
        if not self.urls:
            raise OptionError("a crawl needs a start address")
        for url in self.urls:
            if not plain_url(url):
                raise OptionError(f"not a web address: {url!r}")
        codes = tuple(map(primary, self.languages))
        if not all(codes):
            raise OptionError(f"no codes of languages: {', '.join(self.languages)}")
        object.__setattr__(self, "languages", codes)
        UrlBlacklist.of(self.url_blacklist)

    def loader(self) -> Loader:
        """Return what renders the pages."""
        return Loader(
            render=self.render,
            browser=self.browser,
            wait=self.wait,
            expand=self.expand,
            allow=self.allow,
            resolve=self.resolve,
            contact=self.politeness.contact,
            fetch_limits=self.fetch,
        )

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
        if self.extent == "same-layer":
            pages = len(self.urls) * (pages or SIBLINGS + 1)
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
    """Counts of visits and lists of problems; earlier runs of the same file are included.

    Attributes:
        counts: visits by kind (`chaffinch.web.frontier.VisitKind`).
        hosts: visits by host.
        problems: (address, reason) of failures, in order.
        forbidden: (address, reason) of what robots.txt or the address guard forbids.
        left_out: (address, reason) of what binding opt-outs excluded.
        others: (address, reason) of responses that are no pages.
        refused: reason → addresses that were never requested.
        traps: (shape of addresses, last address) of crawl traps that were found by their pages.
        opt_outs: directive of owners, or ``tdm reserved`` → pages.
        requests: requests sent, retries included.
        delays: host → Crawl-delay in seconds, where robots.txt sets one.
        left: host → why it got no more requests.
        resumed: visits that were in the file before this run.
        cut: bytes of a torn record that were cut off, as a crash leaves it.
        is_cut_short: whether a limit ended it while addresses were queued.
        most_requests: the limit of requests, if that ended it; else 0.
        is_stopped: whether a signal ended it.
    """

    counts: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    problems: list[tuple[str, str]] = field(default_factory=list)
    forbidden: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    refused: Mapping[str, int] = field(default_factory=dict)
    traps: list[tuple[str, str]] = field(default_factory=list)
    opt_outs: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    delays: dict[str, float] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    resumed: int = 0
    cut: int = 0
    is_cut_short: bool = False
    most_requests: int = 0
    is_stopped: bool = False
    _redirects: dict[str, str] = field(default_factory=dict)

    def begin(self, visits: Iterable[Visit], cut: int) -> None:
        """Count the visits of earlier runs; ``cut`` bytes of a torn record were cut off."""
        for visit in visits:
            self.add(visit)
        self.resumed, self.cut = self.counts.total(), cut

    def add(self, visit: Visit) -> None:
        """Count a visit."""
        self.counts[visit.kind] += 1
        self.hosts[host_of(visit.url)] += 1
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
        """Add redirects in circles and too long chains of redirects to the problems.

        Args:
            hops: redirects in a row that are followed.
        """
        lengths: dict[str, float] = {}  # redirects from an address on; infinite in a circle
        for url in self._redirects:
            place, passed = url, dict[str, None]()
            while place in self._redirects and place not in lengths and place not in passed:
                passed[place] = None
                place = self._redirects[place]
            length = math.inf if place in passed else lengths.get(place, 0)
            for one in reversed(passed):
                length += 1
                lengths[one] = length
            if lengths[url] == math.inf:
                self.problems.append((url, "redirects in a circle"))
            elif lengths[url] > hops:
                self.problems.append((url, f"more than {hops} redirects"))

    def lines(self, most: int = 20) -> list[str]:
        """Return the summary as lines of text, with at most ``most`` entries of each list."""
        out = [f"{counted(self.counts['page'], 'page')}, {counted(self.requests, 'request')}"]
        out += [
            f"  {count:,} {kind}" for kind, count in self.counts.most_common() if kind != "page"
        ]
        if self.resumed:
            out.append(f"  {self.resumed:,} of these visits were in the file before")
        if self.cut:
            out.append(f"  {self.cut:,} bytes of half a record were cut from the file")
        if self.most_requests:
            out.append(f"  ended by its limit of {self.most_requests:,} requests")
        elif self.is_cut_short:
            out.append("  addresses are left: the limit of pages was reached")
        if self.is_stopped:
            out.append("  stopped before its end: go on with --resume")
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
            directives = ", ".join(
                f"{word} {count:,}" for word, count in self.opt_outs.most_common()
            )
            out.append(f"opt-outs: {directives}")
        return out


_NOT_MODIFIED = 304


class LeftOutError(RefusedError):
    """Text and data mining of the address is reserved, and reservations are binding."""


@dataclass
class Crawler:
    """A crawl from a frontier to an archive.

    Attributes:
        known: address → page of an earlier crawl, for conditional requests.
        prefetched: downloads of same-layer discovery, each used once.
        on_visit: called with each visit after it is recorded.
        loader: renders pages where that is wanted; None for never.
        languages: codes of those that pages may be in; empty for all.
    """

    frontier: Frontier
    archive: Archive
    client: PoliteClient
    robots: RobotsCache
    known: Mapping[str, KnownPage] = field(default_factory=dict)
    prefetched: dict[str, Download] = field(default_factory=dict)
    on_visit: Callable[[Visit], None] | None = None
    loader: Loader | None = None
    languages: tuple[str, ...] = ()

    async def run(self, *, at_once: int) -> None:
        """Crawl until the frontier has no more requests, or the client is stopped.

        Args:
            at_once: requests at a time, over all hosts.

        Raises:
            ArchiveError: the file can't be written to.
        """
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                while len(running) < at_once and (request := self._next_request()) is not None:
                    running.add(asyncio.create_task(self._crawl(request)))
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                if failures := [error for task in done if (error := task.exception())]:
                    raise failures[0]
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _next_request(self) -> CrawlRequest | None:
        for host in self.client.left.keys() - self.frontier.left:
            self.frontier.leave(host)
        return None if self.client.is_stopped else self.frontier.next_request()

    async def _crawl(self, request: CrawlRequest) -> None:
        try:
            download = await self.download(request)
        except StoppedError:
            return  # requested again when the crawl is resumed
        except FetchError as error:
            self.record_refusal(request, error)
            return
        await self.record_download(request, download)

    async def download(self, request: CrawlRequest) -> Download:
        """Download an address if robots.txt and binding reservations allow it.

        Raises:
            RefusedError: it isn't allowed.
            FetchError: it failed for good.
            StoppedError: the client was stopped before there was a response.
        """
        rules = await self.robots.rules(request.url)
        if refusal := rules.refusal(request.url):
            raise RefusedError(refusal)
        reserved, policy = rules.tdm.of(_target(request.url))
        if reserved and "tdm" in self.client.politeness.binding:
            raise LeftOutError(f"text and data mining is reserved {policy}".rstrip())
        if request.url in self.prefetched:
            return self.prefetched.pop(request.url)
        known = self.known.get(request.url)
        extra = dict(known.conditions) if known else None
        return await self.client.get(request.url, reads_body=reads_body(request.role), extra=extra)

    async def record_download(self, request: CrawlRequest, download: Download) -> None:
        """Record a response, or that there was none."""
        fields: dict[str, Any] = {
            "attempts": download.attempts,
            "seconds": round(download.seconds, 3),
        }
        response = download.response
        if response is None:
            self._record(_visit(request, kind="failed", reason=download.problem, **fields))
            return
        fields["status"] = response.status
        known = self.known.get(request.url)
        if response.status == _NOT_MODIFIED and known is not None:
            before = known.visit
            outlink, key = (before.outlink, before.text_key) if before else ((), "")
            visit = _visit(request, kind="unchanged", outlink=outlink, text_key=key, **fields)
            self._record(visit, download, same=known.response)
            return
        rules = await self.robots.rules(request.url)
        in_file = rules.tdm.of(_target(request.url))
        given = (request.url, request.role, response, self.client.limits, in_file)
        if self.loader is None:
            found = parse_response(*given, languages=self.languages)
        else:
            found = await asyncio.to_thread(
                parse_response, *given, loader=self.loader, languages=self.languages
            )
        if found.kind in ("page", "failed"):
            self.client.note_page(host_of(request.url), is_block=found.is_block)
        self._record_parsed(request, download, found, fields)

    def record_refusal(self, request: CrawlRequest, error: FetchError) -> None:
        """Record that an address was forbidden, left out or failed for good."""
        kind = "failed"
        if isinstance(error, RefusedError):
            kind = "left out" if isinstance(error, LeftOutError) else "forbidden"
        self._record(_visit(request, kind=kind, reason=str(error)))

    def _record_parsed(
        self,
        request: CrawlRequest,
        download: Download,
        found: ParsedResponse,
        fields: dict[str, Any],
    ) -> None:
        opt_outs, binding = found.opt_outs, self.client.politeness.binding
        reserved = {None: "", True: "1", False: "0"}[opt_outs.reserved]
        fields |= {
            "robots": ", ".join(opt_outs.robots),
            "policy": opt_outs.policy,
            "reserved": reserved,
        }
        fields |= {"payload": found.payload, "text_key": found.text_key, "outlink": found.outlink}
        if "robots" in binding and opt_outs.forbids_following:
            fields["outlink"] = ()
        exclusion = opt_outs.exclusion if "robots" in binding else ""
        if not exclusion and "tdm" in binding and opt_outs.reserved:
            exclusion = "text and data mining is reserved"
        if not exclusion and found.language:
            exclusion = f"its language is {found.language}"
            fields["outlink"] = found.outlink if request.depth == 0 else ()
        if exclusion and found.kind in ("page", "other"):
            fields |= {"payload": "", "text_key": ""}
            self._record(_visit(request, kind="left out", reason=exclusion, **fields))
            return
        kind, reason, same = found.kind, found.reason, None
        # A page that another one declares as canonical, and that declares a further one in turn, is
        # taken for what it is: of some servers each answer names another one.
        is_believed = bool(found.canonical) and request.role != "canonical"
        if kind == "page" and is_believed and self.frontier.may_be_page(found.canonical):
            kind, reason = "duplicate", f"its canonical address is {found.canonical}"
            fields["outlink"] = (*found.outlink, (found.canonical, "canonical"))
        elif kind == "page" and (first := self.archive.first_responses.get(found.payload)):
            kind, reason, same = "duplicate", f"the same as {first.url}", first
        rendered = found.rendered if kind == "page" else b""
        visit = _visit(request, kind=kind, reason=reason, **fields)
        self._record(visit, download, same=same, rendered=rendered)

    def _record(self, visit: Visit, download: Download | None = None, **more: Any) -> None:
        self.archive.write(visit, download, **more)
        self.frontier.record(visit)
        if self.on_visit is not None:
            self.on_visit(visit)


def _visit(request: CrawlRequest, **fields: Any) -> Visit:
    return Visit(
        url=request.url,
        depth=request.depth,
        via=request.via,
        role=request.role,
        hops=request.hops,
        **fields,
    )


def _target(url: str) -> str:
    split = urlsplit(url)
    return f"{split.path}?{split.query}" if split.query else split.path


_START: Final = "chaffinch-start"


def crawl(  # noqa: PLR0913  options are keyword-only
    plan: CrawlPlan,
    out: Path,
    *,
    resume: bool = False,
    since: Path | None = None,
    on_visit: Callable[[Visit], None] | None = None,
    stop_signals: Sequence[signal.Signals] = (),
) -> CrawlSummary:
    """Crawl into a WARC file.

    Args:
        plan: what to fetch, and how.
        out: the file, which must not exist unless ``resume``.
        resume: resume the crawl of this file, which ended early: by a crash, a signal or its limit
            of pages.
        since: WARC file of an earlier crawl: its pages that have a validator (ETag, Last-Modified)
            are requested on the condition that they have changed.
        on_visit: called with each visit of this run.
        stop_signals: signals that stop the crawl cleanly: requests in flight are finished and
            recorded, no others are sent. A second signal has the effect that it had before the
            crawl. Needs the main thread; not on Windows.

    Raises:
        ArchiveError: a file can't be read or written, or ``out`` is of another crawl.
        OptionError: the contact or an allowed host is malformed.
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
        FetchError: the start address of a ``same-layer`` crawl can't be fetched.
    """

    async def crawled() -> CrawlSummary:
        guard = AddressGuard(plan.allow, plan.resolve)
        client = PoliteClient(plan.fetch, guard, plan.politeness, plan.most_requests)
        try:
            with _stopped_by(stop_signals, client.stop), plan.loader() as loader:
                return await _crawl(
                    plan, client, out, loader, resume=resume, since=since, on_visit=on_visit
                )
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


async def _crawl(  # noqa: PLR0913  the same
    plan: CrawlPlan,
    client: PoliteClient,
    out: Path,
    loader: Loader,
    *,
    resume: bool,
    since: Path | None,
    on_visit: Callable[[Visit], None] | None,
) -> CrawlSummary:
    robots = RobotsCache(client, plan.scope)
    frontier = _frontier(plan)
    known = known_pages(since) if since is not None else {}
    summary = CrawlSummary()
    # A crawl that was killed before its first record is begun anew.
    is_there = out.exists() and out.stat().st_size > 0  # noqa: ASYNC240 nothing else runs yet

    def note(visit: Visit) -> None:
        summary.add(visit)
        if on_visit is not None:
            on_visit(visit)

    # Where the client is stopped before the crawler runs; a running crawler handles it itself.
    with contextlib.suppress(StoppedError):
        notes: dict[str, str] = {}
        prefetched: dict[str, Download] = {}
        if not (resume and is_there):
            start, prefetched = await _start(plan, client, robots, loader)
            notes = {_START: " ".join(start)}
        with Archive(out, plan=plan.saved, notes=notes, resume=resume) as archive:
            start = archive.info[_START].split()
            client.sent += sum(visit.attempts for visit in archive.visits)
            await _rebuild(frontier, archive, plan, start, robots)
            summary.begin(archive.visits, archive.cut)
            archive.visits.clear()
            crawler = Crawler(frontier, archive, client, robots, known, prefetched, note)
            crawler.languages = plan.languages
            crawler.loader = None if plan.render == "never" else loader
            await crawler.run(at_once=plan.politeness.at_once)
    _close(summary, plan, frontier, client)
    summary.delays = robots.delays()
    return summary


def _frontier(plan: CrawlPlan) -> Frontier:
    limits = plan.limits
    if plan.extent == "same-layer":  # it fetches its start addresses alone
        limits = replace(limits, pages=None)
    return Frontier(plan.scope, limits, plan.politeness.per_host)


def _close(
    summary: CrawlSummary, plan: CrawlPlan, frontier: Frontier, client: PoliteClient
) -> None:
    summary.close(plan.limits.redirects)
    summary.refused, summary.traps = frontier.refused, frontier.closed
    summary.is_stopped = client.is_stopped and not client.is_exhausted
    summary.is_cut_short = frontier.has_queued() and not summary.is_stopped
    summary.most_requests = plan.most_requests if client.is_exhausted else 0
    summary.left = dict(client.left)


async def _rebuild(
    frontier: Frontier, archive: Archive, plan: CrawlPlan, start: Sequence[str], robots: RobotsCache
) -> None:
    if plan.extent == "sitemap":
        starts = await _sitemaps(start, robots)
    else:
        starts = [CrawlRequest(url=url) for url in start]
    for request in starts:
        frontier.add(request)
    for visit in archive.visits:
        frontier.record(visit)


async def _start(
    plan: CrawlPlan, client: PoliteClient, robots: RobotsCache, loader: Loader
) -> tuple[list[str], dict[str, Download]]:
    urls = [plain_url(url) for url in plan.urls]
    if plan.extent != "same-layer":
        return urls, {}
    count = plan.limits.pages - 1 if plan.limits.pages else SIBLINGS
    chosen, downloads = list(urls), dict[str, "Download"]()
    for url in urls if count else ():
        found = await discover(url, client=client, robots=robots, count=count, loader=loader)
        chosen += [sibling.url for sibling in found.siblings]
        downloads |= found.downloads
    return list(dict.fromkeys(chosen)), downloads


async def _sitemaps(urls: Sequence[str], robots: RobotsCache) -> list[CrawlRequest]:
    out = []
    for url in urls:
        rules = await robots.rules(url)
        usual = plain_url("/sitemap.xml", url)
        out += [CrawlRequest(url=one, role="map") for one in rules.sitemaps or (usual,)]
    return out
