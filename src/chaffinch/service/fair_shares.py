"""Places that callers share fairly: threads that fetch, children that read pages.

Whoever holds fewest places is next. Where places are spared, a caller gets another one only while
more are free than it holds, so that there is always one for who comes next (the dynamic threshold
of Choudhury and Hahne, «Dynamic queue length thresholds for shared-memory packet switches», 1998).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CALLER: Final[ContextVar[str]] = ContextVar("caller", default="")
"""Whose work the running task does: a caller with a token, or else one request."""


class FairShares:
    """Places.

    Args:
        places: how many there are.
        spares: whether the last places are kept for callers that hold fewer.
    """

    def __init__(self, places: int, *, spares: bool) -> None:
        self._free = places
        self._spares = spares
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place of the running task's caller."""
        caller = CALLER.get()
        await self.take(caller)
        try:
            yield
        finally:
            self.give_back(caller)

    async def take(self, caller: str) -> None:
        """Wait for a place; it is given back by `give_back`."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((caller, turn))
        self._hand_out()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(caller)
            raise

    def give_back(self, caller: str) -> None:
        """Give a place back, to whoever is next."""
        self._free += 1
        self._held[caller] -= 1
        if not self._held[caller]:
            del self._held[caller]
        self._hand_out()

    def _hand_out(self) -> None:
        self._waiting = [one for one in self._waiting if not one[1].done()]
        while self._free and self._waiting:
            caller, turn = one = min(self._waiting, key=lambda waiting: self._held[waiting[0]])
            if self._spares and self._held[caller] >= self._free:
                return  # those that wait hold as many or more
            self._waiting.remove(one)
            self._free -= 1
            self._held[caller] += 1
            turn.set_result(None)
