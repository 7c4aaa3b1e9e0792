"""``chaffinch extract``: the main content of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from chaffinch.cli.filter_options import filter_options
from chaffinch.cli.forms import EXTRACTED, FORMS
from chaffinch.cli.inputs import find, is_several
from chaffinch.cli.method_options import method_options, report_changes, task_of
from chaffinch.cli.option_lists import form_option, inputs_argument, workers_option
from chaffinch.cli.output_options import output_option, refuse_idle, shown_options
from chaffinch.cli.page_loop import work_through
from chaffinch.cli.politeness_options import politeness_options
from chaffinch.cli.render_options import loader_of, plain_loader, render_options
from chaffinch.cli.source_options import source_options
from chaffinch.cli.targets import target
from chaffinch.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.cli.source import Source
    from chaffinch.cli.targets import Target

AUTO: Final = "auto"
"""What stands for siblings that are to be found."""


@click.command(cls=Verb)
@inputs_argument
@form_option(
    *EXTRACTED,
    help_text="What to make of the content; JSON is one line a page, with metadata; TEI is XML; "
    "CSV is its tables, in a folder a file each.",
)
@shown_options
@method_options
@filter_options
@click.option(
    "--save-counts",
    is_flag=True,
    help="Add what became of these pages to the counts beside the site model (--site), so that "
    "changes of the site are seen over many runs.",
)
@click.option(
    "--all-parts",
    is_flag=True,
    help="Join articles that stand on several pages: of an address or a file, the other parts are "
    "found and loaded; of folders and archives, they are among the pages given.",
)
@click.option(
    "--max-parts",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="Parts of an article at most.",
)
@output_option
@source_options
@politeness_options
@render_options
@workers_option
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
    is_corpus: bool,
    render: str,
    browser: str | None,
    all_parts: bool,
    **others: Any,
) -> None:
    """Extract the main content of pages.

    Pages are given as addresses, files, folders (all .html, .htm, .xhtml and .mhtml files in them,
    packed by gzip or not), or "-" for standard input. Of JSON lines, Parquet, WARC, zip and tar
    files each page is taken. A page that fails has a line on standard error, and the others go on.

    With --siblings auto, pages of the same layer as each address are found, fetched and learned
    from, and with --all-parts, the other parts of its article are found and fetched; --delay,
    --per-host, --at-once, --retries and --back-off set how politely.
    """
    sources = find(inputs, url=url, encoding=encoding, is_corpus=is_corpus)
    where = target(output, FORMS[form], is_several=is_several(inputs))
    others |= {"is_corpus": is_corpus}
    refuse_idle(context, form)
    is_given = context.get_parameter_source("max_parts") is ParameterSource.COMMANDLINE
    if is_given and not all_parts:
        raise click.UsageError("--max-parts goes with --all-parts")
    if AUTO in others["siblings"]:
        if len(others["siblings"]) > 1:
            raise click.UsageError("--siblings auto goes without other siblings")
        if render != "never" or all_parts:
            raise click.UsageError("--siblings auto goes without --render and --all-parts")
        context.exit(_with_found_siblings(form, sources, where, others))
    task, fetching = task_of(form, others)
    loader = loader_of(render, browser, fetching, task.limits, task.replacements)
    if all_parts:
        from chaffinch.cli.article_sources import article_sources  # noqa: PLC0415  few calls join

        given = {**others, "render": render, "browser": browser}
        site: Any = task.method if others["site_model"] else None
        plain = loader or plain_loader(task.limits, task.replacements)
        joined = article_sources(sources, given, fetching, plain, site)
        sources, loader = list(joined), None
    code = work_through(sources, task, where, fetching=fetching, workers=workers, loader=loader)
    report_changes(task, others)
    context.exit(code)


def _with_found_siblings(
    form: str, sources: Sequence[Source], where: Target, given: Mapping[str, Any]
) -> int:
    from chaffinch.cli.found_siblings import (  # noqa: PLC0415  few calls look for them
        run_each,
        task_without_siblings,
    )

    task, fetching = task_without_siblings(form, given, sources)
    return run_each(sources, task, where, fetching=fetching, given=given)
