"""A whole crawl, from its plan to a WARC file and a summary."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from chaffinch.crawl.archive import Archive
from chaffinch.crawl.conditional_requests import known_pages
from chaffinch.crawl.crawl_plan import SIBLINGS
from chaffinch.crawl.crawl_summary import CrawlSummary
from chaffinch.crawl.crawler import Crawler
from chaffinch.crawl.frontier import Frontier
from chaffinch.crawl.polite_client import PoliteClient, StoppedError
from chaffinch.crawl.robots import RobotsCache
from chaffinch.crawl.sibling_discovery import discover
from chaffinch.crawl.visits import CrawlRequest
from chaffinch.fetch import AddressGuard
from chaffinch.siblings.url_shapes import plain_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from chaffinch.crawl.crawl_plan import CrawlPlan
    from chaffinch.crawl.polite_client import Download
    from chaffinch.crawl.visits import Visit
    from chaffinch.loading.loader import Loader

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
    """Return the frontier of a crawl that hasn't begun."""
    limits = plan.limits
    if plan.extent == "same-layer":  # it fetches its start addresses alone
        limits = replace(limits, pages=None)
    return Frontier(plan.scope, limits, plan.politeness.per_host)


def _close(
    summary: CrawlSummary, plan: CrawlPlan, frontier: Frontier, client: PoliteClient
) -> None:
    """Note why a crawl ended, and what it left."""
    summary.close(plan.limits.redirects)
    summary.refused, summary.traps = frontier.refused, frontier.closed
    summary.is_stopped = client.is_stopped and not client.is_exhausted
    summary.is_cut_short = frontier.has_queued() and not summary.is_stopped
    summary.most_requests = plan.most_requests if client.is_exhausted else 0
    summary.left = dict(client.left)


async def _rebuild(
    frontier: Frontier, archive: Archive, plan: CrawlPlan, start: Sequence[str], robots: RobotsCache
) -> None:
    """Rebuild the frontier from the visits of the archive."""
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
    """Return the start addresses of a new crawl, and the downloads of same-layer discovery."""
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
    """Return the sitemaps of the hosts of ``urls``: those in robots.txt, else the usual one."""
    out = []
    for url in urls:
        rules = await robots.rules(url)
        usual = plain_url("/sitemap.xml", url)
        out += [CrawlRequest(url=one, role="map") for one in rules.sitemaps or (usual,)]
    return out
