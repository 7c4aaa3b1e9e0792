"""The text of a part of the page as a reader sees it: lines, white space folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.elements.formulas.tex import PageFormula
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask


def shown_text(page: Page, row: int, shown: Mask, formulas: Mapping[int, PageFormula]) -> str:
    """Return what is shown, bool[n], of the text in the subtree of ``row``, formulas as TeX.

    A newline stands wherever a block or a br parts two texts; "" where nothing is shown.
    """
    inner = slice(row, int(page.end[row]))
    texts = page.tag[inner] == tags.TEXT
    texts[[at - row for at in formulas if inner.start <= at < inner.stop]] = True
    rows = np.flatnonzero(shown[inner] & texts) + row
    lines: list[str] = []
    last = -1
    for text_row, line in zip(rows.tolist(), page.line[rows].tolist(), strict=True):
        formula = formulas.get(text_row)
        raw = page.text[page.text_at[text_row] : page.text_at[text_row + 1]]
        raw = formula.marked if formula else raw
        if line == last:
            lines[-1] += raw
        else:
            lines.append(raw)
        last = line
    folded = (" ".join(line.split()) for line in lines)
    return "\n".join(line for line in folded if line)
