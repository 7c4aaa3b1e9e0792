"""The entries of a page's lists, each with its fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.elements.image_sources import ImageSources
from chaffinch.elements.images import is_decoration
from chaffinch.elements.listed import pictures
from chaffinch.kernels.arrays import marked
from chaffinch.lists.entry_columns import Cell, Column, image_columns, text_columns
from chaffinch.lists.entry_fields import (
    INVERTED,
    PRICE_LABELS,
    TYPED,
    ColumnFacts,
    Entry,
    EntryField,
    author_beside_date,
    authors_of,
    date_of,
    links_of,
    place_name,
    said_beside_date,
    typed_columns,
    without,
)
from chaffinch.lists.entry_search import ListSearch
from chaffinch.metadata.page_fields import image_address
from chaffinch.metadata.product import price_now
from chaffinch.metadata.sources import rows_of_rule, selected_rows
from chaffinch.page import Page, tags
from chaffinch.page_work import begin_stage
from chaffinch.verdict import Content

_BY_RULE: Final = ("title", "author", "date", "price", "image")
"""Fields for which a site model may have rules."""
_SHARE: Final = 0.5
"""Least share of the entries' images that differ, for these to be the entries' own."""
_FEWEST_ALIKE: Final = 3  # entries whose links say the same are no chance
_LEAST_SHARE: Final = 0.25
"""Least share of a list's entries that have a field which is named by its place."""
MOST_COLUMNS: Final = 60  # columns of a list that become fields


def entries(content: Content) -> list[Entry]:
    """Return the entries of the lists that ``content`` shows, in document order; [] for none.

    Where the verdict has rules of a site model for records that select anything, the entries are
    what these select; its rules for title, author, date, price and image have the last word on the
    fields. What the verdict keeps separates lists of content from menus.
    """
    begin_stage("finding lists")
    page, roles = content.page, content.verdict.roles
    out: list[Entry] = []
    if selected := selected_rows(page, roles, "record"):
        first = np.array(selected, dtype=np.intp)
        first = first[~page.inside(marked(len(page), selected))[page.parent[first]]]  # outermost
        lists = [(first, page.end[first].astype(np.intp))]
    else:
        lists = [(one.starts, one.ends) for one in ListSearch(content).lists()]
    by_rule = [
        (one.role, np.array(rows_of_rule(page, one), dtype=np.intp))
        for one in roles
        if one.role in _BY_RULE
    ]
    for number, one in enumerate(lists, start=1):
        fields = list_fields(page, *one)
        for start, end, own in zip(*map(np.ndarray.tolist, one), fields, strict=True):
            _add_fields_by_rule(page, by_rule, (start, end), own)
            ordered = {name: own[name] for name in (*TYPED, *own) if name in own}
            out.append(Entry(len(out) + 1, number, (start, end), ordered))
    return out


def _add_fields_by_rule(
    page: Page,
    selected: list[tuple[str, NDArray[np.intp]]],
    rows: tuple[int, int],
    fields: dict[str, EntryField],
) -> None:
    """Replace the fields of the entry at ``rows`` whose elements rules of a site select in it.

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
            own = [Cell(0, row, (row, end), value)] if role == "title" else []
            _add_link(page, fields, *links_of(page, own), replaces=True)


def _value(page: Page, role: str, row: int) -> str:
    text = page.folded(row)
    match role:
        case "image":
            return image_address(page, row)
        case "author":
            return authors_of(text) or text
        case "date":
            return date_of(page, Cell(0, row, (row, int(page.end[row])), text)) or text
    return text


def _add_link(
    page: Page, fields: dict[str, EntryField], row: int = -1, *, replaces: bool = False
) -> None:
    """Add the link at a row, -1 for none, where the entry has none or it ``replaces`` that."""
    url = page.addresses.find(page.attribute(row, "href")) if row >= 0 else ""
    if url and (replaces or "link" not in fields):
        fields["link"] = EntryField(url, (row, int(page.end[row])))


def list_fields(
    page: Page, starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> list[dict[str, EntryField]]:
    """Return the fields of each entry of a list, given as half-open ranges of rows, in order."""
    begin_stage("aligning fields")
    columns = text_columns(page, starts, ends)
    columns = sorted(columns, key=lambda one: -one.share)[:MOST_COLUMNS]
    columns.sort(key=lambda one: one.cells[0].rows)
    typed = typed_columns(page, columns)
    out: list[dict[str, EntryField]] = [{} for _ in starts]
    free = [one for one in columns if one not in typed.values()]
    prices = [facts for one in free if (facts := ColumnFacts(page, one)).priced >= _SHARE]
    prices.sort(key=attrgetter("struck"))  # entries whose price is reduced show it elsewhere
    others = [("price", one.column) for one in prices] if "price" in typed else []
    for name, column in (*typed.items(), *others):
        for cell, value in _values(page, name, column):
            out[cell.entry].setdefault(name, EntryField(value, cell.rows))
    beside = list[Column]()
    if "date" in typed and ("author" in typed or not _add_authors_beside(typed["date"], out)):
        cells = [replace(one, text=said_beside_date(page, one)) for one in typed["date"].cells]
        beside = [Column([one for one in cells if one.text], typed["date"].share)]
        beside = [one for one in beside if len(one.cells) >= _SHARE * len(cells)]
    _add_images(page, starts, ends, out)
    if "title" not in typed:
        _add_names_of_images(page, out)
    for column in [typed["title"], *columns] if "title" in typed else columns:
        for cell, row in zip(column.cells, links_of(page, column.cells), strict=True):
            _add_link(page, out[cell.entry], row)
    rest = [one for one in free if one.share >= _LEAST_SHARE]
    _add_named_by_place(page, rest + beside, _headers(page, starts), out)
    return out


def _add_named_by_place(
    page: Page, columns: list[Column], headers: list[str], out: list[dict[str, EntryField]]
) -> None:
    others: dict[str, int] = {}
    for column in columns:
        if _is_control(page, column):
            continue
        place = place_name(page, column, headers)
        place = f"{place}_text" if place in TYPED else place
        others[place] = turn = others.get(place, 0) + 1
        name = place if turn == 1 else f"{place}_{turn}"
        for cell in column.cells:
            is_price = "price" in out[cell.entry] and out[cell.entry]["price"].rows == cell.rows
            if any(map(str.isalnum, cell.text)) and not is_price:
                out[cell.entry][name] = EntryField(cell.text, cell.rows)


def _is_control(page: Page, column: Column) -> bool:
    """Return whether several entries have the same link, button, or label of a price there."""
    text, row = column.cells[0].text, column.cells[0].rows[0]
    if any(cell.text != text for cell in column.cells):
        return False
    is_active = page.in_link[row] or page.name(int(page.parent[row])) == "button"
    is_label = text.lower().rstrip(":： ") in PRICE_LABELS
    return is_label or bool(is_active and len(column.cells) >= _FEWEST_ALIKE)


def _values(page: Page, name: str, column: Column) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of a typed column with their values, but those that have none."""
    texts = [cell.text for cell in column.cells]
    if name in {"title", "price"}:
        texts = without(texts)
    if name == "price":
        texts = [*map(price_now, without(texts, PRICE_LABELS))]
    elif name == "date":
        texts = [date_of(page, cell) for cell in column.cells]
    elif name == "author":
        inverted = all(map(INVERTED.fullmatch, texts))  # as in a catalogue of books
        names = {text: authors_of(text, inverted=inverted) for text in set(texts)}
        texts = [names[text] for text in texts]
    yield from ((cell, text) for cell, text in zip(column.cells, texts, strict=True) if text)


def _add_authors_beside(dates: Column, out: list[dict[str, EntryField]]) -> bool:
    """Add names that stand in one text with the date, where most entries have one."""
    found = [(cell, author_beside_date(cell.text)) for cell in dates.cells]
    are_there = sum(bool(names) for _, names in found) >= _SHARE * len(found)
    for cell, names in found if are_there else ():
        if names:
            out[cell.entry]["author"] = EntryField(names, cell.rows)
    return are_there


def _add_images(
    page: Page, starts: NDArray[np.intp], ends: NDArray[np.intp], out: list[dict[str, EntryField]]
) -> None:
    """Add the image of each entry: the first that is no icon, and not the same in most."""
    sources = ImageSources(page)
    for column in image_columns(page, pictures(page), starts, ends):
        found = [
            (cell, source.url)
            for cell in column.cells
            if (source := sources.of(cell.owner)) is not None
            and not is_decoration(page, cell.owner, source.url)
        ]
        if len({url for _, url in found}) <= _SHARE * len(found) and len(found) > 1:
            continue
        for cell, url in found:
            out[cell.entry].setdefault("image", EntryField(url, cell.rows))


def _add_names_of_images(page: Page, out: list[dict[str, EntryField]]) -> None:
    """Add title and link of entries whose title stands in a linked picture alone."""
    having = [fields for fields in out if "image" in fields]
    images = [fields["image"].rows for fields in having]
    links = links_of(page, [Cell(0, rows[0], rows, "") for rows in images])
    for fields, (row, end), link in zip(having, images, links, strict=True):
        name = " ".join((page.attribute(row, "alt") or "").split())
        _add_link(page, fields, link if name else -1)
        if name and "link" in fields:
            fields["title"] = EntryField(name, (row, end))


def _headers(page: Page, starts: NDArray[np.intp]) -> list[str]:
    """Return the header cells above entries that are lines of a table; [] for none."""
    if not bool((page.is_tag("tr")[starts]).all()):
        return []
    first = int(starts[0])
    table = next((row for row in page.ancestors(first) if page.name(row) == "table"), -1)
    heads = np.flatnonzero(page.is_tag("th")[table:first]) + table if table >= 0 else ()
    lines = {int(page.parent[row]) for row in np.asarray(heads, dtype=np.intp).tolist()}
    if len(lines) != 1:
        return []
    return [page.folded(row) for row in page.children(lines.pop()) if page.tag[row] != tags.TEXT]
