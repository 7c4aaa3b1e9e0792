"""Is this source quicker than another one? Both, and resiliparse, in processes that take turns.

Run ``python -m bench.speed.turns --before FOLDER``: the folder is another checkout, its kernels
built. ``--what row`` makes the row of a batch instead of the text, ``--what everything`` JSON with
all parts, beside the text of this checkout. Each system is a process of its own; for every page
each of them extracts it once, one after the other, and that all over for some rounds. What counts
is the processor time of each, the best of all rounds of a page: so the ratios of one run hold on a
busy machine, too, but that a busy one costs Python more than C.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench import ROOT

BASELINE: Final = "resiliparse main content"


def _extraction() -> Callable[[bytes], object]:
    import chaffinch  # noqa: PLC0415  the process chooses whose

    return lambda page: chaffinch.extract(page).text


def _main_content() -> Callable[[bytes], object]:
    from bench.speed.baselines import resiliparse_text  # noqa: PLC0415  of no locked set but baselines.txt

    return resiliparse_text


def _row() -> Callable[[bytes], object]:
    from bench.speed.rows import row_maker  # noqa: PLC0415  of the checkout that is timed

    return row_maker()


def _everything() -> Callable[[bytes], object]:
    from bench.speed.rows import everything  # noqa: PLC0415  of the checkout that is timed

    return everything


SYSTEMS: Final = {
    "default": _extraction, "row": _row, "everything": _everything, "resiliparse": _main_content,
}  # fmt: skip


def answer(name: str, corpus: str) -> None:
    """Extract the pages whose numbers come, and print the seconds that each takes."""
    work = SYSTEMS[name]()
    from bench.lib.timing import pages  # noqa: PLC0415  of the checkout that is timed

    given = pages(corpus)
    for line in sys.stdin:
        page = given[int(line)]
        start = time.thread_time()
        work(page)
        sys.stdout.write(f"{time.thread_time() - start}\n")
        sys.stdout.flush()


class Turns:
    """A process that extracts a page when it is its turn.

    Args:
        name: of the system.
        source: the checkout whose code runs.
        corpus: whose pages are extracted.
    """

    def __init__(self, name: str, source: Path, corpus: str) -> None:
        path = os.pathsep.join([str(source / "src"), str(source)])
        one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--answer", name, "--corpus", corpus],
            env=os.environ | one_core | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, page: int) -> float:
        """Return the processor time of one extraction of the page with this number.

        Raises:
            SystemExit: the process ended.
        """
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            raise SystemExit("the process has no pipes")
        to.write(f"{page}\n")
        to.flush()
        line = back.readline()
        if not line:
            raise SystemExit("a process ended early; its error stands above")
        return float(line)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def best(turns: Mapping[str, Turns], pages: int, rounds: int) -> dict[str, list[float]]:
    """Return for each system the best seconds of each page."""
    found = {name: [float("inf")] * pages for name in turns}
    for _ in range(rounds):
        for page in range(pages):
            for name, turn in turns.items():
                found[name][page] = min(found[name][page], turn.seconds(page))
    return found


def table(found: Mapping[str, Sequence[float]]) -> str:
    """Return the table of all systems; ratios to the first and to resiliparse where it is there."""
    sums = {name: sum(seconds) for name, seconds in found.items()}
    first, baseline = next(iter(sums.values())), sums.get(BASELINE)
    lines = ["| | ms a page | median | × the first | × resiliparse |", "|---|---:|---:|---:|---:|"]
    for name, seconds in found.items():
        middle = statistics.median(seconds) * 1000
        beside = f"{sums[name] / baseline:.2f}" if baseline else "–"
        mean = sums[name] / len(seconds) * 1000
        lines.append(
            f"| {name} | {mean:.2f} | {middle:.2f} | {sums[name] / first:.3f} | {beside} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Time both checkouts and print the table."""
    options = argparse.ArgumentParser(prog="python -m bench.speed.turns", description=__doc__)
    options.add_argument("--before", type=Path, help="another checkout, built")
    options.add_argument("--corpus", default="scrapinghub")
    options.add_argument("--pages", type=int, default=181)
    options.add_argument("--rounds", type=int, default=12)
    options.add_argument("--what", default="default", choices=("default", "row", "everything"))
    options.add_argument("--answer", choices=tuple(SYSTEMS), help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.answer:
        answer(chosen.answer, chosen.corpus)
        return
    turns: dict[str, Turns] = {}
    try:
        if chosen.before:
            turns["before"] = Turns(chosen.what, chosen.before.resolve(), chosen.corpus)
        for name in dict.fromkeys((chosen.what, "default")):
            turns[name] = Turns(name, ROOT, chosen.corpus)
        try:
            _main_content()
            turns[BASELINE] = Turns("resiliparse", ROOT, chosen.corpus)
        except ImportError as error:
            print(f"without resiliparse: {error}", file=sys.stderr)
        print(table(best(turns, chosen.pages, chosen.rounds)))
    finally:
        for turn in turns.values():
            turn.close()


if __name__ == "__main__":
    main()
