"""``chaffinch outline``: the headings of a page's content, and the sizes of its sections."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import one_line, print_note, write_out
from chaffinch.cli.method_options import method_options
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import EMPTY
from chaffinch.cli.render_options import render_options
from chaffinch.cli.rendering import extract_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.comparison.text_table import as_table

if TYPE_CHECKING:
    from chaffinch.comparison.text_table import CellValue
    from chaffinch.reading.sections import OutlineEntry


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@form_option("table", "json", help_text="Table for people, or one JSON object.")
@method_options
@source_options
@render_options
@click.pass_context
def outline(context: click.Context, /, *, page: str, form: str, **others: Any) -> None:
    """Print the headings of a page's content, and the sizes of its sections.

    A section is requested by its number: chaffinch extract PAGE -f markdown --section 2.1. Number 0
    is what stands before the first heading. Tokens are estimated. Exit code 3: there is no content.
    """
    found = extract_of(page, others)
    entries = found.outline()
    if form == "json":
        values = {"url": found.url, "outline": [asdict(one) for one in entries]}
        write_out(json.dumps(values, ensure_ascii=False, indent=2))
    else:
        write_out(_table(entries))
    if not entries:
        print_note(f"{page}: no main content found")
    context.exit(0 if entries else EMPTY)


def _table(entries: list[OutlineEntry]) -> str:
    rows: list[list[CellValue]] = [
        [
            one.number,
            one.tokens,
            one.length,
            one.id,
            "  " * one.number.count(".") + one_line(one.heading),
        ]
        for one in entries
    ]
    return as_table(["number", "tokens", "characters", "id", "heading"], rows)
