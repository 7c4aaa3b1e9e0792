"""The command line: one verb a file; what they share is in inputs, options, outputs and work.

Exit codes: 0, all went well; 1, some page failed (each has its line on standard error); 2, the call
is wrong; 3, no page failed and none had content.
"""

from __future__ import annotations

from typing import Any

import click

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


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="chaffinch")
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
