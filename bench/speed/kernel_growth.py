"""What each kernel saves on large pages, where next to nothing of an ordinary one is its work.

Run ``python -m bench.speed.kernel_growth``: each page is extracted to text by every method that
needs no siblings, once with all kernels native and once for each kernel that is called with that
one plain, in processor time of the thread, best of three. A kernel whose plain twin is as quick on
such pages, too, and that saves less than 1 % of the instructions of ordinary ones
(`bench.speed.kernel_shares`), isn't worth its lines.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Final

import bench.lib.one_core  # noqa: F401  before numpy is loaded
import chaffinch
from bench.lib.plain_growth import page_of, page_of_rows
from bench.lib.timing import machine, versions
from bench.speed.kernel_shares import called
from chaffinch import kernels
from chaffinch.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

LISTS: Final = (
    "<ul>" + "<li class=a1><a href=/p?x=1>oats and rye</a> for <b>bread</b>" * 9 + "</ul>"
)
PAGES: Final[dict[str, Callable[[], bytes]]] = {
    "2 MB of prose": lambda: page_of(2_000_000),
    "200,000 rows": lambda: page_of_rows(200_000),
    "lists and links of 1 MB": (LISTS * (1_000_000 // len(LISTS))).encode,
}
"""Name of a page → what makes it."""
ALONE: Final = [name for name in METHODS if not METHODS[name].needs_siblings]
ROUNDS: Final = 3


def seconds(run: Callable[[], object]) -> float:
    """Return the processor time of a run, best of `ROUNDS`."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.thread_time()
        run()
        best = min(best, time.thread_time() - start)
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
        page = PAGES[title]()
        for method in chosen.methods:
            run = partial(extraction, page, method)
            used = called(run).intersection(chosen.kernels)
            native = seconds(run)
            for name in sorted(used):
                with kernels.using("native", plainly=(name,)):
                    factors[name].append((seconds(run) / native, title, method))
            print(f"{title}, {method}: {native * 1000:.0f} ms", file=sys.stderr, flush=True)
    print(machine(), versions("chaffinch", "selectolax", "numpy"), sep="; ")
    print("| kernel | × time without it | page | method |")
    print("|---|---:|---|---|")
    for name, found in sorted(
        factors.items(), key=lambda one: -max(one[1], default=(0, "", ""))[0]
    ):
        factor, title, method = max(found, default=(1.0, "–", "–"))
        print(f"| `{name}` | {factor:.2f} | {title} | {method} |")


if __name__ == "__main__":
    main()
