"""``chaffinch diff``: what of the content changed between two versions of a page."""

from __future__ import annotations

import json
from typing import Any

import click

from chaffinch.cli.messages import print_note, write_out
from chaffinch.cli.method_options import method_options
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.render_options import render_options
from chaffinch.cli.rendering import extract_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb


@click.command(cls=Verb)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@form_option(
    "text", "json", "markdown",
    help_text="Lines that begin with - and +, one JSON object, or a list with the words marked.",
)  # fmt: skip
@click.option(
    "--links/--no-links", default=True, show_default=True,
    help="Whether a link whose words stayed, but that leads elsewhere, is a change.",
)  # fmt: skip
@method_options
@source_options
@render_options
def diff(*, old: str, new: str, form: str, links: bool, **others: Any) -> None:
    """Print what of the content changed between two versions of a page.

    OLD and NEW are addresses, files, or one of them "-"; --url is the address of both. Navigation,
    advertisements don't count, nor does what moved, nor counters and dates such as "3 hours ago"
    that stand apart from prose. Where nothing changed, nothing is printed but a note.
    """
    found = extract_of(old, others).difference(extract_of(new, others), links=links)
    if form == "json":
        write_out(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    elif found:
        write_out(found.text() if form == "text" else found.markdown())
    else:
        print_note("nothing of the content changed")
