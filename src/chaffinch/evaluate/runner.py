"""Runs extractors over labelled pages: one process, one run, page by page, side by side.

Every page goes through every system before the next page comes, so a busy minute of the machine
hits all systems alike; the order of the systems turns by one from page to page, so none always
finds the caches warm or the garbage collector due.
"""

from __future__ import annotations

import gc
import heapq
import itertools
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chaffinch.errors import OptionError, SetupError
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.grades import GradeScale
from chaffinch.evaluate.provenance import Provenance, current_provenance
from chaffinch.evaluate.scoring import score_page
from chaffinch.evaluate.sibling_pool import SiblingPool
from chaffinch.evaluate.summaries import PageResult, Summary, summarize
from chaffinch.evaluate.systems import WARM_UP, System, gather
from chaffinch.evaluate.tokens import tokenize
from chaffinch.page import parse

if TYPE_CHECKING:
    from chaffinch.evaluate.adapters import Extractor
    from chaffinch.page import Page


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions:
    """The systems and corpora of a run.

    Args:
        corpora: names or paths, as for :func:`chaffinch.evaluate.corpora.read_corpus`.
        methods: methods of Chaffinch by name (``auto`` for the default).
        favor: as of `chaffinch.extract`, for those of the methods that have it.
        policy: likewise.
        peers: peers by name, see :data:`chaffinch.evaluate.peers.PEERS`.
        extractors: callables of your own, (bytes, url) to text, by the name to show.
        limit: pages a corpus at most, drawn at random; None for all.
        seed: of the draw of pages and of the intervals.
        draws: bootstrap samples; 0 for no intervals.
        siblings: further pages of the corpora's sites, such as a crawl, for methods that compare.
        worst: this many of each system's worst pages of each corpus are kept with their texts.
        scale: figures of the five-step scale.
        command: the command line, for the report.
    """

    corpora: tuple[str, ...]
    methods: tuple[str, ...] = ()
    favor: str | None = None
    policy: Mapping[str, bool | None] | None = None
    peers: tuple[str, ...] = ()
    extractors: Mapping[str, Extractor] = field(default_factory=dict)
    limit: int | None = None
    seed: int = 0
    draws: int = 1000
    worst: int = 10
    siblings: tuple[Page, ...] = ()
    scale: GradeScale = field(default_factory=GradeScale)
    command: str = ""

    @property
    def direct(self) -> dict[str, Any]:
        """What is set of ``favor`` and ``policy``, by name."""
        given = {"favor": self.favor, "policy": self.policy}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class WorstPage:
    """One of the worst pages of a system: result, labels and output."""

    result: PageResult
    page: LabelledPage
    extracted: str


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The results of a run."""

    about: Provenance
    systems: tuple[System, ...]
    summaries: tuple[Summary, ...]
    results: tuple[PageResult, ...]
    worst: tuple[WorstPage, ...]


Progress = Callable[[LabelledPage], None]
"""Called after every page."""


def run(options: EvaluateOptions, *, progress: Progress | None = None) -> Evaluation:
    """Run every system over every page of every corpus.

    Raises:
        OptionError: nothing to run, or an unknown corpus, method or peer.
        MissingExtraError: a peer isn't installed; the message names the pip command.
        SetupError: any other that a system raises, for no page would succeed.
    """
    with warnings.catch_warnings():
        # Warnings of peers, page by page, concern their own code.
        warnings.simplefilter("ignore")
        systems = gather(
            methods=options.methods,
            peers=options.peers,
            extractors=options.extractors,
            direct=options.direct,
        )
        if not systems or not options.corpora:
            raise OptionError("an evaluation needs at least one corpus and one method or peer")
        pages = tuple(parse(html) for html in WARM_UP)
        for system, number in itertools.product(systems, range(len(WARM_UP))):
            others = pages[:number] + pages[number + 1 :]
            _extract(_beside(system, others), WARM_UP[number].encode(), None)
        gc.collect()
        gc.freeze()
        try:
            results, worst, left_out = _run_all(systems, options, progress)
        finally:
            gc.unfreeze()
    return Evaluation(
        about=current_provenance(options.command),
        systems=tuple(systems),
        summaries=tuple(
            summarize(results, draws=options.draws, seed=options.seed, left_out=left_out)
        ),
        results=tuple(results),
        worst=tuple(worst),
    )


def _run_all(
    systems: list[System], options: EvaluateOptions, progress: Progress | None
) -> tuple[list[PageResult], list[WorstPage], Counter[tuple[str, str]]]:
    """Return all results, the worst pages, and corpus and system → pages left out."""
    results: list[PageResult] = []
    left_out: Counter[tuple[str, str]] = Counter()
    compares = any(system.with_siblings for system in systems)
    keepers: defaultdict[tuple[str, str], _WorstPages] = defaultdict(
        lambda: _WorstPages(options.worst)
    )
    for corpus in options.corpora:
        pages = read_corpus(corpus, limit=options.limit, seed=options.seed)
        pool = SiblingPool(corpus, options.siblings) if compares else None
        for number, page in enumerate(pages):
            gold = tokenize(page.gold_text or "")
            first = number % len(systems)
            siblings = pool.of(page) if pool is not None else ()
            for system in (*systems[first:], *systems[:first]):
                if system.with_siblings is not None and not siblings:
                    left_out[page.corpus, system.name] += 1
                    continue
                text, seconds, error = _extract(_beside(system, siblings), page.html, page.url)
                result = PageResult(
                    system=system.name,
                    corpus=page.corpus,
                    id=page.id,
                    url=page.url,
                    domain=page.domain,
                    lang=page.lang,
                    page_type=page.page_type,
                    seconds=seconds,
                    length=len(text.strip()),
                    error=error,
                    scores=score_page(text, page, gold, scale=options.scale),
                )
                results.append(result)
                keepers[page.corpus, system.name].add(WorstPage(result, page, text))
            if progress is not None:
                progress(page)
    return results, [one for keeper in keepers.values() for one in keeper.pages()], left_out


def _beside(system: System, siblings: tuple[Page, ...]) -> Extractor:
    """Return what extracts a page by a system, its siblings known where they are compared."""
    return system.with_siblings(siblings) if system.with_siblings else system.extract


def _extract(extract: Extractor, html: bytes, url: str | None) -> tuple[str, float, str]:
    """Return the output, the seconds it took, and the failure by name ("" for none)."""
    start = time.perf_counter()
    try:
        text = extract(html, url)
    except SetupError:
        raise  # an unknown method or a missing package: no page would succeed
    except Exception as error:  # noqa: BLE001 - any failure of a system is a result, and counted
        message = " ".join(str(error).split())[:200]
        return "", time.perf_counter() - start, f"{type(error).__name__}: {message}"
    return text, time.perf_counter() - start, ""


class _WorstPages:
    """The worst pages of one system on one corpus; texts of other pages aren't kept."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[float, int, WorstPage]] = []
        self._count = itertools.count()

    def add(self, one: WorstPage) -> None:
        score = one.result.scores.main
        if score is None or not self._size:
            return
        entry = (-score, -next(self._count), one)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def pages(self) -> list[WorstPage]:
        """Return the pages, the worst first; equal ones in the order of the corpus."""
        return [entry[2] for entry in sorted(self._heap, reverse=True, key=lambda e: e[:2])]
