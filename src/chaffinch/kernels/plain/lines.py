"""The text of kept rows, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from chaffinch.kernels.codes import CELL, PREFORMATTED
from chaffinch.kernels.plain.rows import inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.kernels.arrays import Codes, Kinds, Mask, Places, Rows

_TEXT: Final = 0
"""The code of a text row."""
Lines: TypeAlias = "tuple[list[str], Rows, Rows, Mask, Mask]"


def folded_texts(text: str, starts: Rows, stops: Rows, /) -> list[str]:
    """Return some stretches of a text, runs of white space folded to one space, none at their ends.

    Args:
        text: any.
        starts, stops: int32[k], where each stretch starts and ends.
    """
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    return [" ".join(text[start:stop].split()) for start, stop in spans]


def kept_lines(
    text: str,
    text_at: Rows,
    tag: Codes,
    line: Rows,
    end: Rows,
    parent: Rows,
    kept: Mask,
    above: Mask,
    kinds: Kinds,
    /,
) -> Lines:
    """Return the m lines of the text rows that are kept, none of them empty.

    Args:
        text: all text of the page.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        tag: uint16[n]; 0 is text.
        line, end, parent: int32[n].
        kept: bool[n], rows whose text is kept.
        above: bool[n], elements that count.
        kinds: uint8[tags], `PREFORMATTED` and `CELL` of `chaffinch.kernels.codes`.

    Returns:
        m texts, white space folded, but for those that are verbatim; int32[m], the first kept text
        row of each; int32[m], the first row after its last; bool[m], lines in preformatted
        elements; bool[m], lines that stand beside the line before: both are the only line of their
        cell, and the cells have one parent.
    """
    rows = np.flatnonzero(kept & (tag == _TEXT)).astype(np.int32)
    if not len(rows):
        return [], rows, rows, rows.astype(bool), rows.astype(bool)
    edge = np.ones(len(rows) + 1, dtype=bool)
    np.not_equal(line[rows][1:], line[rows][:-1], out=edge[1:-1])
    first, last = rows[edge[:-1]], rows[edge[1:]] + np.int32(1)
    slices = _slices(text, text_at, rows, edge)
    elements = np.flatnonzero(above)
    kind = kinds.take(tag[elements])
    verbatim = _within(end, elements[kind & PREFORMATTED > 0], first)
    texts = list(map(_folded, slices))
    for index in np.flatnonzero(verbatim).tolist():
        texts[index] = slices[index].strip("\n").rstrip()
    if not all(texts):
        written = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
        texts = [one for one in texts if one]
        first, last, verbatim = first[written], last[written], verbatim[written]
    return texts, first, last, verbatim, _beside(end, parent, elements[kind & CELL > 0], first)


def _folded(raw: str) -> str:
    """Return a text with runs of white space folded to one space, none at its ends.

    Most are written so, but for their ends; of all white space, only the space is printable.
    """
    bare = raw.strip()
    return bare if "  " not in bare and bare.isprintable() else " ".join(bare.split())


def _slices(text: str, text_at: Rows, rows: Rows, edge: Mask) -> list[str]:
    """Return each line's text as the page has it; ``edge``: bool[r + 1], where lines begin."""
    begin, stop = text_at[rows], text_at[rows + 1]
    cut = edge.copy()
    cut[1:-1] |= begin[1:] != stop[:-1]
    starts = edge[:-1][cut[:-1]]
    pairs = zip(begin[cut[:-1]].tolist(), stop[cut[1:]].tolist(), strict=True)
    if starts.all():
        return [text[a:b] for a, b in pairs]
    return list(_joined(text, pairs, starts.tolist()))


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


def _within(end: Rows, outer: Places, rows: Rows) -> Mask:
    """Return bool[m]: which of ``rows`` stand in one of ``outer``."""
    if not len(outer):
        return np.zeros(len(rows), dtype=bool)
    marked = np.zeros(len(end), dtype=bool)
    marked[outer] = True
    return inside(end, marked)[rows]


def _beside(end: Rows, parent: Rows, cells: Places, first: Rows) -> Mask:
    """Return bool[m]: lines that stand beside the line before in a table row."""
    beside = np.zeros(len(first), dtype=bool)
    if len(cells) < 2 or len(first) < 2:  # noqa: PLR2004  one has no neighbour
        return beside
    nearest = cells[np.maximum(np.searchsorted(cells, first, side="right") - 1, 0)]
    cell = np.where((nearest <= first) & (first < end[nearest]), nearest, -1)
    same = cell[1:] == cell[:-1]
    single = np.append(~same, True) & np.insert(~same, 0, True) & (cell >= 0)
    row = parent[cell]
    beside[1:] = single[1:] & single[:-1] & (row[1:] == row[:-1])
    return beside
