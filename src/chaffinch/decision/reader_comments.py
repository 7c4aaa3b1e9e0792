"""What readers wrote below a text: comments, and reviews of a product.

They are no content of an article, a product or a manual unless they are requested; the posts of a
thread are. By default they are dropped where the kept text ends with an element that is named for
them, in a language that authors of web pages use for names. Asked for or excluded, posts that are
found by their structure (`chaffinch.lists`) count, too, in any language and by any name.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.lazy import lazy_module
from chaffinch.model.name_hashes import BUCKETS, cut_words, words_of
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.lists import discussion
    from chaffinch.lists.discussion import Post
    from chaffinch.model.features import Features
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:
    discussion = lazy_module("chaffinch.lists.discussion")

PAGE_TYPES: Final = ("article", "product", "documentation")
"""Page types whose content isn't what readers wrote."""
_WORDS: Final = frozenset(
    b"comment comments commentlist commentarea comentarios comentario commentaires commentaire"
    b" commenti kommentar kommentare kommentarer disqus review reviews testimonials recenzje"
    b" recensioni bewertungen rezensionen opiniones reacties guestbook coment coments komentarz"
    b" komentarze komentare komentari kommentarii kommenty opinie yorum yorumlar pinglun"
    b" feedback".split()
)
"""Words of class and id, cut at hyphens, digits and changes of case, in lower case."""
_STEMS: Final = tuple(
    word.decode()
    for word in sorted(_WORDS)
    if not any(other in word for other in _WORDS if other != word)
)
"""Those of `_WORDS` that contain no other one: each name that has a word contains one of these."""
_CODE: Final = tuple(name for name in tags.NAMES if tags.PREFORMATTED[tags.CODES[name]])
_MAY_HOLD: Final = (
    tags.BLOCK & ~tags.HEADING & ~tags.PREFORMATTED & ~tags.table(["html", "body", "main"])
)
"""Tags of elements that may hold comments, but within code."""
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
    kept = keep.nonzero()[0]
    if not len(kept) or not _may_be_named(found, int(kept[-1])):
        return None
    search = _CommentSearch(found, kept)
    starts, stop = found.blocks.first[kept].tolist(), len(kept)
    while stop and (top := search.around(int(kept[stop - 1]))) >= 0:
        stop = bisect_left(starts, top)
    if stop == len(kept):
        return None
    mask = np.zeros(len(keep), dtype=bool)
    mask[kept[stop:]] = True
    return mask


def _may_be_named(found: Features, block: int) -> bool:
    """Return whether an element around a block may be named for comments: buckets are shared."""
    parent, row = found.blocks.page.parent.item, found.blocks.owner.item(block)
    chain = [row]
    while row > 0:
        row = parent(row)
        chain.append(row)
    sets = found.names.of_row.take(chain)
    return 1 in _of_words().take(found.names.buckets.T.take(sets, axis=0)).tobytes()


class _CommentSearch:
    """Search for the elements named for comments around blocks, each element looked at once.

    What is kept above an element doesn't change by what is dropped below it: one that was passed
    over for one block is for all.
    """

    def __init__(self, found: Features, kept: NDArray[np.intp]) -> None:
        blocks = found.blocks
        above = accumulate(found.units[kept].tolist())
        enough = next(
            (at for at, words in enumerate(above) if words >= _LEAST_BEFORE), len(kept) - 1
        )
        self._start = blocks.first.item(kept[enough])
        self._found, self._parent = found, blocks.page.parent
        self._tag, self._has_code = blocks.page.tag, blocks.page.holds(*_CODE)
        self._seen: set[int] = set()
        self._named: dict[int, bool] = {}

    def around(self, block: int) -> int:
        """Return the highest element around a block with enough kept text above it, or -1."""
        row, highest = int(self._found.blocks.owner[block]), -1
        while row > self._start and row not in self._seen:
            self._seen.add(row)
            if _MAY_HOLD[self._tag[row]] and self._is_named(self._found.names.of_row.item(row)):
                highest = row if not self._in_code(row) else highest
            row = self._parent.item(row)
        return highest

    def _in_code(self, row: int) -> bool:
        page = self._found.blocks.page
        return self._has_code and any(tags.PREFORMATTED[page.tag[at]] for at in page.ancestors(row))

    def _is_named(self, number: int) -> bool:
        if number not in self._named:
            names = self._found.names.sets[number]
            self._named[number] = not _WORDS.isdisjoint(cut_words(names))
        return self._named[number]


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
    return within if _follow_a_text(blocks, keep, within) else np.zeros(len(blocks), dtype=bool)


def posts_below(blocks: TextBlocks, keep: Mask, found: list[Post]) -> list[Post]:
    """Return the posts with a text that readers wrote below that of the page; [] for a thread.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
        found: the page's posts.
    """
    mask = np.zeros(len(blocks.page), dtype=bool)
    for post in found:
        mask[post.rows[0] : post.rows[1]] = True
    if not _follow_a_text(blocks, keep, mask[blocks.first]):
        return []
    return [post for post in found if post.text]


def _follow_a_text(blocks: TextBlocks, keep: Mask, within: Mask) -> bool:
    """Return whether enough kept text stands above the first of the blocks ``within``."""
    above = keep & ~within
    above[int(within.argmax()) if within.any() else 0 :] = False
    return bool(blocks.length[above].sum() >= _LEAST_LENGTH)


def _may_hold_comments(page: Page) -> Mask:
    """Return bool[n]: block elements that are no headings, no code, and not the whole page."""
    may: Mask = _MAY_HOLD.take(page.tag) & ~page.inside(tags.PREFORMATTED.take(page.tag))
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
