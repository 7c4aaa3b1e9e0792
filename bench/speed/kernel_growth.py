"""Which time each kernel saves, on large pages, too, where it may do most of its work.

Run ``python -m bench.speed.kernel_growth``: each page is extracted to text by every method that
needs no siblings, with all kernels native and then with each kernel that is called plain, in turns,
in processor time of the thread, the best of some rounds. A kernel whose plain twin is as quick on
such pages, and that saves less than 1 % of the instructions of ordinary ones
(`bench.speed.kernel_shares`), isn't worth its lines.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

import bench.lib.one_core  # noqa: F401  before numpy is loaded
import chaffinch
from bench.lib.plain_growth import page_of, page_of_rows
from bench.lib.timing import machine, pages, versions
from bench.speed.kernel_shares import called
from chaffinch import kernels
from chaffinch.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LISTS: Final = (
    "<ul>" + "<li class=a1><a href=/p?x=1>oats and rye</a> for <b>bread</b>" * 9 + "</ul>"
)
ORDINARY: Final = "60 ordinary pages"
PAGES: Final[dict[str, Callable[[], list[bytes]]]] = {
    "2 MB of prose": lambda: [page_of(2_000_000)],
    "200,000 rows": lambda: [page_of_rows(200_000)],
    "lists and links of 1 MB": lambda: [(LISTS * (1_000_000 // len(LISTS))).encode()],
    ORDINARY: lambda: pages("scrapinghub")[:60],
}
"""Name of pages → what makes them."""
ALONE: Final = [name for name in METHODS if not METHODS[name].needs_siblings]
ROUNDS: Final = {ORDINARY: 15}
"""Rounds of pages that need more than `FEWEST`."""
FEWEST: Final = 3


def seconds(run: Callable[[], object]) -> float:
    """Return the processor time of a run."""
    start = time.thread_time()
    run()
    return time.thread_time() - start


def best_times(page: bytes, method: str, names: Sequence[str], rounds: int) -> dict[str, float]:
    """Return kernel → seconds that the page takes while it is plain; "" → with all native."""
    run = partial(extraction, page, method)
    used = ["", *sorted(called(run).intersection(names))]
    best = dict.fromkeys(used, float("inf"))
    for _ in range(rounds):
        for name in used:
            with kernels.using("native", plainly=(name,) if name else ()):
                best[name] = min(best[name], seconds(run))
    return best


def extraction(page: bytes, method: str) -> object:
    """Return the text of a page by a method."""
    return chaffinch.extract(page, method=method).text


def main() -> None:
    """Print for each kernel the highest factor by which a page takes longer without it."""
    options = argparse.ArgumentParser(prog="python -m bench.speed.kernel_growth")
    options.add_argument("--kernels", nargs="+", default=kernels.__all__)
    options.add_argument("--pages", nargs="+", choices=[*PAGES], default=[*PAGES])
    options.add_argument("--methods", nargs="+", choices=[*METHODS], default=ALONE)
    chosen = options.parse_args()
    factors: dict[str, list[tuple[float, str, str]]] = {name: [] for name in chosen.kernels}
    for title in chosen.pages:
        given, rounds = PAGES[title](), ROUNDS.get(title, FEWEST)
        for method in chosen.methods:
            longer, native = Counter[str](), 0.0
            for page in given:
                best = best_times(page, method, chosen.kernels, rounds)
                native += best[""]
                longer.update({name: best[name] - best[""] for name in best if name})
            for name, more in longer.items():
                factors[name].append((1 + more / native, title, method))
            print(f"{title}, {method}: {native * 1000:.0f} ms", file=sys.stderr, flush=True)
    print(machine(), versions("chaffinch", "selectolax", "numpy"), sep="; ")
    print("| kernel | × time without it | page | method |")
    print("|---|---:|---|---|")
    for name, found in sorted(
        factors.items(), key=lambda one: -max(one[1], default=(0, "", ""))[0]
    ):
        factor, title, method = max(found, default=(1.0, "–", "–"))
        print(f"| `{name}` | {factor:.3f} | {title} | {method} |")


if __name__ == "__main__":
    main()
