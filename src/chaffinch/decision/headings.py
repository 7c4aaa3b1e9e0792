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
_RANK: Final = np.zeros(len(tags.NAMES), dtype=np.int8)
"""int8[tags]: the rank of a heading, 1 is highest; 0 for other tags."""
_RANK[[tags.CODES[f"h{rank}"] for rank in range(1, 7)]] = range(1, 7)


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
    if not np.count_nonzero(near):
        return None
    owner = blocks.page.tag.take(blocks.owner)
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
    rank = _RANK.take(blocks.page.tag.take(blocks.owner))
    heads = rank.nonzero()[0]
    kept_heads = heads[keep[heads]]
    below = np.minimum(kept_heads + 1, len(blocks) - 1)
    if (keep[below] > rank[below].astype(bool)).all():  # each has kept text directly below
        return None
    empty = np.zeros(len(blocks), dtype=bool)
    texts = _summed((rank == 0) & keep), _summed(rank == 0)
    following: dict[int, int] = {}
    for head in heads[::-1].tolist():
        own = int(rank[head])
        stop = min((at for level, at in following.items() if level <= own), default=len(blocks))
        following = {level: at for level, at in following.items() if level < own} | {own: head}
        kept, all_texts = (int(sums[stop] - sums[head]) for sums in texts)
        empty[head] = own > 1 and not kept and all_texts > 0
    empty &= keep
    return empty if empty.any() else None


def _summed(mask: Mask) -> NDArray[np.int64]:
    """Return int64[m + 1]: how many blocks before each are in ``mask``."""
    sums = np.zeros(len(mask) + 1, dtype=np.int64)
    np.cumsum(mask, out=sums[1:])
    return sums
