"""Options of a browser to render pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.option_lists import stacked
from chaffinch.cli.source_options import fetching
from chaffinch.loading.replaced_source import nothing_replaced
from chaffinch.page.bounds import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.cli.source_options import Fetching
    from chaffinch.loading.loader import Loader
    from chaffinch.loading.replaced_source import Replacements

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

render_options = stacked(_OPTIONS)
"""Adds the options of a browser."""


def loader_of(
    render: str,
    browser: str | None,
    how: Fetching,
    limits: Limits,
    replacements: Replacements = nothing_replaced,
) -> Loader | None:
    """Return what loads pages with a browser; None where none is requested.

    Raises:
        click.UsageError: a browser is named though nothing is rendered.
    """
    require_browser_fits(render, browser)
    if render == "never":
        return None
    from chaffinch.loading.loader import Loader  # noqa: PLC0415  few calls need it

    return Loader(
        render=render,
        browser=browser,
        allow=how.allow,
        resolve=how.resolve,
        contact=how.contact,
        fetch_limits=how.limits,
        limits=limits,
        replacements=replacements,
    )


def require_browser_fits(render: str, browser: str | None) -> None:
    """Check that a browser is named only where pages are rendered.

    Raises:
        click.UsageError: it is named for nothing.
    """
    if render == "never" and browser is not None:
        raise click.UsageError("--browser goes with --render auto or always")


def page_loader(given: Mapping[str, Any], replacements: Replacements = nothing_replaced) -> Loader:
    """Return what loads pages as values of `render_options` and `source_options` set.

    Raises:
        click.UsageError: a browser is named though nothing is rendered.
    """
    how = fetching(given)
    limits = Limits(max_bytes=how.limits.max_bytes)
    with_browser = loader_of(given["render"], given["browser"], how, limits, replacements)
    return with_browser or plain_loader(limits, replacements)


def plain_loader(limits: Limits, replacements: Replacements = nothing_replaced) -> Loader:
    """Return what reads saved pages without a browser."""
    from chaffinch.loading.loader import Loader  # noqa: PLC0415  few calls need it

    return Loader(render="never", limits=limits, replacements=replacements)
