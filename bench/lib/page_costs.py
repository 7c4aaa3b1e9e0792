"""Costs that only a process of its own shows: starts, a run's parent and children, large pages."""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import chaffinch
from bench.lib.archive import Shape, write_archive
from bench.lib.processes import forget_peak, resident
from chaffinch.corpus import Plan, Recipe, find_shards, run
from chaffinch.corpus.rows import Extraction
from chaffinch.corpus.sources import Record, read

PARAGRAPH: Final = (
    "<div class='item'><h2>Harvest</h2><p>The mill stood by the river, and the wheat, rye and "
    "barley of <a href='/farm'>forty farms</a> came to it. " + "It ground all night. " * 40 + "</p>"
    "<ul><li>bran</li><li>meal</li></ul></div>\n"
)
_LARGE: Final = 5_000_000


def page_of(size: int) -> bytes:
    """Return a page of about ``size`` bytes."""
    count = max(1, size // len(PARAGRAPH))
    return ("<html><body><main>" + PARAGRAPH * count + "</main></body></html>").encode()


def page_of_rows(rows: int) -> bytes:
    """Return a page of about ``rows`` rows (elements and text runs)."""
    return ("<html><body>" + "<p>w" * max(1, (rows - 3) // 2) + "</body></html>").encode()


def measure(kind: str, size: int) -> dict[str, Any]:
    """Return seconds and memory of one page, best of up to five; alone in its process."""
    page = page_of(size) if kind == "bytes" else page_of_rows(size)
    chaffinch.extract(page_of(2000)).text  # noqa: B018  loads what is loaded late
    forget_peak()
    before = resident("VmHWM:")
    parse_times, extract_times = [], []
    for _ in range(5 if size < _LARGE else 1):
        start = time.perf_counter()
        table = chaffinch.parse(page)
        parse_times.append(time.perf_counter() - start)
        start = time.perf_counter()
        chaffinch.extract(table).text  # noqa: B018  made when asked for
        extract_times.append(time.perf_counter() - start)
    return {
        "bytes": len(page),
        "rows": len(table),
        "parse": min(parse_times),
        "extract": min(extract_times),
        "memory": resident("VmHWM:") - before,
    }


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


def measured(kind: str, size: int) -> dict[str, Any]:
    """Return what `measure` gives in a process of its own."""
    found: dict[str, Any] = _in_process(f"measure({kind!r}, {size})")
    return found


def _in_process(call: str) -> Any:
    """Return what a call of a function of this module gives in a process of its own."""
    code = f"import json; from bench.lib import page_costs; print(json.dumps(page_costs.{call}))"
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
