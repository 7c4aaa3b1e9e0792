"""How time and memory of every output grow with a hostile page: exponents over four sizes.

Every output × every kind of `bench.lib.hostile_kinds`. The exponent is the slope of a straight line
through log(cost) over log(size), the cost of a tiny page taken off; 1 is linear. Time is processor
time, the least of some repetitions; memory is the peak that tracemalloc sees. Where the largest of
the sizes takes too little to be timed, larger ones are taken. Each kind runs in a process of its
own, which is ended where an output takes too long.

    python -m bench.safety.growth                      the table of docs/hostile-input.md
    python -m bench.safety.growth --kinds table dl     only kinds whose name has one of the words
    python -m bench.safety.growth --outputs markdown   only outputs whose name has one of them
    python -m bench.safety.growth --megabyte           each kind at 1 MB: most seconds and memory
    python -m bench.safety.growth --plain              pages without harm, from 1 kB to 50 MB
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import resource
import signal
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench.lib import plain_growth
from bench.lib.hostile_kinds import KINDS, TINY
from bench.lib.hostile_outputs import OUTPUTS, Subject
from bench.lib.timing import machine, versions

if TYPE_CHECKING:
    from collections.abc import Collection

SIZES: Final = (17_000, 34_000, 68_000, 136_000)
MEGABYTE: Final = 1_000_000
LARGER: Final = (1, 16)  # times; the latter are all beyond 256 KiB, where the guard reads each tag
ENOUGH: Final = 0.03  # seconds: less at the largest size is timed at larger ones
FLAT: Final = (
    0.03  # seconds: less at the largest of all has no exponent; clocks tick in milliseconds
)
FLAT_BYTES: Final = 1 << 20
REPETITIONS: Final = 5
REPEATED: Final = 0.1  # seconds of repetitions
PATIENCE: Final = 90  # processor seconds for one output at all sizes
MOST_BYTES: Final = 6 << 30  # of address space
DEMANDED: Final = 1.2
MOST_SECONDS: Final = 3.0
MOST_MEMORY: Final = 1 << 30


class Cost(NamedTuple):
    """What one output of one kind of page costs.

    Attributes:
        time: exponent of the time; NaN where it is too short.
        memory: exponent of the memory; NaN where it is too little.
        seconds: at the largest size.
        peak: bytes at the largest size.
        size: the largest size, in characters.
        fault: what ended the process; "" for nothing.
    """

    time: float = math.nan
    memory: float = math.nan
    seconds: float = 0.0
    peak: int = 0
    size: int = 0
    fault: str = ""


# In the child: one kind of page


def _subject(output: str, html: str) -> Subject:
    """Return a page parsed anew, its siblings too where the output compares with them."""
    subject = Subject(html)
    if output == "site" or output.startswith("method"):
        subject.siblings  # noqa: B018  parsed now, for the time of parsing is another output's
    return subject


def _seconds(output: str, html: str, repetitions: int) -> float:
    """Return the least processor seconds of some repetitions, each on a page parsed anew."""
    best, total = math.inf, 0.0
    for _ in range(repetitions):
        subject = _subject(output, html)
        start = time.process_time()
        OUTPUTS[output](subject)
        took = time.process_time() - start
        best, total = min(best, took), total + took
        if total > REPEATED:
            break
    return best


def _peak(output: str, html: str) -> int:
    """Return the most bytes that Python and numpy hold while an output is made."""
    subject = _subject(output, html)
    gc.collect()
    tracemalloc.start()
    try:
        OUTPUTS[output](subject)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _slope(sizes: list[int], costs: list[float], constant: float) -> float:
    """Return the exponent of growth, by least squares in logarithms."""
    floor = 0.02 * max(costs)  # what is left after the constant is taken off isn't noise alone
    x = [math.log(size) for size in sizes]
    y = [math.log(max(cost - constant, floor)) for cost in costs]
    middle = sum(x) / len(x), sum(y) / len(y)
    along = sum((one - middle[0]) ** 2 for one in x)
    return sum((a - middle[0]) * (b - middle[1]) for a, b in zip(x, y, strict=True)) / along


def _grown(kind: str, output: str, repetitions: int) -> dict[str, Any]:
    """Return the fields of a `Cost` by four sizes."""
    for factor in LARGER:
        sizes = [factor * size for size in SIZES]
        pages = [KINDS[kind](size) for size in sizes]
        if _seconds(output, pages[-1], 1) >= ENOUGH:
            break
    seconds = [_seconds(output, page, repetitions) for page in pages]
    peaks = [_peak(output, page) for page in pages]
    found: dict[str, Any] = {"seconds": seconds[-1], "peak": peaks[-1], "size": sizes[-1]}
    if seconds[-1] > FLAT:
        found["time"] = _slope(sizes, seconds, _seconds(output, TINY, REPETITIONS))
    if peaks[-1] > FLAT_BYTES:
        found["memory"] = _slope(sizes, [*map(float, peaks)], _peak(output, TINY))
    return found


def _megabyte(kind: str, output: str, _: int) -> dict[str, Any]:
    """Return seconds and the peak of the process for a page of 1 MB, its parsing left out."""
    html = KINDS[kind](MEGABYTE)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    seconds = _seconds(output, html, 1)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(status.partition("VmHWM:")[2].split()[0]) << 10
    return {"seconds": seconds, "peak": peak, "size": MEGABYTE}


def _child(kind: str, outputs: list[str], *, megabyte: bool, repetitions: int) -> None:
    """Print a line for each output when it begins and when it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    measure = _megabyte if megabyte else _grown
    for output in outputs:
        print(json.dumps({"output": output}), flush=True)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)  # ends the process
        try:
            OUTPUTS[output](Subject(TINY))  # loads what is loaded late
            found = measure(kind, output, repetitions)
        except MemoryError:
            found = {"fault": "out of memory"}
        except Exception as error:  # noqa: BLE001  any error is a line of the table
            found = {"fault": f"{type(error).__name__}: {str(error)[:60]}"}
        print(json.dumps({"output": output, **found}), flush=True)


# In the parent


def _costs(kind: str, outputs: list[str], arguments: list[str]) -> dict[str, Cost]:
    """Return the costs of a kind, measured in children: a new one after each that was ended."""
    found: dict[str, Cost] = {}
    while left := [output for output in outputs if output not in found]:
        command = [sys.executable, "-m", "bench.safety.growth", "--one", kind, *arguments]
        child = subprocess.run(
            [*command, "--only", *left], stdout=subprocess.PIPE, text=True, check=False
        )
        current = left[0]
        for line in child.stdout.splitlines():
            values = json.loads(line)
            current = values.pop("output")
            if values:
                found[current] = Cost(**values)
        if child.returncode:
            is_late = child.returncode == -signal.SIGPROF
            fault = f"more than {PATIENCE} s" if is_late else f"exit {child.returncode}"
            found[current] = Cost(fault=fault)
    return found


def _again(cost: Cost) -> bool:
    """Return whether a cost is over the bound, perhaps by what else the machine does."""
    return not cost.fault and (cost.time > DEMANDED or cost.seconds > MOST_SECONDS)


def _best(one: Cost, other: Cost) -> Cost:
    return min(one, other, key=lambda cost: (bool(cost.fault), cost.time, cost.seconds))


def _measured(kind: str, outputs: list[str], arguments: list[str]) -> dict[str, Cost]:
    """Return the costs of a kind; those over the bound are measured twice."""
    costs = _costs(kind, outputs, arguments)
    doubtful = [output for output, cost in costs.items() if _again(cost)]
    for output, cost in (_costs(kind, doubtful, arguments) if doubtful else {}).items():
        costs[output] = _best(costs[output], cost)
    return costs


def _number(value: float, form: str = ".2f") -> str:
    return "–" if math.isnan(value) else format(value, form)


def _grown_line(kind: str, costs: dict[str, Cost]) -> str:
    """Return a line of the table: the worst exponents of a kind, and of which outputs."""
    faults = [f"{output}: {cost.fault}" for output, cost in costs.items() if cost.fault]
    worst_time = max(costs, key=lambda name: (costs[name].time > 0) * costs[name].time)
    worst_memory = max(costs, key=lambda name: (costs[name].memory > 0) * costs[name].memory)
    slowest = max(costs, key=lambda name: costs[name].seconds / max(costs[name].size, 1))
    fields = [
        kind,
        _number(costs[worst_time].time), worst_time,
        _number(costs[worst_memory].memory), worst_memory,
        _number(1e6 * costs[slowest].seconds / max(costs[slowest].size, 1), ".1f"), slowest,
    ]  # fmt: skip
    return "| " + " | ".join(fields) + " | " + "; ".join(faults) + " |"


def _megabyte_line(kind: str, costs: dict[str, Cost]) -> str:
    """Return a line of the table: the most seconds and memory of a kind, and of which outputs."""
    faults = [f"{output}: {cost.fault}" for output, cost in costs.items() if cost.fault]
    slowest = max(costs, key=lambda name: costs[name].seconds)
    largest = max(costs, key=lambda name: costs[name].peak)
    fields = [
        kind,
        f"{costs[slowest].seconds:.2f}", slowest,
        f"{costs[largest].peak / 1e6:.0f}", largest,
    ]  # fmt: skip
    return "| " + " | ".join(fields) + " | " + "; ".join(faults) + " |"


def _over(cost: Cost, *, megabyte: bool) -> bool:
    """Return whether a cost is more than what is demanded."""
    if megabyte:
        return bool(cost.fault) or cost.seconds > MOST_SECONDS or cost.peak > MOST_MEMORY
    return bool(cost.fault) or cost.time > DEMANDED or cost.memory > DEMANDED


HEAD: Final = (
    "| kind | time | of | memory | of | µs a character | of | faults |\n"
    "|---|---:|---|---:|---|---:|---|---|"
)
HEAD_OF_MEGABYTE: Final = "| kind | seconds | of | MB | of | faults |\n|---|---:|---|---:|---|---|"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kinds", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--outputs", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--megabyte", action="store_true", help="one size, 1 MB")
    parser.add_argument("--plain", action="store_true", help="parse and text of usual pages")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--workers", type=int, default=1, help="kinds at a time")
    parser.add_argument("--json", type=Path, help="where all costs are written, too")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--only", nargs="*", help=argparse.SUPPRESS)
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
        one = ["--plain", "--one", f"{kind} {size}"]
        command = [sys.executable, "-m", "bench.safety.growth", *one]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{kind} {size}: {done.stderr.strip().splitlines()[-1]}")
        else:
            print(plain_growth.line(json.loads(done.stdout)), flush=True)


def main() -> None:
    """Print the table in Markdown, and below it each cost that is more than demanded."""
    options = _options()
    if options.one and options.plain:
        kind, size = options.one.split()
        print(json.dumps(plain_growth.measure(kind, int(size))))
        return
    if options.one:
        _child(
            options.one, options.only, megabyte=options.megabyte, repetitions=options.repetitions
        )
        return
    if options.plain:
        _print_plain()
        return
    kinds, outputs = _chosen(KINDS, options.kinds), _chosen(OUTPUTS, options.outputs)
    arguments = ["--repetitions", str(options.repetitions)]
    arguments += ["--megabyte"] * options.megabyte
    today = datetime.now(tz=UTC).date()
    print(f"{today}, {machine()}, {versions('chaffinch', 'selectolax', 'numpy')}")
    print(f"{len(outputs)} outputs × {len(kinds)} kinds\n")
    print(HEAD_OF_MEGABYTE if options.megabyte else HEAD)
    every: dict[str, dict[str, Cost]] = {}
    with ThreadPoolExecutor(options.workers) as pool:
        measured = pool.map(lambda kind: _measured(kind, outputs, arguments), kinds)
        for kind, costs in zip(kinds, measured, strict=True):
            every[kind] = costs
            print((_megabyte_line if options.megabyte else _grown_line)(kind, costs), flush=True)
    print("\nOver what is demanded:")
    for kind, costs in every.items():
        for output, cost in costs.items():
            if _over(cost, megabyte=options.megabyte):
                print(f"- {kind}, {output}: {cost}")
    if options.json:
        values = {
            kind: {name: cost._asdict() for name, cost in costs.items()}
            for kind, costs in every.items()
        }
        options.json.write_text(json.dumps(values), encoding="utf-8")


if __name__ == "__main__":
    main()
