"""A comparison as one HTML page: text blocks as rows, methods as columns.

The page needs nothing but itself: no scripts, no fonts, no images, and a policy that lets none in.
All that comes from the page compared is escaped; characters that no HTML may hold are replaced.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from chaffinch.comparison.column import STATES
from chaffinch.comparison.safe_html import POLICY, safe, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.comparison.column import Column
    from chaffinch.comparison.comparison import Comparison

_LONGEST: Final = 600  # characters of a block that are shown
_CLASSES: Final = dict(zip(STATES, ("drop", "part", "keep"), strict=True))
_MARKS: Final = dict(zip(STATES, ("–", "◐", "✓"), strict=True))


def as_html(comparison: Comparison, *, title: str) -> str:
    """Return the report; see `Comparison.to_html`."""
    return "\n".join(_lines(comparison, title or comparison.page.head.title or "A page"))


def _lines(comparison: Comparison, title: str) -> Iterator[str]:
    page, blocks = comparison.page, comparison.blocks
    style = files("chaffinch.comparison").joinpath("report.css").read_text(encoding="utf-8")
    yield "<!DOCTYPE html>"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{safe(title)} - compared</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>\n{style}</style></head><body>"
    yield f'<h1 dir="auto">{safe(title)}</h1>'
    where = f"{safe(page.url)}<br>" if page.url else ""
    yield (
        f"<p>{where}{len(page):,} rows, {int(page.own_length.sum()):,} characters, "
        f"{len(blocks):,} text blocks, {len(comparison.disputed):,} of them disputed; "
        f"siblings: {comparison.siblings:,}</p>"
    )
    yield from _summary(comparison)
    yield from _blocks(comparison)
    yield "</body></html>\n"


def _summary(comparison: Comparison) -> Iterator[str]:
    """Yield the table of figures, with how far the methods agree, and what was left out."""
    names = [column.name for column in comparison.columns]
    heads = ["method", "characters", "share", "blocks", "rows", "ms", *names]
    yield '<div class="wide"><table class="summary"><caption>What each method kept; on the right, '
    yield "how far each two agree (characters kept by both / by either)</caption><thead><tr>"
    yield "".join(f'<th scope="col">{_name(head)}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for column, line in zip(comparison.columns, comparison.agreement.tolist(), strict=True):
        notes = "; ".join(f"{name}: {note}" for name, note in column.remarks.items())
        note = f"<details><summary>notes</summary>{safe(notes)}</details>" if notes else ""
        yield (
            f'<tr><th scope="row">{safe(column.name)}{note}</th><td>{column.length:,}</td>'
            f'<td><span class="bar" style="width:{4 * column.share:.2f}em"></span>'
            f"{column.share:.1%}</td><td>{int(column.keep.sum()):,}</td><td>{column.rows:,}</td>"
            f"<td>{column.milliseconds:.1f}</td>"
            + "".join(f"<td>{value:.2f}</td>" for value in line)
            + "</tr>"
        )
    yield "</tbody></table></div>"
    for name, why in comparison.left_out.items():
        yield f"<p>Left out: <b>{safe(name)}</b>: {safe(why)}</p>"


def _blocks(comparison: Comparison) -> Iterator[str]:
    """Yield the table of text blocks."""
    blocks, columns = comparison.blocks, comparison.columns
    disputed = set(comparison.disputed)
    yield (
        '<p><label><input type="checkbox" id="only"> Only blocks that the methods dispute</label> '
        "(hover over a cell for its reason)</p>"
    )
    yield '<table class="blocks"><thead><tr><th scope="col">#</th><th scope="col">text</th>'
    yield "".join(f'<th scope="col">{_name(column.name)}</th>' for column in columns)
    yield "</tr></thead><tbody>"
    for number in range(len(blocks)):
        kind = "disputed" if number in disputed else "agreed"
        selector = safe(blocks.page.selector(int(blocks.owner[number])))
        yield (
            f'<tr class="{kind}"><td title="{selector}">{number + 1}</td>'
            f'<td dir="auto">{shortened(blocks.text(number), _LONGEST)}</td>'
            + "".join(_verdict(column, number) for column in columns)
            + "</tr>"
        )
    yield "</tbody></table>"


def _verdict(column: Column, number: int) -> str:
    state, score = column.state(number), float(column.score[number])
    title = safe(f"{column.name}: {state}; score {score:.2f}; {column.reasons[number]}")
    return f'<td class="{_CLASSES[state]}" title="{title}">{_MARKS[state]} {score:.2f}</td>'


def _name(name: str) -> str:
    """Return a method's name that may be broken at its underscores."""
    return safe(name).replace("_", "_<wbr>")
