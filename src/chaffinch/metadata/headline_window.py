"""The window of rows around the headline, in which bylines and dates are searched for."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements.dates import may_hold_date, places_of_dates
from chaffinch.metadata.shown_lines import ShownLines
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes, Mask

TEXT_BEFORE: Final = 1_500
TEXT_AFTER: Final = 6_000
"""Characters of the window before and after the headline."""
NEAR_BEFORE: Final = 400
NEAR_AFTER: Final = 1_200
"""Characters before and after the headline of the lines that are read as bylines and datelines."""
ROWS_BEFORE: Final = 120
ROWS_AFTER: Final = 400
"""Rows that it has at most before and after the headline."""
_ELEMENTS: Final = ~tags.table(["meta"])
"""By the code of a tag: elements of known tags, but metas."""
_ELEMENTS[: tags.UNKNOWN + 1] = False


@dataclass(frozen=True, eq=False)
class HeadlineWindow:
    """The rows of a page around its headline, and what stands in them.

    Attributes:
        page: the page.
        headline: the row of the headline; -1 where there is none.
        names: uint64[n], words in the class and id of each row, as `class_words.named_rows` has
            them.
    """

    page: Page
    headline: int
    names: Hashes

    def distance(self, row: int, other: int) -> int:
        """Return the characters of text between two rows; negative if ``row`` comes first."""
        at = self.page.text_at
        return int(at[row]) - int(at[other])

    def nearness(self, row: int) -> float:
        """Return 0..1: how near a row is to the headline; 0.5 where there is none."""
        if self.headline < 0:
            return 0.5
        away = self.distance(row, self.headline)
        return 1.0 / (1.0 + (away / 1500 if away >= 0 else -away / 500))

    @cached_property
    def rows(self) -> tuple[int, int]:
        """Half-open range of rows around the headline in which visible values are searched for."""
        page = self.page
        if self.headline < 0:
            first = max(page.body, 0)
            return first, min(len(page), first + ROWS_BEFORE + ROWS_AFTER)
        at = int(page.text_at[self.headline])
        first, last = self._rows_from(at - TEXT_BEFORE, at + TEXT_AFTER)
        first = max(first, self.headline - ROWS_BEFORE, 0)
        return first, min(max(last, self.headline), self.headline + ROWS_AFTER, len(page))

    @cached_property
    def _elements(self) -> Mask:
        """bool[n]: the elements in the window, without metas."""
        first, last = self.rows
        elements: Mask = np.zeros(len(self.page), dtype=bool)
        elements[first:last] = _ELEMENTS[self.page.tag[first:last]]
        return elements

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value in lower case) of the elements in the window that have ``name``."""
        known = self._having.get(name)
        if known is None:
            known = []
            if name in self.page.attribute_names:
                found = self.page.having(name, self._elements)
                known = [(row, value.lower()) for row, value in found]
            self._having[name] = known
        return known

    @cached_property
    def _having(self) -> dict[str, list[tuple[int, str]]]:
        """Cache of `having` by the attribute's name: each byline candidate reads the same ones."""
        return {}

    def named(self, bits: int) -> list[int]:
        """Return the elements in the window whose class or id holds a word of some, in order.

        Args:
            bits: of the words, such as `chaffinch.metadata.class_words.BYLINES`.
        """
        return [row for row, own in self._named if own & bits]

    @cached_property
    def _named(self) -> list[tuple[int, int]]:
        """(row, its bits of `names`) of the elements in the window that have any, in order."""
        first, last = self.rows
        names = self.names[first:last]
        rows = names.nonzero()[0]
        rows = rows[_ELEMENTS[self.page.tag[first:last][rows]]]
        return list(zip((rows + first).tolist(), names[rows].tolist(), strict=True))

    @cached_property
    def _texts(self) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Rows of shown text in the window, and (line, start, end) of each one's text."""
        page = self.page
        first, last = self.rows
        shown = page.shown[first:last] & page.written[first:last]
        rows = ((page.tag[first:last] == 0) & shown).nonzero()[0] + first
        spans = zip(
            page.line[rows].tolist(),
            page.text_at[rows].tolist(),
            page.text_at[rows + 1].tolist(),
            strict=True,
        )
        return rows.tolist(), list(spans)

    def lines(self, first: int, last: int) -> ShownLines:
        """Return the lines of shown text in a range of rows of the window."""
        rows, spans = self._texts
        at, stop = bisect_left(rows, first), bisect_left(rows, last)
        return ShownLines.of_rows(self.page.text, rows[at:stop], spans[at:stop])

    def text_rows(self, first: int, last: int) -> list[int]:
        """Return the rows of shown text in a range of rows of the window."""
        rows, _ = self._texts
        return rows[bisect_left(rows, first) : bisect_left(rows, last)]

    @cached_property
    def near(self) -> ShownLines:
        """The lines around the headline; none where there is none."""
        return self.lines(*self._near)

    @cached_property
    def near_dated(self) -> list[tuple[int, str]]:
        """Those of the lines `near` that may hold a date."""
        lines = (self.near[number] for number in self.near.at(places_of_dates(self.near.raw)))
        return [(row, text) for row, text in lines if may_hold_date(text)]

    @cached_property
    def _near(self) -> tuple[int, int]:
        """Half-open range of the rows whose text is nearest to the headline."""
        if self.headline < 0:
            return 0, 0
        at = int(self.page.text_at[self.headline])
        return self._rows_from(at - NEAR_BEFORE, at + NEAR_AFTER)

    def _rows_from(self, start: int, stop: int) -> tuple[int, int]:
        """Return the first rows whose text begins at two places of the page's text or later."""
        at = self.page.text_at.data  # few are looked at: numpy would convert the whole column
        return bisect_left(at, start), bisect_left(at, stop)
