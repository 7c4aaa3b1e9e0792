"""The command: one verb a function, loaded when it is called.

Exit codes: 0, all went well; 1, some page failed (each has its line on standard error); 2, the call
is wrong; 3, no page failed and none had content.
"""

import os
from typing import Any, Final

import click

from chaffinch.cli.streams import guarded_streams, one_line
from chaffinch.errors import PageError, SetupError, nearest
from chaffinch.lazy import load_module
from chaffinch.version import __version__
from chaffinch.workers.protocol import ONE_THREAD

VERBS: Final = {
    "extract": "Extract the main content of pages.",
    "explain": "Explain why each part of a page was kept or dropped.",
    "inspect": "Show a page as Chaffinch sees it, in the inspector, until stopped.",
    "compare": "Compare what methods keep of a page.",
    "diff": "Print what of the content changed between two versions of a page.",
    "verify": "Report whether a page's content has a QUOTE, and where.",
    "learn": "Learn a site model from the site's own pages; nothing needs to be labelled.",
    "site": "Learn site models, look at them, teach them; find and compare pages of a template.",
    "crawl": "Crawl pages politely into a WARC file.",
    "run": "Extract the pages of archives and write them as tables.",
    "evaluate": "Measure methods and baselines on labelled pages, side by side.",
    "methods": "List the methods, or describe the one called NAME.",
    "serve": "Read pages for callers over HTTP and MCP, until stopped.",
    "mcp": "Read pages for a client of MCP over standard input and output.",
}
"""Verb → its line in the list of verbs, so that none is loaded for it."""
_FILES: Final = {
    "diff": "compare", "evaluate": "compare", "inspect": "serve", "learn": "site", "mcp": "serve",
    "methods": "compare", "verify": "compare",
}  # fmt: skip
"""Verb → the module that has it, where that has another name."""


class Verbs(click.Group):
    """Lists the verbs; turns errors into a line on standard error and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in VERBS:
            return None
        module = load_module(f"{__name__}.{_FILES.get(cmd_name, cmd_name)}")
        found: click.Command = getattr(module, cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command line, in one thread unless the environment has another number.

        No page and no name of a file drives the terminal.
        """
        for variable, count in ONE_THREAD.items():
            os.environ.setdefault(variable, count)
        with guarded_streams():
            return super().main(*args, **options)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, *more = args
        if name in SHORT:
            args = [*SHORT[name].split(), *more]
        elif name not in VERBS:
            meant = nearest(name, (*VERBS, *SHORT)) or f"extract {name}"
            raise click.UsageError(f"no verb {name!r}: did you mean 'chaffinch {meant}'?", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SetupError as error:
            raise click.UsageError(one_line(str(error))) from error
        except PageError as error:
            raise click.ClickException(one_line(str(error))) from error


SHORT: Final = {
    "assess": "extract --format json --with assessment",
    "clean": "extract --format clean",
    "columns": "extract --format columns",
    "links": "crawl --dry-run",
    "outline": "extract --format outline",
    "records": "extract --format records",
    "report": "run --report text",
    "rules": "site rules",
    "schema": "extract --schema",
    "siblings": "site siblings",
    "similarity": "site similarity",
    "vips": "explain --blocks vips",
}
"""Short name → the verb and its options, for which it stands; not in the list of verbs."""


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="chaffinch", help="Show the version.")
def main() -> None:
    """Separate the grain from the chaff on web pages.

    Exit codes: 0, all went well; 1, some page failed; 2, the call is wrong; 3, no page failed and
    none had content.
    """


__all__ = ["VERBS", "main"]
