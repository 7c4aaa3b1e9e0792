"""``chaffinch columns``: a page as the table it is, to look at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.messages import print_note, write_out
from chaffinch.cli.method_options import method_options, task_of
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.render_options import loader_of, render_options
from chaffinch.cli.rendering import find_page
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.comparison.text_table import CellValue, as_table
from chaffinch.errors import require_one_of
from chaffinch.lazy import lazy_module
from chaffinch.output.csv_text import as_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch.extraction.extract import Extract
    from chaffinch.model import block_relation
else:
    block_relation = lazy_module("chaffinch.model.block_relation")

COLUMNS: Final[dict[str, Callable[[Extract, int], CellValue]]] = {
    "row": lambda _, row: row,
    "parent": lambda found, row: int(found.page.parent[row]),
    "depth": lambda found, row: int(found.page.depth[row]),
    "end": lambda found, row: int(found.page.end[row]),
    "size": lambda found, row: int(found.page.size[row]),
    "length": lambda found, row: int(found.page.length[row]),
    "own_length": lambda found, row: int(found.page.own_length[row]),
    "link_length": lambda found, row: int(found.page.link_length[row]),
    "line": lambda found, row: int(found.page.line[row]),
    "shown": lambda found, row: bool(found.page.shown[row]),
    "keep": lambda found, row: bool(found.content.kept[row]),
    "score": lambda found, row: round(float(found.score[row]), 4),
    "why": lambda found, row: found.reasons[found.why[row]],
    "tag": lambda found, row: found.page.name(row),
    "id": lambda found, row: found.page.attribute(row, "id") or "",
    "class": lambda found, row: " ".join(found.page.classes(row)),
    "text": lambda found, row: " ".join(_own_text(found, row).split()),
    "selector": lambda found, row: found.page.selector(row) if found.page.tag[row] else "",
    "xpath": lambda found, row: found.page.xpath(row),
    "title_relation": lambda found, row: _relation(found, row, 0),
    "main_relation": lambda found, row: _relation(found, row, 1),
    "shape_hash": lambda found, row: f"{found.page.shape_hash[row]:016x}",
}
"""Name → value of a row."""

USUAL: Final = ("row", "parent", "depth", "end", "length", "link_length", "keep", "tag", "text")


def _names(_context: click.Context, _option: click.Parameter, given: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in given.split(",") if name.strip())
    for name in names:
        require_one_of("column", name, COLUMNS)
    return names or USUAL


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@click.option(
    "-c", "--columns", default=",".join(USUAL), show_default=True, callback=_names,
    help=f"Names with commas between, of: {', '.join(COLUMNS)}.",
)  # fmt: skip
@click.option(
    "-n", "--limit", type=click.IntRange(min=0), default=0,
    help="The first rows only; default: all.",
)  # fmt: skip
@form_option(
    "table",
    "csv",
    "json",
    help_text="Table for people, whose long texts are cut; CSV; JSON, one object a line.",
)
@click.option(
    "--formula-cells",
    is_flag=True,
    help="Leave cells of CSV that spreadsheets take for formulas as they are.",
)
@method_options
@source_options
@render_options
def columns(  # noqa: PLR0913  the options of the verb
    *,
    page: str,
    columns: tuple[str, ...],
    limit: int,
    form: str,
    formula_cells: bool,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Print a page as a table: one row an element or text run.

    A subtree is the rows from its first up to "end"; lengths are characters, white space folded;
    keep, score and why are the verdict of the method. Where the content stands only in data that
    scripts read, the rows are those of the page made of it, which outputs name, too.
    """
    task, fetching = task_of("text", {**others, "is_corpus": is_corpus})
    loader = loader_of(render, browser, fetching, task.limits, task.replacements)
    options = {"url": url, "encoding": encoding, "is_corpus": is_corpus}
    source = find_page(page, fetching, loader, max_bytes=task.limits.max_bytes, **options)
    found = task.extract(source)
    if found.given is not None:
        where = found.source or "data"
        print_note(
            f"{source.name}: its content stands only in {where}: rows of the page made of that"
        )
    rows = [
        [COLUMNS[name](found, row) for name in columns]
        for row in range(min(limit or len(found.page), len(found.page)))
    ]
    if form == "csv":
        write_out(as_csv([columns, *rows], defused=not formula_cells))
    else:
        write_out(_WRITERS[form](columns, rows))


def _own_text(found: Extract, row: int) -> str:
    page = found.page
    return page.text[page.text_at[row] : page.text_at[row + 1]]


def _relation(found: Extract, row: int, which: int) -> float:
    return round(float(block_relation.text_relation(found.page)[which][row]), 4)


def as_json(names: Sequence[str], rows: Sequence[Sequence[CellValue]]) -> str:
    """Return one JSON object a line."""
    objects = (dict(zip(names, row, strict=True)) for row in rows)
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in objects)


_WRITERS: Final = {"table": as_table, "json": as_json}
