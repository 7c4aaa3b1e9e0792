"""Options of verbs that request many pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.option_lists import Command, stacked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.web import Politeness

_SECONDS = click.FloatRange(min=0)
_OPTIONS = (
    click.option(
        "--delay",
        type=_SECONDS,
        default=1.0,
        show_default=True,
        metavar="SECONDS",
        help="Time between two requests to a host; robots.txt may ask for more.",
    ),
    click.option(
        "--per-host",
        type=click.IntRange(min=1),
        default=2,
        show_default=True,
        metavar="N",
        help="Requests to a host at a time.",
    ),
    click.option(
        "--at-once",
        type=click.IntRange(min=1),
        default=16,
        show_default=True,
        metavar="N",
        help="Requests at a time, over all hosts.",
    ),
    click.option(
        "--retries",
        type=click.IntRange(min=0),
        default=3,
        show_default=True,
        metavar="N",
        help="Retries after a transient failure.",
    ),
    click.option(
        "--back-off",
        type=_SECONDS,
        default=1.0,
        show_default=True,
        metavar="SECONDS",
        help="Time before the first retry, doubled for each later one; Retry-After may raise it.",
    ),
    click.option(
        "--blocks",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        metavar="N",
        help="Block pages of a host in a row, such as captchas, after which it is left.",
    ),
)


def politeness_options(command: Command) -> Command:
    """Add the options of politeness."""
    return stacked(_OPTIONS)(command)


def politeness_of(given: Mapping[str, Any]) -> Politeness:
    """Return the politeness that values of `politeness_options` give.

    Raises:
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
    """
    from chaffinch.web import Politeness  # noqa: PLC0415 an extra

    return Politeness(
        delay=given["delay"],
        per_host=given["per_host"],
        at_once=given["at_once"],
        retries=given["retries"],
        back_off=given["back_off"],
        blocks=given["blocks"],
        contact=given["contact"],
        binding=tuple(given.get("binding", ())),
    )
