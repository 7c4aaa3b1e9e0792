"""Which tables show data, and which only lay out the page.

Source: topic-information, section 3.3 (3), with its four rules: a data table has at least two
cells; a cell with too many links, forms or images makes it a layout table; a nested table counts as
one picture of the cell it stands in; caption or th make it a data table.

Departures: «too many» is a setting, counted by kind, since the source gives no figure. The fourth
rule has the last word («to a large extent» there). What markup has said of tables since is looked
at, too (``hints``): role, thead, tfoot, summary, scope, headers and abbr, as browsers do when they
tell screen readers which tables to announce.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.segment.ancestry import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_KINDS: Final = (("a",), ("form", "input", "select", "textarea", "button"), ("img", "table"))
_LAYOUT_ROLES: Final = frozenset({"presentation", "none"})
_DATA_ROLES: Final = frozenset({"table", "grid", "treegrid"})
_CELL_HINTS: Final = ("scope", "headers", "abbr")


def data_tables(page: Page, *, max_in_cell: int, hints: bool = True) -> Mask:
    """Return bool[n]: the table rows that show data.

    Args:
        page: the page.
        max_in_cell: links, form controls or images (a nested table is one) that a cell of a data
            table may hold, of each kind.
        hints: heed what the markup says of the table, as well.
    """
    table = page.is_tag("table")
    if not table.any():
        return table
    owner = nearest(page, table)
    cells = np.flatnonzero(page.is_tag("td", "th") & (owner >= 0)).astype(np.int32)
    data = _counts(page, owner[cells]) > 1
    data &= _counts(page, owner[_full_cells(page, owner, cells, max_in_cell)]) == 0
    named = page.is_tag("caption", "th", *(("thead", "tfoot") if hints else ()))
    data |= _counts(page, owner[named & (owner >= 0)]) > 0
    data &= table
    if hints:
        _heed_attributes(page, table, owner, cells, data)
    return data


def _full_cells(page: Page, owner: Rows, cells: Rows, most: int) -> Rows:
    """Return the rows of cells with more than ``most`` units of a kind, nested tables unopened."""
    marked = np.zeros(len(page), dtype=bool)
    marked[cells] = True
    above = nearest(page, marked)
    full = np.zeros(len(page), dtype=bool)
    for kind in _KINDS:
        units = np.flatnonzero(page.is_tag(*kind) & (above >= 0))
        cell = above[units]
        own_table = np.where(page.is_tag("table")[units], owner[page.parent[units]], owner[units])
        full |= _counts(page, cell[own_table == owner[cell]]) > most
    rows: Rows = cells[full[cells]]
    return rows


def _heed_attributes(page: Page, table: Mask, owner: Rows, cells: Rows, data: Mask) -> None:
    """Correct ``data`` by what attributes of tables and cells say."""
    open_question = np.zeros(len(page), dtype=bool)
    for row in np.flatnonzero(table).tolist():
        pairs = page.attributes(row)
        role = (pairs.get("role") or "").strip().lower()
        if role in _LAYOUT_ROLES:
            data[row] = False
        elif role in _DATA_ROLES or (pairs.get("summary") or "").strip():
            data[row] = True
        else:
            open_question[row] = not data[row]
    for cell in cells[open_question[owner[cells]]].tolist():
        pairs = page.attributes(cell)
        if any(name in pairs for name in _CELL_HINTS):
            data[owner[cell]] = True


def _counts(page: Page, rows: Rows) -> NDArray[np.intp]:
    """Return intp[n]: how often each row occurs in ``rows``."""
    return np.bincount(rows, minlength=len(page))
