"""What a writer of blocks collects of the block that is open."""

from __future__ import annotations

from typing import Protocol


class Inline(Protocol):
    """The inline content of one block, as it is collected."""

    first: int
    """First row that it is from; -1 where nothing was collected."""

    last: int
    """First row after those that it is from."""

    def has(self, kind: str) -> bool:
        """Tell whether a mark of ``kind`` is open."""

    def open(self, kind: str, markup: str) -> None:
        """Open a mark, which is written when something stands in it."""

    def close(self) -> None:
        """Close the mark that was opened last."""

    def blank(self) -> None:
        """Part what follows from what was."""

    def line_break(self) -> None:
        """Break the line before what follows, if anything does."""

    def text(self, raw: str, row: int, *, code_of: int = -1) -> None:
        """Add the text of a row; ``code_of`` is the row of the code element it stands in."""

    def join(self, raw: str, row: int) -> None:
        """Add text with no space before it."""

    def raw(self, markup: str, row: int) -> None:
        """Add a formula as it is written."""

    def image(self, markup: str, row: int) -> None:
        """Add an image as it is written."""
