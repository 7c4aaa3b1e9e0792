"""Time of sibling_subtrees and cluster_rules with siblings parsed and prepared, on real sites.

Each page is parsed anew and compared with five siblings, as the product chooses them; preparing
the siblings, done once for all pages, is timed by itself. Processor time, best of five, one core.

    python -m bench.papers.same_layer_speed [--site NAME] [--pages 8]
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bench.lib.site_pages import heading, sites
from bench.papers.same_layer import cases
from chaffinch import parse
from chaffinch.evaluate import read_corpus
from chaffinch.methods import ClusterRules, SiblingSubtrees
from chaffinch.segment.vips import Vips

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch.page import Page


def best(work: Callable[[], object]) -> float:
    """Return the least processor time of five runs, in ms."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main() -> None:
    """Print a line for each site."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--site", default="", help="only sites whose name contains this")
    options.add_argument("--pages", type=int, default=8, help="at most so many of each site")
    chosen = options.parse_args()
    print(heading())
    print(
        "ms:                       rows    parse  + VIPS  + subtrees  longest  a sibling  + rules"
    )
    every = []
    for site in sites(chosen.site):
        source = dict(
            zip(
                map(id, site.pages),
                (row.html for row in read_corpus(f"sites/{site.name}")),
                strict=True,
            )
        )
        rules = ClusterRules.learn(site.pages)
        rows = []
        for case in cases(site, chosen.pages):
            data, url = source[id(case.page)], case.page.url
            method = SiblingSubtrees(siblings=case.siblings[:5])
            start = time.process_time()
            method(case.page)
            first = 1000 * (time.process_time() - start)
            again = best(partial(method, case.page))
            rows.append(
                (
                    len(case.page),
                    best(partial(parse, data, url=url)),
                    best(partial(_parsed_for, Vips(), data, url)),
                    best(partial(_parsed_for, method, data, url)),
                    (first - again) / 5,
                    best(partial(_parsed_for, rules, data, url)),
                )
            )
        every += rows
        _line(site.name, rows)
    _line("all", every)
    near = [row for row in every if 1500 <= row[0] <= 2500]
    _line("1,500 to 2,500 rows", near)


def _parsed_for(method: Callable[[Page], object], data: bytes, url: str | None) -> object:
    return method(parse(data, url=url))


def _line(name: str, rows: Sequence[tuple[float, ...]]) -> None:
    table = np.array(rows)
    size, parsed, cut, whole, prepared, ruled = table.mean(axis=0)
    print(
        f"{name:24} {size:6.0f} {parsed:8.2f} {cut:7.2f} {whole:11.2f} {table[:, 3].max():8.2f}"
        f" {prepared:10.2f} {ruled:8.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
