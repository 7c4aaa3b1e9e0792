"""``chaffinch extract``: the main content of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli import auto_siblings, options, politeness
from chaffinch.cli.inputs import find, is_folder
from chaffinch.cli.outputs import target
from chaffinch.cli.page_runs import run
from chaffinch.cli.page_task import FORMS
from chaffinch.cli.rendering import loader_of, render_options

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command
@click.argument("inputs", nargs=-1, required=True, metavar="[URL | FILE | FOLDER | -]...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice([name for name in FORMS if name != "clean"]),
    default="text",
    show_default=True,
    help="What to make of the content; JSON is one line a page, with metadata; TEI is XML; CSV is "
    "its tables, in a folder a file each.",
)
@options.shown_options
@options.method_options
@click.option(
    "--save-counts",
    is_flag=True,
    help="Add what became of these pages to the counts beside the site model (--site), so that "
    "changes of the site are seen over many runs.",
)
@options.output_option
@options.source_options
@politeness.politeness_options
@render_options
@click.option(
    "-w",
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes to use.",
)
@click.pass_context
def extract(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    inputs: Sequence[str],
    form: str,
    output: str | None,
    workers: int,
    url: str | None,
    encoding: str | None,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Extract the main content of pages.

    Pages are given as addresses, files, folders (all .html, .htm and .xhtml files in them), or "-"
    for standard input. A page that fails has a line on standard error, and the others go on.

    With --siblings auto, pages of the same layer as each address are found, fetched and learned
    from; --delay, --per-host, --at-once, --retries and --back-off say how politely.
    """
    sources = find(inputs, url=url, encoding=encoding)
    is_several = len(inputs) > 1 or is_folder(inputs[0])
    where = target(output, FORMS[form], is_several=is_several)
    if auto_siblings.is_asked(others["siblings"]):
        if render != "never":
            raise click.UsageError("--siblings auto goes without --render")
        recipe, fetching = auto_siblings.parted(form, others, sources)
        context.exit(
            auto_siblings.run_each(sources, recipe, where, fetching=fetching, given=others)
        )
    recipe, fetching = options.parted(form, others)
    loader = loader_of(render, browser, fetching, recipe.limits)
    code = run(sources, recipe, where, fetching=fetching, workers=workers, loader=loader)
    options.say_changes(recipe, others)
    context.exit(code)
