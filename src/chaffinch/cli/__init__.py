"""The command line: one verb a file; what they share is in inputs, options, outputs and work.

Exit codes: 0, all went well; 1, some page failed (each has its line on standard error); 2, the call
is wrong; 3, no page failed and none had content.
"""

from __future__ import annotations

from typing import Any

import click

from chaffinch import kernels
from chaffinch.cli.clean import clean
from chaffinch.cli.columns import columns
from chaffinch.cli.compare import compare
from chaffinch.cli.crawl import crawl
from chaffinch.cli.evaluate import evaluate
from chaffinch.cli.extract import extract
from chaffinch.cli.learn import learn
from chaffinch.cli.methods import methods
from chaffinch.cli.outputs import one_line
from chaffinch.cli.run import report, run
from chaffinch.cli.schema import schema
from chaffinch.cli.siblings import siblings
from chaffinch.cli.site import rules, site
from chaffinch.errors import PageError, SetupError
from chaffinch.version import __version__


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
    from chaffinch.page.parse import walk_in_use  # noqa: PLC0415  the parser isn't wanted else

    walk, why_not = walk_in_use()
    why_plain = kernels.why_plain()
    click.echo(f"chaffinch, version {__version__}")
    click.echo(f"kernels: {kernels.back_end()}" + (f" ({why_plain})" if why_plain else ""))
    click.echo(f"walk over the parser's tree: {walk}" + (f" ({why_not})" if why_not else ""))
    context.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
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


for verb in (
    extract,
    clean,
    methods,
    columns,
    compare,
    evaluate,
    schema,
    run,
    report,
    crawl,
    siblings,
    learn,
    site,
    rules,
):
    main.add_command(verb)

__all__ = ["main"]
