"""Results of single pages, gathered by corpus, page type and language."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.evaluate.bootstrap import percentile_interval, resampled_sums
from chaffinch.evaluate.figures import addends, figures_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.evaluate.scoring import PageScores

_NONE: Final[Mapping[tuple[str, str], int]] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class PageResult:
    """The result of one system on one page.

    ``seconds`` is the time of the extraction alone, from bytes to text. ``error`` names the
    exception where the system failed ("" where it didn't); a failed page is scored as an empty
    output. ``length`` is the output's in characters.
    """

    system: str
    corpus: str
    id: str
    url: str | None
    domain: str
    lang: str
    page_type: str
    seconds: float
    length: int
    error: str
    scores: PageScores


@dataclass(frozen=True)
class Figure:
    """A figure in 0..1 with its 95 % interval; no interval where there is one domain only."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One system's figures on one group of pages.

    ``kind`` is ``all``, ``page_type`` or ``lang``, and ``group`` the page type or language ("" for
    all). ``figures`` holds those of :data:`chaffinch.evaluate.figures.FIGURES` that the group's
    labels allow. ``empty`` counts outputs without a character, failures included; ``errors`` counts
    failures by the name of the exception. ``left_out`` counts pages of a whole corpus that the
    system wasn't run on, as a method that compares finds no siblings of them; they are in no other
    figure.
    """

    system: str
    corpus: str
    kind: str
    group: str
    pages: int
    domains: int
    empty: int
    errors: Mapping[str, int]
    ms_mean: float
    ms_median: float
    pages_per_second: float
    figures: Mapping[str, Figure]
    left_out: int = 0


def summarize(
    results: Sequence[PageResult],
    *,
    draws: int,
    seed: int = 0,
    left_out: Mapping[tuple[str, str], int] = _NONE,
) -> list[Summary]:
    """Return the summaries of every system on every corpus, page type and language.

    Args:
        results: all results, in any order.
        draws: bootstrap samples; 0 for no intervals.
        seed: of the samples; systems share them, so their intervals rest on the same draws.
        left_out: corpus and system → pages that the system wasn't run on.
    """
    groups: defaultdict[tuple[str, str, str, str], list[PageResult]] = defaultdict(list)
    for one in results:
        groups[one.system, one.corpus, "all", ""].append(one)
        if one.page_type:
            groups[one.system, one.corpus, "page_type", one.page_type].append(one)
        if one.lang:
            groups[one.system, one.corpus, "lang", one.lang].append(one)
    found = [_summary(key, members, draws, seed) for key, members in groups.items()]
    found = [
        replace(one, left_out=left_out.get((one.corpus, one.system), 0))
        if one.kind == "all"
        else one
        for one in found
    ]
    measured = {(one.corpus, one.system) for one in found}
    return found + [
        _nothing(system, corpus, count)
        for (corpus, system), count in left_out.items()
        if (corpus, system) not in measured
    ]


def _nothing(system: str, corpus: str, left_out: int) -> Summary:
    """Return the summary of a system that wasn't run on any page of a corpus."""
    return Summary(
        system=system,
        corpus=corpus,
        kind="all",
        group="",
        pages=0,
        domains=0,
        empty=0,
        errors={},
        ms_mean=0.0,
        ms_median=0.0,
        pages_per_second=0.0,
        figures={},
        left_out=left_out,
    )


def _summary(
    key: tuple[str, str, str, str], members: list[PageResult], draws: int, seed: int
) -> Summary:
    system, corpus, kind, group = key
    milliseconds = np.array([one.seconds for one in members]) * 1000
    matrix = np.array([addends(one.scores) for one in members])
    domains = [one.domain for one in members]
    values = figures_of(matrix.sum(axis=0, keepdims=True))
    drawn = {}
    if draws and len(set(domains)) > 1:
        drawn = figures_of(resampled_sums(matrix, domains, draws=draws, seed=seed))
    figures = {}
    for name, value in values.items():
        if np.isnan(value[0]):
            continue
        interval = percentile_interval(drawn[name]) if drawn else None
        low, high = interval or (None, None)
        figures[name] = Figure(float(value[0]), low, high)
    return Summary(
        system=system,
        corpus=corpus,
        kind=kind,
        group=group,
        pages=len(members),
        domains=len(set(domains)),
        empty=sum(1 for one in members if not one.length),
        errors=dict(Counter(one.error.partition(":")[0] for one in members if one.error)),
        ms_mean=float(milliseconds.mean()),
        ms_median=float(np.median(milliseconds)),
        pages_per_second=float(1000 * len(members) / max(milliseconds.sum(), 1e-9)),
        figures=figures,
    )
