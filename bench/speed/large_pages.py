"""What large pages cost a guarded child: memory on top of the loaded program, and processor time.

Run ``python -m bench.speed.large_pages`` (docs/batch.md: the default of ``--memory`` and
``--cpu``). Each page is extracted by a child of its own without a limit, and what the kernel counts
against RLIMIT_AS (VmPeak) is told. The pages are ours: prose, links, cards and lines of a few
words.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.lib.archive import SYLLABLES
from bench.lib.timing import machine, versions

if TYPE_CHECKING:
    from collections.abc import Callable

_DICE = random.Random(8)  # noqa: S311 - no secrets
_WORDS = ["".join(_DICE.choices(SYLLABLES, k=_DICE.randint(1, 4))) for _ in range(3000)]


def _some(count: int) -> str:
    return " ".join(_DICE.choices(_WORDS, k=count))


def _card() -> str:
    number = _DICE.randint(0, 10**9)
    return (
        f'<div class="card {_some(1)}" id="c{number}" data-x="{number}"><div><h3>{_some(3)}</h3>'
        f'<p>{_some(8)}</p><img src="/i/{number}.jpg" alt="{_some(3)}"></div></div>\n'
    )


SHAPES: dict[str, tuple[str, Callable[[], str]]] = {
    "prose": ("main", lambda: f"<p>{_some(_DICE.randint(20, 80))}.</p>\n"),
    "links": ("ul", lambda: f'<li><a class="{_some(1)}" href="/{_some(1)}">{_some(4)}</a></li>\n'),
    "cards": ("main", _card),
    "lines of three words": ("main", lambda: f"{_some(3)}<br>\n"),
}
"""Shape → the element that holds the page, and what makes one piece of it."""


def page_of(shape: str, size: int) -> bytes:
    """Return a page of about so many bytes."""
    holder, piece = SHAPES[shape]
    pieces, length = [], 0
    while length < size:
        pieces.append(piece())
        length += len(pieces[-1])
    title = f"<!DOCTYPE html><html lang=eo><title>{_some(4)}</title><body><{holder}>"
    return (title + "".join(pieces) + f"</{holder}></body></html>").encode()


def _peak() -> int:
    """Return the largest address space of this process so far, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith("VmPeak")) >> 10


def measure() -> None:
    """Print MiB and seconds of the page of the standard input in this process."""
    from chaffinch.batch.extraction import Extraction  # noqa: PLC0415 - its memory is measured
    from chaffinch.batch.recipe import Recipe  # noqa: PLC0415
    from chaffinch.batch.record import Record  # noqa: PLC0415
    from chaffinch.errors import PageError  # noqa: PLC0415

    record = Record(file="x", url="https://a.example/", html=sys.stdin.buffer.read())
    work = Extraction(Recipe())
    before, start, error = _peak(), sum(os.times()[:2]), ""
    try:
        work(record)
    except PageError as problem:
        error = f"refused: {problem}"
    print(_peak() - before, f"{sum(os.times()[:2]) - start:.1f}", error, sep="\t")


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, nargs="+", default=[5, 20, 60])
    options.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--markdown", action="store_true", help="the table alone")
    chosen = options.parse_args()
    if chosen.one:
        measure()
        return
    if not chosen.markdown:
        print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}; {versions('chaffinch')}\n")
    print("| page | MB | MiB | seconds | |\n|---|---:|---:|---:|---|")
    for shape in SHAPES:
        for size in chosen.megabytes:
            command = [sys.executable, "-m", "bench.speed.large_pages", "--one"]
            html = page_of(shape, size * 1_000_000)
            done = subprocess.run(command, input=html, check=True, stdout=subprocess.PIPE)
            peak, seconds, error = done.stdout.decode().rstrip("\n").split("\t")
            print(f"| {shape} | {size} | {int(peak):,} | {seconds} | {error} |", flush=True)


if __name__ == "__main__":
    main()
