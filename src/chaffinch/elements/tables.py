"""Tables, made of table elements or of divs: which hold data, their cells, header lines; dl."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.elements import WORDS
from chaffinch.elements.formulas import PageFormula
from chaffinch.elements.texts import shown_text
from chaffinch.kernels import codes
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page_work import checked

# Tables made of divs: what of a table each element is, by its ARIA role.
#
# WAI-ARIA 1.2: table, grid and treegrid hold rows (perhaps in rowgroups), rows hold cells; any
# other element may stand between. Departures: a table that holds a real one, or another by role,
# is left to them; the order of ``aria-colindex`` isn't followed.

BETWEEN: Final = ""  # what an element between two parts of a table is: only a wrapper

_PARTS: Final[dict[str, str]] = WORDS["parts of tables by role"]
_OF: Final = {"tr": "table", "td": "tr", "th": "tr", "caption": "table"}
_TABLES_BY_ROLE: Final = Search("role", "table", "grid")
_REAL: Final = tags.table("table caption tbody thead tfoot tr td th".split())


def aria_tables(page: Page) -> Mapping[int, str]:
    """Return row → table, tr, td, th, caption, or `BETWEEN` for a wrapper between two of them.

    Only of tables without any real table element, whose rows and cells nest as they must.
    """
    if not _TABLES_BY_ROLE.rows(page):
        return {}
    parts = {
        row: _PARTS[role]
        for row, value in page.having("role")
        if (role := value.strip().lower()) in _PARTS and not _REAL[page.tag[row]]
    }
    found, rows = dict[int, str](), list(parts)
    tables = [at for at, row in enumerate(rows) if parts[row] == "table"]
    if not tables:
        return found
    real = np.append(0, np.cumsum(_REAL.take(page.tag)))
    above, parent = kernels.nearest(page.parent, marked(len(page), rows)).item, page.parent.item
    for at, following in pairwise([*tables, len(rows)]):
        table, stop = rows[at], int(page.end[rows[at]])
        inner = rows[at + 1 : bisect_left(rows, stop)]
        if following <= at + len(inner) or real[stop] > real[table]:  # which holds another table
            continue
        if not {"td", "th"} & {parts[row] for row in inner}:
            continue
        found[table], holder = "table", {table: table}
        for row in checked(inner, every=64):
            holder[row] = held = holder[above(parent(row))]
            if found[held] == _OF[parts[row]]:
                holder[row], found[row], between = row, parts[row], parent(row)
                while between not in found:
                    found[between] = BETWEEN
                    between = parent(between)
    return found


# The cells of tables on a grid.
#
# HTML Standard, section 4.9.12 (forming a table). Departures: spans are cut to what the table's
# own cells can need, and where lines are of very different lengths the long ones go on in the
# lines below them, so that a page can't force a grid of many times its cells; a row without any
# kept cell is left out. Tables made of divs are read by their roles (`aria_tables`). Which tables
# hold data is decided in `data_tables`.

_SPARE: Final = 10_000
_TIMES: Final = 8
_SPANS: Final = ("colspan", "aria-colspan", "rowspan", "aria-rowspan")


@dataclass(frozen=True)
class Grid:
    """A table's cells where they stand."""

    caption: int  # row of the kept caption; -1 if there is none
    rows: list[int]  # the row on the page of each line
    # per line, the cell (its row on the page) at each column; -1 where none is. A cell that
    # spans several columns or lines stands at each of them. Lines may differ in length
    lines: list[list[int]]
    # lines at the top that are headers: those of the thead, or the first ones of th only; of
    # the latter, those after the first hold more than one cell, and a line is left
    headers: int
    named: frozenset[int]  # cells that are headers

    @property
    def width(self) -> int:
        return max(map(len, self.lines), default=0)


def grid(page: Page, table: int, shown: Mask, parts: Mapping[int, str]) -> Grid:
    """Place the cells of a table that are shown, bool[n]; ``parts`` as of `aria_tables`."""

    def name_of_part(row: int) -> str:
        return parts.get(row) or page.name(row)

    name = name_of_part if parts else page.name
    children = partial(_children, page, shown, parts)
    caption, headers = -1, 0
    trs: list[int] = []
    for child in children(table):
        match name(child):
            case "caption" if caption < 0:
                caption = child
            case "tr":
                trs.append(child)
            case "thead" | "tbody" | "tfoot" as part:
                first = len(trs)
                trs.extend(row for row in children(child) if name(row) == "tr")
                if part == "thead" and first == headers:
                    headers = len(trs)
    cells = [[cell for cell in children(tr) if name(cell) in {"td", "th"}] for tr in trs]
    named = frozenset(cell for own in cells for cell in own if name(cell) == "th")
    headed = trs[:headers]
    room = _TIMES * sum(map(len, cells)) + _SPARE
    lines = _placed(page, cells, room)
    if len(lines) * max(map(len, lines), default=0) > room + _SPARE:
        trs, lines = _folded(trs, cells, room)
        headers = bisect_right(trs, headed[-1]) if headed else 0
    return Grid(caption, trs, lines, headers or _header_lines(lines, named), named)


def _children(page: Page, shown: Mask, parts: Mapping[int, str], row: int) -> Iterator[int]:
    child, stop = row + 1, int(page.end[row])
    while child < stop:
        is_between = parts.get(child) == BETWEEN
        if shown[child] and not is_between:
            yield child
        child = child + 1 if is_between else int(page.end[child])


def _header_lines(lines: list[list[int]], named: frozenset[int]) -> int:
    """Return how many lines at the top are headers of a table without a thead."""
    count = 0
    for count, line in enumerate(lines):
        cells = set(line) - {-1}
        if not cells or not named.issuperset(cells) or (count and len(cells) == 1):
            break
    else:
        count = len(lines)
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
    return _number(page.attribute(cell, name), page.attribute(cell, f"aria-{name}"))


def _number(value: str | None, aria: str | None) -> int:
    """Return the number that an attribute has, or that of ARIA where it is absent, at least 1."""
    value = ((aria if value is None else value) or "").strip()
    return max(int(value[:5]), 1) if value.isascii() and value.isdigit() else 1


# The header line of tables whose cells aren't marked as headers.

_NUMBER: Final = re.compile(r"\A\W*+\d[\W\d]*+")
_MANY: Final = 3  # columns from which a first line of words names them


def with_headers(page: Page, cells: Grid, shown: Mask, formulas: Mapping[int, PageFormula]) -> Grid:
    """Return a grid with one header line where its first line looks like one and none is marked.

    It does if it is all in bold and the second line isn't, or if it has at least three columns, all
    of different words, and none is a number. ``shown`` and ``formulas`` as of `shown_text`.
    """
    if cells.headers or cells.named or len(cells.lines) < 2:  # noqa: PLR2004  it names a line
        return cells
    first, second = cells.lines[0], cells.lines[1]
    if len(first) < cells.width or len(set(first)) < len(first) or -1 in first:
        return cells
    texts = [shown_text(page, cell, shown, formulas) for cell in first]
    if not all(texts) or len(set(texts)) < len(texts):
        return cells
    words = not any(_NUMBER.fullmatch(text) or text.endswith((":", "：")) for text in texts)
    whole = [*second, *[-1] * (cells.width - len(second))]
    if (len(first) >= _MANY and words) or (_is_bold(page, first) and not _is_bold(page, whole)):
        return replace(cells, headers=1)
    return cells


def _is_bold(page: Page, cells: list[int]) -> bool:
    for cell in cells:
        inner = page.tag[cell : page.end[cell] if cell >= 0 else cell]
        outermost = tags.BOLD.take(inner).nonzero()[0][:1]
        if not len(outermost) or page.length[cell] > page.length[cell + outermost].item():
            return False
    return True


# Which tables show data, and which only lay out the page.
#
# Source: topic-information, section 3.3 (3), with its four rules: a data table has at least two
# cells; a cell with too many links, forms or images makes it a layout table; a nested table counts
# as one picture of the cell it stands in; caption or th make it a data table.
#
# Departures: «too many» is a setting, counted by kind, since the source gives no figure. The
# fourth rule has the last word («to a large extent» there). What markup has come to declare about
# tables is used, too (``hints``): role, thead, tfoot, summary, scope, headers and abbr, as
# browsers do when by them screen readers know which tables to announce.
#
# `data_tables` is the source's decision, for the weights that the source counts. `shows_data` is
# what renderers and parts go by, where a layout table written as data costs more than the reverse:
# it needs lines and columns, too. On 120 tables drawn from two corpora and labelled by hand, the
# source's rules agree with the label on 72 (at most five units in a cell), `shows_data` on 116;
# its figures were chosen on these.

_KINDS: Final = (("a",), ("form", "input", "select", "textarea", "button"), ("img", "table"))
_DATA_ROLES: Final = frozenset({"table", "grid", "treegrid"})


def names_navigation(summary: str) -> bool:
    """Return whether a table's summary says that it links to the parts around: DocBook's do."""
    return summary.strip().lower().startswith("navigation")


def data_tables(page: Page, *, max_in_cell: int) -> Mask:
    """Return bool[n]: the tables that show data.

    A cell of one holds ``max_in_cell`` links, form controls or images (a nested table is one) at
    most, of each kind; what the markup declares counts, too.
    """
    table = page.is_tag("table")
    if not table.any():
        return table
    owner = kernels.nearest(page.parent, table)
    cells = (page.is_tag("td", "th") & (owner >= 0)).nonzero()[0].astype(np.int32)
    data = _counts(page, owner[cells]) > 1
    data &= _counts(page, owner[_full_cells(page, owner, cells, max_in_cell)]) == 0
    named = page.is_tag("caption", "th", "thead", "tfoot")
    data |= _counts(page, owner[named & (owner >= 0)]) > 0
    data &= table
    _correct_by_attributes(page, table, owner, cells, data)
    return data


def _full_cells(page: Page, owner: Rows, cells: Rows, most: int) -> Rows:
    """Return the rows of cells with more than ``most`` units of a kind, nested tables unopened."""
    above = kernels.nearest(page.parent, marked(len(page), cells))
    full = np.zeros(len(page), dtype=bool)
    for kind in _KINDS:
        units = (page.is_tag(*kind) & (above >= 0)).nonzero()[0]
        cell = above[units]
        own_table = np.where(page.is_tag("table")[units], owner[page.parent[units]], owner[units])
        full |= _counts(page, cell[own_table == owner[cell]]) > most
    rows: Rows = cells[full[cells]]
    return rows


def _correct_by_attributes(page: Page, table: Mask, owner: Rows, cells: Rows, data: Mask) -> None:
    undecided = np.zeros(len(page), dtype=bool)
    for row in checked(table.nonzero()[0].tolist(), every=16):
        pairs = page.attributes(row)
        role, summary = _role(page, row), (pairs.get("summary") or "").strip()
        if role in {"presentation", "none"} or names_navigation(summary):
            data[row] = False
        elif role in _DATA_ROLES or summary:
            data[row] = True
        else:
            undecided[row] = not data[row]
    cells = cells[undecided[owner[cells]]]
    for name in ("scope", "headers", "abbr"):
        data[owner[cells[page.has(name)[cells]]]] = True


def _counts(page: Page, rows: Rows) -> NDArray[np.intp]:
    return np.bincount(rows, minlength=len(page))


MEAN_LENGTH: Final = 60
"""Characters that a cell of a table without any markup of data holds on average, at most."""

MEAN_LENGTH_REGULAR: Final = 200
"""The same where nearly every line has two written cells: pros and cons, terms and meanings."""

_REGULAR: Final = 0.8
_IN_LINKS: Final = 0.95
_TWO: Final = 2
_PART: Final = {
    "tr": codes.TABLE_LINE,
    "td": codes.TABLE_CELL,
    "th": codes.TABLE_CELL | codes.TABLE_NAMED,
    "caption": codes.TABLE_NAMED,
    "thead": codes.TABLE_HEAD,
}
"""What tags are, and those that roles stand for."""
_BITS: Final = {
    **_PART,
    "th": _PART["th"] | codes.TABLE_HEAD_CELL,
    **dict.fromkeys(("pre", "form", "textarea", "fieldset"), codes.TABLE_UNLIKE),
    **dict.fromkeys(("h1", "h2", "h3"), codes.TABLE_HEADING),
}
_IN_TABLE: Final = np.array([_BITS.get(name, 0) for name in tags.NAMES], dtype=np.uint8)


def shows_data(page: Page, parts: Mapping[int, str] | None = None) -> Mask:
    """Return bool[n]: tables that are to be written as tables, those made of divs included.

    A role decides (but a table in the table, a form or preformatted text counts against it);
    then th, caption or a thead of several columns for it, unless all text is in links; else two
    lines of two written cells do, if cells are short or the lines regular. ``parts`` are what
    `aria_tables` returns, where it is at hand.
    """
    parts = aria_tables(page) if parts is None else parts
    table = page.is_tag("table")
    if parts:
        table = table.copy()
        table[[row for row, part in parts.items() if part == "table"]] = True
    if not table.any():
        return table
    shows: Mask = np.zeros(len(page), dtype=bool)
    kinds = _IN_TABLE.take(page.tag)
    if "th" in page.tag_names and "pre" in page.tag_names:  # code in cells below names
        owner = kernels.nearest(page.parent, table)
        cells = np.bincount(page.parent[tags.CELL[page.tag]], minlength=len(page))  # of each line
        names = page.is_tag("th") & (owner >= 0) & (cells[page.parent] > 1)
        heads = np.unique(owner[names])
        kinds[page.is_tag("pre") & np.isin(owner, heads) & (page.length <= MEAN_LENGTH_REGULAR)] = 0
    for row, part in parts.items():
        kinds[row] |= _PART.get(part, 0)
    sums = kernels.table_counts(page.parent, table, kinds, page.length, page.link_length)
    counts = sums.T.tolist()  # last of inner tables, forms, preformatted text
    for row, (*count, unlike) in zip(table.nonzero()[0].tolist(), counts, strict=True):
        role = _role(page, row)
        shows[row] = not unlike and (role in _DATA_ROLES or (not role and _is_data(count)))
    return shows


def _is_data(count: list[int]) -> bool:
    """Return whether a table holds data, by what it holds, inner tables apart.

    That are its cells, written ones, their characters and those in links; lines with a written
    cell, lines with two, columns with two cells, perhaps empty; th and captions; theads; headings.
    """
    cells, written, characters, in_links, lines, pairs, columns, named, heads, headings = count
    mean = characters / max(written, 1)
    regular = pairs >= max(_TWO, _REGULAR * lines)
    short = mean <= MEAN_LENGTH
    usual = short or (regular and lines > _TWO and mean <= MEAN_LENGTH_REGULAR)
    data = usual and pairs >= _TWO and written >= cells / 2
    if cells < _TWO or not (data or named or (heads and columns)):
        return False
    if headings and not (regular and short):
        return False
    return not characters or in_links <= _IN_LINKS * characters


def _role(page: Page, row: int) -> str:
    return (page.attribute(row, "role") or "").strip().lower()


# Definition lists as terms and what belongs to them.
#
# HTML Standard, section 4.4.9: groups of dt, then dd; a div may stand around a group. Departures:
# other elements around are passed over, too; where a group has many terms and many definitions, not
# every term stands with every definition, so that the pairs don't grow with the square of the list;
# a list within eight others is only part of their definitions, each of which holds its text again.

_LIST_MANY: Final = 4  # terms of a group that stand with all of its definitions

_DEEP: Final = 8  # lists in one another that are read


def definitions(page: Page, shown: Mask) -> dict[int, list[list[int]]]:
    """Return row of each list → (dt, dd) rows in order: each term of a group with each definition.

    Beyond the first four terms of a group a term stands with the group's first four definitions.
    Lists without any such pair among the rows ``shown``, bool[n], are left out.
    """
    lists = page.is_tag("dl") & shown
    if not lists.any():
        return {}
    owner, is_term = kernels.nearest(page.parent, lists), page.is_tag("dt")
    marked, edges = lists.nonzero()[0], len(page) + 1
    levels = np.bincount(marked, minlength=edges) - np.bincount(page.end[marked], minlength=edges)
    is_read = (owner >= 0) & (levels.cumsum()[owner] <= _DEEP)
    items = ((is_term | page.is_tag("dd")) & shown & is_read).nonzero()[0]
    groups = defaultdict[int, list[tuple[list[int], list[int]]]](list)
    for row in checked(items.tolist(), every=64):
        own = groups[int(owner[row])]
        if not own or (is_term[row] and own[-1][1]):
            own.append(([], []))
        own[-1][0 if is_term[row] else 1].append(row)
    found = {
        one: [
            [term, meaning]
            for terms, meanings in some
            for at, term in enumerate(terms)
            for meaning in (meanings if at < _LIST_MANY else meanings[:_LIST_MANY])
        ]
        for one, some in sorted(groups.items())
    }
    return {one: pairs for one, pairs in found.items() if pairs}
