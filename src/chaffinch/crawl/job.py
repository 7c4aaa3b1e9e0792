"""The loop of a crawl: downloads what the frontier names, reads it, records it.

Every download is a task of asyncio's, ``at_once`` of them at most. A task waits only in the polite
line and for robots.txt; reading and recording an answer isn't interrupted, so that the archive and
the frontier always agree.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chaffinch.crawl.answers import Read, read, wants
from chaffinch.crawl.polite_line import StoppedError
from chaffinch.crawl.visits import Visit, Wanted
from chaffinch.errors import FetchError, RefusedError
from chaffinch.siblings.url_shapes import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.crawl.archive import Archive
    from chaffinch.crawl.earlier_crawl import Known
    from chaffinch.crawl.frontier import Frontier
    from chaffinch.crawl.polite_line import PoliteLine, Reply
    from chaffinch.crawl.robots import RobotsBook

_SAME = 304


class LeftOutError(RefusedError):
    """The owner's reservation is binding, and known before the page is asked for."""


@dataclass
class Job:
    """What a crawl needs while it runs.

    Attributes:
        known: pages of an earlier crawl, for conditional requests.
        at_hand: replies that came before the crawl began, each used once.
        told: called with every visit.
    """

    frontier: Frontier
    archive: Archive
    line: PoliteLine
    robots: RobotsBook
    known: Mapping[str, Known] = field(default_factory=dict)
    at_hand: dict[str, Reply] = field(default_factory=dict)
    told: Callable[[Visit], None] | None = None

    async def run(self, *, at_once: int) -> None:
        """Visit addresses until none is left that may be asked for, or the line is stopped.

        Args:
            at_once: downloads at a time, over all hosts.

        Raises:
            ArchiveError: the file can't be written to.
        """
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                while len(running) < at_once and (wanted := self._next()) is not None:
                    running.add(asyncio.create_task(self._visit(wanted)))
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                if failures := [error for task in done if (error := task.exception())]:
                    raise failures[0]
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _next(self) -> Wanted | None:
        return None if self.line.is_stopped else self.frontier.take()

    async def _visit(self, wanted: Wanted) -> None:
        try:
            reply = await self.ask(wanted)
        except StoppedError:
            return  # it is asked for when the crawl goes on
        except FetchError as error:
            self.give_up(wanted, error)
            return
        await self.take_in(wanted, reply)

    async def ask(self, wanted: Wanted) -> Reply:
        """Ask for an address, where robots.txt and binding reservations let it.

        Raises:
            RefusedError: the address may not be asked for.
            FetchError: what came is no good.
        """
        rules = await self.robots.rules(wanted.url)
        if refusal := rules.refusal(wanted.url):
            raise RefusedError(refusal)
        reserved, policy = rules.tdm.of(_target(wanted.url))
        if reserved and "tdm" in self.line.manners.binding:
            raise LeftOutError(f"text and data mining is reserved {policy}".rstrip())
        if wanted.url in self.at_hand:
            return self.at_hand.pop(wanted.url)
        known = self.known.get(wanted.url)
        extra = dict(known.conditions) if known else None
        return await self.line.get(wanted.url, wants=wants(wanted.role), extra=extra)

    async def take_in(self, wanted: Wanted, reply: Reply) -> None:
        """Record an answer, or that none came."""
        seen: dict[str, Any] = {"attempts": reply.attempts, "seconds": round(reply.seconds, 3)}
        answer = reply.exchange
        if answer is None:
            self._record(_visit(wanted, kind="failed", reason=reply.problem, **seen))
            return
        seen["status"] = answer.status
        known = self.known.get(wanted.url)
        if answer.status == _SAME and known is not None:
            before = known.visit
            outlink, key = (before.outlink, before.text_key) if before else ((), "")
            visit = _visit(wanted, kind="unchanged", outlink=outlink, text_key=key, **seen)
            self._record(visit, reply, same=known.earlier)
            return
        rules = await self.robots.rules(wanted.url)
        in_file = rules.tdm.of(_target(wanted.url))
        found = read(wanted.url, wanted.role, answer, self.line.limits, in_file)
        self._record_read(wanted, reply, found, seen)

    def give_up(self, wanted: Wanted, error: FetchError) -> None:
        """Record that an address was refused, left out or no good."""
        kind = "failed"
        if isinstance(error, RefusedError):
            kind = "left out" if isinstance(error, LeftOutError) else "forbidden"
        self._record(_visit(wanted, kind=kind, reason=str(error)))

    def _record_read(self, wanted: Wanted, reply: Reply, found: Read, seen: dict[str, Any]) -> None:
        wishes, binding = found.wishes, self.line.manners.binding
        reserved = {None: "", True: "1", False: "0"}[wishes.reserved]
        seen |= {"robots": ", ".join(wishes.robots), "policy": wishes.policy, "reserved": reserved}
        seen |= {"payload": found.payload, "text_key": found.text_key, "outlink": found.outlink}
        if "robots" in binding and wishes.closes_links:
            seen["outlink"] = ()
        closed = wishes.closes_page if "robots" in binding else ""
        if not closed and "tdm" in binding and wishes.reserved:
            closed = "text and data mining is reserved"
        if closed and found.kind in ("page", "other"):
            seen |= {"payload": "", "text_key": ""}
            self._record(_visit(wanted, kind="left out", reason=closed, **seen))
            return
        kind, reason, same = found.kind, found.reason, None
        if kind == "page" and self._is_elsewhere(found.canonical):
            kind, reason = "duplicate", f"its canonical address is {found.canonical}"
            seen["outlink"] = (*found.outlink, (found.canonical, "canonical"))
        elif kind == "page" and (first := self.archive.first.get(found.payload)):
            kind, reason, same = "duplicate", f"the same as {first.url}", first
        self._record(_visit(wanted, kind=kind, reason=reason, **seen), reply, same=same)

    def _is_elsewhere(self, canonical: str) -> bool:
        """Tell whether a canonical address is one that can be had."""
        hosts = self.frontier.scope.hosts
        return (
            bool(canonical) and host_of(canonical) in hosts and not self.frontier.lacks(canonical)
        )

    def _record(self, visit: Visit, reply: Reply | None = None, **more: Any) -> None:
        self.archive.write(visit, reply, **more)
        self.frontier.learn(visit)
        if self.told is not None:
            self.told(visit)


def _visit(wanted: Wanted, **fields: Any) -> Visit:
    return Visit(
        url=wanted.url,
        depth=wanted.depth,
        via=wanted.via,
        role=wanted.role,
        hops=wanted.hops,
        **fields,
    )


def _target(url: str) -> str:
    split = urlsplit(url)
    return f"{split.path}?{split.query}" if split.query else split.path
