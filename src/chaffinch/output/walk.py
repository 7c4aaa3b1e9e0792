"""The walk over the rows that are shown: one pass in document order, the same for every writer.

It calls a writer's methods where a text or an element begins, and where an element ends that the
writer has put on its stack; nothing recurses. `Page.line` defines where a line of the text begins,
here as in `chaffinch.output.kept_lines`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeAlias

from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows


Special: TypeAlias = tuple[str, ...]
"""Name of a method of a writer, and arguments for it."""


class Walk(ABC):
    """What each writer does while it walks.

    Attributes:
        page: the page.
        stack: (first row after it, …) of what is open, innermost last; the rest is the writer's.
        skip_to: rows before this one are left out.
        special: row → name of the method that is called there in place of `element`, and its
            further arguments; walks over parts of one content share them.
        all_text: the page's text, or as `page_text` has it; ``text_at`` where each row's starts.
    """

    def __init__(
        self,
        page: Page,
        special: Mapping[int, Special] | None = None,
        text: tuple[str, Rows] | None = None,
    ) -> None:
        self.page = page
        self.all_text, self.text_at = text or (page.text, page.text_at)
        self.stack: list[tuple[Any, ...]] = []
        self.skip_to = 0
        self.special = special or {}

    @abstractmethod
    def text(self, row: int, raw: str) -> None:
        """Add a text row, which holds ``raw``."""

    def blank(self, row: int, raw: str) -> None:
        """Add a text row of white space only."""
        self.text(row, raw)

    @abstractmethod
    def element(self, row: int, tag: int) -> None:
        """Begin an element."""

    @abstractmethod
    def leave(self) -> None:
        """End what is on top of the stack, and take it off."""

    def walk(self, rows: NDArray[Any]) -> None:
        """Walk some rows, int[r] in order; what is open stays open at the end."""
        page, all_text, stack, special = self.page, self.all_text, self.stack, self.special
        text, blank, element, leave = self.text, self.blank, self.element, self.leave
        texts = self.text_at.take(rows), self.text_at.take(rows + 1)
        columns = rows, page.tag.take(rows), page.written.take(rows), *texts
        every = zip(*(own.tolist() for own in columns), strict=True)
        for row, tag, written, begin, end in checked(every):
            while stack and row >= stack[-1][0]:
                leave()
            if row < self.skip_to:
                continue
            if written:
                text(row, all_text[begin:end])
            elif tag == tags.TEXT:
                blank(row, all_text[begin:end])
            elif row in special:
                name, *arguments = special[row]
                getattr(self, name)(row, *arguments)
            else:
                element(row, tag)

    def close(self) -> None:
        """End all that is open."""
        while self.stack:
            self.leave()
