"""The cells of tables on a grid.

HTML Standard, section 4.9.12 (forming a table). Departures: spans are cut to what the table's own
cells can need, and where lines are of very different lengths the long ones go on in the lines below
them, so that a page can't force a grid of many times its cells; a row without any kept cell is left
out.
Tables made of divs are read by their roles (`aria_tables`). Which tables hold data is decided in
`data_tables`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.tables.aria_roles import BETWEEN, aria_tables
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_SPARE: Final = 10_000
_TIMES: Final = 8
_SPANS: Final = ("colspan", "aria-colspan", "rowspan", "aria-rowspan")
_CELLS: Final = frozenset(["td", "th"])


@dataclass(frozen=True)
class Grid:
    """A table's cells where they stand.

    Attributes:
        caption: row of the kept caption; -1 if there is none.
        rows: the row on the page of each line.
        lines: per line, the cell (its row on the page) at each column; -1 where none is. A cell
            that spans several columns or lines stands at each of them. Lines may differ in length.
        headers: lines at the top that are headers: those of the thead, or the first ones of th
            only; of the latter, those after the first hold more than one cell, and a line is left.
        named: cells that are headers.
    """

    caption: int
    rows: list[int]
    lines: list[list[int]]
    headers: int
    named: frozenset[int]

    @property
    def width(self) -> int:
        """Columns of the longest line."""
        return max(map(len, self.lines), default=0)


def grid(page: Page, table: int, shown: Mask, parts: Mapping[int, str] | None = None) -> Grid:
    """Place the cells of a table that are shown, bool[n]; ``parts`` as of `aria_tables`."""
    return _Reader(page, shown, aria_tables(page) if parts is None else parts).grid(table)


class _Reader:
    def __init__(self, page: Page, shown: Mask, parts: Mapping[int, str]) -> None:
        self.page = page
        self.shown = shown
        self.parts = parts

    def grid(self, table: int) -> Grid:
        caption, headers = -1, 0
        trs: list[int] = []
        for child in self._children(table):
            match self._name(child):
                case "caption" if caption < 0:
                    caption = child
                case "tr":
                    trs.append(child)
                case "thead" | "tbody" | "tfoot" as name:
                    first = len(trs)
                    trs.extend(r for r in self._children(child) if self._name(r) == "tr")
                    if name == "thead" and first == headers:
                        headers = len(trs)
        cells = [[c for c in self._children(tr) if self._name(c) in _CELLS] for tr in trs]
        named = frozenset(c for own in cells for c in own if self._name(c) == "th")
        headed = trs[:headers]
        room = _TIMES * sum(map(len, cells)) + _SPARE
        lines = _placed(self.page, cells, room)
        if len(lines) * max(map(len, lines), default=0) > room + _SPARE:
            trs, lines = _folded(trs, cells, room)
            headers = bisect_right(trs, headed[-1]) if headed else 0
        return Grid(caption, trs, lines, headers or _header_lines(lines, named), named)

    def _name(self, row: int) -> str:
        return self.parts.get(row) or self.page.name(row)

    def _children(self, row: int) -> Iterator[int]:
        """Yield the shown children, those of wrappers in the wrapper's place."""
        child, stop = row + 1, int(self.page.end[row])
        while child < stop:
            if self.parts.get(child) == BETWEEN:
                child += 1
                continue
            if self.shown[child]:
                yield child
            child = int(self.page.end[child])


def _header_lines(lines: list[list[int]], named: frozenset[int]) -> int:
    """Return how many lines at the top are headers of a table without a thead."""
    count = 0
    for line in lines:
        cells = set(line) - {-1}
        if not cells or not named.issuperset(cells) or (count and len(cells) == 1):
            break
        count += 1
    return count if count < len(lines) else min(count, 1)


def _folded(trs: list[int], cells: list[list[int]], room: int) -> tuple[list[int], list[list[int]]]:
    """Return the row and the cells of each line, without spans, in a grid of at most ``room``.

    What is beyond the width of the grid stands in further lines of the same row.
    """
    width = max(room // max(len(cells), 1), 1)
    lines = [
        (tr, own[at : at + width])
        for tr, own in zip(trs, cells, strict=True)
        for at in range(0, max(len(own), 1), width)
    ]
    return [tr for tr, _ in lines], [line for _, line in lines]


def _placed(page: Page, cells: list[list[int]], budget: int) -> list[list[int]]:
    """Return the cell at each column of each line, spans filled while ``budget`` places last."""
    most = max(map(len, cells), default=0)
    spans = _spans(page, [cell for own in cells for cell in own])
    lines: list[list[int]] = []
    below: dict[int, tuple[int, int]] = {}
    for own in checked(cells, every=64):
        if not below and spans.keys().isdisjoint(own):
            lines.append(own)
            continue
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
                across, down = spans.get(cell, (1, 1))
                across = min(across, most, max(budget - len(line), 1))
                for at in range(column, column + across):
                    line.append(cell)
                    if down > 1 and budget > 0:
                        below[at] = (cell, down)
                cell = next(waiting, None)
        budget -= len(line) - len(own)
        below = {c: (r, d - 1) for c, (r, d) in below.items() if d > 1 and budget > 0}
        lines.append(line)
    return lines


def _spans(page: Page, cells: list[int]) -> dict[int, tuple[int, int]]:
    """Return cell → columns and lines that it spans, of those that span several."""
    if page.attribute_names.isdisjoint(_SPANS):
        return {}
    values = page.own_attributes.values_of(np.array(cells, dtype=np.int32), *_SPANS)
    spans = (
        (cell, (_number(across, aria_across), _number(down, aria_down)))
        for cell, (across, aria_across, down, aria_down) in zip(cells, values, strict=True)
    )
    return {cell: both for cell, both in spans if both != (1, 1)}


def span(page: Page, cell: int, name: str) -> int:
    """Return how many columns or lines a cell spans: its attribute ``name``, at least 1."""
    return _number(page.attribute(cell, name), page.attribute(cell, f"aria-{name}"))


def _number(value: str | None, aria: str | None) -> int:
    """Return the number that an attribute has, or that of ARIA where it is absent, at least 1."""
    value = ((aria if value is None else value) or "").strip()
    return max(int(value[:5]), 1) if value.isascii() and value.isdigit() else 1
