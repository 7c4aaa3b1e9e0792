"""The window of rows around the headline, in which bylines and dates are searched for."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.metadata.text_cleaning import joined, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

TEXT_BEFORE: Final = 1_500
TEXT_AFTER: Final = 6_000
"""Characters of the window before and after the headline."""
ROWS_BEFORE: Final = 120
ROWS_AFTER: Final = 400
"""Rows that it has at most before and after the headline."""


@dataclass(frozen=True, eq=False)
class HeadlineWindow:
    """The rows of a page around its headline, and what stands in them.

    Attributes:
        page: the page.
        headline: the row of the headline; -1 where there is none.
    """

    page: Page
    headline: int

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
        first, last = np.searchsorted(page.text_at, [at - TEXT_BEFORE, at + TEXT_AFTER]).tolist()
        first = max(first, self.headline - ROWS_BEFORE, 0)
        return first, min(max(last, self.headline), self.headline + ROWS_AFTER, len(page))

    @cached_property
    def _elements(self) -> Mask:
        """bool[n]: the elements in the window, without metas."""
        first, last = self.rows
        elements: Mask = (self.page.tag > 1) & ~self.page.is_tag("meta")
        elements[:first] = False
        elements[last:] = False
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

    def with_class_or_id(self, *words: str) -> list[int]:
        """Return the rows in the window whose class or id contains one of ``words``, in order."""
        (first, last), elements = self.rows, self._elements
        marked = np.zeros(len(self.page), dtype=bool)
        for name in ("class", "id"):
            marked[self.page.rows_holding(name, *words)] = True
        return ((marked & elements)[first:last].nonzero()[0] + first).tolist()

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

    def lines(self, first: int, last: int) -> Iterator[tuple[int, str]]:
        """Yield (first row, text) of the lines of shown text in a range of rows of the window."""
        rows, spans = self._texts
        at, stop = bisect_left(rows, first), bisect_left(rows, last)
        while at < stop:
            row, line, start = rows[at], spans[at][0], at
            while at < stop and spans[at][0] == line:
                at += 1
            if at - start == 1:
                yield row, one_line(self.page.text[spans[start][1] : spans[start][2]])
            else:
                yield row, joined(self.page.text[a:b] for _, a, b in spans[start:at])

    @cached_property
    def near_lines(self) -> list[tuple[int, str]]:
        """(first row, text) of the lines around the headline; empty where there is none."""
        if self.headline < 0:
            return []
        at = int(self.page.text_at[self.headline])
        first, last = np.searchsorted(self.page.text_at, [at - 400, at + 1200]).tolist()
        return list(self.lines(first, last))
