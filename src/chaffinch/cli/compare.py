"""``chaffinch compare``: methods side by side on one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import write_file, write_out
from chaffinch.cli.method_options import siblings_option
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import EMPTY
from chaffinch.cli.policy_options import policy_options, wanted
from chaffinch.cli.render_options import loader_of, render_options
from chaffinch.cli.rendering import find_page
from chaffinch.cli.sibling_pages import read_siblings, require_siblings
from chaffinch.cli.source_options import fetching as fetching_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.comparison.comparison import compare as compare_methods
from chaffinch.methods import DEFAULT
from chaffinch.page.bounds import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@siblings_option
@click.option(
    "-m", "--method", "methods", multiple=True, metavar="NAME",
    help="A method to compare; may be repeated; default: all; see 'chaffinch methods'.",
)  # fmt: skip
@form_option(
    "table", "json", help_text="Tables for people, or one JSON object with all text blocks."
)
@click.option(
    "-n", "--limit", type=click.IntRange(min=0), default=20, show_default=True,
    help="Disputed blocks in the table, the longest first; 0 for all.",
)  # fmt: skip
@click.option(
    "--html", "report", type=click.Path(dir_okay=False, path_type=Path),
    help="Write a report with all text blocks to this .html file, too.",
)  # fmt: skip
@policy_options
@source_options
@render_options
@click.pass_context
def compare(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    page: str,
    siblings: Sequence[str],
    methods: Sequence[str],
    form: str,
    limit: int,
    report: Path | None,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Compare what methods keep of a page.

    Figures of each method, how far each two agree, and the text blocks that some keep and others
    don't; what stands only in data that scripts read is counted apart. Methods that compare pages
    take part where --siblings gives some. What is to count as content holds for
    every method.
    """
    names = [DEFAULT if name == "auto" else name for name in dict.fromkeys(methods)]
    for name in names:
        require_siblings(name, siblings)
    fetching = fetching_of(others)
    limits = Limits(max_bytes=fetching.limits.max_bytes)
    beside = read_siblings(siblings, limits=limits, is_corpus=is_corpus)
    loader = loader_of(render, browser, fetching, limits)
    options = {"url": url, "encoding": encoding, "is_corpus": is_corpus}
    source = find_page(page, fetching, loader, max_bytes=limits.max_bytes, **options)
    parsed = source.as_page(limits)
    seen = beside.beside(parsed, source.path) if siblings else parsed
    comparison = compare_methods(
        seen,
        url=seen.url or "" if siblings else None,
        methods=names or None,
        favor=others["favor"],
        policy=wanted(others),
        siblings=beside.pages,
    )
    if report is not None:
        write_file(report, comparison.to_html(title=parsed.head.title or source.name))
    if form == "json":
        write_out(json.dumps(comparison.to_dict(), ensure_ascii=False, indent=2))
    else:
        write_out(comparison.table(limit=limit or None))
    context.exit(
        0 if any(column.length or column.embedded for column in comparison.columns) else EMPTY
    )
