"""Threads run kernels at the same time; long loops leave the interpreter's lock to others."""

import sys
import threading

import numpy as np
import pytest

from chaffinch.kernels.compiled import native

LONG_LOOP = 1 << 16
"""Items from which a kernel gives the lock back (native/kernels.h)."""


def calls(size):
    """Return calls of kernels whose loops run over about as many items."""
    rows = np.arange(size, dtype=np.int32)
    parent, end, marked = rows - 1, np.full(size, size, np.int32), np.ones(size, bool)
    return {
        "is_plain": (b"<p> " * (4 * size),),
        "nearest": (parent, marked, rows.copy()),
        "inside": (end, marked, marked.copy()),
        "total": (end, marked, rows.copy()),
        "path_hashes": (
            rows.astype(np.uint64),
            rows.astype(np.int16),
            end,
            np.zeros(size + 1, np.uint64),
        ),
    }


def another_runs(call, times):
    """Return whether another thread gets its turn while one calls a kernel, up to so many times.

    The interpreter itself makes no thread wait for another meanwhile: the lock changes hands where
    the kernel gives it back, or not at all.
    """
    ran, may_run, is_there = [], threading.Lock(), threading.Event()
    may_run.acquire()

    def wait():
        is_there.set()
        may_run.acquire()
        ran.append(True)

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=wait)
    try:
        sys.setswitchinterval(1e6)
        thread.start()
        is_there.wait()  # it has the lock, and keeps it until it waits itself
        may_run.release()
        for _ in range(times):
            call()
            if ran:
                break
        return bool(ran)
    finally:
        sys.setswitchinterval(interval)
        thread.join()


needs_a_lock = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no lock to give back"
)


@needs_a_lock
@pytest.mark.parametrize("name", calls(1))
def test_long_loops_give_the_lock_back(name):
    arguments = calls(8 * LONG_LOOP)[name]
    assert another_runs(lambda: getattr(native, name)(*arguments), 10_000)
