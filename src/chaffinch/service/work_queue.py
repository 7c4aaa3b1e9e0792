"""The bounded way to the guarded children: pages wait their turn, and too many are refused."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final

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
        waiting: pages that may wait, besides those in work.
        seconds: elapsed time of one page in its child.
        memory: MiB for one page in its child.
        size: MiB of a page.
    """

    def __init__(self, *, workers: int, waiting: int, seconds: int, memory: int, size: int) -> None:
        limits = PageLimits(wall=seconds, cpu=seconds, memory=memory, size=size)
        self._pool = ChildPool(work, children=workers, limits=limits, warm_up=None)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="chaffinch-page")
        self._most = workers + waiting
        self._lock = threading.Lock()
        self._workers = workers
        self.count = 0
        """Pages in work or waiting."""

    def start(self) -> None:
        """Start the children, so that the first pages don't wait for it."""
        page = partial(self._pool.call, None)
        for one in [self._threads.submit(page) for _ in range(self._workers)]:
            one.result()

    async def run(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of an importable function in a child.

        A caller that stops waiting gives its place back once the page isn't in work any more.

        Raises:
            ProblemError: too many pages wait.
            WorkerError: the page exceeded a limit or ended its child.
            PageError: the page can't be processed.
            SetupError: an option is impossible, or no child can be started.
        """
        with self._lock:
            if self.count >= self._most:
                raise ProblemError("busy", "too many pages wait", headers=_RETRY)
            self.count += 1
        future = self._threads.submit(self._pool.call, job, *arguments)
        future.add_done_callback(self._release)
        return await asyncio.wrap_future(future)

    def _release(self, _: object) -> None:
        with self._lock:
            self.count -= 1

    def close(self) -> None:
        """End the children, once the pages in work are done."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._pool.close()
