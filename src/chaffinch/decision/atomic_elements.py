"""Elements that are kept or dropped as one: lists, data tables, blocks of code.

Half a table is of no use to a reader. The blocks of such an element share one score, the mean of
their own by words, so that they fall on the same side of any threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision.tables_and_code import data_table_rows
from chaffinch.kernels.codes import STRETCH_BEGINS, STRETCH_COUNTED, STRETCH_ITEM
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Numbers
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

_CODE: Final = tags.table(["pre"]) * np.uint8(STRETCH_BEGINS)
_WITH_LISTS: Final = (
    _CODE
    | tags.table("ul ol dl menu".split()) * np.uint8(STRETCH_BEGINS | STRETCH_COUNTED)
    | tags.table("li dt dd".split()) * np.uint8(STRETCH_ITEM)
)
"""uint8[tags], what begins an element that is atomic, without lists and with them."""
_MOST_BLOCKS_PER_ITEM: Final = 2
"""A list with more blocks per item is a list of cards or posts, whose blocks differ. Chosen on two
folds of the training corpora (`python -m training.decoding`)."""


def atomic_element_of(blocks: TextBlocks, *, lists: bool = True) -> Rows | None:
    """Return int32[m]: the first block in the same list, data table or code, the outermost one.

    -1 for blocks in none and in lists with more than `_MOST_BLOCKS_PER_ITEM`; None where there is
    no such element. Layout tables don't count, nor do tables made of div elements: detection of
    those would take longer than all other rules.

    Args:
        blocks: the page's m text blocks.
        lists: whether lists count; the posts of a thread may be the items of one.
    """
    page = blocks.page
    kinds = _WITH_LISTS if lists else _CODE
    element, count = kernels.outermost_stretches(
        page.tag, page.end, blocks.first, kinds, data_table_rows(page), _MOST_BLOCKS_PER_ITEM
    )
    return element if count else None


def shared_scores(score: Floats | Numbers, units: Floats, element: Rows) -> Floats:
    """Return float32[m]: the scores, those within one atomic element replaced by their mean.

    Args:
        score: float32[m] or float64[m], probability that each block is content.
        units: float32[m], words of each block: the weights of the mean.
        element: int32[m], number of each block's atomic element, below m; -1 for none.
    """
    own = score.astype(np.float64, copy=False)
    return kernels.pulled_to_means(element, units, own, 1).astype(np.float32)
