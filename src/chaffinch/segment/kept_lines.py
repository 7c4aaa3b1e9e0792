"""Kept lines: the text of what is kept, cut where a reader sees a line begin.

A line is a run of inline content (`Page.line`); what of it is kept is its text, white space folded,
or verbatim where it is preformatted. Renderers to plain text and cutters of chunks share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page import tags
from chaffinch.segment.reading import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.result import Content
    from chaffinch.segment.formulas import Found

_NOTHING = np.zeros(0, dtype=np.int32)


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
    read = reading(content)
    texts_kept = read.kept & (page.tag == tags.TEXT)
    texts_kept[list(read.formulas)] = True
    rows = np.flatnonzero(texts_kept)
    if not len(rows):
        return KeptLines([], _NOTHING, _NOTHING, _NOTHING.astype(bool), _NOTHING.astype(bool))
    begin, stop = page.text_at[rows], page.text_at[rows + 1]
    line = page.line[rows]
    new_line = np.ones(len(rows), dtype=bool)
    np.not_equal(line[1:], line[:-1], out=new_line[1:])
    new_piece = new_line.copy()
    new_piece[1:] |= begin[1:] != stop[:-1]
    at = np.flatnonzero(new_piece)
    line_at = np.flatnonzero(new_line)
    first = rows[line_at]
    verbatim = _preformatted(content, first)
    begin, stop = begin[at], stop[np.append(at[1:], len(rows)) - 1]
    pairs = zip(begin.tolist(), stop.tolist(), strict=True)
    if read.formulas:
        slices = _with_formulas(page, read.formulas, rows, line_at)
    elif len(at) == len(line_at):
        slices = [page.text[a:b] for a, b in pairs]
    else:
        slices = list(_joined(page.text, pairs, new_line[at].tolist()))
    texts = [" ".join(raw.split()) for raw in slices]
    for index in np.flatnonzero(verbatim).tolist():
        texts[index] = slices[index].strip("\n").rstrip()
    last = _ends(rows, read.formulas)[np.append(line_at[1:], len(rows)) - 1]
    written = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
    if not written.all():
        texts = [text for text in texts if text]
        first, last, verbatim = first[written], last[written], verbatim[written]
    return KeptLines(texts, _int32(first), _int32(last), verbatim, _beside(content, first))


def _ends(rows: NDArray[np.intp], formulas: dict[int, Found]) -> NDArray[np.intp]:
    """Return where each row ends: a formula with its last copy."""
    ends = rows + 1
    for row, formula in formulas.items():
        ends[np.searchsorted(rows, row)] = formula.end
    return ends


def _with_formulas(
    page: Page, formulas: dict[int, Found], rows: NDArray[np.intp], line_at: NDArray[np.intp]
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


def _preformatted(content: Content, rows: NDArray[np.intp]) -> Mask:
    """Return bool[m]: which of ``rows`` stand in a preformatted element."""
    page = content.page
    marked = tags.PREFORMATTED[page.tag] & content.kept
    if not marked.any():
        return np.zeros(len(rows), dtype=bool)
    mask: Mask = page.inside(marked)[rows]
    return mask


def _beside(content: Content, first: NDArray[np.intp]) -> Mask:
    """Return bool[m]: lines that stand beside the line before in a table row."""
    page = content.page
    beside = np.zeros(len(first), dtype=bool)
    cells = np.flatnonzero(_CELL[page.tag] & content.kept)
    if len(cells) < 2 or len(first) < 2:  # noqa: PLR2004  one has no neighbour
        return beside
    nearest = cells[np.maximum(np.searchsorted(cells, first, side="right") - 1, 0)]
    cell = np.where((nearest <= first) & (first < page.end[nearest]), nearest, -1)
    same = cell[1:] == cell[:-1]
    single = np.append(~same, True) & np.insert(~same, 0, True) & (cell >= 0)
    row = page.parent[cell]
    beside[1:] = single[1:] & single[:-1] & (row[1:] == row[:-1])
    return beside


def _int32(rows: NDArray[np.intp]) -> Rows:
    return rows.astype(np.int32)


_CELL = tags.table(["td", "th"])
