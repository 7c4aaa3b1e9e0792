"""Elements that are kept or dropped as one: lists, data tables, blocks of code.

Half a table is of no use to a reader. The blocks of such an element share one score, the mean of
their own by words, so that they fall on the same side of any threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision.tables_and_code import data_table_rows
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Numbers
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

_LISTS: Final = tags.table("ul ol dl menu".split())
_ITEMS: Final = tags.table("li dt dd".split())
_CODE: Final = tags.table(["pre"])
_LISTS_AND_CODE: Final = _LISTS | _CODE
_NO_LISTS: Final = ~_LISTS
_MOST_BLOCKS_PER_ITEM: Final = 2
"""A list with more blocks per item is a list of cards or posts, whose blocks differ. Chosen on two
folds of the training corpora (`python -m training.decoding`)."""
_ALL: Final = np.zeros(0, dtype=bool)


def atomic_element_of(blocks: TextBlocks, *, lists: bool = True) -> Rows | None:
    """Return int32[m]: the first block in the same list, data table or code, the outermost one.

    -1 for blocks in none and in lists with more than `_MOST_BLOCKS_PER_ITEM`; None where the page
    has none. Layout tables don't count, nor do tables made of div elements: detection of those
    would take longer than all other rules.

    Args:
        blocks: the page's m text blocks.
        lists: whether lists count; the posts of a thread may be the items of one.
    """
    page = blocks.page
    tag, tables = page.tag, data_table_rows(page)
    rows = kernels.outermost(tag, page.end, _LISTS_AND_CODE if lists else _CODE, tables)
    if not len(rows):
        return None
    ends = page.end.take(rows)
    if lists:
        items = kernels.tags_within(tag, _ITEMS, _ALL, rows, ends).tolist()
        amounts = (blocks.first.searchsorted(ends) - blocks.first.searchsorted(rows)).tolist()
        some = [
            at
            for at, (code, amount, most) in enumerate(
                zip(tag.take(rows).tolist(), amounts, items, strict=True)
            )
            if amount <= _MOST_BLOCKS_PER_ITEM * most or not _LISTS[code]
        ]
        rows, ends = rows.take(some), ends.take(some)
    return kernels.stretch_of(rows, ends, blocks.first)


def shared_scores(score: Floats | Numbers, units: Floats, element: Rows) -> Floats:
    """Return float32[m]: the scores, those within one atomic element replaced by their mean.

    Args:
        score: float32[m] or float64[m], probability that each block is content.
        units: float32[m], words of each block: the weights of the mean.
        element: int32[m], number of each block's atomic element, below m; -1 for none.
    """
    own = score.astype(np.float64, copy=False)
    return kernels.pulled_to_means(element, units, own, 1).astype(np.float32)
