"""Kinds of characters, which kernels take by code point, and what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Kinds, Mask

OTHER: Final = 0
SPACE: Final = 1
LETTER: Final = 2
CAPITAL: Final = 3
DIGIT: Final = 4
SENTENCE_END: Final = 5
PAUSE: Final = 6
MARK: Final = 7
UNIT: Final = 8
"""A character that counts as a word, in scripts that don't part words by spaces."""

_PLANE: Final = 0x10000


def code_points(text: str) -> Codes:
    """Return uint16[len(text)]: code points; those beyond the basic plane become U+5B57."""
    narrow = text.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, dtype="<u2")
    wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.where(wide < _PLANE, wide, 0x5B57).astype(np.uint16)


def narrow_code_points(text: str) -> NDArray[Any]:
    """Return the code points of ``text``, in as few bytes as they need."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    narrow = text.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, dtype="<u2")
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def starts_of_units(kinds: Kinds) -> Mask:
    """Return bool[c]: where a word starts; each character of a script without spaces is a unit."""
    wordy = (kinds - np.uint8(LETTER)) <= np.uint8(DIGIT - LETTER)
    starts = wordy.copy()
    np.greater(wordy[1:], wordy[:-1], out=starts[1:])
    starts |= kinds == UNIT
    return starts
