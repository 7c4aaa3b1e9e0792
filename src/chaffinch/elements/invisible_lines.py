"""Lines of nothing but characters that show nothing: what editors leave in empty paragraphs.

A zero-width space or joiner alone in a paragraph holds its place on the screen; without style
sheets it is an empty line. In listings such lines are blank lines of code and stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Format characters without a width (Unicode, general category Cf) that stand alone on pages."""
_VISIBLE: Final = np.ones(0x10000, dtype=bool)
_VISIBLE[[*map(ord, INVISIBLE), *(code for code in range(0x3001) if chr(code).isspace())]] = False
_VISIBLE.flags.writeable = False
_CODE: Final = tags.PREFORMATTED | tags.table(["code"])


def invisible_lines(page: Page, kept: Mask) -> list[int]:
    """Return those texts of ``kept``, bool[n], in whose line no kept character is visible."""
    if page.text.isascii() or not any(sign in page.text for sign in INVISIBLE):
        return []
    visible = kernels.characters(page.text, page.text_at, _VISIBLE)
    rows = np.flatnonzero(kept & page.written & (visible == 0))
    if not len(rows):
        return []
    of_line = np.bincount(page.line, weights=np.where(kept, visible, 0))
    empty = (of_line[page.line[rows]] == 0) & ~page.inside(_CODE[page.tag])[rows]
    found: list[int] = rows[empty].tolist()
    return found
