"""What each labelled page counts as content: headline, byline, captions, comments.

The labels tell. The network is trained with these flags at its input, each left out half of the
time, so that they can be set afterwards; unset, it does what labellers mostly did.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.evaluate.scoring import tokenize
from chaffinch.model.network import POLICY_FLAGS
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks
from training.labels import Labels

FLAGS: Final = POLICY_FLAGS
_NEAR: Final = 6
"""A byline stands at most so many blocks before or after the first block of the content."""
_FEWEST_COMMENT_TOKENS: Final = 20
_COMMENTS: Final = re.compile(r"comment|disqus|replies|respond", re.IGNORECASE)
_CAPTIONS: Final = re.compile(r"caption", re.IGNORECASE)
_BYLINES: Final = re.compile(r"byline|author|dateline|pub.?date|post.?(?:date|meta)", re.IGNORECASE)


def page_policy(
    page: Page, blocks: TextBlocks, labels: Labels, *, forum: bool
) -> NDArray[np.float32]:
    """Return float32[flags]: 1 where the labels keep such blocks, -1 where they drop them.

    0 where the page has no such blocks.
    """
    count = len(blocks)
    kept = labels.share > 1 / 2
    first = int(np.argmax(kept)) if kept.any() else 0
    beside = np.abs(np.arange(count) - first) <= _NEAR
    captions = (
        _named(page, blocks, _CAPTIONS) | page.inside(page.is_tag("figcaption"))[blocks.first]
    )
    comments = _named(page, blocks, _COMMENTS) & (not forum)
    if labels.tokens[comments].sum() < _FEWEST_COMMENT_TOKENS:
        comments[:] = False
    bylines = _named(page, blocks, _BYLINES) | page.inside(page.is_tag("time"))[blocks.first]
    bylines &= beside & ~captions & ~comments & (labels.tokens <= 2 * _NEAR)
    headlines = _headlines(page, blocks)
    flags = [float(2 * kept[headlines].any() - 1) if headlines.any() else 0.0]
    for rows in (bylines, captions, comments):
        weight = labels.tokens[rows]
        share = (weight * kept[rows]).sum() / weight.sum() if weight.sum() else 0.5
        flags.append(float(np.sign(round(float(share) - 1 / 2, 6))))
    return np.array(flags, dtype=np.float32)


def _named(page: Page, blocks: TextBlocks, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
    """Return bool[m]: blocks in an element whose class or id matches ``pattern``."""
    rows = np.zeros(len(page), dtype=bool)
    for row, pairs in page.all_attributes():
        name = f"{pairs.get('class') or ''} {pairs.get('id') or ''}"
        if row > page.body and pattern.search(name):
            rows[row] = True
    return page.inside(rows)[blocks.first]


def _headlines(page: Page, blocks: TextBlocks) -> NDArray[np.bool_]:
    """Return bool[m]: headings of the first two levels whose words the title has."""
    title = set(tokenize(f"{page.head.title} {page.head.first_meta('og:title')}"))
    out = np.zeros(len(blocks), dtype=bool)
    big = np.isin(page.tag[blocks.owner], [tags.CODES["h1"], tags.CODES["h2"]])
    for block in np.flatnonzero(big).tolist():
        own = tokenize(blocks.text(block))
        out[block] = len(own) > 1 and sum(token in title for token in own) >= 4 / 5 * len(own)
    return out
