"""The values of one attribute on a page: each different value once, with the rows that have it.

Pages repeat their class names, so that a rule which is tried on values costs less than one that is
tried on rows; and one search through all values together costs less than a search through each.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from numpy.typing import NDArray

_SHORTEST: Final = 2
_MOST_WORDS: Final = 32
"""Bytes that a word has at least, and words at most, that a kernel looks for at once."""


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one attribute.

    Attributes:
        rows: different value, "" where none is given → rows that have it, in order.
    """

    rows: dict[str, list[int]]

    @cached_property
    def columns(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """intp[r], intp[r]: all rows that have the attribute, value by value; numbers of these."""
        rows = np.array(list(chain.from_iterable(self.rows.values())), dtype=np.intp)
        return rows, np.repeat(np.arange(len(self.rows)), list(map(len, self.rows.values())))

    def rows_of(self, values: Iterable[str]) -> list[int]:
        """Return the rows that have one of ``values``, different ones of `rows`, in order."""
        return sorted(chain.from_iterable(self.rows[value] for value in values))

    def containing(self, *words: str) -> list[str]:
        """Return the values that hold one of ``words``, given in lower case, in any case."""
        if not self.rows:
            return []
        given, shortest = _encoded(words)
        if shortest < _SHORTEST:
            return [value for value in self.rows if any(word in value.lower() for word in words)]
        data, starts = self._data
        numbers: set[int] = set()
        for at in range(0, len(given), _MOST_WORDS):
            some = given[at : at + _MOST_WORDS]
            numbers.update(kernels.values_containing(data, starts, some))
        return self._numbered(numbers)

    def matching(self, pattern: re.Pattern[str]) -> list[str]:
        """Return the values in which a pattern is found, in lower case, each a line."""
        text, starts = self._lines
        return self._numbered(
            {bisect_right(starts, one.start()) - 1 for one in pattern.finditer(text)}
        )

    def _numbered(self, numbers: set[int]) -> list[str]:
        """Return the values of these numbers, from 0 in the order of `rows`."""
        return [self._values[number] for number in sorted(numbers)]

    @cached_property
    def _values(self) -> list[str]:
        """The different values in the order of `rows`."""
        return list(self.rows)

    @cached_property
    def _data(self) -> tuple[bytes, NDArray[np.int64]]:
        """The text of `_lines` in UTF-8, and int64[v]: where each line starts."""
        text, starts = self._lines
        data = text.encode("utf-8", "surrogatepass")
        if len(data) != len(text):
            lines = (value.lower().encode("utf-8", "surrogatepass") for value in self.rows)
            starts = list(accumulate((len(line) + 1 for line in lines), initial=0))[:-1]
        return data, np.array(starts, dtype=np.int64)

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """All values in lower case, each behind a line break, and where each one's line starts."""
        lines = ["\n" + value.lower() for value in self.rows]
        starts = list(accumulate(map(len, lines), initial=0))
        return "".join([*lines, "\n"]) if lines else "", starts[:-1]


@lru_cache(maxsize=256)
def _encoded(words: tuple[str, ...]) -> tuple[tuple[bytes, ...], int]:
    """Return words as a kernel takes them, and the bytes of the shortest one, 0 for none."""
    given = tuple(word.encode("utf-8", "surrogatepass") for word in words)
    return given, min(map(len, given), default=0)
