"""Switches and bounds of site models, chosen by leaving whole sources of sites out.

Three sources: whole sites, domains of the corpora, made-up sites. Each value of a choice is tried
on all of them, everything else as shipped. What is best on two sources is reported on the third:
what a site can expect that is like none of those that a choice was made on.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.lib.domain_sites import domain_sites
from bench.lib.labelled_sites import LOSS, Sample, halves, learned, sites, weigh_for
from bench.lib.made_up_sites import made_up_sites
from chaffinch.decision import discussions
from chaffinch.decision.parts import kept_title
from chaffinch.page import tags
from chaffinch.site import Statistics, apply, evidence, sample

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from chaffinch.page import Page
    from chaffinch.site.sample import PageSlots
    from chaffinch.verdict import Verdict

SOURCES: Final = {"whole sites": sites, "domains": domain_sites, "made-up sites": made_up_sites}
PENALTY: Final = 0.02
"""What a site that loses more than `LOSS` costs, beside its F1."""
_NEVER: Final = 1_000_000


@dataclass(frozen=True)
class Choice:
    """A constant of a module, and values for it: name of the value → value, the shipped one first.

    ``afresh``: the summaries of pages depend on it.
    """

    module: ModuleType
    name: str
    values: Mapping[str, Any]
    afresh: bool = False


CHOICES: Final = {
    "lone links are noise below": Choice(
        evidence,
        "_DENIED",
        {f"{value}": value for value in (-2.0, -99.0, -3.0, -2.5, -1.5, 0.0)},
    ),
    "rules drop the title": Choice(apply, "kept_title", {"yes": kept_title, "no": lambda *_: None}),
    "comments keep the page-level score": Choice(
        apply, "OF_ONE_TEXT", {"yes": discussions.PAGE_TYPES_COMMENTS, "no": ()}
    ),
    "a vote against the model counts": Choice(
        evidence, "_DENIED_VOTE", {"0.5": 0.5, "0": 0.0, "1": 1.0}
    ),
    "groups of pages have tables of their own from": Choice(
        evidence, "_LEAST_PAGES", {"5": 5, "never": _NEVER, "4": 4, "6": 6, "8": 8}
    ),
    "prose of a page counts from": Choice(evidence, "_PROSE", {"150": 150, "80": 80, "250": 250}),
    "texts of one page are known of fewer pages than": Choice(
        evidence, "_MANY", {"12": 12, "4": 4, "8": 8, "20": 20}
    ),
    "entries from so many pages on": Choice(evidence, "_FEWEST", {"3": 3, "8": 8}),
    "links of one text are noise": Choice(evidence, "_OFTEN", {"yes": 3, "no": _NEVER}),
    "labels of rows head their values": Choice(
        sample,
        "_HEADS",
        {"yes": vars(sample)["_HEADS"], "no": tags.table("h2 h3 h4 h5 h6".split())},
        afresh=True,
    ),
}

_Means = dict[str, tuple[float, float, float]]
"""Site → mean F1 of default, full and rules."""


class _Remembered:
    """F1 of verdicts and scored pages, each computed once: most values change few pages."""

    def __init__(self) -> None:
        self.scores: dict[tuple[int, bytes], float] = {}
        self.pages: dict[int, apply.ScoredPage] = {}

    def score(self, one: Sample, verdict: Verdict) -> float:
        key = id(one), blake2b(verdict.keep.tobytes()).digest()
        if key not in self.scores:
            self.scores[key] = one.score(verdict)
        return self.scores[key]

    @contextmanager
    def scored_pages(self) -> Iterator[None]:
        """Score each page once while this lasts."""
        scored, usual = apply.ScoredPage, vars(apply.ScoredPage)["of"]

        def of(
            cls: type[apply.ScoredPage], page: Page, own: PageSlots | None = None
        ) -> apply.ScoredPage:
            if id(page) not in self.pages:
                self.pages[id(page)] = usual.__func__(cls, page, own)
            return self.pages[id(page)]

        scored.of = classmethod(of)  # type: ignore[method-assign,assignment]
        try:
            yield
        finally:
            scored.of = usual  # type: ignore[method-assign]


def source_table(only: str) -> None:
    """Print each value on each source, then what is chosen without each source."""
    found = {name: _tried(dict(source(only))) for name, source in SOURCES.items()}
    found = {name: one for name, one in found.items() if next(iter(one.values()))}
    heads = "".join(f" {name}: full | rules | lose | " for name in found)
    print(f"| | |{heads}\n|---|---|{'---:|---:|---:|' * len(found)}")
    for choice, one in CHOICES.items():
        for value in one.values:
            cells = " | ".join(_cells(means[choice, value]) for means in found.values())
            print(f"| {choice} | {value} | {cells} |")
    print("\n| | source left out | best on the others | full | rules | lose", end="")
    print(" | shipped: full | rules | lose |\n|---|---|---|" + 6 * "---:|")
    for choice, one in CHOICES.items():
        for left in found:
            others = [name for name in found if name != left]
            merit = {v: sum(_merit(found[n][choice, v]) for n in others) for v in one.values}
            best = max(merit, key=lambda value: round(merit[value], 5))  # of equals the shipped one
            shipped = next(iter(one.values))
            cells = " | ".join(_cells(found[left][choice, value]) for value in (best, shipped))
            print(f"| {choice} | {left} | {best} | {cells} |", flush=True)


def _tried(given: dict[str, list[Sample]]) -> dict[tuple[str, str], _Means]:
    """Return the means of sites by choice and value."""
    memory, out = _Remembered(), dict[tuple[str, str], _Means]()
    with memory.scored_pages():
        shipped = _means(given, memory)
    for choice, one in CHOICES.items():
        for number, (value, set_to) in enumerate(one.values.items()):
            usual = vars(one.module)[one.name]
            vars(one.module)[one.name] = set_to
            some = memory if not one.afresh else _Remembered()
            with some.scored_pages():
                pages = _afresh(given) if one.afresh and number else given
                out[choice, value] = _means(pages, some) if number else shipped
            vars(one.module)[one.name] = usual
    return out


def _afresh(given: dict[str, list[Sample]]) -> dict[str, list[Sample]]:
    def again(one: Sample) -> Sample:
        return replace(one, part=Statistics.of_page(one.page, verdict=one.verdict, date="1"))

    return {name: [again(one) for one in samples] for name, samples in given.items()}


def _means(given: dict[str, list[Sample]], memory: _Remembered) -> _Means:
    out = {}
    for name, samples in given.items():
        weigh_for(name)
        scores = []
        for learn, score in halves(samples):
            full = learned(learn)
            models = (full, full.with_mode("rules"))
            for one in score:
                if one.gold:
                    verdicts = (one.verdict, *(model(one.page) for model in models))
                    scores.append([memory.score(one, verdict) for verdict in verdicts])
        base, whole, ruled = np.mean(scores, axis=0).tolist()
        out[name] = base, whole, ruled
    return out


def _merit(means: _Means) -> float:
    values = _columns(means)
    lost = (values[:, 1:] < values[:, :1] - LOSS).mean()
    return float(values[:, 1:].mean() - PENALTY * lost)


def _cells(means: _Means) -> str:
    values = _columns(means)
    full, rules = ((values[:, at] < values[:, 0] - LOSS).sum() for at in (1, 2))
    return f"{values[:, 1].mean():.4f} | {values[:, 2].mean():.4f} | {full}, {rules}"


def _columns(means: _Means) -> np.ndarray:
    return np.array([*means.values()])
