"""Bounds on the work on one page that hold for every room: time, memory and stack.

`PageWork` surrounds a call of the public interface. Code below it marks its stages by
`begin_stage`, between which the time is checked, and wraps long loops in `checked`. Without a limit
of time either costs next to nothing. A loop inside a library, such as a regular expression or the
parser, can't be interrupted from here: `chaffinch.workers` has children for that.
"""

import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Final, Self, TypeVar

from chaffinch.errors import OutOfMemoryError, PageError, TimeLimitError

Item = TypeVar("Item")

_EVERY: Final = 128
"""Rounds of a loop between two looks at the clock, which cost nothing where there is no limit."""


class _Clock:
    """The limit of time of one call, and how far the call has come."""

    __slots__ = ("done", "end", "seconds", "stage")

    def __init__(self, seconds: float, stage: str) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds
        self.stage = stage
        self.done: list[str] = []

    def check(self) -> None:
        """Raise a `TimeLimitError` where the time is over."""
        over = time.monotonic() - self.end
        if over > 0:
            raise TimeLimitError.at(
                self.stage,
                seconds=self.seconds,
                elapsed=self.seconds + over,
                done=tuple(dict.fromkeys(self.done)),
            )


_CLOCK: Final[ContextVar[_Clock | None]] = ContextVar("chaffinch_clock", default=None)
"""The clock of the call in progress, of each thread and task its own."""


class PageWork:
    """Work on one page in one call; a context manager.

    It has a limit of ``seconds``, None for any; work within work has the limit that ends first. A
    `MemoryError` becomes an `OutOfMemoryError`, a `RecursionError` a `PageError`.
    """

    __slots__ = ("_seconds", "_stage", "_token")

    def __init__(self, stage: str, seconds: float | None = None) -> None:
        self._stage = stage
        self._seconds = seconds
        self._token: Token[_Clock | None] | None = None

    def __enter__(self) -> Self:
        if self._seconds is not None:
            outer = _CLOCK.get()
            if outer is None or time.monotonic() + self._seconds < outer.end:
                self._token = _CLOCK.set(_Clock(self._seconds, self._stage))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del trace
        if self._token is not None:
            _CLOCK.reset(self._token)
        if kind is None or issubclass(kind, PageError):
            return
        if issubclass(kind, MemoryError):
            raise OutOfMemoryError(f"not enough memory for {self._stage}") from error
        if issubclass(kind, RecursionError):
            raise PageError(f"nested too deeply for {self._stage}") from error


def begin_stage(stage: str) -> None:
    """Begin a stage of the work on a page, and check the time that those before it took."""
    clock = _CLOCK.get()
    if clock is not None:
        clock.check()
        clock.done.append(clock.stage)
        clock.stage = stage


def check_time() -> None:
    """Raise a `TimeLimitError` amid a stage if the time is over."""
    clock = _CLOCK.get()
    if clock is not None:
        clock.check()


def checked(items: Iterable[Item], every: int = _EVERY) -> Iterable[Item]:
    """Return the items of a long loop; time is checked as each ``every``-th of them is taken."""
    clock = _CLOCK.get()
    return items if clock is None else _checked(items, clock, every)


def _checked(items: Iterable[Item], clock: _Clock, every: int) -> Iterator[Item]:
    left = every
    for item in items:
        left -= 1
        if not left:
            clock.check()
            left = every
        yield item
