"""What the elements of a page say in one attribute: each different value once, and who says it.

Pages say the same class names over and over, so that a rule which is asked about values costs less
than one that is asked about rows; and one look through all values together costs less than a look
through each.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING

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

    def of(self, values: Iterable[str]) -> list[int]:
        """Return the rows that have one of ``values``, different ones of `rows`, in order."""
        return sorted(chain.from_iterable(self.rows[value] for value in values))

    def holding(self, *words: str) -> list[str]:
        """Return the values that hold one of ``words``, given in lower case, in any case."""
        text, starts = self._lines
        places = set()
        for word in words:
            at = text.find(word)
            while at >= 0:
                place = bisect_right(starts, at)
                places.add(place - 1)
                at = text.find(word, starts[place]) if place < len(starts) else -1
        return self._at(places)

    def matching(self, pattern: re.Pattern[str]) -> list[str]:
        """Return the values in which a pattern is found; it sees them in lower case, as lines."""
        text, starts = self._lines
        return self._at({bisect_right(starts, one.start()) - 1 for one in pattern.finditer(text)})

    def telling(self, tells: Callable[[str], bool], *words: str) -> list[int]:
        """Return the rows whose value ``tells`` says yes to; each must hold one of ``words``."""
        return self.of(value for value in self.holding(*words) if tells(value))

    def _at(self, places: set[int]) -> list[str]:
        known = list(self.rows) if places else []
        return [known[place] for place in sorted(places)]

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """All values in lower case, each behind a line break, and where each one's line starts."""
        lines = ["\n" + value.lower() for value in self.rows]
        starts = list(accumulate(map(len, lines), initial=0))
        return "".join([*lines, "\n"]) if lines else "", starts[:-1]
