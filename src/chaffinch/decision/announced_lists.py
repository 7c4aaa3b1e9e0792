"""A list goes with the line that announces it, «You need:», and with the text on both its sides.

The line is the block directly above the list and ends with a colon. A kept line keeps its list,
where that isn't mostly links or longer than what a line announces; a kept list keeps its line.
A list without links is kept where it stands between two kept paragraphs, beside both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks

# Chosen on the five folds of wcxb: without the two bounds a third of the words are links to others.
_LINKED: Final = 0.5
"""Share of its characters in links up to which a list is announced, not a menu."""
_MOST: Final = 120
"""Words of such a list."""
_LISTS: Final = frozenset(tags.CODES[name] for name in ("ul", "ol", "dl"))
_BARS: Final = tags.table("nav header footer aside form".split())
_COLONS: Final = (":", "：", "﹕")
_LAST: Final = frozenset("".join(_COLONS) + " \t\r\n\xa0")
_END: Final = 4
"""Characters at the end of a line, white space included, among which the colon is looked for."""


def announced_lists(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: lists, and lines above them, that are to be kept, too; None for none.

    Args:
        blocks: the page's m text blocks.
        units: float32[m], words of each block.
        keep: bool[m], the blocks that are kept.
    """
    page = blocks.page
    if not page.holds("ul", "ol", "dl") or not (uneven := _last_of_runs(keep)):
        return None
    kept = 0 if keep[uneven[0]] else 1  # where the first run of kept blocks stands
    changes = [
        (slice(at + 1, stop + 1), True)
        for at, stop in zip(uneven[kept::2], uneven[kept + 1 :: 2], strict=False)
        if _is_enclosed_list(blocks, units, at, stop + 1)
    ]
    text = page.text
    ends = page.text_at.take(blocks.last.take(uneven)).tolist()
    lines = [
        at
        for at, end in zip(uneven, ends, strict=True)
        if text[end - 1] in _LAST and text[max(end - _END, 0) : end].rstrip().endswith(_COLONS)
    ]
    for at in lines:
        own = slice(at + 1, _end_of_list(blocks, at))
        if not keep[at]:
            changes.append((slice(at, at + 1), own.stop > own.start))
        elif not keep[own].any() and _may_be_announced(blocks, units, own):
            changes.append((own, True))
    if not changes:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for own, added in changes:
        mask[own] = added
    if not mask.any():
        return None
    mask &= ~blocks.inside(_BARS)
    return mask


def _last_of_runs(keep: Mask) -> list[int]:
    """Return the blocks behind which a kept one is followed by a dropped one, or the reverse."""
    kept, last = keep.tobytes(), []
    following = kept.find(not kept[0], 1)
    while following > 0:
        last.append(following - 1)
        following = kept.find(not kept[following], following + 1)
    return last


def _is_enclosed_list(blocks: TextBlocks, units: Floats, at: int, stop: int) -> bool:
    """Return whether the blocks between two, which are kept, are a list beside both.

    Args:
        blocks: the page's m text blocks.
        units: float32[m], words of each block.
        at: the kept block before; what follows it isn't kept.
        stop: the next kept block.
    """
    if _end_of_list(blocks, at) != stop:
        return False
    own = slice(at + 1, stop)
    if units[own].sum() > _MOST or blocks.link_length[own].any():
        return False
    page, row = blocks.page, blocks.first.item
    above = _common_parent(page, row(at), row(at + 1))
    return above == _common_parent(page, row(stop - 1), row(stop))


def _common_parent(page: Page, row: int, after: int) -> int:
    """Return the innermost element around ``row`` that holds the later row ``after``, too."""
    parent, end = page.parent.item, page.end.item
    above = parent(row)
    while above >= 0 and end(above) <= after:
        above = parent(above)
    return above


def _may_be_announced(blocks: TextBlocks, units: Floats, own: slice) -> bool:
    linked, length = blocks.link_length[own].sum(), blocks.length[own].sum()
    return bool(linked <= _LINKED * length and units[own].sum() <= _MOST)


def _end_of_list(blocks: TextBlocks, at: int) -> int:
    """Return the end of the list that begins with the block after ``at``; ``at`` for no list."""
    page, found = blocks.page, -1
    tag, parent, first = page.tag.item, page.parent.item, blocks.first.item(at)
    above = parent(blocks.first.item(at + 1))
    while above > first:
        if tag(above) in _LISTS:
            found = above
        above = parent(above)
    return int(blocks.first.searchsorted(page.end[found])) if found >= 0 else at
