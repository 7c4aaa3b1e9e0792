"""The values of one attribute on a page: each different value once, with the rows that have it.

Pages repeat their class names, so that a rule which is tried on values costs less than one that is
tried on rows; and one search through all values together costs less than a search through each.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from chaffinch.caching import cached_property

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one attribute.

    Attributes:
        rows: different value, "" where none is given → rows that have it, in order.
    """

    rows: dict[str, list[int]]

    def rows_of(self, values: Iterable[str]) -> list[int]:
        """Return the rows that have one of ``values``, different ones of `rows`, in order."""
        return sorted(chain.from_iterable(self.rows[value] for value in values))

    def containing(self, *words: str) -> list[str]:
        """Return the values that hold one of ``words``, given in lower case, in any case."""
        text, starts = self._lines
        numbers = set()
        for word in words:
            at = text.find(word)
            while at >= 0:
                following = bisect_right(starts, at)
                numbers.add(following - 1)
                at = text.find(word, starts[following]) if following < len(starts) else -1
        return self._numbered(numbers)

    def matching(self, pattern: re.Pattern[str]) -> list[str]:
        """Return the values in which a pattern is found, in lower case, each a line."""
        text, starts = self._lines
        return self._numbered(
            {bisect_right(starts, one.start()) - 1 for one in pattern.finditer(text)}
        )

    def rows_where(self, matches: Callable[[str], bool], *words: str) -> list[int]:
        """Return the rows whose value holds one of ``words`` and for which ``matches`` is true."""
        return self.rows_of(value for value in self.containing(*words) if matches(value))

    def _numbered(self, numbers: set[int]) -> list[str]:
        """Return the values of these numbers, from 0 in the order of `rows`."""
        known = list(self.rows) if numbers else []
        return [known[number] for number in sorted(numbers)]

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """All values in lower case, each behind a line break, and where each one's line starts."""
        lines = ["\n" + value.lower() for value in self.rows]
        starts = list(accumulate(map(len, lines), initial=0))
        return "".join([*lines, "\n"]) if lines else "", starts[:-1]
