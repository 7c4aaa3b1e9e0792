"""Headings go with what they head: kept above kept text, dropped where their section is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

_SHARE: Final = 0.8
"""Share of the threshold that such a heading must reach."""
_SECTION: Final = tags.table("h2 h3 h4 h5 h6".split())
_LOWEST: Final = 6
_NOTHING: Final = b"\0"
"""What stands behind the last block: no heading, and not kept."""
_RANK: Final = np.zeros(len(tags.NAMES), dtype=np.int8)
"""int8[tags]: the rank of a heading, 1 is highest, `_LOWEST` lowest; 0 for other tags."""
_RANK[[tags.CODES[f"h{rank}"] for rank in range(1, _LOWEST + 1)]] = range(1, _LOWEST + 1)


def headings_above_kept(
    blocks: TextBlocks, score: NDArray[np.floating], keep: Mask, threshold: float
) -> Mask | None:
    """Return bool[m]: headings (h2 to h6) whose next block is kept and no heading; None if none.

    Only those that aren't kept yet.

    Args:
        blocks: the page's m text blocks.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
        threshold: the score from which text is kept.
    """
    near: Mask = score >= _SHARE * threshold
    near &= ~keep
    if 1 not in near.tobytes():
        return None
    owner = blocks.owner_tag
    near &= _SECTION.take(owner)
    near[:-1] &= keep[1:] > tags.HEADING.take(owner[1:])
    near[-1] = False
    return near


def headings_of_dropped(blocks: TextBlocks, keep: Mask) -> Mask | None:
    """Return bool[m]: kept headings of sections of which nothing is kept; None for none.

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
    for head in heads:
        if kept[head] and (ranks[head + 1] or not kept[head + 1]):
            break
    else:  # each kept heading has kept text directly below
        return None
    texts = (rank == 0).tobytes()
    kept_texts = ((rank == 0) & keep).tobytes()
    empty: list[int] = []
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
