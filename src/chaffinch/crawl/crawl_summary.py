"""The summary of a crawl: counts, failures, refusals, opt-outs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chaffinch.siblings.url_shapes import host_of
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chaffinch.crawl.visits import Visit


@dataclass
class CrawlSummary:
    """Counts of visits and lists of problems; earlier runs of the same file are included.

    Attributes:
        counts: visits by kind (`chaffinch.crawl.visits.VisitKind`).
        hosts: visits by host.
        problems: (address, reason) of failures, in order.
        forbidden: (address, reason) of what robots.txt or the address guard forbids.
        left_out: (address, reason) of what binding opt-outs excluded.
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
        lists = {"failed": self.problems, "forbidden": self.forbidden, "left out": self.left_out}
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
