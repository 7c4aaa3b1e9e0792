"""Headings go with what they head: kept above kept text, dropped where their section is dropped."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks

PAGE_TYPES: Final = ("article", "documentation", "service")
"""Page types of running text under headings."""
_SHARE: Final = 0.8
"""Share of the threshold that such a heading must reach."""
_ENOUGH: Final = 0.2
"""Score that is enough in running text, where the heading leads nowhere: links are teasers."""
_MOST_BETWEEN: Final = 3
_SMALL: Final = 12
"""Dropped blocks between a heading and its kept text, and their words together: a badge, a date."""
_BOXED: Final = 4
"""Elements around a heading that may be the box of a form."""
_SECTION: Final = tags.table("h2 h3 h4 h5 h6".split())
_LOWEST: Final = 6
_FORMS: Final = tags.table(["form"])
_ALL: Final = np.zeros(0, dtype=bool)
_NOTHING: Final = b"\0"
"""What stands behind the last block: no heading, and not kept."""
_RANK: Final = np.zeros(len(tags.NAMES), dtype=np.int8)
"""int8[tags]: the rank of a heading, 1 is highest, `_LOWEST` lowest; 0 for other tags."""
_RANK[[tags.CODES[f"h{rank}"] for rank in range(1, _LOWEST + 1)]] = range(1, _LOWEST + 1)


def headings_above_kept(
    blocks: TextBlocks,
    score: NDArray[np.floating],
    keep: Mask,
    threshold: float,
    *,
    units: Floats | None = None,
) -> Mask | None:
    """Return bool[m]: headings (h2 to h6) of kept text; None if none.

    Only those that aren't kept yet. What follows a heading is kept text, or a heading of a lower
    rank that is kept.

    Args:
        blocks: the page's m text blocks.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
        threshold: the score from which text is kept.
        units: float32[m], words of each block, on pages of running text: there a lower score is
            enough, and small dropped blocks may stand between.
    """
    least = _SHARE * threshold
    near: Mask = score >= (least if units is None else min(least, _ENOUGH))
    near &= ~keep
    if 1 not in near.tobytes():
        return None
    owner = blocks.owner_tag
    near &= _SECTION.take(owner)
    rank, kept = _RANK.take(owner).tobytes(), bytearray(keep.tobytes())
    for head in near.nonzero()[0].tolist()[::-1]:
        below = kept.find(1, head + 1, head + 2 + (0 if units is None else _MOST_BETWEEN))
        is_above = below > 0 and (not rank[below] or rank[below] > rank[head])
        if is_above and below > head + 1 and units is not None:
            between = slice(head + 1, below)
            is_above = not any(rank[between]) and units[between].sum() <= _SMALL
            is_above = is_above and _follows(blocks, kept.rfind(1, 0, head), head, below)
        if is_above and (score[head] < least or below > head + 1):
            is_above = not _leads_away(blocks, head)
        kept[head] = near[head] = bool(is_above)
    return near


def _follows(blocks: TextBlocks, before: int, head: int, below: int) -> bool:
    """Return whether a heading and its text stand in an element that holds kept text before, too.

    Cards hold their own text alone.
    """
    page, row, text = blocks.page, blocks.owner.item(head), blocks.first.item(below)
    while row >= 0 and page.end[row] <= text:
        row = int(page.parent[row])
    return before >= 0 and row <= blocks.first[before]


def _leads_away(blocks: TextBlocks, head: int) -> bool:
    """Return whether a heading is a link to another page."""
    page, row = blocks.page, blocks.first.item(head)
    if not page.in_link[row]:
        return False
    while page.tag[row] != tags.CODES["a"]:
        row = int(page.parent[row])
    return not (page.attribute(row, "href") or "#").startswith("#")


def _of_forms(blocks: TextBlocks, kept_heads: bytes, kept_texts: bytes) -> list[int]:
    """Return the kept headings that stand with a form in a box without kept text."""
    page, first, near = blocks.page, blocks.first, set[int]()
    forms = kernels.rows_of(page.tag, _FORMS, _ALL, 0, len(page))
    stop = -1
    for at in first.searchsorted(forms).tolist():
        if at > stop:  # between the kept texts before and behind a form
            begin, stop = kept_texts.rfind(1, 0, at) + 1, kept_texts.find(1, at)
            stop = stop if stop >= 0 else len(kept_texts)
            near.update(head for head in range(begin, stop) if kept_heads[head])
    found = []
    for head in near:
        for above in islice(page.ancestors(blocks.owner.item(head)), _BOXED):
            end = page.end.item(above)
            start, behind = first.searchsorted((above, end)).tolist()
            if above <= page.body or kept_texts.find(1, start, behind) >= 0:
                break
            begin, stop = forms.searchsorted((above, end)).tolist()
            if begin < stop:
                found.append(head)
                break
    return found


def headings_of_dropped(blocks: TextBlocks, keep: Mask) -> Mask | None:
    """Return bool[m]: kept headings of forms and sections of which nothing is kept; None for none.

    A section goes to the next heading of the same or a higher rank, kept or not; that of an h1 is
    the page. One without text has nothing to drop, and its heading may be all that an entry of a
    list shows.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
    """
    rank = _RANK.take(blocks.owner_tag)
    heads = rank.nonzero()[0].tolist()
    kept, ranks = keep.tobytes() + _NOTHING, rank.tobytes() + _NOTHING
    texts = (rank == 0).tobytes()
    kept_texts = ((rank == 0) & keep).tobytes()
    empty = list[int]()
    if blocks.page.holds("form"):
        empty = _of_forms(blocks, ((rank > 0) & keep).tobytes(), kept_texts)
    for head in heads:
        if kept[head] and (ranks[head + 1] or not kept[head + 1]):
            break
    else:  # each kept heading has kept text directly below
        heads = []
    ends = [len(blocks)] * (_LOWEST + 1)  # by rank: where a section of that rank ends
    for head in reversed(heads):
        own = ranks[head]
        stop = ends[own]
        ends[own:] = [head] * (_LOWEST + 1 - own)
        if (
            own > 1
            and kept[head]
            and kept_texts.find(1, head, stop) < 0 <= texts.find(1, head, stop)
        ):
            empty.append(head)
    if not empty:
        return None
    mask = np.zeros(len(blocks), dtype=bool)
    mask[empty] = True
    return mask
