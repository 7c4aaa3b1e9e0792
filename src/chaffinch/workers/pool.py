"""Work on many things in several processes, in order and with bounded memory."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Given = TypeVar("Given")
Made = TypeVar("Made")

_held: list[Callable[[Any], Any]] = []


def in_order(
    work: Callable[[Given], Made], things: Iterable[Given], *, workers: int
) -> Iterator[Made]:
    """Yield ``work(thing)`` for each of ``things``, in order.

    With more than one worker, at most four things a worker are under way at once, however long the
    input. ``work`` and what it takes and gives must be picklable then; ``work``, which may hold
    many pages, is sent once to each worker. Children are started by spawn, so that threads of this
    process do no harm.
    """
    if workers == 1:
        yield from map(work, things)
        return
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_hold, initargs=(work,)
    ) as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for thing in things:
                waiting.append(pool.submit(_do, thing))
                if len(waiting) >= 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _hold(work: Callable[[Any], Any]) -> None:
    """Keep what this worker does to every thing."""
    _held[:] = [work]


def _do(thing: Any) -> Any:
    return _held[0](thing)
