"""Kept lines: the text of what is kept, cut where a reader sees a line begin.

A line is a run of inline content (`Page.line`); what of it is kept is its text, white space folded,
or verbatim where it is preformatted. Renderers to plain text and cutters of chunks share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.code import needs_lines, source
from chaffinch.elements.shown_content import shown_content, shown_rows
from chaffinch.elements.texts import BREAK
from chaffinch.kernels.codes import CELL, PREFORMATTED
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.page.arrays import Codes, Mask, Rows
    from chaffinch.result import Content


_KINDS: Final = tags.PREFORMATTED * np.uint8(PREFORMATTED) + tags.table(["td", "th"]) * np.uint8(
    CELL
)
"""What of an element matters for the lines in it."""
_PRE: Final = tags.CODES["pre"]


@dataclass(frozen=True, eq=False)
class KeptLines:
    """The lines of what is kept, as columns; m lines in document order, none of them empty.

    Attributes:
        texts: m texts; white space folded, except where ``verbatim``.
        first: int32[m], first kept text row of each line.
        last: int32[m], first row after the last kept text row of each line.
        verbatim: bool[m], lines in preformatted elements, or broken by inline style; they may hold
            newlines.
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


@dataclass
class _Columns:
    """The columns of a page that lines are made of, changed where it isn't shown as it is."""

    text: str
    text_at: Rows
    tag: Codes
    line: Rows
    kept: Mask

    def replace(self, texts: dict[int, tuple[int, str]]) -> None:
        """Put a text in the place of all that rows hold: row → first row after them, text."""
        sizes, pieces, done = np.diff(self.text_at), [], 0
        for row, (end, text) in sorted(texts.items()):
            pieces += [self.text[done : self.text_at[row]], text]
            done = int(self.text_at[end])
            sizes[row:end] = 0
            sizes[row] = len(text)
        pieces.append(self.text[done:])
        self.text = "".join(pieces)
        self.text_at = np.append(np.int32(0), np.cumsum(sizes, dtype=np.int32))


def kept_lines(content: Content) -> KeptLines:
    """Cut what is kept of ``content`` into lines."""
    page, shown = content.page, shown_content(content)
    columns = _Columns(*shown.elements.text, page.tag, page.line, shown.kept)
    if page.breaks_kept is not None:
        broken = page.breaks_kept & ~page.written & (page.tag == tags.TEXT)
        columns.kept = shown.kept | broken  # a break between two marks
    ends = _replace(shown, columns)
    texts, first, last, *marks = kernels.kept_lines(
        columns.text, columns.text_at, columns.tag, columns.line, page.end, page.parent,
        columns.kept, content.kept, _KINDS,
    )  # fmt: skip
    for row, end in ends.items():
        last[last == row + 1] = end
    lines = KeptLines(texts, first, last, *marks)
    return lines if page.breaks_kept is None else _broken(lines)


def _replace(shown: ShownContent, columns: _Columns) -> dict[int, int]:
    """Put formulas in their places, and code whose lines its text alone doesn't tell.

    Returns:
        Row of each text that was put somewhere → first row after what it stands for.
    """
    page, code = shown.page, shown.code
    texts = {row: (one.end, one.marked) for row, one in shown.formulas.items()}
    blocks = [row for row in code.blocks if shown.kept[row] and needs_lines(page, row, code)]
    if not (texts or blocks):
        return {}
    columns.tag = columns.tag.copy()
    columns.tag[list(texts)] = tags.TEXT
    if blocks:
        rows = shown_rows(page, shown.kept) & ~code.left_out
        edges = np.zeros(len(page) + 1, dtype=np.int32)
        for row in blocks:
            end = int(page.end[row])
            held = np.flatnonzero(shown.kept[row:end] & (page.tag[row:end] == tags.TEXT)) + row
            if raw := source(page, row, rows, code) if len(held) else "":
                texts = {at: one for at, one in texts.items() if not row <= at < end}
                texts[int(held[0])] = end, raw
                columns.tag[row] = _PRE
                edges[row] = edges[end] = 1
        columns.line = page.line + np.add.accumulate(edges[:-1], dtype=np.int32)
    columns.replace(texts)
    return {row: end for row, (end, _) in texts.items()}


def _broken(lines: KeptLines) -> KeptLines:
    """Break lines where inline style does; those that hold nothing but breaks are dropped."""
    texts, verbatim = [], lines.verbatim.copy()
    for at, text in enumerate(lines.texts):
        if BREAK in text:
            verbatim[at] = True
            parts = [part.strip() for part in text.split(BREAK)]
            text = "\n".join([part for part in parts if part])  # noqa: PLW2901
        texts.append(text)
    held = np.array([bool(text) for text in texts], dtype=bool)
    columns = [own[held] for own in (lines.first, lines.last, verbatim, lines.beside)]
    return KeptLines([text for text in texts if text], *columns)
