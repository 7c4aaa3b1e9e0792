"""Which tables show data, and which only lay out the page.

Source: topic-information, section 3.3 (3), with its four rules: a data table has at least two
cells; a cell with too many links, forms or images makes it a layout table; a nested table counts as
one picture of the cell it stands in; caption or th make it a data table.

Departures: «too many» is a setting, counted by kind, since the source gives no figure. The fourth
rule has the last word («to a large extent» there). What markup has come to declare about tables is
used, too (``hints``): role, thead, tfoot, summary, scope, headers and abbr, as browsers do when
by them screen readers know which tables to announce.

`data_tables` is the source's decision, for the weights that the source counts. `shows_data` is what
renderers and parts go by, where a layout table written as data costs more than the reverse: it
needs lines and columns, too. On 120 tables drawn from two corpora and labelled by hand, the
source's rules agree with the label on 72 (at most five units in a cell), `shows_data` on 116; its
figures were chosen on these.
"""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.elements.tables.aria_roles import aria_tables
from chaffinch.kernels.codes import (
    TABLE_CELL,
    TABLE_HEAD,
    TABLE_HEAD_CELL,
    TABLE_HEADING,
    TABLE_LINE,
    TABLE_NAMED,
    TABLE_UNLIKE,
)
from chaffinch.page import tags
from chaffinch.page.ancestry import nearest
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        hints: use what the markup declares about the table, as well.
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
        _correct_by_attributes(page, table, owner, cells, data)
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


def _correct_by_attributes(page: Page, table: Mask, owner: Rows, cells: Rows, data: Mask) -> None:
    """Correct ``data`` by attributes of tables and cells."""
    undecided = np.zeros(len(page), dtype=bool)
    for row in checked(np.flatnonzero(table).tolist(), every=16):
        pairs = page.attributes(row)
        role = _role(page, row)
        if role in _LAYOUT_ROLES:
            data[row] = False
        elif role in _DATA_ROLES or (pairs.get("summary") or "").strip():
            data[row] = True
        else:
            undecided[row] = not data[row]
    cells = cells[undecided[owner[cells]]]
    for name in _CELL_HINTS:
        data[owner[cells[page.has(name)[cells]]]] = True


def _counts(page: Page, rows: Rows) -> NDArray[np.intp]:
    """Return intp[n]: how often each row occurs in ``rows``."""
    return np.bincount(rows, minlength=len(page))


MEAN_LENGTH: Final = 60
"""Characters that a cell of a table without any markup of data holds on average, at most."""

MEAN_LENGTH_REGULAR: Final = 200
"""The same where nearly every line has two written cells: pros and cons, terms and meanings."""

_REGULAR: Final = 0.8
_IN_LINKS: Final = 0.95
_TWO: Final = 2
_PART: Final = {
    "tr": TABLE_LINE,
    "td": TABLE_CELL,
    "th": TABLE_CELL | TABLE_NAMED,
    "caption": TABLE_NAMED,
    "thead": TABLE_HEAD,
}
"""What tags are, and those that roles stand for."""
_BITS: Final = {
    **_PART,
    "th": _PART["th"] | TABLE_HEAD_CELL,
    **dict.fromkeys(("pre", "form", "textarea", "fieldset"), TABLE_UNLIKE),
    **dict.fromkeys(("h1", "h2", "h3"), TABLE_HEADING),
}
_IN_TABLE: Final = np.array([_BITS.get(name, 0) for name in tags.NAMES], dtype=np.uint8)


def shows_data(page: Page, parts: Mapping[int, str] | None = None) -> Mask:
    """Return bool[n]: tables that are to be written as tables, those made of divs included.

    A role decides (but a table in the table, a form or preformatted text counts against it);
    then th, caption or a thead of several columns for it, unless all text is in links; else two
    lines of two written cells do, if cells are short or the lines regular.

    Args:
        page: the page.
        parts: what `aria_tables` returns for the page, where it is at hand.
    """
    parts = aria_tables(page) if parts is None else parts
    table = page.is_tag("table")
    if parts:
        table = table.copy()
        table[[row for row, part in parts.items() if part == "table"]] = True
    if not table.any():
        return table
    shows: Mask = np.zeros(len(page), dtype=bool)
    counts = _counts_of(page, table, parts).T.tolist()
    for row, count in zip(np.flatnonzero(table).tolist(), starmap(_Counts, counts), strict=True):
        role = _role(page, row)
        is_table = role in _DATA_ROLES or (not role and _is_data(count))
        shows[row] = is_table and not count.unlike
    return shows


class _Counts(NamedTuple):
    """What a table holds; inner tables apart."""

    cells: int
    written: int
    characters: int
    in_links: int
    lines: int  # with a written cell
    pairs: int  # with two
    columns: int  # with two cells, perhaps empty
    named: int  # th, caption
    heads: int  # thead
    headings: int
    unlike: int  # inner tables, forms, preformatted text


def _is_data(count: _Counts) -> bool:
    """Return whether a table without a role is written as a table of data."""
    mean = count.characters / max(count.written, 1)
    regular = count.pairs >= max(_TWO, _REGULAR * count.lines)
    short = mean <= MEAN_LENGTH
    usual = short or (regular and count.lines > _TWO and mean <= MEAN_LENGTH_REGULAR)
    data = usual and count.pairs >= _TWO and count.written >= count.cells / 2
    if not (data or count.named or (count.heads and count.columns)):
        return False
    if count.headings and not (regular and short):
        return False
    return not count.characters or count.in_links <= _IN_LINKS * count.characters


def _counts_of(page: Page, table: Mask, parts: Mapping[int, str]) -> NDArray[np.int64]:
    """Return int64[11, t]: the columns of `_Counts`."""
    kinds = _IN_TABLE.take(page.tag)
    for row, part in parts.items():
        kinds[row] |= _PART.get(part, 0)
    return kernels.table_counts(page.parent, table, kinds, page.length, page.link_length)


def _role(page: Page, row: int) -> str:
    return (page.attribute(row, "role") or "").strip().lower()
