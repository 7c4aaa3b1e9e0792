"""Time of every method on the pages of the sites, its own parse included, five parsed siblings.

``python -m bench.speed.methods``: up to 1,000 pages, one core, processor time, best of two. What a
method prepares or learns from its siblings it does once; the last column has that in it.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from typing import TYPE_CHECKING

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split

import numpy as np

import chaffinch
from bench.lib.timing import corpora, machine, versions
from chaffinch.methods import METHODS, build

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIBLINGS = 5


def sites(limit: int) -> Iterator[list[tuple[bytes, str]]]:
    """Yield (bytes, address) of the pages of each site, ``limit`` at most in all."""
    left = limit
    files: list[Path] = sorted((corpora() / "sites").glob("*.jsonl.xz"))
    for number, path in enumerate(files):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        most = -(-left // (len(files) - number))
        pages = [(row["html"].encode("latin-1"), row["url"]) for row in rows][:most]
        left -= len(pages)
        yield pages


def main() -> None:
    """Print a line for each method."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--limit", type=int, default=1000)
    chosen = options.parse_args()
    times: dict[str, list[float]] = {name: [] for name in METHODS}
    setup: dict[str, list[float]] = {name: [] for name in METHODS}
    rows: list[int] = []
    for pages in sites(chosen.limit):
        tables = [chaffinch.parse(html, url=url) for html, url in pages]
        rows.extend(map(len, tables))
        for number, (html, url) in enumerate(pages):
            others = tables[:number] + tables[number + 1 :]
            siblings = tuple(others[max(0, number - SIBLINGS) :][:SIBLINGS])
            for name, kind in METHODS.items():
                needs = kind.needs_siblings
                start = time.process_time()
                method = build(name, siblings=siblings) if needs else build(name)
                method(chaffinch.parse(html, url=url))
                setup[name].append(time.process_time() - start)
                best = float("inf")
                for _ in range(2):
                    start = time.process_time()
                    method(chaffinch.parse(html, url=url))
                    best = min(best, time.process_time() - start)
                times[name].append(best)
    print(machine(), versions("chaffinch", "selectolax", "numpy"), sep="; ")
    print(f"{len(rows)} pages, {np.mean(rows):.0f} rows in the mean, {max(rows)} at most")
    print("| method | ms a page | median | 99 % | most | below 20 ms | first use, ms |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, each in times.items():
        ms = np.array(each) * 1000
        first = np.mean(setup[name]) * 1000
        print(
            f"| {name} | {ms.mean():.2f} | {np.median(ms):.2f} | {np.percentile(ms, 99):.1f} "
            f"| {ms.max():.1f} | {(ms < 20).mean():.1%} | {first:.2f} |"
        )


if __name__ == "__main__":
    main()
