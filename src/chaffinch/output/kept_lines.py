"""Kept lines: the text of what is kept, cut where a reader sees a line begin.

A line is a run of inline content (`Page.line`); what of it is kept is its text, white space folded,
or verbatim where it is preformatted. Renderers to plain text and cutters of chunks share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.shown_content import shown_content
from chaffinch.kernels.codes import CELL, PREFORMATTED
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.elements.formulas.tex import PageFormula
    from chaffinch.page import Page
    from chaffinch.page.arrays import Codes, Mask, Rows
    from chaffinch.result import Content


_KINDS: Final = tags.PREFORMATTED * np.uint8(PREFORMATTED) + tags.table(["td", "th"]) * np.uint8(
    CELL
)
"""What of an element matters for the lines in it."""


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
    page, read = content.page, shown_content(content)
    text, text_at, tag = page.text, page.text_at, page.tag
    if read.formulas:
        text, text_at, tag = _with_formulas(page, read.formulas)
    of_rows = page.line, page.end, page.parent, read.kept, content.kept
    texts, first, last, *marks = kernels.kept_lines(text, text_at, tag, *of_rows, _KINDS)
    for row, formula in read.formulas.items():
        last[last == row + 1] = formula.end
    return KeptLines(texts, first, last, *marks)


def _with_formulas(page: Page, formulas: dict[int, PageFormula]) -> tuple[str, Rows, Codes]:
    """Return the page's text, where each row's own starts, and tags: each formula a row of text."""
    sizes, tag = np.diff(page.text_at), page.tag.copy()
    pieces, done = [], 0
    for row, formula in sorted(formulas.items()):
        pieces += [page.text[done : page.text_at[row]], formula.marked]
        done = int(page.text_at[formula.end])
        sizes[row : formula.end] = 0
        sizes[row], tag[row] = len(formula.marked), tags.TEXT
    pieces.append(page.text[done:])
    text_at = np.append(np.int32(0), np.cumsum(sizes, dtype=np.int32))
    return "".join(pieces), text_at, tag
