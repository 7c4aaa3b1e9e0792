"""Sites learned in the order in which their pages come, and scored on pages that come later.

Nothing is looked at ahead: a model of the first n pages reads the pages that follow them. Beside
the figure stand what a page costs by then, and how large what is kept of a page is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bench.lib.labelled_sites import LOSS, learned, weigh_for
from chaffinch import Site
from chaffinch.site import merged

if TYPE_CHECKING:
    from bench.lib.labelled_sites import Sample

SIZES: Final = (2, 5, 10, 20, 50, 100)
"""Pages after which a site is scored."""
_LATER: Final = 20
"""Pages that are scored after each, at most."""
_LEAST: Final = 5
"""Labelled pages that must follow, for a site to count."""
_HEAD: Final = (
    "| pages | sites | default | full | rules | lose > 0.01: full | rules | learning, ms a page "
    "| kept, kB a page | merged in halves |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
)


class Arrival(NamedTuple):
    """One site after so many pages.

    Attributes:
        default, full, rules: mean F1 of later pages.
        cost: of learning, beyond each page's summary: milliseconds of processor time a page.
        kept: kilobytes of the statistics, a page.
        same: whether the statistics of its halves, merged, give the same model.
    """

    default: float
    full: float
    rules: float
    cost: float
    kept: float
    same: bool


def arrivals(given: dict[str, list[Sample]]) -> None:
    """Print a line for each of `SIZES`, of the sites that have so many pages and more."""
    print(_HEAD)
    for size in SIZES:
        found = []
        for name, samples in given.items():
            later = [one for one in samples[size:] if one.gold][:_LATER]
            if len(later) >= _LEAST:
                weigh_for(name)
                found.append(_arrival(samples[:size], later))
        if found:
            default, full, rules, cost, kept, _ = np.array(found, dtype=float).T
            lose = [int((one < default - LOSS).sum()) for one in (full, rules)]
            means = " | ".join(f"{one.mean():.4f}" for one in (default, full, rules))
            merges = f"{sum(one.same for one in found)} of {len(found)} the same"
            print(
                f"| {size} | {len(found)} | {means} | {lose[0]} | {lose[1]} | {cost.mean():.2f} "
                f"| {kept.mean():.1f} | {merges} |",
                flush=True,
            )


def _arrival(first: list[Sample], later: list[Sample]) -> Arrival:
    start = time.process_time()
    site = learned(first)
    cost = 1e3 * (time.process_time() - start) / len(first)
    half = len(first) // 2
    parts = [merged([one.part for one in some]) for some in (first[half:], first[:half])]
    same = Site.of(parts[0].merge(parts[1])).to_text() == site.to_text()
    kept = len(merged([one.part for one in first]).to_bytes()) / 1e3 / len(first)
    rules = site.with_mode("rules")
    scores = [
        [one.score(v) for v in (one.verdict, site(one.page), rules(one.page))] for one in later
    ]
    default, full, ruled = np.mean(scores, axis=0).tolist()
    return Arrival(default, full, ruled, cost, kept, same)
