"""The command line: one verb a file, loaded when it is called.

What verbs share: `source`, `inputs` and `archives` (the pages that are given), `sibling_pages`,
`found_siblings` and `site_pages` (those that others are compared with), `page_task`, `page_loop`
and `rendering` (what is done to them), `forms`, `targets` and `messages` (what comes out), files of
``…_options``, and `verb` and `settings_file` (options from a file).

Exit codes: 0, all went well; 1, some page failed (each has its line on standard error); 2, the call
is wrong; 3, no page failed and none had content.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from typing import Any, Final

import click

from chaffinch.cli.messages import one_line
from chaffinch.cli.standard_streams import guarded_streams
from chaffinch.cli.terminal import guarded
from chaffinch.errors import PageError, SetupError
from chaffinch.lazy import load_module
from chaffinch.version import __version__
from chaffinch.workers.one_thread import ONE_THREAD

VERBS: Final = {
    "assess": "Report whether pages are content, or a wall or an error in its place.",
    "clean": "Print whole pages as HTML, minus their noise.",
    "columns": "Print a page as a table: one row an element or text run.",
    "compare": "Compare what methods keep of a page.",
    "crawl": "Crawl pages politely into a WARC file.",
    "diff": "Print what of the content changed between two versions of a page.",
    "evaluate": "Measure methods and peers on labelled pages, side by side.",
    "explain": "Explain why each part of a page was kept or dropped.",
    "extract": "Extract the main content of pages.",
    "inspect": "Show a page as Chaffinch sees it, in the inspector, until stopped.",
    "learn": "Learn a site model from the site's own pages; nothing needs to be labelled.",
    "links": "Print the addresses that a page, its feeds or sitemaps list, one a line.",
    "mcp": "Read pages for a client of MCP over standard input and output.",
    "methods": "List the methods, or describe the one called NAME.",
    "outline": "Print the headings of a page's content, and the sizes of its sections.",
    "records": "Print the entries of list pages, each with its fields.",
    "report": "Print what the run in DIR did, or has done so far.",
    "rules": "Try the rules of site models, make some by example, and import those of other tools.",
    "run": "Extract the pages of archives and write them as tables.",
    "schema": "Print the JSON schema of what 'extract --format json' writes for a page.",
    "serve": "Read pages for callers over HTTP and MCP, until stopped.",
    "siblings": "Find pages of the same layer as one page, with the reason.",
    "similarity": "Measure how alike pages of one layer of a site are.",
    "site": "Look at site models that 'chaffinch learn' made, and compare them.",
    "verify": "Report whether a page's content has a QUOTE, and where.",
    "vips": "Print a page as a tree of visual blocks (VIPS).",
}
"""Verb → its line in the list of verbs, so that none is loaded for it."""


class _Commands(MutableMapping[str, click.Command]):
    """Verb → command; a verb is loaded when it is requested, unless it was set."""

    def __init__(self) -> None:
        self._set: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._set:
            if name not in VERBS:
                raise KeyError(name)
            self._set[name] = getattr(load_module(f"{__name__}.{name}"), name)
        return self._set[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._set[name] = command

    def __delitem__(self, name: str) -> None:
        del self._set[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**VERBS, **self._set})

    def __len__(self) -> int:
        return len({**VERBS, **self._set})


class Verbs(click.Group):
    """Lists the verbs; turns errors into a line on standard error and an exit code."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command line, in one thread unless the environment has another number.

        No page and no name of a file drives the terminal.
        """
        for variable, count in ONE_THREAD.items():
            os.environ.setdefault(variable, count)
        with guarded_streams(), guarded():
            return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except SetupError as error:
            raise click.UsageError(one_line(str(error))) from error
        except PageError as error:
            raise click.ClickException(one_line(str(error))) from error


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    """Show the version, and by what the parser's tree is walked."""
    if not value or context.resilient_parsing:
        return
    from chaffinch.page.parsing import walk_in_use  # noqa: PLC0415  wanted for nothing else here

    walk, why_not = walk_in_use()
    click.echo(f"chaffinch, version {__version__}")
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


__all__ = ["VERBS", "main"]
