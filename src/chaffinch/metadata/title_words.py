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
    """Return what a title is compared by: words from 4 letters on, pairs of Chinese characters."""
    words: dict[str, None] = {}
    for word in _WORD.findall(title.lower()):
        if word[0] < _WIDE:
            words[word] = None
        else:
            words |= dict.fromkeys(map("".join, pairwise(word)))
    return list(words)[:_MOST]


def words_held(page: Page, names: Rows, words: list[str]) -> NDArray[np.uint32]:
    """Return uint32[n]: how many of ``words`` begin in the texts of each name; -1 is no name."""
    return kernels.words_held(page.text, words, page.text_at, names)
