"""How time and memory of every output grow with a hostile page: exponents over four sizes.

Every output × every kind of `bench.lib.hostile_kinds`. The exponent is the slope of a straight line
through log(cost) over log(size), the cost of a tiny page taken off; 1 is linear. Costs are those of
`bench.lib.output_costs`, seconds and memory measured in processes of their own; what is over the
bound is measured again, and at last alone, at larger sizes. Each kind runs in a process of its own.
Rows are kept as they come: what is interrupted goes on where it was.

    python -m bench.safety.growth                      the table
    python -m bench.safety.growth --rows growth.jsonl  keep rows there, take up those that are there
    python -m bench.safety.growth --kinds table dl     only kinds whose name has one of the words
    python -m bench.safety.growth --outputs markdown   only outputs whose name has one of them
    python -m bench.safety.growth --megabyte           each kind at 1 MB: most seconds and memory
    python -m bench.safety.growth --plain              pages without harm, from 1 kB to 50 MB
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench.lib import plain_growth
from bench.lib.growth_table import MEGABYTE, Growth, growths, is_over, may_be_over, table
from bench.lib.hostile_kinds import KINDS
from bench.lib.hostile_outputs import OUTPUTS, PARSING
from bench.lib.memory_pass import MemoryPass
from bench.lib.output_costs import Row, costs, load_outputs
from bench.lib.timing import machine, versions

SIZES: Final = (3_000, 7_600, 19_000, 48_000)
LARGER: Final = (50_000, 80_000, 130_000, 210_000)  # measured alone, beyond the bounds that have a
# step: nests of 512 levels, formulas of 20,000 characters
FAR: Final = {
    # nests beyond 20,000 tags, from where on the parser's depth is bounded
    PARSING: (560_000, 800_000, 1_120_000, 1_600_000),
    # beyond where one network is sure of the blocks: all three are asked from there on
    "assessment": (210_000, 340_000, 550_000, 880_000),
}
"""Sizes of outputs whose steps lie farther out."""
CONSTANTS: Final = 5  # times that a tiny page is measured
PASSES: Final = 4  # over what is over the bound
ALONE: Final = 2  # times, the least counts
TINY_PAGE: Final = "a tiny page"


class Rows:
    """The rows measured so far, kept in a file as they come.

    Args:
        path: the file.
        memory: measures memory.
    """

    def __init__(self, path: Path, memory: MemoryPass) -> None:
        self.path = path
        self._memory = memory
        self.rows: list[Row] = []
        self.read()

    def read(self) -> None:
        """Read the file, to which other processes may add, too."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        self.rows = [Row(*json.loads(line)) for line in lines]

    def measure(
        self, kind: str, size: int, outputs: list[str], times: int = 1, *, alone: bool = False
    ) -> None:
        """Measure the outputs of a kind and size that have been measured fewer times."""
        known = [
            row.output
            for row in self.rows
            if (row.kind, row.size, row.alone) == (kind, size, alone)
        ]
        left = [output for output in outputs if known.count(output) < times]
        new = self._memory.added(costs(kind, size, left, alone=alone))
        self.rows += new
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(row) + "\n" for row in new))

    def growths(self, kind: str, *, megabyte: bool = False) -> dict[str, Growth]:
        """Return output → growth, or cost at 1 MB, of one kind."""
        rows = [row for row in self.rows if row.kind in (kind, TINY_PAGE)]
        return {o: found for (_, o), found in growths(rows, megabyte=megabyte).items()}

    def over(self, kind: str, outputs: list[str], *, megabyte: bool = False) -> list[str]:
        """Return which of some outputs are over what is demanded."""
        found = self.growths(kind, megabyte=megabyte)
        return [o for o in outputs if o in found and is_over(found[o], megabyte=megabyte)]


def _measure(rows: Rows, kinds: list[str], outputs: list[str]) -> None:
    """Measure kinds at four sizes; then what is over the bound again, and then alone."""
    for times in range(1, 1 + PASSES):
        for kind in kinds:
            doubtful = rows.over(kind, outputs) if times > 1 else outputs
            for size in SIZES:
                rows.measure(kind, size, doubtful, times)
            print(f"{kind}: pass {times}", file=sys.stderr, flush=True)
    for times in range(1, 1 + ALONE):
        for kind in kinds:
            for output in rows.over(kind, outputs):
                for size in FAR.get(output, LARGER):
                    rows.measure(kind, size, [output], times, alone=True)
            print(f"{kind}: alone {times}", file=sys.stderr, flush=True)


def _measure_megabyte(rows: Rows, kind: str, outputs: list[str]) -> None:
    """Measure what could be over the bounds at 1 MB; what is, again and alone."""
    doubtful = []
    for output, found in rows.growths(kind).items():
        html = KINDS[kind](found.size)
        if output in outputs and may_be_over(found, html.count("<") - html.count("</")):
            doubtful.append(output)
    rows.measure(kind, MEGABYTE, doubtful)
    for times in range(1, 1 + ALONE):
        doubtful = rows.over(kind, doubtful, megabyte=True)
        rows.measure(kind, MEGABYTE, doubtful, times, alone=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kinds", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--outputs", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--megabyte", action="store_true", help="one size, 1 MB")
    parser.add_argument("--plain", action="store_true", help="parse and text of usual pages")
    parser.add_argument("--rows", type=Path, help="file of rows, one JSON object a line")
    parser.add_argument("--part", default="1/1", metavar="N/M", help="each Mth kind, from the Nth")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser.parse_args()


def _chosen(names: Collection[str], words: list[str]) -> list[str]:
    """Return the names that are, or else hold, one of some words; all of them for no words."""
    whole = {word for word in words if word in names}
    parts = [word for word in words if word not in whole]
    return [n for n in names if not words or n in whole or any(part in n for part in parts)]


def _print_plain() -> None:
    """Print the table of pages without harm, each measured in a process of its own."""
    print(plain_growth.HEAD)
    for kind, size in plain_growth.SIZES:
        one = ["--one", f"{kind} {size}"]
        command = [sys.executable, "-m", "bench.safety.growth", *one]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{kind} {size}: {done.stderr.strip().splitlines()[-1]}")
        else:
            print(plain_growth.line(json.loads(done.stdout)), flush=True)


def _print_growth(options: argparse.Namespace, path: Path, memory: MemoryPass) -> None:
    """Measure what isn't in a file of rows, and print the table of all in it."""
    kinds, outputs = _chosen(KINDS, options.kinds), _chosen(OUTPUTS, options.outputs)
    part, parts = map(int, options.part.split("/"))
    load_outputs()
    rows = Rows(path, memory)
    for times in range(1, 1 + CONSTANTS):
        rows.measure(TINY_PAGE, 0, outputs, times)
    own = kinds[part - 1 :: parts]
    _measure(rows, own, outputs)
    for kind in own if options.megabyte else ():
        _measure_megabyte(rows, kind, outputs)
    rows.read()
    today = datetime.now(tz=UTC).date()
    print(f"{today}, {machine()}, {versions('chaffinch', 'selectolax', 'numpy')}")
    found = growths(rows.rows, megabyte=options.megabyte)
    print(
        table({cell: found[cell] for cell in found if cell[0] in kinds}, megabyte=options.megabyte)
    )


def main() -> None:
    """Print the table in Markdown, and below it each cost that is more than demanded."""
    options = _options()
    if options.one:
        kind, size = options.one.split()
        print(json.dumps(plain_growth.measure(kind, int(size))))
    elif options.plain:
        _print_plain()
    else:
        with tempfile.TemporaryDirectory() as folder, MemoryPass() as memory:
            _print_growth(options, options.rows or Path(folder) / "rows.jsonl", memory)


if __name__ == "__main__":
    main()
