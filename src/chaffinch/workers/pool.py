"""Work on many things in several processes, in order and with bounded memory."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    import multiprocessing
    from collections.abc import Callable, Iterable, Iterator
    from concurrent import futures
else:
    futures = lazy_module("concurrent.futures")
    multiprocessing = lazy_module("multiprocessing")

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
    with futures.ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_hold,
        initargs=(work,),
    ) as pool:
        waiting: deque[futures.Future[Made]] = deque()
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
