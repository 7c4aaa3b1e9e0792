"""What outputs of a kind of hostile page cost at one size: processor time and memory.

Each kind and size has a process of its own, forked from one in which all is loaded. There outputs
are made one after the other of one parsed page, each by an extraction of its own: so a page is
parsed once and not forty times, and what the page keeps (text, blocks, addresses) counts for the
output that asks first. What costs too much is measured once more, of a page for itself. Time is
that of the thread, which the clock of a busy machine doesn't count in. Memory is measured in
another process (`bench.lib.memory_pass`): what is resident at most beyond what was before, freed
memory given back to the system first, and the output made of a tiny page first, so that what a
process loads or touches once isn't counted.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import signal
import time
from enum import Enum
from typing import Any, Final, NamedTuple

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench.lib.hostile_kinds import KINDS, TINY
from bench.lib.hostile_outputs import COMPARED, OUTPUTS, PARSING, Subject
from bench.lib.resident_memory import forget_peak, resident

PATIENCE: Final = 60  # processor seconds for one output at one size
MOST_BYTES: Final = 8 << 30  # of address space
_PAGES: Final = 3  # of a site: each has a third of the size
_TIMES_LOADED: Final = 2


class Measured(Enum):
    """What is measured in a process."""

    SECONDS = "seconds"
    MEMORY = "memory"


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
    measured: Measured = Measured.SECONDS,
) -> list[Row]:
    """Return what outputs of a kind of page cost at a size; each may end its process."""
    found: list[Row] = []
    while left := outputs[len(found) :]:
        rows, status = _forked(kind, size, left, alone=alone, measured=measured)
        found += rows
        if len(rows) < len(left):
            is_late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
            fault = f"more than {PATIENCE} s" if is_late else f"ended with status {status}"
            found.append(Row(kind, left[len(rows)], size, alone, fault=fault))
    return found


def _forked(
    kind: str, size: int, outputs: list[str], *, alone: bool, measured: Measured
) -> tuple[list[Row], int]:
    """Return the rows that a child measured, and its exit status."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            _measure(writing, kind, size, outputs, alone=alone, measured=measured)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        rows = [Row(*json.loads(line)) for line in lines]
    return rows, os.waitpid(child, 0)[1]


def _measure(  # noqa: PLR0913  what a child is told
    writing: int, kind: str, size: int, outputs: list[str], *, alone: bool, measured: Measured
) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    shared = None if alone else _subject(kind, size)
    for output in outputs:
        subject = shared
        if output in COMPARED:
            subject = _subject(kind, size // _PAGES)
            subject.siblings  # noqa: B018  parsed now, for parsing is another output's
        own = subject or _subject(kind, size, parsed=output != PARSING)
        gives_back = measured is Measured.MEMORY
        if gives_back and output != PARSING:
            OUTPUTS[output](Subject(TINY))
        row = _measured(Row(kind, output, size, alone), own, gives_back=gives_back)
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
