"""Rows that a structured rendering walks: what is kept and what holds it together.

Methods speak of text; the white space and the breaks between kept texts, and the empty cells of a
kept table row, belong to the structure and come with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content

_CELL: Final = tags.table(["td", "th"])
_JOINT: Final = tags.table(["br", "wbr", "td", "th"])


def shown_rows(content: Content) -> Mask:
    """Return bool[n]: kept rows, and under kept elements blank text, br, wbr and empty cells.

    Of cells that aren't kept only the cell itself is shown.
    """
    page, kept = content.page, content.kept
    blank = (page.tag == tags.TEXT) & ~page.written
    joint = (blank | _JOINT[page.tag]) & page.shown
    rows = np.flatnonzero(joint & ~kept)
    shown: Mask = kept.copy()
    shown[rows] = kept[page.parent[rows]]
    return shown
