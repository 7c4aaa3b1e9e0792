"""``chaffinch clean``: a whole page without its noise."""

from __future__ import annotations

from typing import Any

import click

from chaffinch.cli import options
from chaffinch.cli.inputs import find_one
from chaffinch.cli.outputs import target
from chaffinch.cli.page_runs import run
from chaffinch.cli.page_task import FORMS


@click.command
@click.argument("page", metavar="URL|FILE|-")
@options.method_options
@options.output_option
@options.source_options
@click.pass_context
def clean(
    context: click.Context,
    /,
    *,
    page: str,
    output: str | None,
    url: str | None,
    encoding: str | None,
    **others: Any,
) -> None:
    """Print a whole page as HTML, minus its noise.

    What holds the content together stays: head, title, and the elements around what is kept. Where
    the content stands only in data that scripts read, it alone is the body.
    """
    recipe, fetching = options.parted("clean", others)
    source = find_one(page, url=url, encoding=encoding)
    where = target(output, FORMS["clean"], is_several=False)
    context.exit(run([source], recipe, where, fetching=fetching))
