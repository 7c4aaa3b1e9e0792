"""Site models measured: learned on half of each site's pages, scored on the other half.

No label is looked at in learning; both halves take both parts; means are over sites. ``--of
domains`` are domains of the corpora, each read by the fold that hasn't seen it; ``--of made-up``
200 sites by a grammar, on which nothing was trained and whose words mean nothing.

    python -m bench.quality.sites                    # default, full, rules, site by site
    python -m bench.quality.sites --left-out FILE    # with weights learned without each site
    python -m bench.quality.sites --of made-up
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.lib.portals import heading
from bench.lib.sites import (
    HEAD,
    LEFT_OUT,
    Sample,
    by_default,
    by_labels,
    by_site,
    domain_sites,
    line,
    made_up_sites,
    measured,
    remember_readings,
    sites,
)

POPULATIONS = {"whole": sites, "domains": domain_sites, "made-up": made_up_sites}


def by_gold(_samples: list[Sample]) -> Callable[[Sample], float]:
    """Return the system that keeps the blocks that the labels hold: what they allow at most."""
    return lambda one: one.score(by_labels(one.page, one.gold or ""))


def main() -> None:
    """Print all systems, then the product's site by site."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--site", default="", help="only sites whose name contains this")
    options.add_argument("--of", choices=POPULATIONS, default="whole", help="which sites")
    options.add_argument("--left-out", type=Path, help="weights without each site, as JSON")
    chosen = options.parse_args()
    print(heading(), flush=True)
    remember_readings()
    if chosen.left_out:
        LEFT_OUT.update(json.loads(chosen.left_out.read_text(encoding="utf-8")))
    given = dict(POPULATIONS[chosen.of](chosen.site))
    systems = {
        "default": by_default,
        "site model": by_site,
        "labels aligned": by_gold,
    }
    found = {name: measured(given, system) for name, system in systems.items()}
    base = found["default"]
    print("\n".join([HEAD, *(line(name, one, base) for name, one in found.items())]))
    print("\n| site | pages scored | default | site model |\n|---|---:|---:|---:|")
    for site, scores in base.items():
        means = [np.mean(found[name][site]) for name in ("default", "site model")]
        print(f"| {site} | {len(scores)} | {' | '.join(f'{one:.3f}' for one in means)} |")


if __name__ == "__main__":
    main()
