"""Extraction for programs on an event loop: one page in a thread, many in guarded children."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from chaffinch.errors import PageError, require_flag, require_kind, require_whole
from chaffinch.extraction.extract import extract, prepared_options
from chaffinch.extraction.extracted import Extract
from chaffinch.page.bounds import Limits
from chaffinch.page.source import page_list, sendable
from chaffinch.workers.guarded_pool import ChildPool
from chaffinch.workers.protocol import PageLimits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from chaffinch.page import PageInput

_LIMITS: Final = PageLimits()
_AHEAD: Final = 4  # pages held for each child: running, waiting, or done before their turn
_MOST: Final = 1_024  # children; more is a mistake
_END: Final = object()
_WARM_UP: Final = b"<p>A page to warm up with, in some words."

Outcome: TypeAlias = Extract | PageError
"""The extract of a page, or the error in its place."""


async def aextract(html: PageInput, *, pool: ChildPool | None = None, **options: Any) -> Extract:
    """Find the main content of a page without blocking the event loop.

    Args:
        html: the page as `chaffinch.extract` takes it.
        pool: guarded children that do it, ``ChildPool(chaffinch.extract)``; None for a thread of
            the loop's default executor, which shares the process with what hangs or crashes.
        **options: as of `chaffinch.extract`.

    A call that is cancelled goes on in its thread or child, until it is done or at its limit.

    Raises:
        PageError: the page can't be processed; a `WorkerError` where it failed in its child.
        OptionError: as of `chaffinch.extract`.
    """
    require_kind("pool", pool, ChildPool)
    if pool is None:
        return await asyncio.to_thread(extract, html, **options)
    return await asyncio.to_thread(_extract_in_child, pool, html, options)


def aextract_many(
    pages: Iterable[PageInput] | AsyncIterable[PageInput],
    *,
    children: int = 1,
    ordered: bool = True,
    page_limits: PageLimits = _LIMITS,
    **options: Any,
) -> AsyncIterator[tuple[int, Outcome]]:
    """Extract many pages in guarded children, with bounded memory.

    What hangs, crashes or eats memory costs its own page alone. The children end with the iterator,
    at once where it is closed before its end (`contextlib.aclosing`).

    Args:
        pages: pages as `chaffinch.extract` takes them. Those of an asynchronous iterable are
            waited for beside the results; at most four a child are held.
        children: processes to use, 1 to 1,024.
        ordered: whether results come in the order of the pages; else as they are completed.
        page_limits: of time and memory for each page.
        **options: as of `chaffinch.extract`, the same for all pages; a callable method must be
            picklable.

    Yields:
        The number of a page in ``pages``, from 0, and its Extract, or its PageError.

    Raises:
        OptionError: an option is unknown or impossible, or ``pages`` is one page.
        SetupError: no child can be started.
    """
    source = pages if isinstance(pages, AsyncIterable) else _each(page_list("pages", pages))
    require_whole("children", children, 1, _MOST)
    require_flag("ordered", ordered)
    work = partial(extract, **prepared_options(options))
    pool = ChildPool(work, children=children, limits=page_limits, warm_up=_WARM_UP)
    return _results(pool, aiter(source), children, is_ordered=ordered)


async def _each(pages: Iterable[PageInput]) -> AsyncIterator[PageInput]:
    for page in pages:
        yield page


async def _results(
    pool: ChildPool, source: AsyncIterator[PageInput], children: int, *, is_ordered: bool
) -> AsyncIterator[tuple[int, Outcome]]:
    """Yield results as they are completed, or once it is their turn."""
    running: dict[asyncio.Future[Outcome], int] = {}
    made: dict[int, Outcome] = {}
    read = given = 0
    loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor(children)
    coming: asyncio.Task[Any] | None = asyncio.create_task(_next(source))
    try:
        while coming or running:
            is_full = len(running) + len(made) >= _AHEAD * children
            waited = {*running, *([coming] if coming and not is_full else [])}
            done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            for one in done - {coming}:
                made[running.pop(one)] = one.result()
            if coming in done:
                page, coming = coming.result(), None
                if page is not _END:
                    running[loop.run_in_executor(threads, _outcome, pool, page)] = read
                    read, coming = read + 1, asyncio.create_task(_next(source))
            while made and (not is_ordered or given in made):
                number = given if is_ordered else next(iter(made))
                given += 1
                yield number, made.pop(number)
    finally:
        for left in (*running, *([coming] if coming else [])):
            left.cancel()
        threads.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(pool.close, at_once=True)


async def _next(source: AsyncIterator[PageInput]) -> Any:
    return await anext(source, _END)


def _outcome(pool: ChildPool, page: PageInput) -> Outcome:
    try:
        return _extract_in_child(pool, page, {})
    except PageError as error:
        return error


def _extract_in_child(pool: ChildPool, page: PageInput, options: dict[str, Any]) -> Extract:
    """Return the extract of a page; files are read here, and trees flattened."""
    (given,) = sendable([page], limits=options.get("limits") or Limits())
    if isinstance(given, PageError):
        raise given
    found: Extract = pool.call(given, **options)
    return found
