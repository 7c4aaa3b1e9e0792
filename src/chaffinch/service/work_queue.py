"""The bounded way to the guarded children: pages wait their turn, and too many are refused."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from chaffinch.service.fair_shares import CALLER, FairShares
from chaffinch.service.json_logs import log_as_json
from chaffinch.service.page_jobs import warm_up
from chaffinch.service.problems import ProblemError
from chaffinch.workers import ChildPool, PageLimits

if TYPE_CHECKING:
    from collections.abc import Callable

_RETRY: Final = {"Retry-After": "1"}


def work(job: Callable[..., Any] | None, *arguments: Any) -> Any:
    """Do a job in a child; None, the first one, loads what jobs of pages need."""
    if job is not None:
        return job(*arguments)
    log_as_json(logging.WARNING)  # warnings of Python among the log lines of the service, too
    warm_up()
    return None


class WorkQueue:
    """Guarded children and the pages that wait for one.

    Args:
        workers: children.
        waiting: pages of a caller that may wait, besides those in work; all callers together may
            have twice as many, so that no one leaves the others none.
        seconds: elapsed time of one page in its child.
        memory: MiB for one page in its child.
        size: MiB of a page.
    """

    def __init__(self, *, workers: int, waiting: int, seconds: int, memory: int, size: int) -> None:
        limits = PageLimits(wall=seconds, cpu=seconds, memory=memory, size=size)
        self._pool = ChildPool(work, children=workers, limits=limits, warm_up=None)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="chaffinch-page")
        self._most = 2 * (workers + waiting)
        self._workers = workers
        self._shares = FairShares(workers, spares=False)
        self._pages: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """Pages in work or waiting."""
        return self._pages.total()

    def start(self) -> None:
        """Start the children, so that the first pages don't wait for it."""
        page = partial(self._pool.call, None)
        for one in [self._threads.submit(page) for _ in range(self._workers)]:
            one.result()

    async def run(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of an importable function in a child.

        A caller that stops waiting gives its place back once the page isn't in work any more.

        Raises:
            ProblemError: too many pages wait, or too many of this caller's.
            WorkerError: the page exceeded a limit or ended its child.
            PageError: the page can't be processed.
            SetupError: an option is impossible, or no child can be started.
        """
        caller = CALLER.get()
        if self._pages[caller] >= self._most - self.count:  # the last places are for the others
            raise ProblemError("busy", "too many pages wait", headers=_RETRY)
        self._pages[caller] += 1
        try:
            await self._shares.take(caller)
        except BaseException:
            self._leave(caller)
            raise
        future = self._threads.submit(self._pool.call, job, *arguments)
        loop = asyncio.get_running_loop()

        def release(_: object) -> None:
            with suppress(RuntimeError):  # the loop may be closed by then
                loop.call_soon_threadsafe(self._release, caller)

        future.add_done_callback(release)
        return await asyncio.wrap_future(future)

    def _release(self, caller: str) -> None:
        self._shares.give_back(caller)
        self._leave(caller)

    def _leave(self, caller: str) -> None:
        self._pages[caller] -= 1
        if not self._pages[caller]:
            del self._pages[caller]

    def close(self) -> None:
        """End the children, once the pages in work are done."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._pool.close()
