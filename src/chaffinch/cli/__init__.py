"""The command line: one verb a file; what they share is in inputs, options, outputs and work.

Exit codes: 0, all went well; 1, some page failed (each has its line on standard error); 2, the call
is wrong; 3, no page failed and none had content.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, Final

import click

from chaffinch import kernels
from chaffinch.cli.outputs import one_line
from chaffinch.errors import PageError, SetupError
from chaffinch.version import __version__

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


class _Commands(MutableMapping[str, click.Command]):
    """Verb → command; a verb is loaded when it is asked for, unless it was set."""

    def __init__(self) -> None:
        self._set: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._set:
            module = import_module(f"{__name__}.{_MODULES[name]}")
            self._set[name] = getattr(module, name)
        return self._set[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._set[name] = command

    def __delitem__(self, name: str) -> None:
        del self._set[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**_MODULES, **self._set})

    def __len__(self) -> int:
        return len({**_MODULES, **self._set})


class Verbs(click.Group):
    """Turns the errors of Chaffinch into a line on standard error and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except SetupError as error:
            raise click.UsageError(one_line(str(error))) from error
        except PageError as error:
            raise click.ClickException(one_line(str(error))) from error


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    """Show version, kernels and walk, and why they are not the native ones."""
    if not value or context.resilient_parsing:
        return
    from chaffinch.page.parsing import walk_in_use  # noqa: PLC0415  the parser isn't wanted else

    walk, why_not = walk_in_use()
    why_plain = kernels.why_plain()
    click.echo(f"chaffinch, version {__version__}")
    click.echo(f"kernels: {kernels.back_end()}" + (f" ({why_plain})" if why_plain else ""))
    click.echo(f"walk over the parser's tree: {walk}" + (f" ({why_not})" if why_not else ""))
    context.exit()


@click.group(
    cls=Verbs,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and what is in use of what is compiled.",
)
def main() -> None:
    """Separate the grain from the chaff on web pages.

    Exit codes: 0, all went well; 1, some page failed; 2, the call is wrong; 3, no page failed and
    none had content.
    """


__all__ = ["main"]
