"""``chaffinch diff`` and ``verify``: a page beside an earlier version, or beside a quotation."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

import click

from chaffinch.cli.options import Option, form_option, verb
from chaffinch.cli.pages import READING, RECORD, RENDERING
from chaffinch.cli.streams import one_line, print_note, write_out
from chaffinch.cli.work import EMPTY, METHOD, extract_of
from chaffinch.reading.quotes import Passage

_CODES: Final = {"exact": 0, "absent": EMPTY, "changed": 4, "contradicted": 5}
"""Exit codes."""


@verb(
    click.Argument(["old"], metavar="OLD"),
    click.Argument(["new"], metavar="NEW"),
    form_option(
        "text", "json", "markdown",
        meaning="Lines that begin with - and +, one JSON object, or a list with the words marked.",
    ),
    Option(
        "--links/--no-links", default=True,
        help="Whether a link whose words stayed, but that leads elsewhere, is a change.",
    ),
    *METHOD,
    *READING,
    *RENDERING,
    examples=(
        "chaffinch diff yesterday.html today.html",
        "chaffinch diff terms-2025.html https://shop.example/terms -f markdown",
    ),
)  # fmt: skip
def diff(given: dict[str, Any]) -> None:
    """Print what of the content changed between two versions of a page.

    OLD and NEW are URLs, files, or one of them "-"; --url is the URL of both. Navigation and
    advertisements don't count, nor does what moved, nor counters and dates such as "3 hours ago"
    that stand apart from prose. Where nothing changed, nothing is printed but a note.
    """
    old, new = extract_of(given["old"], given), extract_of(given["new"], given)
    found = old.difference(new, links=given["links"])
    if given["form"] == "json":
        write_out(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    elif found:
        write_out(found.text() if given["form"] == "text" else found.markdown())
    else:
        print_note("nothing of the content changed")


@verb(
    click.Argument(["page"], metavar="URL|FILE|-"),
    click.Argument(["quote"], metavar="QUOTE"),
    form_option("text", "json", meaning="Lines for people, or one JSON object."),
    *METHOD,
    RECORD,
    *READING,
    *RENDERING,
    examples=(
        'chaffinch verify story.html "rye ripens in July"',
        'chaffinch verify https://grain.example/rye "sown in autumn" -f json',
    ),
)  # fmt: skip
def verify(given: dict[str, Any]) -> int:
    """Report whether a page's content has a QUOTE, and where.

    exact: the same but for white space and forms of characters; only this has the exit code 0.
    absent (3): none that is like it. changed (4): at least 0.8 of the words of both are the same,
    in their order. contradicted (5): so, but a number, date, name or negation is another.
    """
    found = extract_of(given["page"], given)
    passage = found.locate(given["quote"])
    status = "absent" if passage is None else passage.status
    if given["form"] == "json":
        held = {"passage": None if passage is None else asdict(passage)}
        values = {"url": found.url, "quote": given["quote"], "status": status, **held}
        write_out(json.dumps(values, ensure_ascii=False, indent=2))
    else:
        write_out("\n".join([status, *(_lines(passage) if passage else [])]))
    return _CODES[status]


def _lines(passage: Passage) -> list[str]:
    values = {
        "text": passage.text,
        "similarity": f"{passage.similarity:.2f}",
        "blocks": " ".join(passage.ids),
        "selector": passage.selector,
        "xpath": passage.xpath,
        "url": passage.url or passage.fragment,
    }
    return [f"  {name:<10} {one_line(value)}" for name, value in values.items() if value]
