"""Which ranges of a text's words stand there for the first time.

Ranges are compared by hashes: sums of the words' numbers times powers of one odd number, modulo
2^64, so that the hash of any range is the difference of two prefix sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FACTOR: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_FACTOR, -1, 1 << 64)
_LONG: Final = 32
"""Words of a range of which all ranges of its length are compared; of a longer one only those that
begin with the same words."""
_TRIES: Final = 64
"""Ranges that begin like a long one with which it is compared."""


_SIDES: Final = ("left", "right")


class RepeatedWords:
    """The words of a text, compared range by range; a range ``low:high`` excludes its ``high``.

    Args:
        words: in order.
    """

    def __init__(self, words: list[str]) -> None:
        number = {word: at for at, word in enumerate(dict.fromkeys(words), 1)}
        own = np.fromiter(map(number.__getitem__, words), dtype=np.uint64, count=len(words))
        powers = np.full(len(own) + 1, _FACTOR, dtype=np.uint64)
        self._back = np.full(len(own) + 1, _INVERSE, dtype=np.uint64)
        for one in (powers, self._back):
            one[0] = 1
            np.multiply.accumulate(one, out=one)
        self._sums = np.zeros(len(own) + 1, dtype=np.uint64)
        np.add.accumulate(own * powers[:-1], out=self._sums[1:])
        self._firsts: dict[int, bytes] = {}
        self._order: NDArray[np.intp]
        self._ordered: NDArray[np.uint64]

    def is_first(self, low: int, high: int) -> bool:
        """Return whether the words of a range stand nowhere before it.

        Of more than 32 words, those that begin like 64 ranges before and equal none of the first 64
        count as words that stand there.
        """
        length = min(high - low, _LONG)
        if length not in self._firsts:
            self._firsts[length] = self._first_ranges(length)
        if self._firsts[length][low]:
            return True
        return high - low > _LONG and self._is_first_of_its_beginning(low, high)

    def recurs(self, low: int, start: int, stop: int) -> bool:
        """Return whether the words ``start:stop`` stand at any place from ``low`` to ``start``."""
        hashes = self._hashes(low, start + 1, stop - start)
        return bool((hashes[:-1] == hashes[-1]).any())

    def _hashes(self, low: int, high: int, length: int) -> NDArray[np.uint64]:
        """Return uint64[high-low]: hashes of the ranges of a length that begin there."""
        ends = self._sums[low + length : high + length]
        return (ends - self._sums[low:high]) * self._back[low:high]

    def _first_ranges(self, length: int) -> bytes:
        """Return a byte for each range of a length: 1 where it stands nowhere before."""
        hashes = self._hashes(0, len(self._sums) - length, length)
        order = np.argsort(hashes, kind="stable")
        ordered = hashes[order]
        is_first = np.ones(len(order), dtype=bool)
        is_first[order[1:]] = ordered[1:] != ordered[:-1]
        if length == _LONG:
            self._order, self._ordered = order, ordered
        return is_first.tobytes()

    def _is_first_of_its_beginning(self, low: int, high: int) -> bool:
        """Return whether a long range is unlike the first ranges that begin as it does."""
        beginning = self._hashes(low, low + 1, _LONG)[0]
        alike, stop = (int(self._ordered.searchsorted(beginning, side)) for side in _SIDES)
        others = self._order[alike : min(stop, alike + _TRIES + 1)]
        others = others[others < low]
        if len(others) > _TRIES:
            return False
        length = high - low
        hashes = (self._sums[others + length] - self._sums[others]) * self._back[others]
        return not bool((hashes == self._hashes(low, low + 1, length)[0]).any())
