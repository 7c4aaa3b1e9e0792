"""Many pages through one task: progress, error lines, exit code."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.inputs import at_hand
from chaffinch.cli.messages import print_error, print_note, shows_progress
from chaffinch.cli.targets import StandardOutput
from chaffinch.cli.terminal import drawn_on
from chaffinch.errors import PageError
from chaffinch.lazy import lazy_module
from chaffinch.workers.pool import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import process
    from contextlib import AbstractContextManager

    from chaffinch.cli.page_task import PageResult, PageTask
    from chaffinch.cli.source import Source
    from chaffinch.cli.source_options import Fetching
    from chaffinch.cli.targets import Target
    from chaffinch.loading.loader import Loader
else:
    process = lazy_module("concurrent.futures.process")

FAILED: Final = 1
EMPTY: Final = 3
"""Exit codes: some page failed; none failed and none had content."""


def work_through(  # noqa: PLR0913  options are keyword-only
    sources: Sequence[Source],
    task: PageTask,
    where: Target,
    *,
    fetching: Fetching,
    workers: int = 1,
    loader: Loader | None = None,
) -> int:
    """Work through ``sources`` and return the exit code.

    Addresses are fetched, and pages rendered, one after the other by this process, whatever
    ``workers`` is.

    Raises:
        click.ClickException: a worker process died.
    """
    ready = at_hand(sources, fetching)
    if loader is not None:
        from chaffinch.cli.rendering import loaded  # noqa: PLC0415  few calls render

        ready = loaded(sources, loader, max_bytes=task.limits.max_bytes)
    ready = (_on_one_page(one, task, fetching, loader) for one in ready)
    results = in_order(task, ready, workers=workers)
    # Archives hold any number of pages.
    count = None if any(one.kind == "archive" for one in sources) else len(sources)
    try:
        tally = _tally(results, count, where)
    except process.BrokenProcessPool as error:
        raise click.ClickException(
            "a worker process died, perhaps for want of memory; use fewer --workers"
        ) from error
    if tally["failed"]:
        return FAILED
    return 0 if tally["full"] else EMPTY


def _on_one_page(
    source: Source, task: PageTask, fetching: Fetching, loader: Loader | None
) -> Source:
    """Return a page that was fetched, or the version of its article on one page, if it has one.

    By a rule of the site that a person wrote; where that version can't be had, the page will do.
    """
    url = task.single_page(source) if source.kind == "address" and not source.problem else ""
    if not url:
        return source
    wanted = replace(source, name=url, url=url, data=b"", page=None, encoding=None)
    if loader is None:
        (found,) = at_hand([wanted], fetching)
    else:
        from chaffinch.cli.rendering import loaded  # noqa: PLC0415  few calls render

        (found,) = loaded([wanted], loader, max_bytes=task.limits.max_bytes)
    if found.problem:
        print_note(f"{source.name}: on one page at {url}, which can't be had: {found.problem}")
        return source
    return replace(found, name=source.name)


def _tally(results: Iterable[PageResult], count: int | None, where: Target) -> Counter[str]:
    """Write all results; count those that failed, were empty, and were full."""
    tally: Counter[str] = Counter()
    with _progress(count, where) as bar:
        for result in results:
            problem = result.problem or ("" if result.unwanted else _written(result, where))
            if problem:
                _clear(bar)
                print_error(f"{result.source.name}: {problem}")
            elif result.unwanted:
                _clear(bar)
                print_note(f"{result.source.name}: left out: {result.unwanted}")
            elif result.missing:
                _clear(bar)
                hint = "; its scripts build it: try --render auto" if result.waits else ""
                print_note(f"{result.source.name}: {result.missing}{hint}")
            empty = result.missing or result.unwanted
            tally["failed" if problem else "empty" if empty else "full"] += 1
            if bar is not None:
                bar.update(1)
    return tally


def _written(result: PageResult, where: Target) -> str:
    """Write the output; return what went wrong, if anything."""
    try:
        where.write(result)
    except PageError as error:
        return str(error)
    return ""


def _progress(count: int | None, where: Target) -> AbstractContextManager[Any]:
    """Return a progress bar, or nothing where it would help nobody or spoil the output."""
    is_mixed = isinstance(where, StandardOutput) and sys.stdout.isatty()
    if count == 1 or is_mixed or not shows_progress():
        return nullcontext()
    endless = None if count is not None else iter(int, 1)  # of which the bar shows the place alone
    return click.progressbar(endless, length=count, label="pages", file=drawn_on(), show_pos=True)


def _clear(bar: Any) -> None:
    if bar is not None:
        click.echo("\r\x1b[K", file=drawn_on(), nl=False)
