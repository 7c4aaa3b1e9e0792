"""Site models measured: learned on half of each site's pages, scored on the other half.

No label is looked at in learning; both halves take both parts; means are over sites.

    python -m bench.quality.sites                    # default, full, rules, site by site
    python -m bench.quality.sites --left-out FILE    # with weights learned without each site
    python -m bench.quality.sites --methods --baselines  # beside methods and other tools
    python -m bench.quality.sites --domains          # domains of the corpora, by held-out folds
    python -m bench.quality.sites --made-up          # 200 sites by a grammar, and their redesigns

Of a made-up site half of the pages as they were are learned, and it is tried on the others: as they
were, with another frame around the stories, or with all rebuilt. Nothing was trained
on these pages; the words mean nothing, so that only their build speaks.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from bench.lib.made_sites import COUNT
from bench.lib.portals import heading
from bench.lib.sites import (
    CORPORA,
    HEAD,
    LEFT_OUT,
    LOSS,
    RELEASES,
    Sample,
    by_default,
    by_labels,
    by_site,
    domain_sites,
    halves,
    learned,
    line,
    made_up_pages,
    measured,
    remember_readings,
    sites,
)
from chaffinch.evaluate.baselines import BASELINES
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods import ClusterRules, build
from chaffinch.siblings.sibling_links import choose_references

PUBLISHED = (
    "sibling_subtrees",
    "anchor_blocks",
    "layout_similarity",
    "information_blocks",
    "block_density",
    "cluster_rules",
)
TOOLS = ("trafilatura", "readability-lxml", "resiliparse", "chromerag")


def main_table(given: dict[str, list[Sample]], chosen: argparse.Namespace) -> None:
    """Print all systems, then the product's site by site."""
    base = measured(given, by_default)
    full, ruled = measured(given, by_site("full")), measured(given, by_site("rules"))
    print(HEAD)
    for name, found in (("default", base), ("full", full), ("rules", ruled)):
        print(line(name, found, base), flush=True)
    systems = {"labels aligned": by_gold}
    if chosen.methods:
        systems |= {name: by_method(name) for name in PUBLISHED}
    if chosen.baselines:
        systems |= {name: by_baseline(name) for name in TOOLS}
    for name, system in systems.items():
        print(line(name, measured(given, system), base), flush=True)
    print("\n| site | pages scored | default | full | rules |\n|---|---:|---:|---:|---:|")
    for site, scores in base.items():
        cells = " | ".join(f"{np.mean(one[site]):.3f}" for one in (base, full, ruled))
        print(f"| {site} | {len(scores)} | {cells} |")


def by_gold(_samples: list[Sample]) -> Callable[[Sample], float]:
    """Return the system that keeps the blocks that the labels hold: what they allow at most."""
    return lambda one: one.score(by_labels(one.page, one.gold or ""))


SIBLINGS = 5


def by_method(name: str) -> Any:
    """Return a published method, which compares with the learned half where it compares."""

    def learn(samples: list[Sample]) -> Callable[[Sample], float]:
        pages = [one.page for one in samples]
        if name == "cluster_rules":
            rules = ClusterRules.learn(pages)
            return lambda one: one.score(rules(one.page))
        if name not in {"layout_similarity", "sibling_subtrees"}:
            method = build(name)
            return lambda one: one.score(method(one.page))

        def score(one: Sample) -> float:
            chosen = [c.index for c in choose_references(one.page, pages, most=SIBLINGS) if c]
            nearest = tuple(pages[index] for index in chosen) or tuple(pages[:SIBLINGS])
            return one.score(build(name, siblings=nearest)(one.page))

        return score

    return learn


def by_baseline(name: str) -> Any:
    """Return a baseline; it sees no other pages."""
    extract = BASELINES[name].make()

    def learn(_samples: list[Sample]) -> Callable[[Sample], float]:
        return lambda one: text_f1(extract(one.html, one.page.url), one.gold or "")

    return learn


def text_f1(text: str, gold: str) -> float:
    """Return the word F1 of a text."""
    return word_score(tokenize(text), tokenize(gold)).f1


def domain_table(given: dict[str, list[Sample]]) -> None:
    """Print default, full and rules by corpus, then the sites that lose or gain by a model."""
    systems = {
        "default": measured(given, by_default),
        "full": measured(given, by_site("full")),
        "rules": measured(given, by_site("rules")),
    }
    base = systems["default"]
    print(HEAD.replace("| |", "| corpus | |", 1).replace("|---|", "|---|---|", 1))
    for corpus in ("all", *CORPORA):
        names = [name for name in base if corpus == "all" or name.startswith(f"{corpus}: ")]
        for system, found in systems.items():
            if names:
                ours, before = ({n: one[n] for n in names} for one in (found, base))
                print(f"| {corpus} {line(system, ours, before)}", flush=True)
    print("\n| | lose > 0.01 | gain > 0.01 | the greatest losses |\n|---|---:|---:|---|")
    for system in ("full", "rules"):
        change = {n: float(np.mean(systems[system][n]) - np.mean(base[n])) for n in base}
        worst = sorted(change, key=lambda name: change[name])[:4]
        told = ", ".join(f"{name.split(': ')[1]} {change[name]:+.3f}" for name in worst)
        lose = sum(value < -LOSS for value in change.values())
        gain = sum(value > LOSS for value in change.values())
        print(f"| {system} | {lose} | {gain} | {told} |")


SYSTEMS: Final = ("default", "full", "rules")


class Trial(NamedTuple):
    """The F1 of one page by `SYSTEMS`, with its site, kind of page and redesign."""

    site: str
    kind: str
    redesign: str
    scores: tuple[float, ...]


def made_up_table(only: str, count: int = COUNT) -> None:
    """Print F1 by redesign and by kind of page."""
    trials: list[Trial] = []
    for number in range(count):
        if only in (name := f"made {number}"):
            releases = {one: made_up_pages(number, *how) for one, how in RELEASES.items()}
            trials += _trials(name, releases)
    print("| redesign | pages | sites | default | full | rules | full: lose > 0.01 | rules |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for redesign in RELEASES:
        some = [one for one in trials if one.redesign == redesign]
        for kind in ("all", *sorted({one.kind for one in some})):
            chosen = [one for one in some if kind in {"all", one.kind}]
            print(f"| {redesign} | {kind} | {_cells(chosen)} |", flush=True)


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


def main() -> None:
    """Print the tables that are requested."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--site", default="", help="only sites whose name contains this")
    for name in ("methods", "baselines", "domains", "made-up"):
        options.add_argument(f"--{name}", action="store_true")
    options.add_argument("--left-out", type=Path, help="weights without each site, as JSON")
    chosen = options.parse_args()
    print(heading(), flush=True)
    remember_readings()
    if chosen.left_out:
        LEFT_OUT.update(json.loads(chosen.left_out.read_text(encoding="utf-8")))
    if chosen.made_up:
        made_up_table(chosen.site)
        return
    given = dict((domain_sites if chosen.domains else sites)(chosen.site))
    if chosen.domains:
        domain_table(given)
    else:
        main_table(given, chosen)


if __name__ == "__main__":
    main()
