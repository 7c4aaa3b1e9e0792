"""Many pages through one recipe: progress, error lines, exit code."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.inputs import at_hand
from chaffinch.cli.outputs import StandardOutput, say_error
from chaffinch.cli.rendering import loaded
from chaffinch.errors import PageError
from chaffinch.lazy import lazy_module
from chaffinch.workers.pool import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import process
    from contextlib import AbstractContextManager

    from chaffinch.cli.inputs import Fetching, Source
    from chaffinch.cli.outputs import Target
    from chaffinch.cli.page_task import Outcome, Recipe
    from chaffinch.loading.loader import Loader
else:
    process = lazy_module("concurrent.futures.process")

FAILED = 1
EMPTY = 3


def run(  # noqa: PLR0913  options are keyword-only
    sources: Sequence[Source],
    recipe: Recipe,
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
    ready = (
        at_hand(sources, fetching)
        if loader is None
        else loaded(sources, loader, max_bytes=recipe.limits.max_bytes)
    )
    outcomes = in_order(recipe, ready, workers=workers)
    try:
        tally = _worked_through(outcomes, len(sources), where)
    except process.BrokenProcessPool as error:
        raise click.ClickException(
            "a worker process died, perhaps for want of memory; use fewer --workers"
        ) from error
    if tally["failed"]:
        return FAILED
    return 0 if tally["full"] else EMPTY


def _worked_through(outcomes: Iterable[Outcome], count: int, where: Target) -> Counter[str]:
    """Write all outcomes; count those that failed, were empty, and were full."""
    tally: Counter[str] = Counter()
    with _progress(count, where) as bar:
        for outcome in outcomes:
            problem = outcome.problem or _written(outcome, where)
            if problem:
                _clear(bar)
                say_error(f"{outcome.source.name}: {problem}")
            elif outcome.is_empty:
                _clear(bar)
                hint = "; its scripts build it: try --render auto" if outcome.waits else ""
                click.echo(f"{outcome.source.name}: no main content found{hint}", err=True)
            tally["failed" if problem else "empty" if outcome.is_empty else "full"] += 1
            if bar is not None:
                bar.update(1)
    return tally


def _written(outcome: Outcome, where: Target) -> str:
    """Write the output; return what went wrong, if anything."""
    try:
        where.write(outcome)
    except PageError as error:
        return str(error)
    return ""


def _progress(count: int, where: Target) -> AbstractContextManager[Any]:
    """Return a progress bar, or nothing where it would help nobody or spoil the output."""
    is_mixed = isinstance(where, StandardOutput) and sys.stdout.isatty()
    if count == 1 or is_mixed or not sys.stderr.isatty():
        return nullcontext()
    return click.progressbar(length=count, label="pages", file=sys.stderr, show_pos=True)


def _clear(bar: Any) -> None:
    if bar is not None:
        click.echo("\r\x1b[K", nl=False, err=True)
