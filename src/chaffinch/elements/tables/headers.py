"""The header line of tables whose cells aren't marked as headers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.shown_text import shown_text
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.elements.formulas.tex import PageFormula
    from chaffinch.elements.tables.grid import Grid
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_NUMBER: Final = re.compile(r"\A\W*+\d[\W\d]*+")
_BOLD: Final = tags.table(["b", "strong"])
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
        outermost = np.flatnonzero(_BOLD.take(inner))[:1]
        if not len(outermost) or page.length[cell] > page.length[cell + outermost].item():
            return False
    return True
