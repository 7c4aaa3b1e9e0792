"""Pages rendered by a browser: the options that ask for it, and the pages it gives."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from chaffinch.cli.outputs import bug_line
from chaffinch.errors import PageError, SetupError
from chaffinch.loading.loader import RENDER, Loader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chaffinch.cli.inputs import Fetching, Source
    from chaffinch.page import Page
    from chaffinch.page.guard.limits import Limits

Command = TypeVar("Command", bound="Callable[..., Any]")


def render_options(command: Command) -> Command:
    """Add the options that ask for a browser."""
    browser = click.option(
        "--browser",
        metavar="PATH",
        help="The browser's program; default: the first Chromium found.",
    )
    render = click.option(
        "--render",
        type=click.Choice(RENDER),
        default="never",
        show_default=True,
        help="Whether a browser runs the page's scripts: 'auto' where the page waits for them. "
        "Files are rendered with the network off.",
    )
    return render(browser(command))


def loader_of(
    render: str, browser: str | None, fetching: Fetching, limits: Limits
) -> Loader | None:
    """Return what loads pages with a browser; None where none is asked for.

    Raises:
        click.UsageError: a browser is named though nothing is rendered.
    """
    if render == "never":
        if browser is not None:
            raise click.UsageError("--browser goes with --render auto or always")
        return None
    return Loader(
        render=render,
        browser=browser,
        allow=fetching.allow,
        resolve=fetching.resolve,
        contact=fetching.contact,
        fetch_limits=fetching.limits,
        limits=limits,
    )


def loaded(sources: Iterable[Source], loader: Loader, *, max_bytes: int) -> Iterator[Source]:
    """Yield the sources with their pages, or with what went wrong; the loader is closed after.

    Raises:
        SetupError: there is no browser, or the extra is missing.
    """
    with loader:
        for source in sources:
            try:
                page = _page(source, loader, max_bytes)
            except SetupError:
                raise
            except PageError as error:
                yield replace(source, problem=str(error))
            except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
                yield replace(source, problem=bug_line(error))
            else:
                yield replace(source, url=page.url, page=page)


def _page(source: Source, loader: Loader, max_bytes: int) -> Page:
    if source.kind == "address":
        return loader.address(source.name, encoding=source.encoding)
    if source.kind == "stdin":
        source = replace(source, data=sys.stdin.buffer.read(max_bytes + 1))
    html = source.read(max_bytes=max_bytes)
    return loader.source(html, url=source.url, encoding=source.encoding)
