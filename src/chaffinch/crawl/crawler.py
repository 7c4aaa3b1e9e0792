"""The loop of a crawl: takes requests from the frontier, downloads, parses and records.

Each request is an asyncio task, ``at_once`` of them at a time. A task awaits only the download and
robots.txt; parsing and recording a response isn't interrupted, so that the archive and the
frontier always agree.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chaffinch.crawl.parsed_response import ParsedResponse, parse_response, reads_body
from chaffinch.crawl.polite_client import StoppedError
from chaffinch.crawl.visits import CrawlRequest, Visit
from chaffinch.errors import FetchError, RefusedError
from chaffinch.siblings.url_shapes import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.crawl.archive import Archive
    from chaffinch.crawl.conditional_requests import KnownPage
    from chaffinch.crawl.frontier import Frontier
    from chaffinch.crawl.polite_client import Download, PoliteClient
    from chaffinch.crawl.robots import RobotsCache
    from chaffinch.loading.loader import Loader

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
        if kind == "page" and self._is_other_page(found.canonical):
            kind, reason = "duplicate", f"its canonical address is {found.canonical}"
            fields["outlink"] = (*found.outlink, (found.canonical, "canonical"))
        elif kind == "page" and (first := self.archive.first_responses.get(found.payload)):
            kind, reason, same = "duplicate", f"the same as {first.url}", first
        rendered = found.rendered if kind == "page" else b""
        visit = _visit(request, kind=kind, reason=reason, **fields)
        self._record(visit, download, same=same, rendered=rendered)

    def _is_other_page(self, canonical: str) -> bool:
        """Return whether a canonical address is another page that the crawl may fetch."""
        hosts = self.frontier.scope.hosts
        return (
            bool(canonical)
            and host_of(canonical) in hosts
            and not self.frontier.is_no_page(canonical)
        )

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
