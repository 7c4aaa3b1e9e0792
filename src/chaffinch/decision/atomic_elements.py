"""What is kept or dropped as a whole: lists, data tables, blocks of code.

A reader takes a table or leaves it; half a table is worth nothing. The blocks of such a part share
one probability, the mean of their own by words, so that the evidence of the whole decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.tables.data_tables import shows_data
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

_LISTS: Final = tags.table("ul ol dl menu".split())
_ITEMS: Final = tags.table("li dt dd".split())
_CODE: Final = tags.table(["pre"])
_LISTS_AND_CODE: Final = _LISTS | _CODE
_BLOCKS_AN_ITEM: Final = 2
"""A list whose items hold more is a list of cards or posts, whose blocks aren't all alike."""
_ALL: Final = np.zeros(0, dtype=bool)
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)
_NO_ROLES: Final[dict[int, str]] = {}
LIKE: Final = 0.7
"""How far a block goes by the mean of those that hang alike; as `_BLOCKS_AN_ITEM` chosen on two
folds of the training corpora (`python -m training.decoding`)."""


def wholes(blocks: TextBlocks, *, lists: bool = True) -> Rows:
    """Return int32[m]: the outermost list, data table or code around each block, by number.

    -1 for blocks in none, or in a list with more than `_BLOCKS_AN_ITEM`; without ``lists``, for
    those in lists alone, too: the posts of a thread may be the items of one. Tables that only lay
    out the page don't count, nor do those made of divs: looking for them takes longer than all
    else here.
    """
    page = blocks.page
    tables = rows_of_data_tables(page)
    rows = kernels.outermost(page.tag, page.end, _LISTS_AND_CODE if lists else _CODE, tables)
    if not len(rows):
        return np.full(len(blocks), -1, dtype=np.int32)
    ends = page.end[rows]
    amount = kernels.counts_within(blocks.first, rows, ends)
    whole = amount > 0
    if (listed := _LISTS.take(page.tag[rows])).any():
        items = kernels.rows_of(page.tag, _ITEMS, _ALL)
        most = _BLOCKS_AN_ITEM * kernels.counts_within(items, rows, ends)
        whole &= ~listed | (amount <= most)
    return kernels.stretch_of(rows[whole], ends[whole], blocks.first)


def rows_of_data_tables(page: Page) -> Rows:
    """Return the rows of tables, by tag, that show data: looked at once, whoever asks."""
    if not page.holds("table"):
        return _NO_ROWS
    (rows,) = page.derived(
        "data tables by tag",
        lambda: (np.flatnonzero(shows_data(page, _NO_ROLES)).astype(np.int32),),
    )
    return rows


def agreed(score: Floats, units: Floats, group: Rows, whole: Rows) -> Floats:
    """Return float32[m]: the scores after like blocks swayed each other and wholes agreed.

    Args:
        score: float32[m], probability that each block is content.
        units: float32[m], words of each block.
        group: int32[m], blocks that hang alike have the same number.
        whole: int32[m], see `wholes`.
    """
    own = score.astype(np.float64)
    means = kernels.group_means(group, (score * units).astype(np.float64), units, own)
    swayed = score + LIKE * (means - score)
    return kernels.group_means(whole, swayed * units, units, swayed).astype(np.float32)
