"""Hashed words at the start of each text block: the phrases of boilerplate in any language.

Only the first characters of a block are read, for boilerplate is told by how it starts. A word is
a run of letters and digits (digits all count as 0), in scripts without spaces a pair of
characters. Hashes are polynomials over the characters, for all words from one prefix sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.model import scripts
from chaffinch.page.hashing import mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKETS: Final = 1 << 14
READ: Final = 36
"""Characters read of each block: about six words, or a short line of Chinese."""

_BASE: Final = 0x9E3779B97F4A7C15
_WIDTH: Final = READ + 2
_POWERS: Final = np.array([pow(_BASE, k, 1 << 64) for k in range(_WIDTH)], dtype=np.uint64)
_INVERSES: Final = np.array([pow(_BASE, -k, 1 << 64) for k in range(_WIDTH)], dtype=np.uint64)
_FIRST_SALT: Final = np.uint64(0x5851F42D4C957F2D)
_PHRASE_SALT: Final = np.uint64(0x14057B7EF767814F)
_SHIFT: Final = np.uint64(64 - 14)


@dataclass(frozen=True, eq=False)
class Words:
    """Hashed words of m texts.

    Attributes:
        bucket: uint16[w], bucket of each word in 0..BUCKETS.
        text: int32[w], the text it is in, ascending.
        phrase: uint64[m], hash of all that was read of each text.
    """

    bucket: NDArray[np.uint16]
    text: NDArray[np.int32]
    phrase: NDArray[np.uint64]


def hashed_words(
    codes: NDArray[np.uint16], start: NDArray[np.intp], stop: NDArray[np.intp]
) -> Words:
    """Return the words at the start of each of m texts.

    Args:
        codes: uint16[c], code points of all texts, and READ + 2 more.
        start: intp[m], where each text starts.
        stop: intp[m], where each text ends.
    """
    count = len(start)
    places = np.arange(_WIDTH)
    window = codes[start[:, None] + places]
    window[places >= np.minimum(stop - start, READ)[:, None]] = 0
    kinds = scripts.kinds_table()[window]
    wordy = (kinds >= scripts.LETTER) & (kinds <= scripts.DIGIT)
    units = kinds == scripts.UNIT
    letters = scripts.lower_table()[window] + np.uint32(1)
    terms = letters * _POWERS * (letters * np.uint64(_BASE) >> np.uint64(32))
    sums = np.zeros((count, _WIDTH + 1), dtype=np.uint64)
    np.cumsum(np.where(wordy | units, terms, np.uint64(0)), axis=1, out=sums[:, 1:])
    begins = wordy.copy()
    begins[:, 1:] &= ~wordy[:, :-1]
    ends = wordy.copy()
    ends[:, :-1] &= ~wordy[:, 1:]
    text, at = np.nonzero(begins | units)
    stop = np.minimum(at + 2, _WIDTH)
    spaced = ~units[text, at]
    stop[spaced] = np.nonzero(ends)[1] + 1
    hashes = (sums[text, stop] - sums[text, at]) * _INVERSES[at]
    phrase = mix(sums[:, -1])
    firsts = np.flatnonzero(np.diff(text, prepend=-1))
    special = text[firsts]
    every = np.concatenate([hashes, hashes[firsts] ^ _FIRST_SALT, phrase[special] ^ _PHRASE_SALT])
    whose = np.concatenate([text, special, special])
    order = np.argsort(whose, kind="stable")
    bucket = (mix(every) >> _SHIFT).astype(np.uint16)
    return Words(bucket[order], whose[order].astype(np.int32), phrase)
