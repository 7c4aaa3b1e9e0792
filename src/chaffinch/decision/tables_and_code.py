"""Data tables and code between kept blocks are kept unless they are nearly surely noise.

The network scores cells of numbers and lines of code low. Between kept blocks, outside navigation
and forms, they are part of the text, and the lowest threshold of all holds for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.tables.data_tables import shows_data
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks

BARS: Final = tags.table("nav header footer aside form".split())
"""Elements around the content, in which no table, code or card is part of it."""
_CODE: Final = tags.table(["pre"])
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)
_NO_ROLES: Final[dict[int, str]] = {}


def tables_and_code(blocks: TextBlocks, *, tables: bool, code: bool) -> Mask | None:
    """Return bool[m]: blocks in data tables or code, outside `BARS`; None where there are none.

    Args:
        blocks: the page's m text blocks.
        tables: whether data tables count.
        code: whether code counts.
    """
    page = blocks.page
    mask = None
    if code and page.holds("pre"):
        mask = blocks.inside(_CODE)
    if tables and len(rows := data_table_rows(page)):
        marked = np.zeros(len(page), dtype=bool)
        marked[rows] = True
        inside = page.inside(marked)[blocks.first]
        mask = inside if mask is None else mask | inside
    return None if mask is None else mask & ~blocks.inside(BARS)


def between_kept(mask: Mask, keep: Mask) -> Mask:
    """Return bool[m]: ``mask`` from the first kept block to the last; all of it where none is."""
    kept = np.flatnonzero(keep)
    if len(kept):
        mask = mask.copy()
        mask[: kept[0]] = False
        mask[kept[-1] + 1 :] = False
    return mask


def data_table_rows(page: Page) -> Rows:
    """Return int32[r]: the rows of table elements that show data; derived once a page."""
    if not page.holds("table"):
        return _NO_ROWS
    (rows,) = page.derived(
        "data tables by tag",
        lambda: (np.flatnonzero(shows_data(page, _NO_ROLES)).astype(np.int32),),
    )
    return rows
