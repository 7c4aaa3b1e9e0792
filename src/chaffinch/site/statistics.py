"""Statistics of a site's pages in bounded memory: a mergeable sample of their summaries.

Of each generation (the date on which pages were learned) the pages with the smallest keys are kept
(a bottom-k sample): uniform, and independent of the order of the pages and of their distribution
over machines. So `Statistics.merge` is exactly associative and commutative, and a hundred thousand
pages take no more memory than a few hundred.

(Cohen and Kaplan 2007, «Summarizing data using bottom-k sketches».)
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.errors import OptionError, require_whole
from chaffinch.fetch.url_parts import host_name
from chaffinch.method import require_verdict
from chaffinch.methods import Learned
from chaffinch.site import sample_file
from chaffinch.site.page_summary import page_key, summarise
from chaffinch.site.roles import role_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Self

    from chaffinch.page import Page
    from chaffinch.result import Verdict
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.slots import SlotStep

MOST: Final = 256
"""Pages kept of a generation. Quality hardly grows beyond 40 (``python -m bench.quality.sites
--curve``); the rest serves templates with few pages."""
GENERATIONS: Final = 4
"""Generations kept, the latest ones, so that pages from before a redesign don't outnumber it."""


@dataclass(frozen=True, eq=False)
class Statistics:
    """A mergeable summary of many pages of one site.

    Attributes:
        most: pages kept of a generation.
        samples: date → summaries of the kept pages, in order of their keys.
        pages: date → how many pages were seen in all.
        steps: slot → its last step, of all slots of the kept pages.
        hosts: host → pages seen of it.
    """

    most: int = MOST
    samples: Mapping[str, tuple[PageSummary, ...]] = field(default_factory=dict)
    pages: Mapping[str, int] = field(default_factory=dict)
    steps: Mapping[int, SlotStep] = field(default_factory=dict)
    hosts: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_whole("most", self.most, 1)

    @classmethod
    def of_page(
        cls, page: Page, *, verdict: Verdict | None = None, date: str = "", most: int = MOST
    ) -> Self:
        """Return the statistics of one page.

        Args:
            page: the page.
            verdict: the default method's; computed here if not given.
            date: when the page is learned, ISO 8601; the name of the generation.
            most: pages kept of a generation; all that are merged must agree.
        """
        verdict = verdict or Learned()(page)
        summary, steps = _summary(page, verdict)
        return cls(most, {date: (summary,)}, {date: 1}, steps, Counter([host_name(page.url)]))

    def merge(self, other: Statistics) -> Statistics:
        """Return the statistics of both; associative and commutative; changes neither.

        Raises:
            OptionError: they keep different numbers of pages.
        """
        return merged((self, other))

    def to_bytes(self) -> bytes:
        """Return them as bytes for a file or another process."""
        return sample_file.to_bytes(self.most, self.samples, self.pages, self.steps, self.hosts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the statistics that `to_bytes` wrote.

        Raises:
            RulesError: it is something else, broken, or of another version.
        """
        return cls(**sample_file.from_bytes(data))

    @property
    def kept(self) -> list[PageSummary]:
        """All kept pages, the latest generation first, each page once."""
        seen: dict[int, PageSummary] = {}
        for date in sorted(self.samples, reverse=True):
            for summary in self.samples[date]:
                seen.setdefault(summary.key, summary)
        return list(seen.values())


def merged(parts: Iterable[Statistics]) -> Statistics:
    """Return the statistics of all ``parts`` together; faster than one merge after the other.

    Raises:
        OptionError: they keep different numbers of pages, or there are none.
    """
    given = list(parts)
    sizes = {part.most for part in given}
    if len(sizes) != 1:
        raise OptionError(f"statistics to merge must keep one number of pages, not {sorted(sizes)}")
    most = sizes.pop()
    pages: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    for part in given:
        pages.update(part.pages)
        hosts.update(part.hosts)
    samples = {}
    for date in sorted(pages, reverse=True)[:GENERATIONS]:
        every = [one for part in given for one in part.samples.get(date, ())]
        # Of pages with the same text the same one must be kept, whatever their order.
        by_key = {one.key: one for one in sorted(every, key=_tie, reverse=True)}
        samples[date] = tuple(by_key[key] for key in heapq.nsmallest(most, by_key))
    pages_kept = [one for kept in samples.values() for one in kept]
    wanted = {slot for one in pages_kept for slot in (*one.slots.tolist(), *one.roles.values())}
    return Statistics(most, samples, dict(pages), _reached(given, wanted), dict(hosts))


class Collector:
    """Adds pages one by one, and summarises only those that enter the sample.

    The page-level model runs on about most * (1 + log(pages / most)) of the pages.
    """

    def __init__(
        self,
        *,
        date: str = "",
        most: int = MOST,
        method: Callable[[Page], Verdict] | None = None,
    ) -> None:
        self.date, self.most = date, most
        self._method = method or Learned()
        self._parts: dict[int, Statistics] = {}
        self._largest: list[int] = []  # a heap of the kept keys, negative
        self._hosts: Counter[str] = Counter()
        self._pages = 0

    def add(self, page: Page) -> None:
        """Add a page."""
        self._pages += 1
        self._hosts[host_name(page.url)] += 1
        key = page_key(page)
        if key in self._parts or (len(self._largest) == self.most and key > -self._largest[0]):
            return
        verdict = require_verdict(self._method(page))
        summary, steps = _summary(page, verdict)
        self._parts[key] = Statistics(self.most, {self.date: (summary,)}, {}, steps, {})
        heapq.heappush(self._largest, -key)
        if len(self._largest) > self.most:
            del self._parts[-heapq.heappop(self._largest)]

    def result(self) -> Statistics:
        """Return the statistics of all pages added so far."""
        seen = Statistics(self.most, {}, {self.date: self._pages}, {}, dict(self._hosts))
        return merged([seen, *self._parts.values()])


def _summary(page: Page, verdict: Verdict) -> tuple[PageSummary, dict[int, SlotStep]]:
    """Return the summary of a page by a method's verdict, and slot → step."""
    kind = verdict.page_type or ""
    return summarise(page, verdict.score, role_rows(page, verdict), kind=kind)


def _tie(summary: PageSummary) -> tuple[str, bytes]:
    return summary.url, b"".join(
        column.tobytes() for column in (summary.sketch, summary.slots, summary.further)
    )


def _reached(parts: list[Statistics], slots: set[int]) -> dict[int, SlotStep]:
    """Return the steps of ``slots`` and of their ancestors."""
    every: dict[int, SlotStep] = {}
    for part in parts:
        for slot, step in part.steps.items():
            # Should two slots ever share a hash, the result must not depend on the order.
            known = every.get(slot)
            if known is None or (step.up, step.text) < (known.up, known.text):
                every[slot] = step
    out: dict[int, SlotStep] = {}
    for start in slots:
        slot = start
        while slot in every and slot not in out:
            out[slot] = every[slot]
            slot = every[slot].up
    return out
