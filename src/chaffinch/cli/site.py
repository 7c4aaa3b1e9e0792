"""``chaffinch site``: site models looked at and compared."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import write_file, write_out
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.site.differences import differences
from chaffinch.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chaffinch.page import Page

_MODEL = click.Path(dir_okay=False, path_type=Path)


@click.group
def site() -> None:
    """Look at site models that 'chaffinch learn' made, and compare them."""


@site.command(cls=Verb)
@click.argument("model", type=_MODEL)
@click.argument("pages", nargs=-1, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@form_option("text", "json", help_text="Lines for people, or one JSON object.")
@click.option(
    "--html", "report_file", type=_MODEL,
    help="Write templates and rules to this .html file, too; with pages given, with a heat map "
    "over one of each template.",
)  # fmt: skip
@source_options
@click.pass_context
def report(
    context: click.Context,
    /,
    *,
    model: Path,
    pages: Sequence[str],
    form: str,
    report_file: Path | None,
    **others: Any,
) -> None:
    """Show what a site model holds; with pages, what has changed on them since it was learned."""
    learned = Site.load(model)
    found = SitePages(pages, others, site=learned)
    given = _used(learned, found)
    report = learned.report()
    if report_file is not None:
        write_file(report_file, report.to_html(given))
    deque(given, maxlen=0)  # where no report took them
    as_json = json.dumps(report.to_dict(), ensure_ascii=False, indent=2)
    write_out(as_json if form == "json" else report.to_text())
    context.exit(FAILED if found.failed else 0)


def _used(learned: Site, pages: Iterable[Page]) -> Iterator[Page]:
    """Use the model on pages as they pass, so that what has changed is counted."""
    for page in pages:
        learned(page)
        yield page


@site.command(cls=Verb)
@click.argument("before", type=_MODEL)
@click.argument("after", type=_MODEL)
def diff(*, before: Path, after: Path) -> None:
    """Describe what differs between two models of a site."""
    found = differences(Site.load(before), Site.load(after))
    write_out("\n".join(found) or "nothing differs")
