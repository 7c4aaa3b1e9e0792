"""Repeats the experiments of page-clustering: accuracy with and without clusters, and time.

Accuracy, which the source doesn't define, is the share of pages whose word F1 against the labelled
content is 0.9 or more. On each site rules are learned on every other page (labelled or not; the
labels aren't looked at) and both methods are scored on the others that have labels. The labels of
some sites hold the headline and those of others don't, which a block can't heed.

    python -m bench.papers.page_clustering [--population sites] [--site NAME]
"""

from __future__ import annotations

import argparse
import time
from itertools import cycle, islice

from bench.lib.portals import (
    LabelledSite,
    add_population,
    f1,
    heading,
    mean,
    page_sources,
    sites,
)
from chaffinch import parse
from chaffinch.methods import BlockDensity
from chaffinch.methods.cluster_rules import ClusterRules, clustered
from chaffinch.page import Page

GOOD = 0.9
PUBLISHED = {"block_density": 0.937, "cluster_rules": 0.979}


def scored(site: LabelledSite, *, alpha: float, choose_by: str) -> dict[str, list[float]]:
    """Return F1 by page of both methods, and what found the block of each page."""
    rules = ClusterRules.learn(site.pages[::2], alpha=alpha, choose_by=choose_by)
    alone = BlockDensity(alpha=alpha)
    out: dict[str, list[float]] = {"block_density": [], "cluster_rules": [], "by rule": []}
    for page, gold in zip(site.pages[1::2], site.gold[1::2], strict=True):
        if gold is None:
            continue
        verdict = rules(page)
        out["block_density"].append(f1(page, alone(page), gold))
        out["cluster_rules"].append(f1(page, verdict, gold))
        out["by rule"].append(float("rule's" in ClusterRules.reasons[verdict.why.max()]))
    return out


def good(values: list[float]) -> float:
    """Return the share of pages that count as accurate."""
    return mean([float(value >= GOOD) for value in values])


def accuracy(
    given: list[LabelledSite],
    *,
    alpha: float = 0.3,
    choose_by: str = "density",
    by_site: bool = False,
) -> None:
    """Print the accuracy of both methods, site by site and over all."""
    found = {site.name: scored(site, alpha=alpha, choose_by=choose_by) for site in given}
    print(f"\nalpha {alpha}, rules chosen by {choose_by}")
    print(f"{'':24} pages  block_density    cluster_rules    by rule")
    print(f"{'':24}        accurate   F1   accurate   F1")
    every: dict[str, list[float]] = {}
    for name, one in found.items():
        for key, values in one.items():
            every.setdefault(key, []).extend(values)
        if by_site:
            _row(name, one)
    _row("all pages", every)
    print(f"{'mean of sites':24} {len(found):5}", end="")
    for method in PUBLISHED:
        accurate = mean([good(one[method]) for one in found.values()])
        print(
            f"   {accurate:8.3f} {mean([mean(one[method]) for one in found.values()]):.3f}", end=""
        )
    print(f"\n{'published':24} {1000:5}   {0.937:8.3f}         {0.979:8.3f}")


def _row(name: str, one: dict[str, list[float]]) -> None:
    print(f"{name:24} {len(one['by rule']):5}", end="")
    for method in PUBLISHED:
        print(f"   {good(one[method]):8.3f} {mean(one[method]):.3f}", end="")
    print(f"   {mean(one['by rule']):.3f}")


def times(pages: list[Page], sources: list[bytes]) -> None:
    """Print what clustering, learning and applying take; pages are parsed anew for each."""
    for count in (100, 1000):
        chosen = [parse(data) for data in islice(cycle(sources), count)]
        start = time.perf_counter()
        clusters = clustered(chosen)
        middle = time.perf_counter()
        ClusterRules.learn(chosen).learned  # noqa: B018  made when asked for
        learned = time.perf_counter() - middle
        print(f"cluster {count} pages: {middle - start:.3f} s, {len(clusters)} clusters; ", end="")
        print(f"with rules {learned + middle - start:.3f} s  (published: 4.571 s for 100)")
    rules = ClusterRules.learn(pages)
    for name, method in (("block_density", BlockDensity()), ("cluster_rules", rules)):
        start = time.perf_counter()
        for data in sources:
            method(parse(data))
        each = (time.perf_counter() - start) / len(sources) * 1000
        print(f"{name}: {each:.2f} ms a page with its parse  (published: 26 without clusters, 21)")


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    add_population(options)
    chosen = options.parse_args()
    given = list(sites(chosen.site, chosen.population))
    print(heading())
    accuracy(given, by_site=True)
    for alpha, choose_by in ((0.3, "support"), (0.2, "density"), (0.2, "support")):
        accuracy(given, alpha=alpha, choose_by=choose_by)
    pages = [page for site in given for page in site.pages]
    times(pages[::10], page_sources(chosen.site, chosen.population))


if __name__ == "__main__":
    main()
