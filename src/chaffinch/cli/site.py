"""``chaffinch site``: site models looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import write_out
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Sequence

_MODEL = click.Path(dir_okay=False, path_type=Path)


@click.group
def site() -> None:
    """Look at site models that 'chaffinch learn' made."""


@site.command(cls=Verb)
@click.argument("model", type=_MODEL)
@click.argument("pages", nargs=-1, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@form_option("text", "json", help_text="Lines for people, or one JSON object.")
@source_options
@click.pass_context
def report(
    context: click.Context,
    /,
    *,
    model: Path,
    pages: Sequence[str],
    form: str,
    **others: Any,
) -> None:
    """Show what a site model holds; with pages, what has changed on them since it was learned."""
    learned = Site.load(model)
    found = SitePages(pages, others, site=learned)
    for page in found:  # so that what has changed is counted
        learned(page)
    report = learned.report()
    as_json = json.dumps(report.to_dict(), ensure_ascii=False, indent=2)
    write_out(as_json if form == "json" else report.to_text())
    context.exit(FAILED if found.failed else 0)
