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
import math
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench.lib import page_costs
from bench.lib.hostile_kinds import KINDS
from bench.lib.hostile_outputs import OUTPUTS, PARSING
from bench.lib.output_costs import Row, costs, load_outputs, memory_process
from bench.lib.timing import machine, versions
from chaffinch import Limits

DEMANDED: Final = 1.15
MOST_SECONDS: Final = 3.0
MOST_MEMORY: Final = 1 << 30
FLAT: Final = 0.005  # seconds at the largest size: less has no exponent
FLAT_BYTES: Final = 8 << 20
MEGABYTE: Final = 1_000_000
_MB: Final = 1e6
Cell = tuple[str, str]
"""A kind of page and an output."""


class Growth(NamedTuple):
    """How one output of one kind of page grows.

    Attributes:
        time: exponent of the time; NaN where it is too short.
        memory: exponent of the memory; NaN where it is too little.
        seconds: at the largest size.
        size: the largest size, in characters.
        more: bytes that the output needs at the largest size.
        peak: bytes of the process at the largest size.
        fault: what ended it; "" for nothing.
    """

    time: float
    memory: float
    seconds: float
    size: int
    more: int
    peak: int
    fault: str


def growths(rows: Iterable[Row], *, megabyte: bool) -> dict[Cell, Growth]:
    """Return (kind, output) → growth; of several rows of a size the least time and memory count.

    Where an output was measured alone, only that counts. Rows of 1 MB have no part in growth, and
    only they count where costs at 1 MB are requested.
    """
    constants = {row.output: row for row in _least(row for row in rows if not row.size)}
    cells: dict[Cell, dict[bool, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.size and (row.size == MEGABYTE) == megabyte:
            cells[row.kind, row.output][row.alone].append(row)
    return {
        cell: _growth(ways.get(True) or ways[False], constants.get(cell[1]))
        for cell, ways in cells.items()
    }


def _least(rows: Iterable[Row]) -> list[Row]:
    """Return one row for each output and size, smallest first, with the least time and memory."""
    least: dict[tuple[int, str], Row] = {}
    for row in rows:
        best = least.get((row.size, row.output), row)
        least[row.size, row.output] = row._replace(
            seconds=min(row.seconds, best.seconds), more=min(row.more, best.more)
        )
    return [least[key] for key in sorted(least)]


def _growth(rows: list[Row], constant: Row | None) -> Growth:
    least = _least(rows)
    sizes, last = [row.size for row in least], least[-1]
    slope = {}
    for field, flat in (("seconds", FLAT), ("more", FLAT_BYTES)):
        costs = [getattr(row, field) for row in least]
        fixed = getattr(constant, field) if constant else 0
        enough = costs[-1] > flat and len(sizes) > 1
        slope[field] = _slope(sizes, costs, fixed) if enough else math.nan
    faults = "; ".join(sorted({row.fault for row in rows if row.fault}))
    return Growth(
        slope["seconds"], slope["more"], last.seconds, last.size, last.more, last.peak, faults
    )


def _slope(sizes: list[int], costs: list[float], constant: float) -> float:
    """Return the exponent of growth, by least squares in logarithms."""
    floor = 0.02 * max(costs)  # what is left after the constant is taken off isn't noise alone
    x = [math.log(size) for size in sizes]
    y = [math.log(max(cost - constant, floor)) for cost in costs]
    middle = sum(x) / len(x), sum(y) / len(y)
    along = sum((one - middle[0]) ** 2 for one in x)
    return sum((a - middle[0]) * (b - middle[1]) for a, b in zip(x, y, strict=True)) / along


def may_be_over(found: Growth, start_tags: int) -> bool:
    """Return whether a third of what is demanded at 1 MB may be reached there.

    Args:
        found: of four sizes.
        start_tags: of the page of the largest size; at 1 MB there are no more than the guard keeps.
    """
    times = min(MEGABYTE / found.size, Limits().most_tags(MEGABYTE) / max(start_tags, 1))
    seconds, more = times * found.seconds, times * found.more
    return bool(found.fault) or 3 * seconds > MOST_SECONDS or 3 * more > MOST_MEMORY


def is_over(found: Growth, *, megabyte: bool) -> bool:
    """Return whether a growth, or a cost at 1 MB, is more than what is demanded."""
    if found.fault:
        return True
    if megabyte:
        return found.seconds > MOST_SECONDS or found.peak > MOST_MEMORY
    return found.time > DEMANDED or found.memory > DEMANDED


def table(found: dict[Cell, Growth], *, megabyte: bool) -> str:
    """Return a line for each output: its worst kinds."""
    by_output: dict[str, dict[str, Growth]] = defaultdict(dict)
    for (kind, output), growth in found.items():
        by_output[output][kind] = growth
    head = _MEGABYTE_HEAD if megabyte else _HEAD
    line = _megabyte_line if megabyte else _line
    lines = [head, *(line(output, kinds) for output, kinds in by_output.items())]
    over = [
        f"- {output} of {kind}: {growth}"
        for (kind, output), growth in found.items()
        if is_over(growth, megabyte=megabyte)
    ]
    kinds = {kind for kind, _ in found}
    count = f"{len(kinds)} kinds × {len(by_output)} outputs, {len(found):,} cells measured"
    return "\n".join([count, "", *lines, "", f"Over what is demanded: {len(over)}", *over])


_HEAD: Final = (
    "| output | time | of | memory | of | µs a character | of | too short to tell |\n"
    "|---|---:|---|---:|---|---:|---|---:|"
)
_MEGABYTE_HEAD: Final = (
    "| output | seconds | of | next | of | MB | of |\n|---|---:|---|---:|---|---:|---|"
)


def _worst(
    kinds: dict[str, Growth], of: Callable[[Growth], float], form: str = ".2f"
) -> list[tuple[str, str]]:
    """Return values with their kinds, largest first; a dash where there is none."""
    known = [(of(one), kind) for kind, one in kinds.items() if not math.isnan(of(one))]
    known.sort(reverse=True)
    return [(format(value, form), kind) for value, kind in known] or [("–", "")]


def _line(output: str, kinds: dict[str, Growth]) -> str:
    short = sum(math.isnan(one.time) for one in kinds.values())
    fields = [
        output,
        *_worst(kinds, lambda one: one.time)[0],
        *_worst(kinds, lambda one: one.memory)[0],
        *_worst(kinds, lambda one: 1e6 * one.seconds / max(one.size, 1), ".1f")[0],
        str(short),
    ]
    return f"| {' | '.join(fields)} |"


def _megabyte_line(output: str, kinds: dict[str, Growth]) -> str:
    slow = _worst(kinds, lambda one: one.seconds)
    fields = [
        output,
        *slow[0],
        *(slow[1] if len(slow) > 1 else ("–", "")),
        *_worst(kinds, lambda one: one.peak / _MB, ".0f")[0],
    ]
    return f"| {' | '.join(fields)} |"


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

    def __init__(self, path: Path, memory: Callable[[list[Row]], list[Row]]) -> None:
        self.path = path
        self._memory = memory
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
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
        new = self._memory(costs(kind, size, left, alone=alone))
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
    return parser.parse_args()


def _chosen(names: Collection[str], words: list[str]) -> list[str]:
    """Return the names that are, or else hold, one of some words; all of them for no words."""
    whole = {word for word in words if word in names}
    parts = [word for word in words if word not in whole]
    return [n for n in names if not words or n in whole or any(part in n for part in parts)]


def _print_plain() -> None:
    """Print the table of pages without harm, each measured in a process of its own."""
    print(page_costs.HEAD)
    for kind, size in page_costs.SIZES:
        print(page_costs.line(page_costs.measured(kind, size)), flush=True)


def _print_growth(
    options: argparse.Namespace, path: Path, memory: Callable[[list[Row]], list[Row]]
) -> None:
    """Measure what isn't in a file of rows, and print the table of all in it."""
    kinds, outputs = _chosen(KINDS, options.kinds), _chosen(OUTPUTS, options.outputs)
    load_outputs()
    rows = Rows(path, memory)
    for times in range(1, 1 + CONSTANTS):
        rows.measure(TINY_PAGE, 0, outputs, times)
    _measure(rows, kinds, outputs)
    for kind in kinds if options.megabyte else ():
        _measure_megabyte(rows, kind, outputs)
    today = datetime.now(tz=UTC).date()
    print(f"{today}, {machine()}, {versions('chaffinch', 'selectolax', 'numpy')}")
    found = growths(rows.rows, megabyte=options.megabyte)
    print(
        table({cell: found[cell] for cell in found if cell[0] in kinds}, megabyte=options.megabyte)
    )


def main() -> None:
    """Print the table in Markdown, and below it each cost that is more than demanded."""
    options = _options()
    if options.plain:
        _print_plain()
    else:
        with tempfile.TemporaryDirectory() as folder, memory_process() as memory:
            _print_growth(options, options.rows or Path(folder) / "rows.jsonl", memory)


if __name__ == "__main__":
    main()
