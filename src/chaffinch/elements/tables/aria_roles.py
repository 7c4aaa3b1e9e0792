"""Tables made of divs: what of a table each element is, by its ARIA role.

WAI-ARIA 1.2: table, grid and treegrid hold rows (perhaps in rowgroups), rows hold cells; any other
element may stand between. Departures: a table that holds a real one, or another by role, is left
to them; the order of ``aria-colindex`` isn't followed.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.page import Page

BETWEEN: Final = ""
"""What an element between two parts of a table is: only a wrapper."""

_PARTS: Final = {
    **dict.fromkeys(("table", "grid", "treegrid"), "table"),
    "row": "tr",
    **dict.fromkeys(("cell", "gridcell"), "td"),
    **dict.fromkeys(("columnheader", "rowheader"), "th"),
    "caption": "caption",
}
_OF: Final = {"tr": "table", "td": "tr", "th": "tr", "caption": "table"}
_REAL: Final = tags.table("table caption tbody thead tfoot tr td th".split())


def aria_tables(page: Page) -> Mapping[int, str]:
    """Return row → table, tr, td, th, caption, or `BETWEEN` for a wrapper between two of them.

    Only of tables without any real table element, whose rows and cells nest as they must.
    """
    if "role" not in page.attribute_names:
        return {}
    if not page.rows_where("role", _is_table, "table", "grid"):
        return {}
    parts = {
        row: _PARTS[role]
        for row, value in page.having("role")
        if (role := value.strip().lower()) in _PARTS and not _REAL[page.tag[row]]
    }
    found: dict[int, str] = {}
    rows = list(parts)
    tables = [at for at, row in enumerate(rows) if parts[row] == "table"]
    real = np.append(0, np.cumsum(_REAL.take(page.tag))) if tables else None
    for at, following in pairwise([*tables, len(rows)]):
        table, stop = rows[at], int(page.end[rows[at]])
        holds_table = following < len(rows) and rows[following] < stop
        if holds_table or real is None or real[stop] > real[table]:
            continue
        inner = {row: parts[row] for row in rows[at + 1 : bisect_left(rows, stop)]}
        if {"td", "th"} & set(inner.values()):
            found |= _nested(page, table, inner)
    return found


def _is_table(role: str) -> bool:
    return _PARTS.get(role.strip().lower()) == "table"


def _nested(page: Page, table: int, inner: Mapping[int, str]) -> dict[int, str]:
    """Return the parts of one table that stand where they must, and the wrappers between."""
    found = {table: "table"}
    nearest = {table: table}  # row → the part that was found at or above it
    for row, part in checked(inner.items(), every=64):
        passed, above = [], int(page.parent[row])
        while above not in nearest:
            passed.append(above)
            above = int(page.parent[above])
        holder = nearest[above]
        nearest.update(dict.fromkeys(passed, holder))
        if found[holder] == _OF[part]:
            above = int(page.parent[row])
            while above not in found:
                found[above] = BETWEEN
                above = int(page.parent[above])
            found[row] = part
            nearest[row] = row
    return found
