"""The tables of the content (data tables, tables made of divs, definition lists), and CSV.

Each is a grid of cells with their spans, and is written as CSV or records, which have a cell's text
in every place that it spans, or as Markdown or HTML by the writers of the whole content. Which
tables hold data is decided by `chaffinch.elements.tables.shows_data`.

A cell that begins with ``=``, ``+``, ``-`` or ``@`` is a formula to spreadsheets, and may load an
address or start a program; a tab or a carriage return before it is dropped by some of them. Such
cells get an apostrophe before them, as OWASP advises (CSV Injection,
https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay numbers (``-3.5``, ``+12 %``,
``+49 30 1234``), and signs alone, which stand for «none», stay signs.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements.shown_content import shown_content
from chaffinch.elements.tables import Grid, definitions
from chaffinch.elements.texts import shown_text
from chaffinch.errors import require_flag
from chaffinch.kernels.arrays import marked
from chaffinch.lists.entry_fields import TYPED, Entry
from chaffinch.output import html, markdown
from chaffinch.page_work import checked
from chaffinch.verdict import Content

_TIMES: Final = 8
_SPARE: Final = 100_000
"""Characters that spans and names of columns may repeat, by those of all cells, and besides."""
_SHORTEST_NAME: Final = 16  # characters of a column's name that are never cut

Kind = Literal["table", "grid", "definition list"]


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: its text; a newline where a block or a br parts two lines.
        row: its row on the page.
        is_header: whether it names others.
    """

    text: str
    row: int
    is_header: bool


@dataclass(frozen=True)
class Table:
    """A table or definition list of the content.

    Attributes:
        kind: "table", "grid" (made of divs) or "definition list" (terms and definitions).
        caption: its caption; "" if it has none.
        row: its row on the page.
        cells: the grid, every line as long as the longest; a cell stands in every place that it
            spans, None where there is none.
        headers: lines at the top that name the columns: as marked up, or, where no cell is marked
            as a header, a first line that looks like one.
        content: what it is a table of.
    """

    kind: Kind
    caption: str
    row: int
    cells: tuple[tuple[Cell | None, ...], ...]
    headers: int
    content: Content = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def texts(self) -> list[list[str]]:
        """The text at each place of the grid; "" where there is no cell.

        The repeated texts of cells that span places are no more than eight times those of all
        cells and 100,000 characters: beyond, a cell's text stands in its first place alone.
        """
        own = {cell.row: len(cell.text) for line in self.cells for cell in line if cell}
        room = _TIMES * sum(own.values()) + _SPARE
        seen: set[int] = set()
        texts: list[list[str]] = []
        for line in self.cells:
            texts.append([])
            for cell in line:
                text = cell.text if cell else ""
                if cell and cell.row in seen:
                    room -= len(text)
                    text = text if room >= 0 else ""
                elif cell:
                    seen.add(cell.row)
                texts[-1].append(text)
        return texts

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns: those of the header lines joined, made up where missing.

        All differ: the second ``x`` is ``x 2``; a column without a name is ``column 3``. Each line
        of `records` repeats them, so that they are cut where they are longer than all cells.
        """
        width = len(self.cells[0]) if self.cells else 0
        headers = self.texts[: self.headers]
        wanted = [
            " ".join(dict.fromkeys(filter(None, (" ".join(line[at].split()) for line in headers))))
            or f"column {at + 1}"
            for at in range(width)
        ]
        room = _TIMES * sum(len(text) for line in self.texts for text in line) + _SPARE
        if sum(map(len, wanted)) * (len(self.cells) - self.headers) > room:
            longest = max(room // (len(self.cells) * width), _SHORTEST_NAME)
            wanted = [name[:longest] for name in wanted]
        return _different(wanted)

    def records(self) -> list[dict[str, str]]:
        """Return a dict a line, by `names`; of keys and values, one dict of all.

        Keys and values are what a definition list holds, and a table of two columns without header
        lines whose first column is all headers or all ends in colons, which are left out; a key's
        values are parted by newlines.
        """
        if not self._has_keys:
            return [dict(zip(self.names, line, strict=True)) for line in self.texts[self.headers :]]
        texts = ([cell.text if cell else "" for cell in line] for line in self.cells)
        values_of: dict[str, list[str]] = {}
        for name, value in texts:
            values_of.setdefault(name, []).append(value)
        record: dict[str, list[str]] = {}
        for name, values in values_of.items():
            record.setdefault(name.rstrip(":： "), []).extend(values)
        return [{key: "\n".join(values) for key, values in record.items()}]

    @property
    def _has_keys(self) -> bool:
        if self.kind == "definition list":
            return True
        if self.headers or not self.cells or len(self.cells[0]) != 2:  # noqa: PLR2004  key, value
            return False
        keys = [line[0] for line in self.cells]
        return all(key is not None and key.is_header for key in keys) or all(
            key is not None and key.text.endswith((":", "：")) for key in keys
        )

    def csv(self, *, defused: bool = True) -> str:
        """Return the grid as CSV (RFC 4180 but for line ends, which are newlines).

        Where ``defused``, cells that spreadsheets would take for formulas begin with an apostrophe.
        """
        require_flag("defused", defused)
        return as_csv(self.texts, defused=defused)

    def markdown(self) -> str:
        """Return the table as the Markdown of the content has it; the caption isn't in it.

        A definition list is a list there. See docs/outputs.md for spans and header lines.
        """
        return markdown.render_table(self.content, self.row)

    def html(self) -> str:
        """Return the table as the HTML of the content has it: caption, headers, spans, links."""
        return html.render_table(self.content, self.row)


def tables(content: Content) -> list[Table]:
    """Return the tables that are kept, in the order of the page; those without text left out."""
    page, shown = content.page, shown_content(content)
    parts = shown.elements.table_parts
    in_code = page.inside(marked(len(page), list(shown.code.blocks)))
    data = shown.data_tables & shown.kept & ~in_code
    text = partial(shown_text, page, shown=shown.rows, formulas=shown.formulas)
    found: list[Table] = []
    for row in checked(np.flatnonzero(data).tolist(), every=8):
        kind: Kind = "grid" if row in parts else "table"
        found.append(_table(content, text, shown.table(row), row, kind))
    for row, lines in checked(definitions(page, shown.kept).items(), every=8):
        named = frozenset(line[0] for line in lines)
        places = Grid(-1, [line[0] for line in lines], lines, 0, named)
        found.append(_table(content, text, places, row, "definition list"))
    return sorted((one for one in found if any(map(any, one.texts))), key=lambda one: one.row)


def _different(names: list[str]) -> list[str]:
    known: set[str] = set()
    numbers: dict[str, int] = {}
    out: list[str] = []
    for wanted in names:
        name, number = wanted, numbers.get(wanted, 1)
        while name in known:
            number += 1
            name = f"{wanted} {number}"
        numbers[wanted] = number
        known.add(name)
        out.append(name)
    return out


def _table(
    content: Content, text: Callable[[int], str], places: Grid, row: int, kind: Kind
) -> Table:
    caption = text(places.caption) if places.caption >= 0 else ""
    width = places.width
    lines = [line + [-1] * (width - len(line)) for line in checked(places.lines, every=64)]
    rows = {cell for line in checked(lines, every=64) for cell in line} - {-1}
    cells = {cell: Cell(text(cell), cell, cell in places.named) for cell in checked(rows, every=64)}
    grid = tuple(tuple(cells.get(cell) for cell in line) for line in lines)
    return Table(kind, caption, row, grid, places.headers, content)


_BEGINS: Final = re.compile(r"\A(?:[\s\x00-\x1f\ufeff]*+[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])")
"""How a cell begins that may be a formula; spreadsheets of East Asia take wide signs, too."""

_END: Final = "\r\n"
_SIGNS: Final = re.compile(r"[ +\-=.\u2013\u2014]*")
_NUMBER: Final = re.compile(
    r"\A\s*+[+-](?=[.,]?\d)[\d.,'\u2019\u00a0\u202f ]*+(?:[eE][+-]?\d++)?"
    r"\s?[%\u2030\u20ac$\u00a3\u00a5]?\s*"
)
"""A number with its sign, its groups and a unit that is no letter."""


def as_csv(lines: Iterable[Iterable[Any]], *, defused: bool = True) -> str:
    """Return lines of cells as CSV (RFC 4180 but for line ends, which are newlines).

    ``defused`` puts an apostrophe before texts that spreadsheets would take for formulas.
    """
    rows = _Rows()
    writer = csv.writer(rows, lineterminator=_END)
    writer.writerows([_defused(cell) for cell in line] if defused else line for line in lines)
    return "".join(rows)


class _Rows(list[str]):
    """Rows as the library writes them, whose ends become newlines.

    It quotes a cell for the characters of the end alone, and a return in a cell ends a row, too.
    """

    def write(self, row: str) -> None:
        self.append(f"{row.removesuffix(_END)}\n")


def _defused(cell: Any) -> Any:
    """Return a text that might be a formula with an apostrophe before it, all else as it is."""
    if not isinstance(cell, str) or _BEGINS.match(cell) is None:
        return cell
    if _NUMBER.fullmatch(cell) or _SIGNS.fullmatch(cell):
        return cell
    return f"'{cell}"


def entries_csv(entries: Sequence[Entry], *, defused: bool = True) -> str:
    """Return the entries of one page as CSV: their number, that of their list, and all fields.

    ``defused`` is as of `as_csv`.
    """
    held = dict.fromkeys(name for one in entries for name in one.fields)
    names = [name for name in dict.fromkeys((*TYPED, *held)) if name in held]
    head = ["number", "list_number", *names]
    lines = ([one.number, one.list_number, *map(one.value, names)] for one in entries)
    return as_csv([head, *lines], defused=defused)
