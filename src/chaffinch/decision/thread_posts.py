"""The posts of a thread are its content, whatever the network thinks of one of them.

A short post, or one that begins by naming whom it answers, looks like furniture to a network that
reads block by block, and a thread then misses an answer. Posts are found by their structure
(`chaffinch.lists`); where the network keeps some of them, the bodies of all are kept. Comments on a
question or an answer stay as they are decided, for labellers disagree on them; others, such as
those on the floors of a board, are kept where nothing of them is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from chaffinch.lists import discussion
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:  # few pages are threads
    discussion = lazy_module("chaffinch.lists.discussion")

_LEAST: Final = 2
"""Posts without which a page shows no thread."""
_SHARE_KEPT: Final = 0.3
"""Share of the posts that must be kept for the most part: less, and they are something else.
Chosen among 0, 0.3 and 0.5 by held-out folds, each without the domains it is measured on."""
_COMMENT: Final = "comment"


def bodies_of_posts(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: blocks of the bodies of the page's posts; None where posts aren't content.

    Args:
        blocks: the page's m text blocks.
        units: float32[m], words of each block.
        keep: bool[m], the blocks that are kept.
    """
    bodies, comments = _bodies(blocks)
    if len(bodies) < _LEAST:
        return None
    kept = sum(2 * units[body][keep[body]].sum() >= units[body].sum() for body in bodies)
    if kept < _SHARE_KEPT * len(bodies):
        return None
    mask = np.zeros(len(blocks), dtype=bool)
    mask[np.concatenate(bodies)] = True
    for body in comments:
        if not keep[body].any():
            mask[body] = True
    return mask


def _bodies(blocks: TextBlocks) -> tuple[list[list[int]], list[list[int]]]:
    """Return the blocks of each body, of posts and of comments on none of questions and answers.

    A block is of the last post that begins above it: each is looked at once, however posts nest.
    """
    found = sorted(discussion.posts(blocks.page), key=lambda post: post.rows)
    if len(found) < _LEAST:
        return [], []
    starts = np.array([post.rows[0] for post in found])
    ends = np.array([post.rows[1] for post in found])
    of_post = np.searchsorted(starts, blocks.first, side="right") - 1
    within = (of_post >= 0) & (blocks.first < ends[of_post])
    bodies: dict[int, list[int]] = {}
    lines = [{" ".join(line.split()) for line in post.text.splitlines()} for post in found]
    for at in np.flatnonzero(within).tolist():
        number = int(of_post[at])
        if blocks.text(at) in lines[number]:
            bodies.setdefault(number, []).append(at)
    asked = any(post.kind in ("question", "answer") for post in found)
    return (
        [body for n, body in bodies.items() if found[n].kind != _COMMENT],
        [] if asked else [body for n, body in bodies.items() if found[n].kind == _COMMENT],
    )
