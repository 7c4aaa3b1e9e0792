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
    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.model.name_hashes import NameHashes
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask
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
_MOST_BEHIND: Final = 0.02
"""Share of the kept words that may follow the comments."""
_LEAST_LENGTH: Final = 200
"""Characters of kept text outside the posts, without which the posts are the content."""


def closing_comments(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks in elements named for comments at the end; None for none.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
    """
    blocks, names = found.blocks, found.names
    rows = _named_rows(blocks, names)
    if not len(rows):
        return None
    kept_before = _summed(np.where(keep, found.units, 0))
    first = np.searchsorted(blocks.first, rows)
    stop = np.searchsorted(blocks.first, blocks.page.end[rows])
    total = float(kept_before[-1])
    left = total
    mask = np.zeros(len(blocks), dtype=bool)
    for at in np.argsort(-stop, kind="stable").tolist():
        begin, end = int(first[at]), int(stop[at])
        if kept_before[begin] < _LEAST_BEFORE or kept_before[begin] >= left:
            continue
        if left - kept_before[end] > _MOST_BEHIND * total:
            continue
        mask[begin:end] = True
        left = float(kept_before[begin])
    mask &= keep
    return mask if mask.any() else None


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


def _named_rows(blocks: TextBlocks, names: NameHashes) -> NDArray[np.intp]:
    """Return the block elements whose class or id has one of `_WORDS`, in document order."""
    may: Mask = np.any(_of_words()[names.buckets], axis=0)
    if not may.any():
        return np.zeros(0, dtype=np.intp)
    for number in np.flatnonzero(may).tolist():  # buckets are shared
        may[number] = not _WORDS.isdisjoint(cut_words(names.sets[number]))
    return np.flatnonzero(may.take(names.of_row) & _may_hold_comments(blocks.page))


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


def _summed(values: Floats) -> NDArray[np.float64]:
    """Return float64[m + 1]: the sum of the values before each block."""
    sums = np.zeros(len(values) + 1)
    np.cumsum(values, dtype=np.float64, out=sums[1:])
    return sums
