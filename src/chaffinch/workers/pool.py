"""A function mapped over many items in several processes, in order and with bounded memory."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import Any, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

_held: list[Callable[[Any], Any]] = []


def in_order(
    work: Callable[[Given], Made], items: Iterable[Given], *, workers: int
) -> Iterator[Made]:
    """Yield ``work(item)`` for each of ``items``, in order.

    With more than one worker, at most four items a worker are in progress, however long the input.
    ``work``, its arguments and results must be picklable then; ``work``, which may hold many pages,
    is sent once to each worker. Children are started by spawn, so that threads of this process do
    no harm.
    """
    if workers == 1:
        yield from map(work, items)
        return
    import multiprocessing  # noqa: PLC0415  takes long to load, and one worker needs none
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  the same

    with ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_hold,
        initargs=(work,),
    ) as pool:
        waiting: deque[futures.Future[Made]] = deque()
        try:
            for item in items:
                with _blocked_interrupts():
                    waiting.append(pool.submit(_call, item))
                if len(waiting) >= 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Start children that Ctrl-C, which a terminal says to all, doesn't reach."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _hold(work: Callable[[Any], Any]) -> None:
    _held[:] = [work]


def _call(item: Any) -> Any:
    return _held[0](item)
