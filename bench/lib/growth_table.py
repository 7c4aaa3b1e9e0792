"""Exponents of growth from rows of costs, and their tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from bench.lib.output_costs import Row
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
