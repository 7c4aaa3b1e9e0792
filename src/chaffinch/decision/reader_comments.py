"""What readers wrote below a text: comments, and reviews of a product.

They are no content of an article, a product or a manual unless they are asked for; the posts of a
thread are. By default they are dropped where the kept text ends with an element that is named for
them, in a language that authors of web pages use for names. Asked for or excluded, posts that are
found by their structure (`chaffinch.posts`) count, too, in any language and by any name.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.lazy import lazy_module
from chaffinch.model.name_hashes import BUCKETS, cut_words, words_of
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.model.features import Features
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.posts import discussion
    from chaffinch.segment.text_blocks import TextBlocks
else:
    discussion = lazy_module("chaffinch.posts.discussion")

PAGE_TYPES: Final = ("article", "product", "documentation")
"""Page types whose content isn't what readers wrote."""
SURE: Final = 0.7
"""Least probability of the page type."""
_WORDS: Final = frozenset(
    b"comment comments commentlist commentarea comentarios comentario commentaires commentaire"
    b" commenti kommentar kommentare kommentarer disqus review reviews testimonials recenzje"
    b" recensioni bewertungen rezensionen opiniones reacties guestbook".split()
)
"""Words of class and id, cut at hyphens, digits and changes of case, in lower case."""
_STEMS: Final = tuple(word.decode() for word in _WORDS)
_LEAST_BEFORE: Final = 40
"""Words of kept text above the first comment: less may be the start of a thread."""
_LEAST_LENGTH: Final = 200
"""Characters of kept text outside the posts, without which the posts are the content."""


def closing_comments(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks in elements named for comments at the end; None for none.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
    """
    blocks = found.blocks
    left = keep
    while (top := _comments_around_last(found, left)) >= 0:
        left = left.copy()
        left[np.searchsorted(blocks.first, top) :] = False
    return None if left is keep else keep & ~left


def _comments_around_last(found: Features, keep: Mask) -> int:
    """Return the highest element named for comments around the last kept block, or -1.

    Enough is kept above it.
    """
    kept = keep.nonzero()[0]
    if not len(kept):
        return -1
    blocks, names = found.blocks, found.names
    page = blocks.page
    chain: list[int] = []
    row = int(blocks.owner[kept[-1]])
    while row > 0:
        chain.append(row)
        row = int(page.parent[row])
    sets = names.of_row.take(chain)
    may = _of_words().take(names.buckets.take(sets, axis=1))
    if not may.any():
        return -1
    for at in np.any(may, axis=0).nonzero()[0][::-1].tolist():  # the highest first
        row, number = int(chain[at]), int(sets[at])
        if _WORDS.isdisjoint(cut_words(names.sets[number])):  # buckets are shared
            continue
        above = kept[: kept.searchsorted(blocks.first.searchsorted(row))]
        if found.units[above].sum() >= _LEAST_BEFORE and _may_hold_comments(page)[row]:
            return row
    return -1


def in_comments(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in posts below a text; none where the posts are the content.

    Where no posts are found, as of a single comment, elements named for comments count.
    """
    page = blocks.page
    mask = np.zeros(len(page), dtype=bool)
    for post in discussion.posts(page):
        mask[post.rows[0] : post.rows[1]] = True
    if not mask.any():
        for name in ("class", "id"):
            mask[page.rows_where(name, _names_comments, *_STEMS)] = True
        mask = page.inside(mask & _may_hold_comments(page))
    within: Mask = mask[blocks.first]
    outside = keep & ~within
    outside[int(within.argmax()) if within.any() else 0 :] = False
    if blocks.length[outside].sum() < _LEAST_LENGTH:
        return np.zeros(len(blocks), dtype=bool)
    return within


def _may_hold_comments(page: Page) -> Mask:
    """Return bool[n]: block elements that are no headings, no code, and not the whole page."""
    may: Mask = tags.BLOCK.take(page.tag) & ~page.is_tag("html", "body", "main")
    may &= ~tags.HEADING.take(page.tag) & ~page.inside(tags.PREFORMATTED.take(page.tag))
    return may


@lru_cache(maxsize=1 << 12)
def _names_comments(name: str) -> bool:
    return not _WORDS.isdisjoint(cut_words((name, None)))


@cache
def _of_words() -> Mask:
    """Return bool[BUCKETS + 1]: which buckets hold one of `_WORDS`."""
    table = np.zeros(BUCKETS + 1, dtype=bool)
    table[[bucket for word in _WORDS for bucket in words_of((word.decode(), None))]] = True
    return table
