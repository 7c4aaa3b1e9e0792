"""A verb of the command line: options that all have, and settings from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from chaffinch.cli.messages import QUIET

USUAL_FILE: Final = Path("chaffinch.toml")
"""File of settings that is read where it stands in the working folder and none is named."""


class Verb(click.Command):
    """A command whose options may stand in a file of settings, and which may be quiet."""

    def __init__(self, name: str | None, **options: Any) -> None:
        super().__init__(name, **{**options, "params": [*options.get("params", ()), *_shared()]})

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first paragraph of the help, whole, for a list of commands."""
        del limit
        return " ".join((self.help or "").split("\n\n")[0].split())


def _shared() -> list[click.Parameter]:
    return [
        click.Option(
            ["--config"],
            metavar="FILE",
            type=click.Path(path_type=Path),
            is_eager=True,  # before the options whose values it has
            expose_value=False,
            callback=_read_settings,
            help=f"TOML file of settings; default: {USUAL_FILE} in the working folder, if there.",
        ),
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_be_quiet,
            help="Write nothing on standard error but errors.",
        ),
    ]


def _read_settings(context: click.Context, _option: click.Parameter, given: Path | None) -> None:
    path = given or USUAL_FILE
    if given is None and not path.is_file():
        return
    from chaffinch.cli.settings_file import defaults_of  # noqa: PLC0415  few calls have one

    context.default_map = defaults_of(path, context, is_named=given is not None)


def _be_quiet(context: click.Context, _option: click.Parameter, given: bool) -> None:  # noqa: FBT001
    if given:
        context.meta[QUIET] = True
