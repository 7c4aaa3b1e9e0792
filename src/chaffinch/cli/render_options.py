"""Options that ask for a browser to render pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from chaffinch.cli.option_lists import Command, stacked

if TYPE_CHECKING:
    from chaffinch.cli.source_options import Fetching
    from chaffinch.loading.loader import Loader
    from chaffinch.page.guard.limits import Limits

WHEN: Final = ("auto", "always", "never")
"""`chaffinch.loading.loader.RENDER`, which isn't loaded for the help."""

_OPTIONS: Final = (
    click.option(
        "--render",
        type=click.Choice(WHEN),
        default="never",
        show_default=True,
        help="Whether a browser runs the page's scripts: 'auto' where the page waits for them. "
        "Files are rendered with the network off.",
    ),
    click.option(
        "--browser",
        metavar="PATH",
        help="The browser's program; default: the first Chromium found.",
    ),
)


def render_options(command: Command) -> Command:
    """Add the options that ask for a browser."""
    return stacked(_OPTIONS)(command)


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
    from chaffinch.loading.loader import Loader  # noqa: PLC0415  few calls render

    return Loader(
        render=render,
        browser=browser,
        allow=fetching.allow,
        resolve=fetching.resolve,
        contact=fetching.contact,
        fetch_limits=fetching.limits,
        limits=limits,
    )


def plain_loader(limits: Limits) -> Loader:
    """Return what reads saved pages without a browser."""
    from chaffinch.loading.loader import Loader  # noqa: PLC0415  few calls need it

    return Loader(render="never", limits=limits)
