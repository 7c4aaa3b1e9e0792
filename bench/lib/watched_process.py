"""A command in a process of its own: its time, and what it and its descendants take (Linux)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import psutil

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


def watched(command: Sequence[str], env: Mapping[str, str] | None = None) -> Watched:
    """Run a command to its end and look at its processes meanwhile; exit where it fails."""
    start = time.perf_counter()
    spent: dict[int, float] = {}
    memory = main = other = 0
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=said, env=env)
        while process.poll() is None:
            time.sleep(_EVERY)
            sizes = {one.pid: _used(one, spent) for one in _family(process.pid)}
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


def _family(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _used(process: psutil.Process, spent: dict[int, float]) -> int:
    """Return the bytes of a process, its part of what is shared; note its processor seconds."""
    try:
        times = process.cpu_times()
        spent[process.pid] = times.user + times.system
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0
