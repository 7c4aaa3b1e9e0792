"""Which texts of a page hold certain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Rows


def words_held(text: str, words: list[str], text_at: Rows, names: Rows, /) -> NDArray[np.uint32]:
    """Return uint32[n]: how many of ``words`` begin in the texts of each name, in any case.

    0 everywhere where the text in lower case is longer.

    Args:
        text: all text of the page.
        words: up to 32 of two or more letters in lower case.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        names: int32[n], below n; -1 is no name.
    """
    found = np.zeros(len(names), dtype=np.uint32)
    lower = text.lower()
    if len(lower) != len(text):
        return found
    for word in words:
        rows = np.searchsorted(text_at, _places(lower, word), side="right") - 1
        holding = np.unique(names[rows])
        found[holding[holding >= 0]] += 1
    return found


def _places(text: str, word: str) -> list[int]:
    """Return where ``word`` begins in ``text``."""
    places = []
    place = text.find(word)
    while place >= 0:
        places.append(place)
        place = text.find(word, place + 1)
    return places
