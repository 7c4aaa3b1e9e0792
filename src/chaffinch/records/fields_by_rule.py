"""Fields of entries by the rules of a site model, in the place of what was found in general."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.metadata.role_rules import image_address, rows_of_rule
from chaffinch.records.cell_fields import authors_of, date_of, link_of
from chaffinch.records.columns import Cell
from chaffinch.records.entry import EntryField

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.result import RoleRule

_OF_ENTRIES: Final = ("title", "author", "date", "price", "image")


def rows_by_role(page: Page, roles: tuple[RoleRule, ...]) -> list[tuple[str, NDArray[np.intp]]]:
    """Return (role, rows that it selects) of each rule for a field of entries, by precedence."""
    return [
        (one.role, np.array(rows_of_rule(page, one), dtype=np.intp))
        for one in roles
        if one.role in _OF_ENTRIES
    ]


def add_fields_by_rule(
    page: Page,
    selected: list[tuple[str, NDArray[np.intp]]],
    rows: tuple[int, int],
    fields: dict[str, EntryField],
) -> None:
    """Replace the fields of the entry at ``rows`` whose elements rules select in it.

    A title that is a link is the entry's link, too. Of a rule that selects several elements in one
    entry the first counts, and of several rules the first that selects any whose value can be read.
    """
    done: set[str] = set()
    for role, found in selected:
        first = found[found.searchsorted(rows[0]) :][:1].tolist()
        if role in done or not first or first[0] >= rows[1]:
            continue
        row, end = first[0], int(page.end[first[0]])
        if value := _value(page, role, row):
            done.add(role)
            fields[role] = EntryField(value, (row, end))
            link = link_of(page, Cell(0, row, (row, end), value)) if role == "title" else -1
            if url := page.addresses.find(page.attribute(link, "href")) if link >= 0 else "":
                fields["link"] = EntryField(url, (link, int(page.end[link])))


def _value(page: Page, role: str, row: int) -> str:
    if role == "image":
        return image_address(page, row)
    text = page.folded(row)
    if role == "author":
        return authors_of(text) or text
    if role == "date":
        return date_of(page, Cell(0, row, (row, int(page.end[row])), text)) or text
    return text
