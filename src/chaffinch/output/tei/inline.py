"""Inline content of one block: text, code, graphics, and the elements around them.

White space and start tags are held back until something follows, so that no element is empty and
none begins or ends with a space.
"""

from __future__ import annotations

from typing import NamedTuple

from chaffinch.output.tei.xml import escaped


class Line(NamedTuple):
    """The content of a block, and the half-open range of rows that it is from."""

    xml: str
    rows: tuple[int, int]
    is_picture: bool
    """It is nothing but graphics, in no other element."""


class Inline:
    """Collects the inline content of a block."""

    def __init__(self) -> None:
        self.marks: list[tuple[str, str, str]] = []
        """(kind, start tag, end tag) of the open elements."""
        self._clear()

    def _clear(self) -> None:
        self._parts: list[str] = []
        self._code: list[str] = []
        self._written = 0
        self.first = self.last = -1
        self._space = self._broken = False
        self._is_picture = True

    def has(self, kind: str) -> bool:
        """Tell whether an element of ``kind`` is open."""
        return any(mark[0] == kind for mark in self.marks)

    def open(self, kind: str, markup: str) -> None:
        """Open an element; its start tag, ``markup`` in angles, is written if something follows."""
        self._end_code()
        self.marks.append((kind, f"<{markup}>", f"</{markup.split(' ', 1)[0]}>"))

    def close(self) -> None:
        """Close the element that was opened last."""
        self._end_code()
        _, _, end = self.marks.pop()
        if self._written > len(self.marks):
            self._parts.append(end)
            self._written -= 1

    def line_break(self) -> None:
        """Break the line before what follows, if anything does."""
        self._broken = self.first >= 0

    def blank(self) -> None:
        """Part what follows from what was."""
        self._space = self.first >= 0

    def text(self, raw: str, row: int, *, code_of: int = -1) -> None:
        """Add the text of a row; ``code_of`` is the row of the code element it stands in."""
        words = " ".join(raw.split())
        if not words:
            self._space |= bool(raw)
            return
        self._space |= raw[0].isspace()
        if code_of >= 0:
            self._add_code(words, row)
        else:
            self._put(escaped(words), row)
        self._space = raw[-1].isspace()

    def join(self, raw: str, row: int) -> None:
        """Add text with no space before it, where there is anything before it."""
        self._space = False
        if self.first >= 0:
            self.text(raw, row)

    def raw(self, markup: str, row: int) -> None:
        """Add an element as it is written."""
        self._put(markup, row)

    def image(self, markup: str, row: int) -> None:
        """Add a graphic."""
        self._put(markup, row, is_picture=not self.marks)

    def _add_code(self, words: str, row: int) -> None:
        if self._code and not self._broken:
            self._code.append(" " * self._space + words)
            self._space = False
        else:
            self._put("", row)
            self._code.append(words)
        self.last = row + 1

    def _end_code(self) -> None:
        if self._code:
            self._parts.append(f"<code>{escaped(''.join(self._code))}</code>")
            self._code = []

    def _put(self, xml: str, row: int, *, is_picture: bool = False) -> None:
        self._end_code()
        if self._parts:
            self._parts.append("<lb/>" if self._broken else " " * self._space)
        self._space = self._broken = False
        for _, start, _ in self.marks[self._written :]:
            self._parts.append(start)
        self._written = len(self.marks)
        self._parts.append(xml)
        self._is_picture &= is_picture
        self.first = row if self.first < 0 else self.first
        self.last = row + 1

    def take(self) -> Line | None:
        """Return what was collected and begin anew within the same elements; None for nothing."""
        self._end_code()
        if not self._parts:
            self._clear()
            return None
        ends = [end for _, _, end in reversed(self.marks[: self._written])]
        xml = "".join([*self._parts, *ends])
        line = Line(xml, (self.first, self.last), self._is_picture)
        self._clear()
        return line
