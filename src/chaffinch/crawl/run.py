"""A whole crawl, from start addresses to a WARC file and a summary."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from chaffinch.crawl.archive import Archive
from chaffinch.crawl.earlier_crawl import known_pages
from chaffinch.crawl.frontier import Frontier, Scope
from chaffinch.crawl.job import Job
from chaffinch.crawl.polite_line import PoliteLine, StoppedError
from chaffinch.crawl.robots import RobotsBook
from chaffinch.crawl.settings import CrawlLimits, Politeness
from chaffinch.crawl.siblings import COUNT, discover
from chaffinch.crawl.summary import Summary
from chaffinch.crawl.visits import Wanted
from chaffinch.errors import OptionError, require_one_of
from chaffinch.fetch import AddressGuard, FetchLimits
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from chaffinch.crawl.polite_line import Reply
    from chaffinch.crawl.visits import Visit

Extent = Literal["site", "sitemap", "same-layer"]
EXTENTS: Final[tuple[Extent, ...]] = get_args(Extent)

_USUAL_FETCH: Final = FetchLimits(max_bytes=16 << 20)
_START: Final = "chaffinch-start"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to crawl, and how.

    Attributes:
        urls: start addresses.
        extent: ``site``, links are followed on the hosts of the start addresses; ``sitemap``, what
            their site maps list; ``same-layer``, pages of the same layer as each start address.
        hosts: more hosts to follow links to, with the port where it is unusual.
        limits: how far. For ``same-layer``, ``pages`` counts for each start address, itself
            included; 9 if not given.
        manners: how politely.
        fetch: bounds of one request.
        allow: hosts that may be in a private network; see `AddressGuard`.
        resolve: names whose address is told; see `AddressGuard`.

    Raises:
        OptionError: there is no start address, or a value is impossible.
    """

    urls: tuple[str, ...]
    extent: Extent = "site"
    hosts: tuple[str, ...] = ()
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    manners: Politeness = field(default_factory=Politeness)
    fetch: FetchLimits = _USUAL_FETCH
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_one_of("extent", self.extent, EXTENTS)
        if not self.urls:
            raise OptionError("a crawl needs a start address")
        for url in self.urls:
            if not plain_url(url):
                raise OptionError(f"not a web address: {url!r}")

    @property
    def scope(self) -> Scope:
        """Where the crawl may go."""
        own = (host_of(plain_url(url)) for url in self.urls)
        return Scope(
            hosts=frozenset((*own, *map(str.lower, self.hosts))), follows=self.extent == "site"
        )

    @property
    def saved(self) -> dict[str, str]:
        """What must be the same when a crawl goes on, as the file has it."""
        return {
            "chaffinch-urls": " ".join(plain_url(url) for url in self.urls),
            "chaffinch-extent": self.extent,
            "chaffinch-hosts": " ".join(sorted(self.scope.hosts)),
            "robots": "obeyed",
        }


def crawl(  # noqa: PLR0913  options are keyword-only
    plan: Plan,
    out: Path,
    *,
    resume: bool = False,
    since: Path | None = None,
    told: Callable[[Visit], None] | None = None,
    stop_signals: Sequence[signal.Signals] = (),
) -> Summary:
    """Crawl, and write what came to a WARC file.

    Args:
        plan: what and how.
        out: the file, which must not be there unless ``resume``.
        resume: go on with the file of a crawl that ended early, by a crash or its limit of pages.
        since: WARC file of an earlier crawl: pages that bear a mark of their version are asked for
            on the condition that they have changed.
        told: called with every visit of this run.
        stop_signals: signals that stop the crawl: what was sent is waited for and recorded,
            nothing more is sent, and ``resume`` goes on with it. A second one acts as it did
            before the crawl. Needs the main thread; Windows has no such signals.

    Raises:
        ArchiveError: a file can't be read or written, or is of another crawl.
        OptionError: the contact or an allowed host is malformed.
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
        FetchError: the start address of a ``same-layer`` crawl can't be had.
    """

    async def crawled() -> Summary:
        line = PoliteLine(plan.fetch, AddressGuard(plan.allow, plan.resolve), plan.manners)
        try:
            with _stopped_by(stop_signals, line.stop):
                return await _crawl(plan, line, out, resume=resume, since=since, told=told)
        finally:
            line.close()

    return asyncio.run(crawled())


@contextlib.contextmanager
def _stopped_by(signals: Sequence[signal.Signals], stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` at the first of ``signals``; a second one acts as it did before."""
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
    plan: Plan,
    line: PoliteLine,
    out: Path,
    *,
    resume: bool,
    since: Path | None,
    told: Callable[[Visit], None] | None,
) -> Summary:
    robots = RobotsBook(line, plan.scope)
    limits = plan.limits
    if plan.extent == "same-layer":  # its start addresses are all that it asks for
        limits = replace(limits, pages=None)
    frontier = Frontier(plan.scope, limits, plan.manners.per_host)
    known = known_pages(since) if since is not None else {}
    summary, is_there = Summary(), out.exists()  # noqa: ASYNC240 nothing else runs yet

    def note(visit: Visit) -> None:
        summary.add(visit)
        if told is not None:
            told(visit)

    with contextlib.suppress(StoppedError):  # before the crawl began; a job ends by itself
        notes: dict[str, str] = {}
        at_hand: dict[str, Reply] = {}
        if not (resume and is_there):
            start, at_hand = await _start(plan, line, robots)
            notes = {_START: " ".join(start)}
        with Archive(out, plan=plan.saved, notes=notes, resume=resume) as archive:
            start = archive.begun[_START].split()
            await _rebuild(frontier, archive, plan, start, robots)
            summary.begin(archive.visits, archive.cut)
            archive.visits.clear()
            job = Job(frontier, archive, line, robots, known, at_hand, note)
            await job.run(at_once=plan.manners.in_all)
    summary.close(plan.limits.redirects)
    summary.refused, summary.traps = frontier.refused, frontier.closed
    summary.is_stopped = line.is_stopped
    summary.is_cut_short = frontier.is_waiting() and not summary.is_stopped
    summary.delays = robots.delays()
    return summary


async def _rebuild(
    frontier: Frontier, archive: Archive, plan: Plan, start: Sequence[str], robots: RobotsBook
) -> None:
    """Bring the frontier to where the file ends."""
    if plan.extent == "sitemap":
        offered = await _maps(start, robots)
    else:
        offered = [Wanted(url=url) for url in start]
    for wanted in offered:
        frontier.offer(wanted)
    for visit in archive.visits:
        frontier.learn(visit)


async def _start(
    plan: Plan, line: PoliteLine, robots: RobotsBook
) -> tuple[list[str], dict[str, Reply]]:
    """Return the addresses that a new crawl starts from, and replies that came on the way."""
    urls = [plain_url(url) for url in plan.urls]
    if plan.extent != "same-layer":
        return urls, {}
    count = plan.limits.pages - 1 if plan.limits.pages else COUNT
    chosen, replies = list(urls), dict[str, "Reply"]()
    for url in urls if count else ():
        found = await discover(url, line=line, robots=robots, count=count)
        chosen += [sibling.url for sibling in found.siblings]
        replies |= found.replies
    return list(dict.fromkeys(chosen)), replies


async def _maps(urls: Sequence[str], robots: RobotsBook) -> list[Wanted]:
    """Return the site maps of the hosts of ``urls``: those robots.txt names, or the usual one."""
    out = []
    for url in urls:
        rules = await robots.rules(url)
        usual = plain_url("/sitemap.xml", url)
        out += [Wanted(url=one, role="map") for one in rules.sitemaps or (usual,)]
    return out
