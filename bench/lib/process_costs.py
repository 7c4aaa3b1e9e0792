"""Costs that only a process of its own shows: starts, a run's parent and children, memory."""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from bench.lib import plain_growth
from bench.lib.archive import Shape, write_archive
from chaffinch.corpus import Plan, Recipe, find_shards, run
from chaffinch.corpus.rows import Extraction
from chaffinch.corpus.sources import Record, read

STARTS: Final = {
    "import chaffinch": (["-c", "import chaffinch; chaffinch.extract"], "≤ 0.15 s"),
    "chaffinch --help": (["-m", "chaffinch", "--help"], "≤ 0.30 s"),
    "chaffinch extract page.html": (["-m", "chaffinch", "extract", "-"], "≤ 0.30 s"),
}
"""What starts → its arguments, and the aim."""

_SIZES: Final = (200, 2_200)
"""Pages of two runs, whose difference has no start in it."""


def started(arguments: list[str], rounds: int = 5) -> float:
    """Return the processor seconds of a Python with ``arguments``, the best of the rounds.

    From the second one on its modules are compiled, as those of an installed package are.
    """
    best = float("inf")
    with tempfile.TemporaryDirectory() as compiled:
        own = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(rounds):
            before = _seconds(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [sys.executable, *arguments], check=True, capture_output=True,
                input=b"<title>A page</title><p>With some words of text in it.</p>",
                env={**os.environ, **own},
            )  # fmt: skip
            best = min(best, _seconds(resource.RUSAGE_CHILDREN) - before)
    return best


def run_cost(workers: int, rounds: int = 2) -> tuple[float, float]:
    """Return the processor seconds of a page in a run of small ones: of its parent, of children."""
    best: dict[int, tuple[float, float]] = {}
    for pages in _SIZES * rounds:
        parent, children = _in_process(f"run_seconds({pages}, {workers})")
        earlier = best.get(pages, (float("inf"), float("inf")))
        best[pages] = (min(parent, earlier[0]), min(children, earlier[1]))
    (small, large), count = _SIZES, _SIZES[1] - _SIZES[0]
    parent, children = (
        (late - early) / count for early, late in zip(best[small], best[large], strict=True)
    )
    return parent, children


def bare_cost(pages: int = _SIZES[1] // 2) -> float:
    """Return the processor seconds of a page of such a run, extracted in one process, each once."""
    seconds: float = min(_in_process(f"bare_seconds({pages})") for _ in range(2))
    return seconds / pages


def memory_times(kind: str, size: int) -> float:
    """Return the peak memory of a page of `bench.lib.plain_growth` in multiples of its bytes."""
    times: float = _in_process(f"page_memory({kind!r}, {size})")
    return times


def _in_process(call: str) -> Any:
    """Return what a call of a function of this module gives in a process of its own."""
    code = (
        f"import json; from bench.lib import process_costs; print(json.dumps(process_costs.{call}))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def _seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def run_seconds(pages: int, workers: int) -> list[float]:
    """Return the processor seconds of this process, and of its children, for one run."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "archive")
        write_archive(source, Shape(pages=pages, files=2, large=0, has_perils=False))
        before = _seconds(resource.RUSAGE_SELF)
        plan = Plan(out=str(Path(folder, "out")), recipe=Recipe())
        run([str(source)], plan, workers=workers)
        parent = _seconds(resource.RUSAGE_SELF) - before
    return [parent, _seconds(resource.RUSAGE_CHILDREN)]


def bare_seconds(pages: int) -> float:
    """Return the processor seconds in which this process makes the rows of so many small pages."""
    shape = Shape(pages=pages, files=1, large=0, has_perils=False)
    with tempfile.TemporaryDirectory() as folder:
        write_archive(Path(folder), shape)
        (shard,) = find_shards([folder])
        plan = Plan(out=folder, recipe=Recipe())
        records = [one for one in read(shard, plan) if isinstance(one, Record)]
    work = Extraction(Recipe())
    gc.collect()
    gc.freeze()  # as a child does
    before = _seconds(resource.RUSAGE_SELF)
    for record in records:
        work(record)
    return _seconds(resource.RUSAGE_SELF) - before


def page_memory(kind: str, size: int) -> float:
    """Return the same in this process."""
    got = plain_growth.measure(kind, size)
    times: float = got["memory"] / got["bytes"]
    return times
