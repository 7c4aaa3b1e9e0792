"""The words of a page's title, and which texts of the page hold them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from chaffinch import kernels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows

_WORD: Final = re.compile(r"[\u2e80-\ud7ff\uf900-\ufaff]{2,}|[^\W_]{4,}")
_WIDE: Final = "\u2e80"
_MOST: Final = 30


def title_words(title: str) -> list[str]:
    """Return the words of a title: from 4 letters on, or pairs of CJK characters; 30 at most."""
    words: dict[str, None] = {}
    for word in _WORD.findall(title.lower()):
        if word[0] < _WIDE:
            words[word] = None
        else:
            words |= dict.fromkeys(map("".join, pairwise(word)))
    return list(words)[:_MOST]


def words_held(page: Page, names: Rows, words: list[str]) -> NDArray[np.uint32]:
    """Return uint32[n]: how many of ``words`` begin in the text rows of each name.

    Args:
        page: the page.
        names: int32[n], name of the group that each row belongs to, 0..n-1; -1 for none.
        words: of a title.
    """
    return kernels.words_held(page.text, words, page.text_at, names)
