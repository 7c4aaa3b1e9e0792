"""Processes that a killed one leaves behind: adopted, and ended before more of them pile up.

A guarded child whose parent was killed ends by itself, but not before it has loaded what it needs:
a second, in which a bench that kills makes twenty more.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from typing import Final

import psutil

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
