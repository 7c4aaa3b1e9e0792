"""Widths of table cells, as shares of their row: from declared widths and from their text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.layout.markup import Markup
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

    Numbers = NDArray[np.float64]

PAGE_WIDTH: Final = 1000.0
_MOST_GIVEN: Final = 0.8  # share left to declared widths where other columns declare none
_LEAST: Final = 1e-6
_TABLE_BITS: Final = 32
_CELL = tags.table(["td", "th"])
_ROW = tags.table(["tr"])


def beside(page: Page) -> Mask:
    """Return bool[n]: table cells, which are laid out beside their siblings, not below them."""
    cells: Mask = _CELL[page.tag] & _ROW[page.tag[np.maximum(page.parent, 0)]]
    return cells


def cell_shares(page: Page, markup: Markup, own_width: Numbers) -> tuple[Numbers, Numbers]:
    """Return (share, before), float64[n] each: the share of its table row's width a cell takes.

    ``before`` is that of the cells before it; both are 0 for other rows. ``own_width`` is
    float64[n], the width of each row's own text or picture in pixels.
    """
    share, before = np.zeros(len(page)), np.zeros(len(page))
    parent = np.maximum(page.parent, 0)
    cells = np.flatnonzero(beside(page))
    if len(cells) == 0:
        return share, before
    # Rows of one table stand together; a cell's column counts the spans before it.
    above = page.parent[parent[cells]]
    table = np.where(page.tag[above] == tags.CODES["table"], above, page.parent[above])
    spans = _spans(page, cells)
    order = np.argsort(parent[cells], kind="stable")
    cells, table, spans = cells[order], table[order], spans[order]
    ends = np.cumsum(spans)
    first = np.flatnonzero(np.diff(parent[cells], prepend=-1))
    lengths = np.diff(np.append(first, len(cells)))
    column = ends - spans - np.repeat(ends[first] - spans[first], lengths)
    here = table.astype(np.int64) << _TABLE_BITS
    keys, of = np.unique(here | column, return_inverse=True)
    parts = _column_shares(page, markup, _Cells(cells, of, spans, keys), own_width)
    prefix = np.append(0, np.cumsum(parts))
    stop = np.searchsorted(keys, here | (column + spans))
    start = np.searchsorted(keys, here)
    share[cells] = np.maximum(prefix[stop] - prefix[of], _LEAST)
    before[cells] = prefix[of] - prefix[start]
    return share, before


class _Cells(NamedTuple):
    row: NDArray[np.intp]
    column: NDArray[np.intp]  # index of its first column in ``keys``
    span: NDArray[np.int64]
    keys: NDArray[np.int64]  # table and number of each column


def _column_shares(page: Page, markup: Markup, cells: _Cells, own_width: Numbers) -> Numbers:
    """Return the share of its table's width that each column takes.

    Columns with a declared width get it; the others share the rest in proportion to the largest
    content among their cells.
    """
    table = cells.keys >> _TABLE_BITS
    room = np.where(np.isnan(markup.width[table]), PAGE_WIDTH, np.maximum(markup.width[table], 1))
    holds = np.clip(page.total(own_width)[cells.row], 8.0, PAGE_WIDTH) / cells.span
    pixels = markup.width[cells.row] / room[cells.column]
    declared = np.where(np.isnan(pixels), markup.share[cells.row], pixels)
    declared = np.where(np.isnan(declared), 0, np.minimum(declared, 1)) / cells.span
    content, given = np.zeros(len(table)), np.zeros(len(table))
    np.maximum.at(content, cells.column, holds)
    np.maximum.at(given, cells.column, declared)
    content[given > 0] = 0
    taken = np.bincount(table, given)[table]
    demand = np.bincount(table, content)[table]
    # Declared widths that leave no room for the other columns, or too much, are scaled.
    most = np.where(demand > 0, _MOST_GIVEN, 1.0)
    scaled = given * np.where((taken > most) | (demand == 0), most / np.maximum(taken, _LEAST), 1)
    left = 1 - np.minimum(taken, most)
    return np.where(given > 0, scaled, content / np.maximum(demand, _LEAST) * left)


def _spans(page: Page, cells: NDArray[np.intp]) -> NDArray[np.int64]:
    spans = np.ones(len(page), dtype=np.int64)
    for row, value in page.having("colspan"):
        digits = value.strip()
        if digits.isascii() and digits.isdigit():
            spans[row] = min(max(int(digits[:4]), 1), 1000)
    return spans[cells]
