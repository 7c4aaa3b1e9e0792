"""What processes hold over time, and whether it stays the same: memory, handles, threads, files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import psutil

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
