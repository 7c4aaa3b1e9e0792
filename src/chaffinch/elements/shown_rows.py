"""Rows that a structured rendering walks: what is kept and what holds it together.

Methods speak of text; the white space and the breaks between kept texts, and the empty cells of a
kept table row, belong to the structure and come with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_JOINT: Final = tags.table(["br", "wbr", "td", "th"])


def shown_rows(page: Page, kept: Mask) -> Mask:
    """Return bool[n]: ``kept`` rows, and under kept elements blank text, br, wbr and empty cells.

    Inline elements that hold no text are seen through: a blank may stand in an element of its own.
    Of cells that aren't kept only the cell itself is shown.
    """
    blank = (page.tag == tags.TEXT) & ~page.written
    joint = (blank | _JOINT[page.tag]) & page.shown
    rows = np.flatnonzero(joint & ~kept)
    shown: Mask = kept.copy()
    shown[rows] = kept[_holders(page, rows)]
    return shown


def _holders(page: Page, rows: NDArray[np.intp]) -> Rows:
    """Return int32[r]: the element around each row, past inline ones that hold no text."""
    above = page.parent[rows]
    empty = (
        (page.written_before[page.end] == page.written_before[:-1])
        & ~tags.BLOCK[page.tag]
        & (page.parent >= 0)
    )
    while (inside := empty[above]).any():
        above = np.where(inside, page.parent[above], above)
    return above
