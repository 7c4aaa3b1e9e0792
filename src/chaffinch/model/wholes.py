"""What is kept or dropped as a whole: lists, data tables, blocks of code.

A reader takes a table or leaves it; half a table is worth nothing. The blocks of such a part share
one probability, the mean of their own by words, so that the evidence of the whole decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags
from chaffinch.segment.data_tables import shows_data

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks

_LISTS: Final = tags.table("ul ol dl menu".split())
_ITEMS: Final = tags.table("li dt dd".split())
_PARTS: Final = _LISTS | _ITEMS | tags.table(["table", "pre"])
_BLOCKS_AN_ITEM: Final = 2
"""A list whose items hold more is a list of cards or posts, whose blocks aren't all alike."""
_KINDS: Final = (_LISTS + 2 * _ITEMS + 4 * tags.table(["pre"])).astype(np.uint8)
"""What kernels read of a tag: a list, an item, code."""
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
    if compiled := kernels.kernels():
        number = np.empty(len(blocks), dtype=np.int32)
        given = page.tag, page.end, tables, blocks.first, _KINDS, number
        compiled.whole_parts(*given, lists, _BLOCKS_AN_ITEM)
        return number
    parts = np.flatnonzero(_PARTS.take(page.tag))
    tag = page.tag[parts]
    items = parts[_ITEMS.take(tag)]
    whole = tag == tags.CODES["pre"]
    if lists:
        whole |= _LISTS.take(tag)
    whole[np.searchsorted(parts, tables)] = True
    rows = parts[whole]
    if not len(rows):
        return np.full(len(blocks), -1, dtype=np.int32)
    ends = page.end[rows]
    outer = np.ones(len(rows), dtype=bool)
    np.greater_equal(rows[1:], np.maximum.accumulate(ends[:-1]), out=outer[1:])
    rows, ends = rows[outer], ends[outer]
    amount = np.searchsorted(blocks.first, ends) - np.searchsorted(blocks.first, rows)
    most = _BLOCKS_AN_ITEM * (np.searchsorted(items, ends) - np.searchsorted(items, rows))
    simple = (amount > 0) & (~_LISTS.take(page.tag[rows]) | (amount <= most))
    rows, ends = rows[simple], ends[simple]
    if not len(rows):
        return np.full(len(blocks), -1, dtype=np.int32)
    at = np.searchsorted(rows, blocks.first, side="right") - 1
    found: Rows = np.where((at >= 0) & (blocks.first < ends[at]), at, -1).astype(np.int32)
    return found


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
    swayed = score + LIKE * (_means(score, units, group) - score)
    inside: Mask = whole >= 0
    if inside.any():
        swayed[inside] = _means(swayed[inside], units[inside], whole[inside])
    return swayed.astype(np.float32)


def _means(score: NDArray[Any], units: Floats, number: Rows) -> NDArray[np.float64]:
    """Return float64[m]: the mean score, by words, of the blocks with each block's number."""
    amount = np.bincount(number, weights=units)
    means: NDArray[np.float64] = np.bincount(number, weights=score * units) / np.maximum(amount, 1)
    return means[number]
