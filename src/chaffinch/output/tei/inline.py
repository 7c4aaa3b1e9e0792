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
        self._first = self.last = -1
        self._space = self._broken = False
        self._is_picture = True

    def __bool__(self) -> bool:
        return bool(self._parts or self._code)

    def has(self, kind: str) -> bool:
        """Tell whether an element of ``kind`` is open."""
        return any(mark[0] == kind for mark in self.marks)

    def open(self, kind: str, tag: str) -> None:
        """Open an element; its start tag, ``tag`` in angles, is written when something follows."""
        self._end_code()
        self.marks.append((kind, f"<{tag}>", f"</{tag.split(' ', 1)[0]}>"))

    def close(self) -> None:
        """Close the element that was opened last."""
        self._end_code()
        _, _, end = self.marks.pop()
        if self._written > len(self.marks):
            self._parts.append(end)
            self._written -= 1

    def line_break(self) -> None:
        """Break the line before what follows, if anything does."""
        self._broken = True

    def blank(self) -> None:
        """Part what follows from what was."""
        self._space = True

    def text(self, raw: str, row: int, *, in_code: bool = False) -> None:
        """Add the text of a row."""
        words = " ".join(raw.split())
        if not words:
            self._space |= bool(raw)
            return
        self._space |= raw[0].isspace()
        if in_code:
            self._add_code(words, row)
        else:
            self._put(escaped(words), row)
        self._space = raw[-1].isspace()

    def join(self, raw: str, row: int) -> None:
        """Add text with no space before it, where there is anything before it."""
        self._space = False
        if self:
            self.text(raw, row)

    def xml(self, xml: str, row: int, *, is_picture: bool = False) -> None:
        """Add an element as it is written."""
        self._put(xml, row, is_picture=is_picture and not self.marks)

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
        self._first = row if self._first < 0 else self._first
        self.last = row + 1

    def take(self) -> Line | None:
        """Return what was collected and begin anew within the same elements; None for nothing."""
        self._end_code()
        if not self._parts:
            self._clear()
            return None
        ends = [end for _, _, end in reversed(self.marks[: self._written])]
        xml = "".join([*self._parts, *ends])
        line = Line(xml, (self._first, self.last), self._is_picture)
        self._clear()
        return line
