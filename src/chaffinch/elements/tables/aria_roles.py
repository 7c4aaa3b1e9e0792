"""Tables made of divs: what of a table each element is, by its ARIA role.

WAI-ARIA 1.2: table, grid and treegrid hold rows (perhaps in rowgroups), rows hold cells; any other
element may stand between. Departures: a table that holds a real one, or another by role, is left
to them; the order of ``aria-colindex`` isn't followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
    parts = {
        row: _PARTS[role]
        for row, value in page.having("role")
        if (role := value.strip().lower()) in _PARTS and not _REAL[page.tag[row]]
    }
    found: dict[int, str] = {}
    for table in [row for row, part in parts.items() if part == "table"]:
        stop = int(page.end[table])
        if _REAL[page.tag[table:stop]].any():
            continue
        inner = {row: part for row, part in parts.items() if table < row < stop}
        if "table" in inner.values() or not {"td", "th"} & set(inner.values()):
            continue
        found |= _nested(page, table, inner)
    return found


def _nested(page: Page, table: int, inner: Mapping[int, str]) -> dict[int, str]:
    """Return the parts of one table that stand where they must, and the wrappers between."""
    found = {table: "table"}
    for row, part in checked(inner.items(), every=64):
        between = []
        for above in page.ancestors(row):
            if found.get(above, BETWEEN) != BETWEEN:
                break
            between.append(above)
        if found[above] == _OF[part]:
            found[row] = part
            found.update(dict.fromkeys(between, BETWEEN))
    return found
