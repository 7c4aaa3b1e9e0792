"""Which texts of a page hold certain words, and which may equal a title."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Mask, Rows


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


def texts_alike(text: str, starts: Rows, stops: Rows, key: str, first: int, last: int, /) -> Mask:
    """Return bool[k]: whether each stretch of a text may contain a key, signs and case left out.

    Letters and digits of ASCII, and what stays, are compared one by one; where anything else
    begins, which may be any letters or change the one before, a stretch may contain the key.

    Args:
        text: any text.
        starts, stops: int32[k], where each stretch begins, and the first character after it.
        key: letters and digits in lower case.
        first, last: code points beyond ASCII from and up to which a letter stays as it is.
    """
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    stays = range(first, last + 1)
    return np.array([_may_equal(text[at:stop], key, stays) for at, stop in spans], dtype=bool)


def _may_equal(text: str, key: str, stays: range) -> bool:
    place = 0
    for at, letter in enumerate(text):
        if not letter.isascii():
            if ord(letter) not in stays:
                return True
        elif not letter.isalnum():
            continue
        elif not (after := text[at + 1 : at + 2]).isascii() and ord(after) not in stays:
            return True
        if key[place : place + 1] != letter.lower():
            return False
        place += 1
    return place == len(key)
