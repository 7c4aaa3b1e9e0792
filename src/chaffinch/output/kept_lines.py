"""Kept lines: the text of what is kept, cut where a reader sees a line begin.

A line is a run of inline content (`Page.line`); what of it is kept is its text, white space folded,
or verbatim where it is preformatted. Renderers to plain text and cutters of chunks share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.shown_content import shown_content
from chaffinch.kernels import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from numpy.typing import NDArray

    from chaffinch.elements.formulas.tex import Found
    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.result import Content


@dataclass(frozen=True, eq=False)
class KeptLines:
    """The lines of what is kept, as columns; m lines in document order, none of them empty.

    Attributes:
        texts: m texts; white space folded, except where ``verbatim``.
        first: int32[m], first kept text row of each line.
        last: int32[m], first row after the last kept text row of each line.
        verbatim: bool[m], lines in preformatted elements; they may hold newlines.
        beside: bool[m], lines that stand beside the line before: both are the only line of their
            cell, and the cells stand in one table row.
    """

    texts: list[str]
    first: Rows
    last: Rows
    verbatim: Mask
    beside: Mask

    def __len__(self) -> int:
        return len(self.texts)


def kept_lines(content: Content) -> KeptLines:
    """Cut what is kept of ``content`` into lines."""
    page = content.page
    read = shown_content(content)
    if (compiled := kernels()) and not read.formulas:
        return _compiled(compiled, content, read)
    rows = _rows(page, read)
    if not len(rows):
        return KeptLines([], rows, rows, rows.astype(bool), rows.astype(bool))
    line = page.line[rows]
    edge = np.ones(len(rows) + 1, dtype=bool)
    np.not_equal(line[1:], line[:-1], out=edge[1:-1])
    first, last = rows[edge[:-1]], _ends(rows, read.formulas)[edge[1:]]
    slices = _slices(page, read, rows, edge)
    elements = np.flatnonzero(content.kept)
    verbatim = _preformatted(page, elements, first)
    texts = list(map(_folded, slices))
    for index in np.flatnonzero(verbatim).tolist():
        texts[index] = slices[index].strip("\n").rstrip()
    if not all(texts):
        written = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
        texts = [text for text in texts if text]
        first, last, verbatim = first[written], last[written], verbatim[written]
    return KeptLines(texts, first, last, verbatim, _beside(page, elements, first))


def _compiled(compiled: ModuleType, content: Content, read: ShownContent) -> KeptLines:
    """Return the lines of what is kept where no formulas are."""
    page, count = content.page, len(content.page)
    given = page.text_at, page.tag, page.line, page.end, page.parent, read.kept, content.kept
    first, last = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    verbatim, beside = np.empty(count, dtype=bool), np.empty(count, dtype=bool)
    texts = compiled.kept_lines(page.text, *given, _KINDS, first, last, verbatim, beside)
    found = len(texts)
    return KeptLines(texts, first[:found], last[:found], verbatim[:found], beside[:found])


def _rows(page: Page, read: ShownContent) -> Rows:
    """Return int32[r]: the rows whose text is kept, and those of formulas."""
    kept = read.kept & (page.tag == tags.TEXT)
    if read.formulas:
        kept[list(read.formulas)] = True
    return np.flatnonzero(kept).astype(np.int32)


def _ends(rows: Rows, formulas: dict[int, Found]) -> Rows:
    """Return where each row ends: a formula with its last copy."""
    ends = rows + np.int32(1)
    for row, formula in formulas.items():
        ends[np.searchsorted(rows, row)] = formula.end
    return ends


def _folded(raw: str) -> str:
    """Return a text with runs of white space folded to one space, none at its ends.

    Most are written so, but for their ends; of all white space, only the space is printable.
    """
    bare = raw.strip()
    return bare if "  " not in bare and bare.isprintable() else " ".join(bare.split())


def _slices(page: Page, read: ShownContent, rows: Rows, edge: Mask) -> list[str]:
    """Return each line's text as the page has it; ``edge``: bool[r + 1], where lines begin."""
    if read.formulas:
        return _with_formulas(page, read.formulas, rows, np.flatnonzero(edge[:-1]))
    begin, stop = page.text_at[rows], page.text_at[rows + 1]
    cut = edge.copy()
    cut[1:-1] |= begin[1:] != stop[:-1]
    starts = edge[:-1][cut[:-1]]
    pairs = zip(begin[cut[:-1]].tolist(), stop[cut[1:]].tolist(), strict=True)
    if starts.all():
        return [page.text[a:b] for a, b in pairs]
    return list(_joined(page.text, pairs, starts.tolist()))


def _with_formulas(
    page: Page, formulas: dict[int, Found], rows: Rows, line_at: NDArray[np.intp]
) -> list[str]:
    """Return each line's text with the TeX of its formulas."""
    pieces: list[str] = []
    after = 0
    for row in rows.tolist():
        formula = formulas.get(row)
        begin, end = int(page.text_at[row]), int(page.text_at[row + 1])
        dropped = page.text[after:begin]
        blank = " " if dropped[:1].isspace() or dropped[-1:].isspace() else ""
        pieces.append(blank + (formula.marked if formula else page.text[begin:end]))
        after = int(page.text_at[formula.end]) if formula else end
    stops = np.append(line_at[1:], len(rows)).tolist()
    return ["".join(pieces[a:b]) for a, b in zip(line_at.tolist(), stops, strict=True)]


def _joined(text: str, pieces: Iterable[tuple[int, int]], starts: list[bool]) -> Iterator[str]:
    """Yield each line's text, its pieces joined as if what was dropped between were only space.

    That is: with a space where the dropped text had one at an edge. White space between two kept
    runs is often dropped with nothing else, as many methods speak of written rows only.
    """
    whole = None
    before = 0
    for (begin, stop), start in zip(pieces, starts, strict=True):
        if whole is None or start:
            if whole is not None:
                yield whole
            whole = text[begin:stop]
        else:
            dropped = text[before:begin]
            if dropped.isspace():
                whole += dropped
            elif dropped[0].isspace() or dropped[-1].isspace():
                whole += " "
            whole += text[begin:stop]
        before = stop
    if whole is not None:
        yield whole


def _preformatted(page: Page, elements: NDArray[np.intp], rows: Rows) -> Mask:
    """Return bool[m]: which of ``rows`` stand in a preformatted one of ``elements``."""
    marked = elements[tags.PREFORMATTED.take(page.tag[elements])]
    if not len(marked):
        return np.zeros(len(rows), dtype=bool)
    outer = np.zeros(len(page), dtype=bool)
    outer[marked] = True
    mask: Mask = page.inside(outer)[rows]
    return mask


def _beside(page: Page, elements: NDArray[np.intp], first: Rows) -> Mask:
    """Return bool[m]: lines that stand beside the line before in a table row."""
    beside = np.zeros(len(first), dtype=bool)
    cells = elements[_CELL.take(page.tag[elements])]
    if len(cells) < 2 or len(first) < 2:  # noqa: PLR2004  one has no neighbour
        return beside
    nearest = cells[np.maximum(np.searchsorted(cells, first, side="right") - 1, 0)]
    cell = np.where((nearest <= first) & (first < page.end[nearest]), nearest, -1)
    same = cell[1:] == cell[:-1]
    single = np.append(~same, True) & np.insert(~same, 0, True) & (cell >= 0)
    row = page.parent[cell]
    beside[1:] = single[1:] & single[:-1] & (row[1:] == row[:-1])
    return beside


_CELL: Final = tags.table(["td", "th"])
_KINDS: Final = tags.PREFORMATTED.astype(np.uint8) + 2 * _CELL.astype(np.uint8)
"""What of an element matters for the lines in it, as the kernel reads it."""
