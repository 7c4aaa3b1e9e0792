"""Made-up sites as labelled sites: measured by kind of page, and over redesigns.

A site is learned from half of its pages as they were, and tried on the other half as they are: the
same, with another frame around the stories, or with the stories rebuilt as well. Nothing was
trained on these pages; the words mean nothing, so that only their build speaks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from bench.lib.labelled_sites import LOSS, Sample, halves, learned, sample
from bench.lib.made_sites import COUNT, made_site
from chaffinch import Site
from chaffinch.site.rules import Rule

SYSTEMS: Final = ("default", "full", "rules")
RELEASES: Final = {"the same": (0, 0), "another frame": (1, 0), "all rebuilt": (1, 1)}
"""Name of a redesign → releases of the frame and of the stories."""


class Trial(NamedTuple):
    """The F1 of one page by `SYSTEMS`, with its site, kind of page and redesign."""

    site: str
    kind: str
    redesign: str
    scores: tuple[float, ...]


class RuleCount(NamedTuple):
    """The rules of one template before and after another frame.

    Attributes:
        rules: that decide, before.
        steps: compound selectors of each, in the mean.
        same: share (0..1) of them that the model of the new frame has, too.
    """

    rules: int
    steps: float
    same: float


def made_up_sites(only: str, count: int = COUNT) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the made-up sites whose name contains ``only``, as they were before any redesign."""
    for number in range(count):
        if only in (name := f"made {number}"):
            yield name, _pages(number, *RELEASES["the same"])


def made_up_table(only: str, count: int = COUNT) -> None:
    """Print F1 by redesign and by kind of page, then how many rules there are, and how stable."""
    trials: list[Trial] = []
    counts: list[RuleCount] = []
    for number in range(count):
        if only in (name := f"made {number}"):
            releases = {one: _pages(number, *how) for one, how in RELEASES.items()}
            trials += _trials(name, releases)
            counts += _rule_counts(
                learned(releases["the same"]), learned(releases["another frame"])
            )
    print("| redesign | pages | sites | default | full | rules | full: lose > 0.01 | rules |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for redesign in RELEASES:
        some = [one for one in trials if one.redesign == redesign]
        for kind in ("all", *sorted({one.kind for one in some})):
            chosen = [one for one in some if kind in {"all", one.kind}]
            print(f"| {redesign} | {kind} | {_cells(chosen)} |", flush=True)
    if counts:
        rules, steps, same = np.mean(counts, axis=0)
        print(f"\nrules a template: {rules:.2f}, steps a selector: {steps:.2f}", end="; ")
        every = sum(one.rules for one in counts)
        change = round(sum(one.rules * (1 - one.same) for one in counts))
        print(f"the same with another frame: {same:.0%}; {change} of {every} rules change")


def _pages(number: int, frame: int, story: int) -> list[Sample]:
    made = made_site(number, frame=frame, story=story)
    return [sample(page.html, page.url, page.gold) for page in made]


def _trials(name: str, releases: dict[str, list[Sample]]) -> Iterator[Trial]:
    """Yield the trials of a site, learned on each half of its first release."""
    for half, (learn, _) in enumerate(halves(releases["the same"])):
        full = learned(learn)
        models = (full, full.with_mode("rules"))
        for redesign, pages in releases.items():
            for one in pages[1 - half :: 2]:
                verdicts = (one.verdict, *(model(one.page) for model in models))
                kind = (one.page.url or "").split("/")[3]
                yield Trial(name, kind, redesign, tuple(map(one.score, verdicts)))


def _cells(trials: Sequence[Trial]) -> str:
    """Return sites, mean F1 of sites by system, and the sites that lose by a model."""
    by_site: defaultdict[str, list[tuple[float, ...]]] = defaultdict(list)
    for one in trials:
        by_site[one.site].append(one.scores)
    means = np.array([np.mean(scores, axis=0) for scores in by_site.values()])
    lose = [int((means[:, at] < means[:, 0] - LOSS).sum()) for at in (1, 2)]
    cells = [str(len(means)), *(f"{mean:.4f}" for mean in means.mean(axis=0)), *map(str, lose)]
    return " | ".join(cells)


def _rule_counts(before: Site, after: Site) -> Iterator[RuleCount]:
    """Yield of each usable template its rules and which of them the other model has."""
    known = {rule.key for template in after.templates for rule in template.rules}
    for template in before.templates:
        rules = [rule for rule in template.rules if rule.decides]
        if template.usable and rules:
            same = np.mean([rule.key in known for rule in rules])
            yield RuleCount(len(rules), float(np.mean([*map(_steps, rules)])), float(same))


def _steps(rule: Rule) -> int:
    return len(rule.select.replace(">", " ").split())
