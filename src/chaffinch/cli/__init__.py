"""The command line: one verb a file; what they share is in inputs, options, outputs and work.

Exit codes: 0, all went well; 1, some page failed (each has its line on standard error); 2, the call
is wrong; 3, no page failed and none had content.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import click

from chaffinch import __version__
from chaffinch.cli.outputs import one_line
from chaffinch.errors import PageError, SetupError

_MODULES: Final = {
    "clean": "clean",
    "columns": "columns",
    "compare": "compare",
    "crawl": "crawl",
    "evaluate": "evaluate",
    "extract": "extract",
    "learn": "learn",
    "methods": "methods",
    "report": "run",
    "rules": "site",
    "run": "run",
    "schema": "schema",
    "siblings": "siblings",
    "site": "site",
}
"""Verb → file that has it; a verb is loaded when it is called, or its help is shown."""


class Verbs(click.Group):
    """Turns the errors of Chaffinch into a line on standard error and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Return the names of all verbs."""
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the verb of a name, loaded here; None for no verb."""
        if cmd_name not in _MODULES:
            return None
        verb: click.Command = getattr(import_module(f"{__name__}.{_MODULES[cmd_name]}"), cmd_name)
        return verb

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except SetupError as error:
            raise click.UsageError(one_line(str(error))) from error
        except PageError as error:
            raise click.ClickException(one_line(str(error))) from error


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="chaffinch")
def main() -> None:
    """Separate the grain from the chaff on web pages.

    Exit codes: 0, all went well; 1, some page failed; 2, the call is wrong; 3, no page failed and
    none had content.
    """


__all__ = ["main"]
