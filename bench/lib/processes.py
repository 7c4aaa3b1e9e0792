"""What processes hold and leave: memory, handles, threads, files, time, orphans (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import psutil


def resident(name: str) -> int:
    """Return bytes of a line of the process's status: ``VmRSS:`` now, ``VmHWM:`` at most."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(name)[2].split()[0]) << 10


def forget_peak() -> None:
    """Let the peak begin anew; that of the system's `getrusage` is even the parent's."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


# A guarded child whose parent was killed ends by itself, but not before it has loaded what it
# needs: a second, in which a bench that kills makes twenty more.
_SET_PARENT_DEATH_SIGNAL: Final = 1
_SET_CHILD_SUBREAPER: Final = 36


def adopt_orphans() -> None:
    """Make this process the parent of those below it whose own parent ends; on Linux alone."""
    _process_control(_SET_CHILD_SUBREAPER, 1)


def end_with_parent() -> None:
    """Have this process killed once its parent ends, however it ends; on Linux alone."""
    _process_control(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _process_control(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def end_orphans(kept: set[int], *, patience: float = 0.0) -> int:
    """End all processes below this one and wait for them.

    Args:
        kept: numbers of those that stay.
        patience: seconds in which they may end by themselves.

    Returns:
        How many had to be killed.
    """
    end = time.monotonic() + patience
    while (left := _left(kept)) and time.monotonic() < end:
        time.sleep(0.05)
    killed = len(left)
    while left:
        for one in left:
            with contextlib.suppress(psutil.Error):
                one.kill()
        time.sleep(0.01)
        left = _left(kept)
    return killed


def _left(kept: set[int]) -> list[psutil.Process]:
    """Return the processes below this one that haven't ended; those that have are reaped."""
    found = []
    for one in psutil.Process().children(recursive=True):
        if one.pid in kept:
            continue
        with contextlib.suppress(ChildProcessError):
            if os.waitpid(one.pid, os.WNOHANG)[0]:
                continue
        found.append(one)
    return found


_EVERY = 0.5  # seconds


class Watched(NamedTuple):
    """What a command took.

    Attributes:
        output: what it printed.
        seconds: wall-clock time.
        spent: processor seconds of all processes; of one that ends, up to the last look.
        memory: largest sum of all processes, bytes; what they share is counted once.
        main: largest size of the command's own process, likewise.
        other: largest size of any other.
    """

    output: str
    seconds: float
    spent: float
    memory: int
    main: int
    other: int


def family(pid: int) -> list[psutil.Process]:
    """Return a process and those below it; none where it has ended."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def watched(command: Sequence[str], env: Mapping[str, str] | None = None) -> Watched:
    """Run a command to its end and look at its processes meanwhile; exit where it fails."""
    start = time.perf_counter()
    spent: dict[int, float] = {}
    memory = main = other = 0
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=said, env=env)
        while process.poll() is None:
            time.sleep(_EVERY)
            sizes = {one.pid: _used(one, spent) for one in family(process.pid)}
            memory = max(memory, sum(sizes.values()))
            main = max(main, sizes.pop(process.pid, 0))
            other = max([other, *sizes.values()])
        seconds = time.perf_counter() - start
        if process.returncode:
            said.seek(0)
            sys.exit(f"{command[-4:]} failed: {said.read().decode(errors='replace')[-2000:]}")
        output.seek(0)
        text = output.read().decode()
    return Watched(text, seconds, sum(spent.values()), memory, main, other)


def _used(process: psutil.Process, spent: dict[int, float]) -> int:
    """Return the bytes of a process, its part of what is shared; note its processor seconds."""
    try:
        times = process.cpu_times()
        spent[process.pid] = times.user + times.system
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


FLAT: Final = 6 << 20
"""Bytes that memory may rise by, along a straight line, in the second half of a soak."""
_LEAST: Final = 8


class Sample(NamedTuple):
    """What some processes hold at a time.

    Attributes:
        memory: bytes resident, summed.
        handles: open files and sockets.
        threads: threads.
        files: files and folders in the folder of temporary files.
    """

    memory: int
    handles: int
    threads: int
    files: int


def taken(processes: Iterable[psutil.Process], temporary: Path) -> Sample:
    """Return what processes hold now; one that has just ended holds nothing."""
    memory = handles = threads = 0
    for process in processes:
        try:
            memory += process.memory_info().rss
            handles += process.num_fds()
            threads += process.num_threads()
        except psutil.Error:
            continue
    return Sample(memory, handles, threads, sum(1 for _ in temporary.rglob("*")))


def rises(samples: list[Sample]) -> Iterator[str]:
    """Yield what isn't flat in the second half of a soak, where all is warm.

    Memory rises if a straight line through its samples does, by more than `FLAT`; handles, threads
    and files do if their least in the last quarter is above their most in the quarter before.
    """
    if len(samples) < _LEAST:
        yield f"{len(samples)} samples, which are too few"
        return
    half, quarter = samples[len(samples) // 2 :], samples[-(len(samples) // 4) :]
    before = half[: -len(quarter)]
    slope = np.polyfit(range(len(half)), [one.memory for one in half], 1)[0] * len(half)
    if slope > FLAT:
        yield f"memory rises by {slope / (1 << 20):.1f} MB"
    for name in ("handles", "threads", "files"):
        least, most = (
            min(getattr(s, name) for s in quarter),
            max(getattr(s, name) for s in before),
        )
        if least > most:
            yield f"{name} rise from {most} to {least}"
