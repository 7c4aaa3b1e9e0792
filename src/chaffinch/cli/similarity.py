"""``chaffinch similarity``: how alike pages of one layer of a site are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.inputs import at_hand, find
from chaffinch.cli.messages import print_error, write_out
from chaffinch.cli.option_lists import form_option, inputs_argument
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.sibling_pages import addressed_siblings
from chaffinch.cli.source_options import fetching as fetching_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.comparison.layer_similarity import PARTS, PartScores, layer_similarity
from chaffinch.comparison.text_table import as_table
from chaffinch.errors import PageError
from chaffinch.output.csv_text import as_csv
from chaffinch.page.bounds import Limits
from chaffinch.page.urls import host_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chaffinch.comparison.layer_similarity import PageLikeness
    from chaffinch.page import Page

    Row = dict[str, Any]

_LEAST: Final = 2
_DIGITS: Final = 3
_NONE: Final = "–"  # stands in the table for what couldn't be compared


@click.command(cls=Verb)
@inputs_argument
@click.option(
    "-n", "--count", type=click.IntRange(min=1), default=4, show_default=True,
    help="Pages that each is compared with: the nearest by address.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(("page", "site")), default="page", show_default=True,
    help="A row for each page, or for each host as in the source's Table 1.",
)  # fmt: skip
@form_option("table", "csv", "json", help_text="Table for people; CSV; one JSON object.")
@source_options
@click.pass_context
def similarity(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    inputs: Sequence[str],
    count: int,
    by: str,
    form: str,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    **others: Any,
) -> None:
    """Measure how alike pages of one layer of a site are.

    The measure is that of Table 1 of same-layer-similarity: of head, navigation, foot and
    advertisements the share that another page has, too, by tags alone and with their text. Beside
    it, the share of tag paths in common, and of nodes that the nearest page has to the letter.
    """
    fetching = fetching_of(others)
    limits = Limits(max_bytes=fetching.limits.max_bytes)
    sources = find(inputs, url=url, encoding=encoding, is_corpus=is_corpus)
    found: list[tuple[Page, Path | None]] = []
    names: list[str] = []
    failed = False
    for source in at_hand(sources, fetching):
        try:
            found.append((source.as_page(limits), source.path))
        except PageError as error:
            failed = True
            print_error(f"{source.name}: {error}")
        else:
            names.append(source.name)
    if len(found) < _LEAST:
        raise click.UsageError(f"at least {_LEAST} pages are compared; {len(found)} could be read")
    pages = addressed_siblings(found).pages
    alike = layer_similarity(pages, most=count)
    rows = _by_page(names, alike) if by == "page" else _by_site(pages, alike)
    write_out(_written(rows, _scores(alike), by=by, form=form, count=count))
    context.exit(FAILED if failed else 0)


def _written(rows: Sequence[Row], total: Row, *, by: str, form: str, count: int) -> str:
    """Return rows of figures, and those of all pages, in one of the forms."""
    if form == "json":
        values = {"count": count, f"{by}s": rows, "all": total}
        return json.dumps(values, ensure_ascii=False, indent=2)
    names = list(rows[0])
    if form == "csv":
        return as_csv([names, *([_cell(one, "") for one in row.values()] for row in rows)])
    known = {name: value for name, value in total.items() if name in names}
    last = dict.fromkeys(names, "") | {by: "all"} | known
    shown = [[_cell(one, _NONE) for one in row.values()] for row in [*rows, last]]
    return as_table([name.replace("_", " ") for name in names], shown)


def _by_page(names: Sequence[str], alike: Sequence[PageLikeness]) -> list[Row]:
    return [
        {
            "page": name,
            **_scores([one]),
            "nearest": names[one.others[0]] if one.others else None,
        }
        for name, one in zip(names, alike, strict=True)
    ]


def _by_site(pages: Sequence[Page], alike: Sequence[PageLikeness]) -> list[Row]:
    """Return a row for each host, in the order of their first pages."""
    hosts = [host_name(page.url) for page in pages]
    rows = []
    for host in dict.fromkeys(hosts):
        some = [one for one, other in zip(alike, hosts, strict=True) if other == host]
        tags = PartScores.joined(one.tags for one in some)
        sums = {"pages": len(some), "score": tags.score, "of": tags.most}
        rows.append({"site": host or "unknown", **sums, **_scores(some)})
    return rows


def _scores(some: Sequence[PageLikeness]) -> Row:
    """Return the figures of some pages together; None where nothing could be compared."""
    tags = PartScores.joined(one.tags for one in some)
    texts = PartScores.joined(one.texts for one in some)
    return {
        "compared": sum(len(one.others) for one in some),
        **{part: _rounded(tags.of_part(part)) for part in PARTS},
        "similarity": _rounded(tags.similarity),
        "with_text": _rounded(texts.similarity),
        "paths": _mean([one.paths for one in some]),
        "equal_nodes": _mean([one.equal for one in some]),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return _rounded(sum(known) / len(known)) if known else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _cell(value: Any, none: str) -> Any:
    return none if value is None else f"{value:.{_DIGITS}f}" if isinstance(value, float) else value
