"""How processor time grows with the size of what is read; no test asserts a time itself."""

import math
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

FLOOR = 0.0004
"""Seconds under which a run counts as taking so many: what is shorter can't be measured."""

SIZES = (4_000, 64_000)
MOST = 1.3
"""Exponent below which growth counts as linear; the next that occurs is 2."""

_STEPS = (
    *((size, 4 * size, 2.2) for size in (16, 64, 256, 1_000)),
    (SIZES[0], 16_000, 1.6),
    (*SIZES, MOST),
)
"""Sizes from small to large, with the exponent beyond which growth is seen and larger ones needn't
be tried: signals cut off no search whose single matches are short."""

_CUT = 0.05  # seconds of a run that is no longer short
_LONGEST = 600.0  # seconds of any run


class _CutOffError(Exception):
    """A run took longer than it may."""


@contextmanager
def _cut_off(seconds: float) -> Iterator[None]:
    def cut(_: int, __: FrameType | None) -> None:
        raise _CutOffError

    # A destructor swallows the exception: the signal comes again, and nobody needs to be told.
    earlier_hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    earlier = signal.signal(signal.SIGVTALRM, cut)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.01)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)
        sys.unraisablehook = earlier_hook


def seconds_of(run: Callable[[T], object], value: T, most: float) -> float:
    """Return the processor seconds of a run, infinite where it takes more than ``most``."""
    start = time.thread_time()
    try:
        with _cut_off(most):
            run(value)
    except _CutOffError:
        return math.inf
    taken = time.thread_time() - start
    return taken if taken <= most else math.inf


def first_look(
    run: Callable[[T], object], make: Callable[[int], T], sizes: tuple[int, ...]
) -> float:
    """Return the seconds of a run for the last size, infinite where its time may grow too fast."""
    before = _CUT
    for size in sizes:
        taken = seconds_of(run, make(size), _CUT)
        if taken > FLOOR and taken > 6 * max(before, FLOOR / 16):
            return math.inf
        before = taken
    return before


def is_linear(run: Callable[[T], object], make: Callable[[int], T]) -> bool:
    """Return whether a run's time grows less than n^1.3 from 4,000 to 64,000.

    Args:
        run: reads a value.
        make: makes a value of about a size. A run that hangs is cut off, and small sizes come
            first, so that this ends for any growth.
    """
    for small, large, exponent in _STEPS:
        value = make(small)
        before = max(min(seconds_of(run, value, _LONGEST) for _ in range(3)), FLOOR)
        value, most = make(large), before * (large / small) ** exponent
        if all(seconds_of(run, value, most) > most for _ in range(3)):
            return False
    return True
