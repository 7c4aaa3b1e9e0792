"""Tables: which hold data, and their cells on a grid.

The grid follows the HTML Standard, section 4.9.12 (forming a table). Departures: spans are cut to
what the table's own cells can need, so that a page can't ask for a huge grid; a row without any
kept cell has no place in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

MEAN_LENGTH: Final = 60
"""Characters that a cell of a data table without any markup of one holds at most, on average."""

_SPARE: Final = 10_000
_TIMES: Final = 8
_ROLES: Final = {
    "table": True,
    "grid": True,
    "treegrid": True,
    "presentation": False,
    "none": False,
}
_CELL: Final = tags.table(["td", "th"])
_SIGNS: Final = tags.table(["th", "caption", "thead"])
_UNLIKE: Final = tags.table(["table", "h1", "h2", "h3", "pre", "form", "textarea", "fieldset"])


@dataclass(frozen=True)
class Grid:
    """A table's cells where they stand.

    Attributes:
        caption: row of the kept caption; -1 if there is none.
        lines: per table row, the cell (its row on the page) at each column; -1 where none is. A
            cell that spans several places stands at each of them. Lines may differ in length.
        headers: lines at the top that are headers: those of the thead, or a first one of th only.
    """

    caption: int
    lines: list[list[int]]
    headers: int

    @property
    def width(self) -> int:
        """Columns of the longest line."""
        return max(map(len, self.lines), default=0)


def is_data_table(page: Page, row: int) -> bool:
    """Tell whether the table at ``row`` holds data, or only lays out the page.

    A role decides; then a table in the table, a heading, a form or preformatted text speaks
    against it; then th, caption or thead for it; else at least two by two short cells do.
    """
    role = (page.attribute(row, "role") or "").strip().lower()
    if role in _ROLES and not (_ROLES[role] and _holds(page, row, _UNLIKE)):
        return _ROLES[role]
    if _holds(page, row, _UNLIKE):
        return False
    if _holds(page, row, _SIGNS):
        return True
    inner = slice(row + 1, int(page.end[row]))
    cells = np.flatnonzero(_CELL[page.tag[inner]]) + row + 1
    trs = np.unique(page.parent[cells])
    written = np.count_nonzero(page.length[cells])
    if len(trs) < 2 or len(cells) < 2 * len(trs) or not written:  # noqa: PLR2004  two by two
        return False
    return bool(page.length[cells].sum() <= MEAN_LENGTH * written)


def grid(page: Page, table: int, shown: Mask) -> Grid:
    """Place the cells of a table that are shown, bool[n]."""
    caption, headers = -1, 0
    trs: list[tuple[int, bool]] = []
    for child in _shown_children(page, table, shown):
        match page.name(child):
            case "caption" if caption < 0:
                caption = child
            case "tr":
                trs.append((child, False))
            case "thead" | "tbody" | "tfoot" as name:
                inner = [r for r in _shown_children(page, child, shown) if page.name(r) == "tr"]
                trs.extend((r, name == "thead") for r in inner)
    cells = [[c for c in _shown_children(page, tr, shown) if _CELL[page.tag[c]]] for tr, _ in trs]
    lines = _placed(page, cells)
    for (_, head), own in zip(trs, cells, strict=True):
        if not head and (headers or not _only_th(page, own)):
            break
        headers += 1
        if not head:
            break
    return Grid(caption, lines, headers)


def _only_th(page: Page, cells: list[int]) -> bool:
    return bool(cells) and all(page.name(cell) == "th" for cell in cells)


def _placed(page: Page, cells: list[list[int]]) -> list[list[int]]:
    """Return the cell at each column of each line, spans filled."""
    most = max(map(len, cells), default=0)
    budget = _TIMES * sum(map(len, cells)) + _SPARE
    lines: list[list[int]] = []
    below: dict[int, tuple[int, int]] = {}
    for own in cells:
        line: list[int] = []
        waiting = iter(own)
        cell = next(waiting, None)
        reach = max(below, default=-1)
        while cell is not None or len(line) <= reach:
            column = len(line)
            if column in below:
                line.append(below[column][0])
            elif cell is None:
                line.append(-1)
            else:
                across = min(_span(page, cell, "colspan"), most)
                down = _span(page, cell, "rowspan")
                across = across if budget > 0 else 1
                for place in range(column, column + across):
                    line.append(cell)
                    if down > 1 and budget > 0:
                        below[place] = (cell, down)
                cell = next(waiting, None)
        budget -= len(line) - len(own)
        below = {c: (r, d - 1) for c, (r, d) in below.items() if d > 1 and budget > 0}
        lines.append(line)
    return lines


def _span(page: Page, cell: int, name: str) -> int:
    value = (page.attribute(cell, name) or "").strip()
    return max(int(value[:5]), 1) if value.isascii() and value.isdigit() else 1


def _holds(page: Page, row: int, table: Mask) -> bool:
    return bool(table[page.tag[row + 1 : int(page.end[row])]].any())


def _shown_children(page: Page, row: int, shown: Mask) -> Iterator[int]:
    child, stop = row + 1, int(page.end[row])
    while child < stop:
        if shown[child]:
            yield child
        child = int(page.end[child])
