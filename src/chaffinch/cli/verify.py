"""``chaffinch verify``: whether a page contains a quotation, and where."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.messages import one_line, write_out
from chaffinch.cli.method_options import method_options
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import EMPTY
from chaffinch.cli.render_options import render_options
from chaffinch.cli.rendering import extract_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb

if TYPE_CHECKING:
    from chaffinch.citation.passages import Passage


_CODES: Final = {"exact": 0, "absent": EMPTY, "changed": 4, "contradicted": 5}
"""Exit codes."""


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@click.argument("quote", metavar="QUOTE")
@form_option("text", "json", help_text="Lines for people, or one JSON object.")
@method_options
@source_options
@render_options
@click.pass_context
def verify(context: click.Context, /, *, page: str, quote: str, form: str, **others: Any) -> None:
    """Report whether a page's content has a QUOTE, and where.

    exact: the same but for white space and forms of characters; only this has the exit code 0.
    absent (3): none that is like it. changed (4): at least 0.8 of the words of both are the same,
    in their order. contradicted (5): so, but a number, date, name or negation is another.
    """
    found = extract_of(page, others)
    passage = found.locate(quote)
    status = "absent" if passage is None else passage.status
    if form == "json":
        held = {"passage": None if passage is None else asdict(passage)}
        values = {"url": found.url, "quote": quote, "status": status, **held}
        write_out(json.dumps(values, ensure_ascii=False, indent=2))
    else:
        write_out("\n".join([status, *(_lines(passage) if passage else [])]))
    context.exit(_CODES[status])


def _lines(passage: Passage) -> list[str]:
    values = {
        "text": passage.text,
        "similarity": f"{passage.similarity:.2f}",
        "blocks": " ".join(passage.ids),
        "selector": passage.selector,
        "xpath": passage.xpath,
        "address": passage.url or passage.fragment,
    }
    return [f"  {name:<10} {one_line(value)}" for name, value in values.items() if value]
