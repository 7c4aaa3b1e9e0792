"""``chaffinch extract``: the main content of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import click

from chaffinch import record, web
from chaffinch.cli import work
from chaffinch.cli.options import Option, refuse, verb
from chaffinch.cli.outputs import FORM, FORMS, OUTPUT, SHOWN, Target, form_of, refuse_idle, target
from chaffinch.cli.pages import INPUTS, READING, RENDERING, Reading, Source, is_several
from chaffinch.cli.site_pages import PACE, Siblings, article_sources
from chaffinch.cli.streams import print_error, print_note, write_out
from chaffinch.errors import PageError
from chaffinch.methods import settings_of
from chaffinch.page.page import STATUSES
from chaffinch.site import site as sites
from chaffinch.wording import counted

AUTO: Final = "auto"
"""What stands for siblings that are to be found."""


def _show_schema(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not context.resilient_parsing:
        write_out(record.schema())
        context.exit()


@verb(
    INPUTS,
    FORM,
    OUTPUT,
    *work.METHOD,
    *SHOWN,
    *work.FILTER,
    Option(
        "--all-parts", is_flag=True, heading="Parts",
        help="Join articles that stand on several pages: of URLs, or of one file, the other parts "
        "are found and loaded.",
    ),
    Option(
        "--max-parts", type=click.IntRange(min=1), default=50, metavar="N", heading="Parts",
        needs="--all-parts", help="Parts of an article at most.",
    ),
    *READING,
    Option(
        "--status", type=click.IntRange(*STATUSES), metavar="CODE", heading="Reading",
        help="HTTP status of the response that had the pages, where it isn't known otherwise.",
    ),
    *RENDERING,
    *PACE,
    work.WORKERS,
    Option(
        "--schema", is_flag=True, is_eager=True, expose_value=False, callback=_show_schema,
        heading="Other", help="Print the JSON schema of what --format json writes for a page.",
    ),
    examples=(
        "chaffinch extract story.html -o story.md",
        "chaffinch extract pages/ --format json --with metadata,images --workers 2 > pages.jsonl",
    ),
)  # fmt: skip
def extract(given: dict[str, Any]) -> int:
    """Extract the main content of pages.

    Pages are given as URLs, files, folders (all .html, .htm, .xhtml and .mhtml files in them,
    packed by gzip or not), or "-" for standard input, which is read where nothing is given. Of JSON
    lines, Parquet, WARC, zip and tar files each page is taken. A page that fails has a line on
    standard error, and the others go on.

    With --siblings auto, pages of the same template as each URL are found, fetched and learned
    from; they teach a site model unless a method that compares is named.
    """
    reading, form = Reading.of(given), form_of(given)
    refuse_idle(click.get_current_context(), form)
    if "assessment" in (given["OutputOptions__parts"] or ()):
        reading = replace(reading, accept_errors=True)
    sources = [one.having(status=given["status"] or 0) for one in reading.sources(given["inputs"])]
    where = target(given["output"], FORMS[form], is_several=is_several(given["inputs"]))
    if AUTO in given["siblings"]:
        return _with_found_siblings(form, sources, where, given, reading)
    if not given["all_parts"]:
        refuse("goes with --siblings auto or --all-parts; 'crawl' fetches lists at a pace", PACE)
    task = work.PageTask.of(form, given, reading)
    if given["all_parts"]:
        site: Any = task.method if given["site_model"] else None
        sources = list(article_sources(sources, given, reading, site))
        reading = replace(reading, render="never")  # they are rendered already
    code = work.work_through(sources, task, where, reading, workers=given["workers"])
    work.report_changes(task, given)
    return code


def _with_found_siblings(
    form: str, sources: Sequence[Source], where: Target, given: dict[str, Any], reading: Reading
) -> int:
    method = given["method"]
    if len(given["siblings"]) > 1:
        raise click.UsageError("--siblings auto goes without other siblings")
    if reading.render != "never" or given["all_parts"]:
        raise click.UsageError("--siblings auto goes without --render and --all-parts")
    if method == "auto":
        work.require_page_level("--siblings auto without --method", given)
    elif "siblings" not in settings_of(method):
        raise click.UsageError(f"{method} looks at one page alone; --siblings auto is not for it")
    if others := [one.name for one in sources if one.kind != "address"]:
        raise click.UsageError(f"--siblings auto goes with URLs, not with {others[0]}")
    plain = {**given, "siblings": (), "method": "auto", "settings": {}}
    task = work.PageTask.of(form, plain, reading)
    options = {**task.options, "settings": given["settings"] or None}
    task = replace(task, method=method, options=options)
    codes = [_beside_found(source, task, where, reading) for source in sources]
    return work.FAILED if work.FAILED in codes else min(codes, default=work.EMPTY)


def _beside_found(source: Source, task: work.PageTask, where: Target, reading: Reading) -> int:
    try:
        found = web.find_siblings(source.name, **reading.manners)
    except PageError as error:
        print_error(f"{source.name}: {error}")
        return work.FAILED
    if not found.siblings:
        print_error(f"{source.name}: no page of the same template was found to compare it with")
        return work.FAILED
    print_note(f"{source.name}: with {counted(len(found.siblings), 'page')} of the same template")
    pages = tuple(sibling.page for sibling in found.siblings)
    if task.method == "auto":
        task = replace(task, method=sites.Site.learn([found.page, *pages]))
    else:
        task = replace(task, siblings=Siblings(pages))
    task.check()
    here = replace(source.having(url=found.url), kind="record", page=found.page)
    return work.work_through([here], task, where, reading)
