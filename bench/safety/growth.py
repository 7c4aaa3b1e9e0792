"""How time and memory of every output grow with a hostile page: exponents over four sizes.

Every output × every kind of `bench.lib.hostile_kinds`. The exponent is the slope of a straight line
through log(cost) over log(size), the cost of a tiny page taken off; 1 is linear. Costs are those of
`bench.lib.output_costs`, seconds and memory measured in processes of their own; what is over the
bound is measured again, and at last alone, at larger sizes. Rows are kept as they come: what is
interrupted goes on where it was.

    python -m bench.safety.growth                      the table
    python -m bench.safety.growth --rows growth.jsonl  keep rows there, take up those that are there
    python -m bench.safety.growth --kinds table dl     only kinds whose name has one of the words
    python -m bench.safety.growth --outputs markdown   only outputs whose name has one of them
    python -m bench.safety.growth --megabyte           each kind at 1 MB: most seconds and memory
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
from bench.lib.hostile_kinds import KINDS
from bench.lib.hostile_outputs import OUTPUTS, PARSING
from bench.lib.output_costs import Row, costs, load_outputs, memory_process
from bench.lib.timing import machine, versions
from chaffinch import Limits

DEMANDED: Final = 1.15
MOST_SECONDS: Final = 3.0
MOST_MEMORY: Final = 1 << 30
FLAT: Final = {"seconds": 0.005, "more": 8 << 20}
"""Costs at the largest size, seconds and bytes: less has no exponent."""
MEGABYTE: Final = 1_000_000
SIZES: Final = (3_000, 7_600, 19_000, 48_000)
LARGER: Final = (50_000, 80_000, 130_000, 210_000)  # measured alone, beyond the bounds that have a
# step: nests of 512 levels, formulas of 20,000 characters
FAR: Final = {
    # nests beyond 8,000 tags, from where on the parser's depth is bounded
    PARSING: (560_000, 800_000, 1_120_000, 1_600_000),
    # beyond where one network is sure of the blocks: all three are asked from there on
    "assessment": (210_000, 340_000, 550_000, 880_000),
}
"""Sizes of outputs whose steps lie farther out."""
CONSTANTS: Final = 5  # times that a tiny page is measured
PASSES: Final = 4  # over what is over the bound
ALONE: Final = 2  # times, the least counts
TINY_PAGE: Final = "a tiny page"


class Growth(NamedTuple):
    """How one output of one kind of page grows.

    Attributes:
        time, memory: exponents; NaN where it is too short or too little.
        seconds, more, peak: at the largest size: bytes that the output needs, and the process.
        size: the largest size, in characters.
        fault: what ended it; "" for nothing.
    """

    time: float
    memory: float
    seconds: float
    more: int
    peak: int
    size: int
    fault: str

    def is_over(self, *, megabyte: bool) -> bool:
        """Return whether the growth, or the cost at 1 MB, is more than what is demanded."""
        if megabyte:
            return bool(self.fault) or self.seconds > MOST_SECONDS or self.peak > MOST_MEMORY
        return bool(self.fault) or self.time > DEMANDED or self.memory > DEMANDED


def growth_of(rows: Iterable[Row], constant: Row) -> Growth:
    """Return the growth of rows of a kind and output; of several of a size the least costs count.

    Where an output was measured alone, only that counts.
    """
    rows = [row for row in rows if row.alone] or list(rows)
    least = [_least([row for row in rows if row.size == size]) for size in {r.size for r in rows}]
    least.sort(key=lambda row: row.size)
    last, slope = least[-1], {}
    for field, flat in FLAT.items():
        of = [getattr(row, field) for row in least]
        floor = 0.02 * max(of)  # what is left after the constant is taken off isn't noise alone
        x = [math.log(row.size) for row in least]
        y = [math.log(max(cost - getattr(constant, field), floor, 1e-9)) for cost in of]
        middle = sum(x) / len(x), sum(y) / len(y)
        along = sum((one - middle[0]) ** 2 for one in x)
        rise = sum((a - middle[0]) * (b - middle[1]) for a, b in zip(x, y, strict=True))
        slope[field] = rise / along if of[-1] > flat and len(of) > 1 else math.nan
    fault = "; ".join(sorted({row.fault for row in rows if row.fault}))
    return Growth(
        slope["seconds"], slope["more"], last.seconds, last.more, last.peak, last.size, fault
    )


def _least(rows: list[Row]) -> Row:
    seconds, more = min(row.seconds for row in rows), min(row.more for row in rows)
    return rows[-1]._replace(seconds=seconds, more=more)


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
        key = kind, size, alone
        known = [row.output for row in self.rows if (row.kind, row.size, row.alone) == key]
        left = [output for output in outputs if known.count(output) < times]
        new = self._memory(costs(kind, size, left, alone=alone))
        self.rows += new
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(row) + "\n" for row in new))

    def growths(self, kind: str, *, megabyte: bool = False) -> dict[str, Growth]:
        """Return output → growth, or cost at 1 MB, of one kind.

        Rows of 1 MB have no part in growth, and only they count where costs there are requested.
        """
        tiny, own = defaultdict(list), defaultdict(list)
        for row in self.rows:
            if not row.size:
                tiny[row.output].append(row)
            elif row.kind == kind and (row.size == MEGABYTE) == megabyte:
                own[row.output].append(row)
        return {output: growth_of(rows, _least(tiny[output])) for output, rows in own.items()}

    def over(self, kind: str, outputs: list[str], *, megabyte: bool = False) -> list[str]:
        """Return which of some outputs are over what is demanded."""
        found = self.growths(kind, megabyte=megabyte)
        return [o for o in outputs if o in found and found[o].is_over(megabyte=megabyte)]


def _measure(rows: Rows, kinds: list[str], outputs: list[str]) -> None:
    """Measure kinds at four sizes; then what is over the bound again, and then alone."""
    for times in range(1, 1 + CONSTANTS):
        rows.measure(TINY_PAGE, 0, outputs, times)
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
    """Measure what could be over the bounds at 1 MB; what is, again and alone.

    What may reach a third of them is measured; at 1 MB there are no more tags than the guard keeps.
    """
    doubtful = []
    for output, found in rows.growths(kind).items():
        html = KINDS[kind](found.size)
        tags = Limits().most_tags(MEGABYTE) / max(html.count("<") - html.count("</"), 1)
        times = 3 * min(MEGABYTE / found.size, tags)
        dear = times * found.seconds > MOST_SECONDS or times * found.more > MOST_MEMORY
        if output in outputs and (found.fault or dear):
            doubtful.append(output)
    rows.measure(kind, MEGABYTE, doubtful)
    for times in range(1, 1 + ALONE):
        doubtful = rows.over(kind, doubtful, megabyte=True)
        rows.measure(kind, MEGABYTE, doubtful, times, alone=True)


def table(rows: Rows, kinds: list[str], *, megabyte: bool) -> str:
    """Return a line for each output, its worst kinds, and each cost that is more than demanded."""
    by_output: dict[str, dict[str, Growth]] = defaultdict(dict)
    for kind in kinds:
        for output, growth in rows.growths(kind, megabyte=megabyte).items():
            by_output[output][kind] = growth
    if megabyte:
        lines = ["| output | seconds | of | MB | of |\n|---|---:|---|---:|---|"]
    else:
        lines = ["| output | time | of | memory | of | µs a character | of | too short to tell |"]
        lines += ["|---|---:|---|---:|---|---:|---|---:|"]
    over = []
    for output, own in by_output.items():
        if megabyte:
            cells = [_worst(own, lambda one: one.seconds), _worst(own, lambda one: one.peak / 1e6)]
        else:
            short = sum(math.isnan(one.time) for one in own.values())
            cells = [_worst(own, lambda one: one.time), _worst(own, lambda one: one.memory)]
            cells += [_worst(own, lambda one: 1e6 * one.seconds / max(one.size, 1)), str(short)]
        lines.append(f"| {output} | {' | '.join(cells)} |")
        over += [f"- {output} of {k}: {g}" for k, g in own.items() if g.is_over(megabyte=megabyte)]
    cells_count = sum(map(len, by_output.values()))
    count = f"{len(kinds)} kinds × {len(by_output)} outputs, {cells_count:,} cells measured"
    return "\n".join([count, "", *lines, "", f"Over what is demanded: {len(over)}", *over])


def _worst(kinds: dict[str, Growth], of: Callable[[Growth], float]) -> str:
    """Return the largest value and its kind, as two cells; a dash where there is none."""
    known = [(of(one), kind) for kind, one in kinds.items() if not math.isnan(of(one))]
    value, kind = max(known, default=(math.nan, ""))
    return f"{value:.2f} | {kind}" if known else "– | "


def _chosen(names: Collection[str], words: list[str]) -> list[str]:
    """Return the names that are, or else hold, one of some words; all of them for no words."""
    whole = {word for word in words if word in names}
    parts = [word for word in words if word not in whole]
    return [n for n in names if not words or n in whole or any(part in n for part in parts)]


def main() -> None:
    """Print the table in Markdown, and below it each cost that is more than demanded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kinds", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--outputs", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--megabyte", action="store_true", help="one size, 1 MB")
    parser.add_argument("--rows", type=Path, help="file of rows, one JSON object a line")
    options = parser.parse_args()
    kinds, outputs = _chosen(KINDS, options.kinds), _chosen(OUTPUTS, options.outputs)
    load_outputs()
    with tempfile.TemporaryDirectory() as folder, memory_process() as memory:
        rows = Rows(options.rows or Path(folder) / "rows.jsonl", memory)
        _measure(rows, kinds, outputs)
        for kind in kinds if options.megabyte else ():
            _measure_megabyte(rows, kind, outputs)
        print(f"{datetime.now(tz=UTC).date()}, {machine()}", end=", ")
        print(versions("chaffinch", "selectolax", "numpy"))
        print(table(rows, kinds, megabyte=options.megabyte))


if __name__ == "__main__":
    main()
