"""Data tables as GFM tables: one header line, spans filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.elements.tables.aria_roles import BETWEEN
from chaffinch.output.markdown.state import State

if TYPE_CHECKING:
    from chaffinch.elements.tables.grid import Grid
    from chaffinch.output.markdown.state import Enter

_LONG: Final = 80  # characters; a longer cell that spans several places is written once


def _table(state: State, row: int) -> None:
    if state.flat or not state.options.tables or not state.data_tables[row]:
        state.enter_block(row)
        return
    state.flush()
    state.cells = {}
    state.flat = "cell"
    state.on_leave(row, _end_table, row)


def _caption(state: State, row: int) -> None:
    """Write the caption before its table."""
    state.flush()
    state.on_leave(row, State.flush)


def _cell(state: State, row: int) -> None:
    if state.flat == "cell":
        state.flush()
        state.on_leave(row, _end_cell, row)
    else:
        state.enter_block(row)


def _end_cell(state: State, row: int) -> None:
    state.breaks = 0
    words = "<br>".join(state.inline.take(prose=False)).replace("|", "\\|")
    if words:
        state.cells[row] = words


def _end_table(state: State, row: int) -> None:
    state.flush()
    state.flat = ""
    lines = _table_lines(state.read.table(row), state.cells)
    state.rows()
    if lines:
        state.write(lines, (min(state.cells), int(state.page.end[row])))


def _table_lines(places: Grid, words: dict[int, str]) -> list[str]:
    """Return the lines of a table; ``words`` is the Markdown of each cell that holds any.

    GFM asks for one header: the first line of the table's header, or its first line where no cell
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


def _filled(line: list[int], words: dict[int, str], written: set[int]) -> list[str]:
    out = []
    for cell in line:
        own = words.get(cell, "")
        once = len(own) > _LONG or (line[0] == cell and line[-1] == cell)
        out.append("" if once and cell in written else own)
        written.add(cell)
    return out


def _line(state: State, row: int) -> None:
    """Start a line of a table made of divs, or a wrapper: a block where no table is written."""
    if state.flat != "cell":
        state.enter_block(row)


ENTER: Final[dict[str, Enter]] = {"table": _table, "caption": _caption, "td": _cell, "th": _cell}
"""Tag → what is done where such an element begins."""

PARTS: Final[dict[str, Enter]] = {**ENTER, "tr": _line, BETWEEN: _line}
"""Part of a table made of divs → the same."""
