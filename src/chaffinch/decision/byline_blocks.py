"""Bylines among the blocks of a page: who wrote the text and when, beside headline or text.

A byline is a short block near the headline, or directly behind the text, that names an author whom
metadata found, begins with the label of a byline («By», «作者：»), or, above the text, is little
more than a date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.title_blocks import metadata_near
from chaffinch.elements.dates import parse_date, plausible
from chaffinch.lazy import lazy_module
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.metadata import names, values
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:
    names = lazy_module("chaffinch.metadata.names")
    values = lazy_module("chaffinch.metadata.values")

_LONGEST: Final = 160
"""Characters of a byline."""
_BESIDE_NAME: Final = 60
"""Letters of a block besides the author's name: more are a sentence about the author."""
_DATED: Final = 70
"""Characters of a block that is a byline for its date alone."""
_BEFORE: Final = 6
_AFTER: Final = 4
"""Blocks before the headline or the text, and behind the text, that may be bylines."""
_TEXT: Final = 200
"""Characters of a block with which the text has begun."""


def in_byline(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks that are bylines, kept or not.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept: bylines stand beside them.
    """
    mask = np.zeros(len(blocks), dtype=bool)
    kept = np.flatnonzero(keep)
    if not len(kept):
        return mask
    page = blocks.page
    found = metadata_near(blocks, keep)
    keys = [key for name in (found.value("authors") or ()) if (key := values.fold(name))]
    above, behind = _near(blocks, kept)
    for block in (*above, *behind):
        if 0 < blocks.length[block] <= _LONGEST and not tags.HEADING[page.tag[blocks.owner[block]]]:
            text = blocks.text(block)
            mask[block] = _names_author(text, keys) or (block in above and _is_dated(text))
    return mask


def _near(blocks: TextBlocks, kept: NDArray[np.intp]) -> tuple[range, range]:
    """Return the blocks from some before the first kept one up to the text, and those behind it."""
    long = kept[blocks.length[kept] >= _TEXT]
    begin = int(long[0]) if len(long) else int(kept[-1])
    last = int(kept[-1])
    behind = range(max(last - _AFTER, begin) + 1, min(last + _AFTER + 1, len(blocks)))
    return range(max(int(kept[0]) - _BEFORE, 0), begin), behind


def _names_author(text: str, keys: list[str]) -> bool:
    key = values.fold(text)
    beside = (len(key) - len(name) <= _BESIDE_NAME for name in keys if name in key)
    return any(beside) or names.has_label(text)


def _is_dated(text: str) -> bool:
    """Return whether a text above the content is little more than a date; below it, posts are."""
    found = parse_date(text) if len(text) <= _DATED else None
    return found is not None and plausible(found)
