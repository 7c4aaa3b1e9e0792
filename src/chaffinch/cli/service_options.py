"""Options of the verbs that read pages for others: ``serve`` and ``mcp``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.option_lists import stacked
from chaffinch.cli.render_options import WHEN
from chaffinch.cli.source_options import allow_option, contact_option, resolve_option, size_option

if TYPE_CHECKING:
    from chaffinch.service.settings import ServiceSettings, Token

service_options = stacked(
    (
        click.option(
            "-w", "--workers", type=click.IntRange(min=1), default=os.cpu_count() or 1,
            show_default="one a processor", metavar="N",
            help="Guarded processes, each with one page at a time.",
        ),
        click.option(
            "--deadline", type=click.IntRange(min=1), default=60, show_default=True,
            metavar="SECONDS", help="Time for one page in all.",
        ),
        click.option(
            "--memory", type=click.IntRange(min=64), default=1024, show_default=True, metavar="MIB",
            help="Memory for one page.",
        ),
        size_option(32),
        click.option(
            "--delay", type=click.FloatRange(min=0), default=1.0, show_default=True,
            metavar="SECONDS",
            help="Time between two requests to a host; robots.txt may ask for more.",
        ),
        click.option(
            "--obey-robots/--ignore-robots", "obeys_robots", default=True, show_default=True,
            help="Whether robots.txt is obeyed.",
        ),
        click.option(
            "--data", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
            help="Folder for site models; without one nothing is written.",
        ),
        click.option(
            "--cache", type=click.IntRange(min=0), default=0, show_default=True, metavar="MIB",
            help="Memory for fetched pages that are kept for ten minutes; 0 for none.",
        ),
        click.option(
            "--render", type=click.Choice(WHEN), default="never", show_default=True,
            help="How far requests may use a browser.",
        ),
        click.option(
            "--browser", metavar="PATH", help="The browser's program; default: the first found."
        ),
        allow_option,
        resolve_option,
        contact_option,
    )
)  # fmt: skip
"""Adds the options that both verbs have."""


def settings_of(given: dict[str, Any], *, tokens: tuple[Token, ...] = ()) -> ServiceSettings:
    """Return the settings that values of `service_options` and further fields give.

    Raises:
        OptionError: they contradict each other.
    """
    from chaffinch.service.settings import ServiceSettings  # noqa: PLC0415  few calls serve

    renamed = {"allow": given.pop("allow_host"), "max_page": given.pop("max_size")}
    chosen = {name: value for name, value in given.items() if value is not None}
    return ServiceSettings(**renamed, **chosen, tokens=tokens)
