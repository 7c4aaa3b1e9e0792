"""The state of one rendering: what is open, what is collected, what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from chaffinch.elements.formulas.tex import left_in_text, undelimited
from chaffinch.elements.shown_content import shown_content
from chaffinch.output.markdown.blocks import Blocks
from chaffinch.output.markdown.inline import Inline

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.output.options import OutputOptions
    from chaffinch.result import Content

Enter: TypeAlias = "Callable[[State, int], None]"
"""Done where an element begins; it is given the element's row."""

Leave: TypeAlias = "Callable[[State, int], None]"
"""Done where an element ends; it is given an argument of its own."""


class State:
    """What one rendering knows while it walks the rows.

    Attributes:
        images: the sources of the page's images.
        stack: (end, function, argument) of what is called when an element ends.
        flat: "" where blocks may be written; "heading" or "cell" where all is one line.
        code_row: row of the inline code around; -1 outside of code.
        read: what is kept, with code and formulas.
        code_blocks: rows of the blocks of code.
        parts: row → part of a table, of tables made of divs.
        data_tables: bool[n], tables that are written as such.
        cells: Markdown of each cell of the table around.
        terms: depth of the list of each definition list around.
        skip_to: rows before this one are left out.
        breaks: br elements since the last text.
    """

    def __init__(self, content: Content, options: OutputOptions) -> None:
        self.page = content.page
        self.options = options
        self.read = shown_content(content)
        self.code_blocks = self.read.code_blocks
        self.shown = self.read.rows
        self.parts = self.read.elements.table_parts
        self.data_tables = self.read.elements.data_tables
        self.images = self.read.elements.images
        self.inline = Inline()
        self.blocks = Blocks()
        self.stack: list[tuple[int, Leave, int]] = []
        self.flat = ""
        self.code_row = -1
        self.cells: dict[int, str] = {}
        self.terms: list[int] = []
        self.skip_to = 0
        self.breaks = 0

    def text(self, row: int, raw: str) -> None:
        """Add a text row, which holds ``raw``."""
        if self.breaks and not raw.isspace():
            self.break_line()
        at = 0
        if self.code_row < 0 and ("\\" in raw or "$$" in raw):
            if not self.options.formulas:
                raw = undelimited(raw)
            for begin, end, formula in left_in_text(raw) if self.options.formulas else ():
                self.inline.add(raw[at:begin], row)
                self.inline.raw(formula, row)
                at = end
        self.inline.add(raw[at:], row, code_of=self.code_row)

    def on_leave(self, row: int, leave: Leave, argument: int = 0) -> None:
        """Have ``leave`` called when the subtree of ``row`` ends."""
        self.stack.append((int(self.page.end[row]), leave, argument))

    def flush(self, _: int = 0) -> None:
        """Write the paragraph collected so far."""
        self.breaks = 0
        rows = self.rows()
        if lines := self.inline.take():
            self.write([f"{line}\\" for line in lines[:-1]] + lines[-1:], rows)

    def rows(self) -> tuple[int, int]:
        """Return the range of rows that the line collected so far is from; a new one begins."""
        rows = self.inline.first, self.inline.last
        self.inline.first = self.inline.last = -1
        return rows

    def write(self, lines: list[str], rows: tuple[int, int]) -> None:
        """Write a block; a comment above it tells its rows, if they are asked for."""
        told = [f"<!-- r{rows[0]}-{rows[1]} -->"] if self.options.rows else []
        self.blocks.write([*told, *lines])

    def boundary(self, _: int = 0) -> None:
        """Start or end a block."""
        if not self.flat:
            self.flush()
        elif self.flat == "cell":
            self.inline.line_break()
        else:
            self.inline.space = True
        self.breaks = 0

    def break_line(self) -> None:
        """Break the line: one br breaks it, more part paragraphs."""
        if self.breaks > 1 and not self.flat:
            self.flush()
        elif self.flat == "heading":
            self.inline.space = True
        else:
            self.inline.line_break()
        self.breaks = 0

    def enter_block(self, row: int) -> None:
        """Start an element that is only a block."""
        self.boundary()
        self.on_leave(row, State.boundary)

    def enter_code(self, row: int) -> None:
        """Start code within a line."""
        if self.code_row < 0:
            if self.breaks:
                self.break_line()
            self.code_row = row
            self.on_leave(row, State.leave_code)

    def leave_code(self, _: int) -> None:
        """End code within a line."""
        self.code_row = -1

    def leave_until(self, row: int) -> None:
        """End the elements that end at or before ``row``."""
        while self.stack and row >= self.stack[-1][0]:
            _, leave, argument = self.stack.pop()
            leave(self, argument)
