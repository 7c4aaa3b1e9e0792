"""``chaffinch clean``: a whole page without its noise."""

from __future__ import annotations

from typing import Any

import click

from chaffinch.cli.forms import FORMS
from chaffinch.cli.inputs import find, is_folder, is_several
from chaffinch.cli.method_options import method_options, task_of
from chaffinch.cli.output_options import output_option
from chaffinch.cli.page_loop import work_through
from chaffinch.cli.source_options import source_options
from chaffinch.cli.targets import target
from chaffinch.cli.verb import Verb


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@method_options
@output_option
@source_options
@click.pass_context
def clean(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    page: str,
    output: str | None,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    **others: Any,
) -> None:
    """Print whole pages as HTML, minus their noise.

    One page, or all those of an archive or table.

    What holds the content together stays: head, title, and the elements around what is kept. Where
    the content stands only in data that scripts read, it alone is the body.
    """
    if is_folder(page):
        raise click.UsageError(f"one page is wanted, not a folder: {page}")
    task, fetching = task_of("clean", {**others, "is_corpus": is_corpus})
    sources = find([page], url=url, encoding=encoding, is_corpus=is_corpus)
    where = target(output, FORMS["clean"], is_several=is_several([page]))
    context.exit(work_through(sources, task, where, fetching=fetching))
