"""``chaffinch compare``: methods side by side on one page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from chaffinch.cli.options import Option, read_names, verb
from chaffinch.cli.pages import PAGE, READING, RECORD, RENDERING, Reading
from chaffinch.cli.site_pages import read_siblings, require_siblings
from chaffinch.cli.streams import write_file, write_out
from chaffinch.cli.work import EMPTY, POLICY, SIBLINGS, policy_of
from chaffinch.comparison.comparison import compare as compare_methods
from chaffinch.loading.address import addressed
from chaffinch.methods import DEFAULT, METHODS


def _html(_context: click.Context, _option: click.Parameter, given: Path | None) -> Path | None:
    if given is not None and given.suffix.lower() not in {".html", ".htm"}:
        raise click.BadParameter("the report is an .html file")
    return given


@verb(
    PAGE,
    Option(
        "-m", "--method", "names", multiple=True, metavar="NAMES", callback=read_names,
        help="Methods and baselines such as trafilatura, with commas between; default: all of "
        "'chaffinch methods'.",
    ),
    SIBLINGS,
    Option(
        "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text",
        help="Tables for people, or one JSON object with all text blocks.",
    ),
    Option(
        "--disputed", type=click.IntRange(min=0), default=20, metavar="N",
        help="Disputed blocks in the table, the longest first; 0 for all.",
    ),
    Option(
        "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
        callback=_html, help="Write a report with all text blocks to this .html file, too.",
    ),
    *POLICY,
    RECORD,
    *READING,
    *RENDERING,
    examples=(
        "chaffinch compare story.html",
        "chaffinch compare story.html -m auto -m block_density -o compared.html",
    ),
)  # fmt: skip
def compare(given: dict[str, Any]) -> int:
    """Compare what methods keep of a page.

    Figures of each method, how far each two agree, and the text blocks that some keep and others
    don't; what stands only in data that scripts read is counted apart. Methods that compare pages
    take part where --siblings gives some. What is to count as content holds for every method.
    """
    names = [DEFAULT if name == "auto" else name for name in dict.fromkeys(given["names"])]
    for name in names:
        if name in METHODS:
            require_siblings(name, given["siblings"], if_taken=False)
    reading = Reading.of(given)
    beside = read_siblings(given["siblings"], reading)
    source = reading.one(given["page"])
    page = source.as_page(reading.limits)
    seen = beside.beside(page, source.path) if given["siblings"] else page
    comparison = compare_methods(
        seen,
        url=seen.url or "" if given["siblings"] else None,
        methods=names or None,
        favor=given["favor"],
        policy=policy_of(given),
        siblings=beside.pages,
    )
    # The URL of a file is for methods that compare: the page stays what it is.
    shown = addressed(page)
    comparison = replace(comparison, blocks=replace(comparison.blocks, page=shown))
    if given["output"] is not None:
        write_file(given["output"], comparison.to_html(title=page.head.title or source.name))
    if given["form"] == "json":
        write_out(json.dumps(comparison.to_dict(), ensure_ascii=False, indent=2))
    else:
        write_out(comparison.table(limit=given["disputed"] or None))
    return 0 if any(one.length or one.embedded for one in comparison.columns) else EMPTY
