"""The text of a part of the page as a reader sees it: lines, white space folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask


def shown_text(page: Page, row: int, shown: Mask) -> str:
    """Return what is shown, bool[n], of the text in the subtree of ``row``.

    A newline stands wherever a block or a br parts two texts; "" where nothing is shown.
    """
    inner = slice(row, int(page.end[row]))
    rows = np.flatnonzero(shown[inner] & (page.tag[inner] == tags.TEXT)) + row
    lines: list[str] = []
    last = -1
    for text_row, line in zip(rows.tolist(), page.line[rows].tolist(), strict=True):
        raw = page.text[page.text_at[text_row] : page.text_at[text_row + 1]]
        if line == last:
            lines[-1] += raw
        else:
            lines.append(raw)
        last = line
    folded = (" ".join(line.split()) for line in lines)
    return "\n".join(line for line in folded if line)
