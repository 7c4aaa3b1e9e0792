"""``chaffinch records``: the entries of list pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.forms import FORMS
from chaffinch.cli.inputs import find, is_several
from chaffinch.cli.method_options import method_options, report_changes, task_of
from chaffinch.cli.option_lists import form_option, inputs_argument, workers_option
from chaffinch.cli.output_options import output_option
from chaffinch.cli.page_loop import work_through
from chaffinch.cli.render_options import loader_of, render_options
from chaffinch.cli.source_options import source_options
from chaffinch.cli.targets import target
from chaffinch.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

_FORMS: Final = {"csv": "entry table", "json": "entries"}


@click.command(cls=Verb)
@inputs_argument
@form_option("csv", "json", help_text="CSV is a table a page; JSON is a line an entry.")
@click.option(
    "--formula-cells",
    is_flag=True,
    help="Leave cells of CSV that spreadsheets take for formulas as they are.",
)
@method_options
@output_option
@source_options
@render_options
@workers_option
@click.pass_context
def records(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    inputs: Sequence[str],
    form: str,
    output: str | None,
    workers: int,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Print the entries of list pages, each with its fields.

    Search results, categories, archives, tables and front pages: title, link, image, price, date,
    author, summary, and other fields by their place. Entries are found by repeated structure, or by
    the rules of a site model (--site). Pages are given as for 'chaffinch extract'; one without a
    list prints nothing.
    """
    sources = find(inputs, url=url, encoding=encoding, is_corpus=is_corpus)
    name = _FORMS[form]
    where = target(output, FORMS[name], is_several=is_several(inputs))
    given = {**others, "is_corpus": is_corpus, "save_counts": False}
    task, fetching = task_of(name, given)
    loader = loader_of(render, browser, fetching, task.limits, task.replacements)
    code = work_through(sources, task, where, fetching=fetching, workers=workers, loader=loader)
    report_changes(task, given)
    context.exit(code)
