"""Lines of shown text of a stretch of a page, each made when it is read.

What is sought in lines is first sought in all of them at once, as they stand on the page: most
lines near a headline have neither a label nor a date and need not be made.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from chaffinch.caching import cached_property
from chaffinch.metadata.text_cleaning import joined, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LINE_START: Final = "\0"
"""What stands before each line in `ShownLines.raw`."""


@dataclass(frozen=True, eq=False)
class ShownLines:
    """Some lines of a page; iterating yields (first row, text) of each.

    Attributes:
        text: the page's.
        rows: the first row of shown text of each line, in order.
        spans: (start, end) in the page's text of what each line is made of, in order.
    """

    text: str
    rows: list[int]
    spans: list[list[tuple[int, int]]]

    @classmethod
    def of_rows(cls, text: str, rows: list[int], spans: list[tuple[int, int, int]]) -> ShownLines:
        """Return the lines that rows of text make up.

        Args:
            text: of the page.
            rows: of shown text, in order.
            spans: (line, start, end) of the text of each.
        """
        first: list[int] = []
        parts: list[list[tuple[int, int]]] = []
        last = -1
        for row, (line, start, end) in zip(rows, spans, strict=True):
            if line == last:
                parts[-1].append((start, end))
            else:
                first.append(row)
                parts.append([(start, end)])
                last = line
        return cls(text, first, parts)

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self.rows)

    def __getitem__(self, number: int) -> tuple[int, str]:
        """Return (first row, text) of a line by its number; kept, for several fields read it."""
        made = self._made.get(number)
        if made is None:
            spans = self.spans[number]
            if len(spans) == 1:
                ((start, end),) = spans
                text = one_line(self.text[start:end])
            else:
                text = joined(self._apart(spans))
            made = self._made[number] = self.rows[number], text
        return made

    def _apart(self, spans: list[tuple[int, int]]) -> Iterator[str]:
        """Yield the texts of spans; a space stands for those of white space alone between them."""
        last = spans[0][0]
        for start, end in spans:
            yield " " if start > last and self.text[start - 1].isspace() else ""
            yield self.text[start:end]
            last = end

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield (first row, text) of the lines."""
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def _made(self) -> dict[int, tuple[int, str]]:
        """The lines that were read, by their numbers."""
        return {}

    @cached_property
    def raw(self) -> str:
        """The texts that the lines are made of, each line's behind a `LINE_START`.

        What stands nowhere in it needn't be sought line by line.
        """
        return "".join(self._raw)

    @cached_property
    def _raw(self) -> list[str]:
        """The part of `raw` that each line has."""
        text = self.text
        return [
            f"{LINE_START}{text[spans[0][0] : spans[0][1]]}"
            if len(spans) == 1
            else LINE_START + "".join([text[start:end] for start, end in spans])
            for spans in self.spans
        ]

    def at(self, places: Iterable[int]) -> list[int]:
        """Return the numbers of the lines in which some places of `raw` are, in order."""
        found = {bisect_right(self._starts, place) - 1 for place in places}
        return sorted(found)

    @cached_property
    def _starts(self) -> list[int]:
        """Where in `raw` each line begins."""
        starts, at = [], 0
        for raw in self._raw:
            starts.append(at)
            at += len(raw)
        return starts
