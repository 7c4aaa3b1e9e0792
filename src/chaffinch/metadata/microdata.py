"""Microdata of a page: the item that describes what the page is about, as schema.org's values.

Source: HTML Standard, section «Microdata». An item is read into the same form that JSON-LD has, so
that one reader serves both; ``itemref`` isn't followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.metadata.text_cleaning import LONGEST, clean, fold, one_line

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page

_MOST_ITEMS: Final = 50
_MOST_PROPERTIES: Final = 1_000
_MOST_DEPTH: Final = 8
"""Items within one another that are read."""
_ADDRESSES: Final = {"a": "href", "link": "href", "area": "href", "img": "src", "time": "datetime",
                     "data": "value", "meter": "value", "meta": "content"}  # fmt: skip


def main_item(evidence: Evidence, types: frozenset[str]) -> tuple[int, dict[str, Any]] | None:
    """Return (row, values) of the page's own item of one of the types; None for none.

    Of several items that aren't within one another, the one that holds the headline or has one of
    the page's titles as its name is meant.

    Args:
        evidence: the page.
        types: names of types, without the address of the vocabulary.
    """
    page = evidence.page
    if "itemtype" not in page.attribute_names:
        return None
    rows = [row for row, value in page.having("itemtype") if types.intersection(_types(value))]
    outer: list[int] = []
    for row in rows[:_MOST_ITEMS]:
        if not outer or row >= page.end[outer[-1]]:
            outer.append(row)
    items = [(row, _item(page, row)) for row in outer]
    if len(items) > 1:
        head = evidence.headline_row
        items = [
            (row, own)
            for row, own in items
            if row <= head < page.end[row] or fold(_name(own)) in evidence.titles
        ]
    return items[0] if items else None


def _item(page: Page, top: int) -> dict[str, Any]:
    """Return the values of an item, its nested items as values of theirs."""
    root: dict[str, Any] = {"@type": _types(page.attribute(top, "itemtype") or "")}
    open_items = [(int(page.end[top]), root)]
    for count, row in enumerate(_rows_of_properties(page, top)):
        if count == _MOST_PROPERTIES:
            break
        while row >= open_items[-1][0]:
            open_items.pop()
        own = open_items[-1][1]
        value: Any = _value(page, row)
        if page.attribute(row, "itemscope") is not None:
            value = {"@type": _types(page.attribute(row, "itemtype") or "")}
            if len(open_items) < _MOST_DEPTH:
                open_items.append((int(page.end[row]), value))
        for name in (page.attribute(row, "itemprop") or "").split():
            own.setdefault(name, []).append(value)
    return root


def _rows_of_properties(page: Page, top: int) -> list[int]:
    """Return the rows of properties and of items without a name within an item, in order."""
    stop = int(page.end[top])
    named = {row for row, value in page.having("itemprop") if value}
    named |= {row for row, _ in page.having("itemscope")}
    return sorted(row for row in named if top < row < stop)


def _value(page: Page, row: int) -> str:
    """Return the value of a property: ``content``, an address, or its text."""
    content = page.attribute(row, "content")
    if content is None:
        content = page.attribute(row, _ADDRESSES.get(page.name(row), "content"))
    if content is not None:
        return clean(content)
    start, stop = page.text_at[[row, page.end[row]]].tolist()
    return one_line(page.text[start : min(stop, start + 2 * LONGEST)])


def _types(value: str) -> list[str]:
    return [one.rstrip("/").rpartition("/")[2] for one in value.split()]


def _name(own: dict[str, Any]) -> str:
    found = own.get("name") or [""]
    return found[0] if isinstance(found[0], str) else ""
