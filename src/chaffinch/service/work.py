"""The bounded and fair way to the guarded children.

Whoever holds fewest places is next, and of these who was given one longest ago. Where places are
spared, a caller gets another one only while more are free than it holds, so that there is always
one for who comes next (the dynamic threshold of Choudhury and Hahne, «Dynamic queue length
thresholds for shared-memory packet switches», 1998).
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from itertools import count
from operator import call
from typing import Any, Final

from chaffinch.service.jobs import warm_up
from chaffinch.service.problems import ProblemError
from chaffinch.workers import ChildPool, PageLimits

CALLER: Final[ContextVar[str]] = ContextVar("caller", default="")
"""Whose work the running task does: a caller with a token, or else one request."""


class FairShares:
    """Places that callers share: threads that fetch, children that read pages, turns of a host.

    With ``most`` so many may wait or hold one, all together; of one caller not more than there is
    room left for the others.
    """

    def __init__(self, places: int, *, spares: bool, most: int | None = None) -> None:
        self._free = places
        self._spares = spares
        self._most = most
        self._asked: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._given: dict[str, int] = {}
        """When each of those that wait was last given a place, by number."""
        self._numbers = count(1)

    @property
    def asked(self) -> int:
        """How many wait or hold a place."""
        return self._asked.total()

    async def __aenter__(self) -> None:
        await self.take(CALLER.get())

    async def __aexit__(self, *_: object) -> None:
        self.give_back(CALLER.get())

    async def take(self, caller: str) -> None:
        """Wait for a place; it is given back by `give_back`."""
        if self._most is not None and self._asked[caller] >= self._most - self.asked:
            raise ProblemError("busy", "too many pages wait", headers={"Retry-After": "1"})
        self._asked[caller] += 1
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((caller, turn))
        self._hand_out()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(caller)
            else:
                self._leave(caller)
            raise

    def give_back(self, caller: str) -> None:
        self._free += 1
        self._held[caller] -= 1
        if not self._held[caller]:
            del self._held[caller]
        self._leave(caller)
        self._hand_out()

    def _leave(self, caller: str) -> None:
        self._asked[caller] -= 1
        if not self._asked[caller]:
            del self._asked[caller]

    def _hand_out(self) -> None:
        self._waiting = [one for one in self._waiting if not one[1].done()]
        names = {name for name, _ in self._waiting}
        self._given = {name: number for name, number in self._given.items() if name in names}
        while self._free and self._waiting:
            caller, turn = one = min(
                self._waiting, key=lambda one: (self._held[one[0]], self._given.get(one[0], 0))
            )
            if self._spares and self._held[caller] >= self._free:
                return  # those that wait hold as many or more
            self._waiting.remove(one)
            self._free -= 1
            self._held[caller] += 1
            self._given[caller] = next(self._numbers)
            turn.set_result(None)


class WorkQueue:
    """Guarded children and the pages that wait for one.

    Of a caller ``waiting`` pages may wait, besides those in work; all callers together may have
    twice as many, so that no one leaves the others none. The limits are of one page: seconds of
    elapsed time, MiB of memory and of size.
    """

    def __init__(self, *, workers: int, waiting: int, seconds: int, memory: int, size: int) -> None:
        limits = PageLimits(wall=seconds, cpu=seconds, memory=memory, size=size)
        self._pool = ChildPool(call, children=workers, limits=limits, warm_up=warm_up)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="chaffinch-page")
        self._workers = workers
        self.shares = FairShares(workers, spares=False, most=2 * (workers + waiting))

    def start(self) -> None:
        """Start the children, so that the first pages don't wait for it."""
        page = partial(self._pool.call, warm_up)
        for one in [self._threads.submit(page) for _ in range(self._workers)]:
            one.result()

    async def run(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of an importable function in a child.

        A caller that stops waiting gives its place back once the page isn't in work any more.
        """
        caller = CALLER.get()
        await self.shares.take(caller)
        future = self._threads.submit(self._pool.call, job, *arguments)
        loop = asyncio.get_running_loop()

        def done(_: object) -> None:
            with suppress(RuntimeError):  # the loop may be closed by then
                loop.call_soon_threadsafe(self.shares.give_back, caller)

        future.add_done_callback(done)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._pool.close()
