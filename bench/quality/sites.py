"""Site models measured: learned on half of each site's pages, scored on the other half.

No label is looked at in learning; both halves take both parts; means are over sites.

    python -m bench.quality.sites                    # default, full, rules, site by site
    python -m bench.quality.sites --left-out FILE    # with weights learned without each site
    python -m bench.quality.sites --methods --baselines  # beside methods and other tools
    python -m bench.quality.sites --domains          # domains of the corpora, by held-out folds
    python -m bench.quality.sites --made-up          # 200 sites by a grammar, and their redesigns
    python -m bench.quality.sites --curve            # by number of pages learned from
    python -m bench.quality.sites --robust           # foreign pages, redesigns, renamed classes
    python -m bench.quality.sites --blocks           # noise blocks and accuracy as in two papers

Every page is read by the page-level model once, and its reading is used for all
of them; the verdicts are those of the product.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.lib.domain_sites import domain_sites, domain_table
from bench.lib.labelled_sites import (
    HEAD,
    LEFT_OUT,
    Sample,
    by_default,
    by_site,
    heading,
    line,
    measured,
    remember_readings,
    sites,
)
from bench.lib.made_up_sites import made_up_table
from bench.lib.site_baselines import by_baseline, by_chromerag, by_method
from bench.lib.site_trials import blocks, by_labels, robust

SIZES = (1, 2, 3, 5, 10, 20, 40)
PUBLISHED = (
    "sibling_subtrees",
    "anchor_blocks",
    "layout_similarity",
    "information_blocks",
    "block_density",
    "cluster_rules",
)
BASELINES = ("trafilatura", "readability-lxml", "resiliparse", "chromerag")


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
        systems |= {name: by_baseline(name) for name in BASELINES}
        systems["chromerag, site learned"] = by_chromerag()
    for name, system in systems.items():
        print(line(name, measured(given, system), base), flush=True)
    print("\n| site | pages scored | default | full | rules |\n|---|---:|---:|---:|---:|")
    for site, scores in base.items():
        cells = " | ".join(f"{np.mean(one[site]):.3f}" for one in (base, full, ruled))
        print(f"| {site} | {len(scores)} | {cells} |")


def by_gold(_samples: list[Sample]) -> Callable[[Sample], float]:
    """Return the system that keeps the blocks that the labels hold: what they allow at most."""
    return lambda one: one.score(by_labels(one.page, one.gold or ""))


def curve(given: dict[str, list[Sample]]) -> None:
    """Print quality by number of pages learned from, for the sites that have so many."""
    print("| pages learned | sites | default | full | rules | worst of full against default |")
    print("|---:|---:|---:|---:|---:|---:|")
    base = measured(given, by_default)
    for size in SIZES:
        full, rules = (measured(given, by_site(mode), size) for mode in ("full", "rules"))
        means = [[np.mean(one[site]) for site in full] for one in (base, full, rules)]
        worst = min(b - a for a, b in zip(*means[:2], strict=True))
        cells = " | ".join(f"{np.mean(one):.4f}" for one in means)
        print(f"| {size} | {len(full)} | {cells} | {worst:+.4f} |", flush=True)


def main() -> None:
    """Print the tables that are requested."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--site", default="", help="only sites whose name contains this")
    for name in (*("methods", "baselines", "curve", "robust", "blocks", "domains", "made-up"),):
        options.add_argument(f"--{name}", action="store_true")
    options.add_argument("--left-out", type=Path, help="weights without each site, as JSON")
    options.add_argument(
        "--pages", type=int, default=20, help="for --blocks: pages a site and half"
    )
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
    elif chosen.curve:
        curve(given)
    elif chosen.robust:
        robust(given)
    elif chosen.blocks:
        blocks(given, chosen.pages)
    else:
        main_table(given, chosen)


if __name__ == "__main__":
    main()
