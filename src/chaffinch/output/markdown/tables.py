"""Data tables as GFM tables: one header line, spans filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.elements.tables import Grid

_LONG: Final = 80  # characters; a longer cell that spans several places is written once


def table_lines(places: Grid, words: Mapping[int, str]) -> list[str]:
    """Return the lines of a table; ``words`` is the Markdown of each cell that holds any.

    GFM requires one header: the first line of the table's header, or its first line where no cell
    is a th; else (only row headers) an empty one. A cell that spans several places stands in each,
    but a long one, or one as wide as the table, only in the first.
    """
    width = places.width
    if not any(words.get(cell) for line in places.lines for cell in line):
        return []
    written: set[int] = set()
    lines = [_filled(line, words, written) for line in places.lines]
    if places.named and not places.headers:
        lines.insert(0, [])
    lines[0] += [""] * (width - len(lines[0]))
    lines.insert(1, ["---"] * width)
    return [f"| {' | '.join(line)} |" for line in lines]


def _filled(line: list[int], words: Mapping[int, str], written: set[int]) -> list[str]:
    out = []
    for cell in line:
        own = words.get(cell, "")
        once = len(own) > _LONG or (line[0] == cell and line[-1] == cell)
        out.append("" if once and cell in written else own)
        written.add(cell)
    return out
