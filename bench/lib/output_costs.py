"""What outputs of a kind of hostile page cost at one size: processor time and memory.

Each kind and size has a process of its own, forked from one in which all is loaded. There outputs
are made one after the other of one parsed page, each by an extraction of its own: so a page is
parsed once and not forty times, and what the page keeps (text, blocks, addresses) counts for the
output that asks first. What costs too much is measured once more, of a page for itself. Time is
that of the thread, which the clock of a busy machine doesn't count in. Memory is what is resident
at most beyond what was before, the output made of a tiny page first, so that what a process loads
or touches once isn't counted; it is measured where freed memory is given back to the system at once
(``PYTHONMALLOC=malloc``), which takes half as much time again: seconds are measured elsewhere.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, NamedTuple, cast

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench.lib.hostile_kinds import KINDS, TINY
from bench.lib.hostile_outputs import COMPARED, OUTPUTS, PARSING, Subject
from bench.lib.processes import forget_peak, resident

PATIENCE: Final = 60  # processor seconds for one output at one size
MOST_BYTES: Final = 8 << 30  # of address space
_PAGES: Final = 3  # of a site: each has a third of the size
_TIMES_LOADED: Final = 2


class Row(NamedTuple):
    """What one output costs at one size.

    Attributes:
        kind: of the page; one of `KINDS`.
        output: one of `OUTPUTS`.
        size: of what is repeated, in characters; 0 is a tiny page, the constant part.
        alone: whether the page was parsed for this output alone.
        seconds: processor time of the thread.
        more: bytes resident at most, beyond what was before.
        peak: bytes resident at most, of the whole process.
        fault: what ended it; "" for nothing.
    """

    kind: str
    output: str
    size: int
    alone: bool
    seconds: float = 0.0
    more: int = 0
    peak: int = 0
    fault: str = ""


def load_outputs() -> None:
    """Make every output of a tiny page, which loads what is loaded late."""
    for output in OUTPUTS.values():
        for _ in range(_TIMES_LOADED):
            output(Subject(TINY))


def costs(
    kind: str,
    size: int,
    outputs: list[str],
    *,
    alone: bool,
    memory: bool = False,
) -> list[Row]:
    """Return what outputs of a kind of page cost at a size; each may end its process."""
    found: list[Row] = []
    while left := outputs[len(found) :]:
        rows, status = _forked(kind, size, left, alone=alone, memory=memory)
        found += rows
        if len(rows) < len(left):
            is_late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
            fault = f"more than {PATIENCE} s" if is_late else f"ended with status {status}"
            found.append(Row(kind, left[len(rows)], size, alone, fault=fault))
    return found


def _forked(
    kind: str, size: int, outputs: list[str], *, alone: bool, memory: bool
) -> tuple[list[Row], int]:
    """Return the rows that a child measured, and its exit status."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            _measure(writing, kind, size, outputs, alone=alone, memory=memory)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        rows = [Row(*json.loads(line)) for line in lines]
    return rows, os.waitpid(child, 0)[1]


def _measure(  # noqa: PLR0913  what a child is told
    writing: int, kind: str, size: int, outputs: list[str], *, alone: bool, memory: bool
) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    shared = None if alone else _subject(kind, size)
    for output in outputs:
        subject = shared
        if output in COMPARED:
            subject = _subject(kind, size // _PAGES)
            subject.siblings  # noqa: B018  parsed now, for parsing is another output's
        own = subject or _subject(kind, size, parsed=output != PARSING)
        if memory and output != PARSING:
            OUTPUTS[output](Subject(TINY))
        row = _measured(Row(kind, output, size, alone), own, gives_back=memory)
        os.write(writing, json.dumps(row).encode() + b"\n")


def _subject(kind: str, size: int, *, parsed: bool = True) -> Subject:
    return Subject(KINDS[kind](size) if size else TINY, parsed=parsed)


def _measured(row: Row, subject: Subject, *, gives_back: bool) -> Row:
    gc.collect(0)
    gc.freeze()  # the collector walks what this output makes, not what others left
    if gives_back:
        ctypes.CDLL(None).malloc_trim(0)
    forget_peak()
    before = resident("VmRSS:")
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)  # ends the process
    start, fault = time.thread_time(), ""
    made: Any = None
    try:
        made = OUTPUTS[row.output](subject)
    except MemoryError:
        fault = "out of memory"
    except Exception as error:  # noqa: BLE001  any error is a row of the table
        fault = f"{type(error).__name__}: {str(error)[:60]}"
    seconds, peak = time.thread_time() - start, resident("VmHWM:")
    del made
    return row._replace(
        seconds=round(seconds, 6), more=max(peak - before, 0), peak=peak, fault=fault
    )


@contextmanager
def memory_process() -> Iterator[Callable[[list[Row]], list[Row]]]:
    """Yield what returns rows of one kind and size, whose seconds are known, with their memory."""
    command = [sys.executable, "-c", "from bench.lib.output_costs import answer; answer()"]
    own = {**os.environ, "PYTHONMALLOC": "malloc"}
    with subprocess.Popen(
        command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def added(rows: list[Row]) -> list[Row]:
            if not rows:
                return []
            question = [rows[0].kind, rows[0].size, [row.output for row in rows], rows[0].alone]
            print(json.dumps(question), file=process.stdin, flush=True)
            found = json.loads(cast("IO[str]", process.stdout).readline())
            return [
                row._replace(more=one.more, peak=one.peak, fault=row.fault or one.fault)
                for row, one in zip(rows, (Row(*one) for one in found), strict=True)
            ]

        yield added


def answer() -> None:
    """Answer a line of kind, size, outputs and whether each is alone with a line of rows."""
    load_outputs()
    for line in sys.stdin:
        kind, size, outputs, alone = json.loads(line)
        print(json.dumps(costs(kind, size, outputs, alone=alone, memory=True)), flush=True)
