"""The state of one rendering: the elements that are open, and where the next block goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from chaffinch.elements.formulas.tex import left_in_text, undelimited
from chaffinch.elements.shown_content import shown_content
from chaffinch.output.tei.inline import Inline
from chaffinch.output.tei.tree import Node
from chaffinch.output.tei.xml import escaped

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.output.options import OutputOptions
    from chaffinch.result import Content

Enter: TypeAlias = "Callable[[State, int], None]"
"""Done where an element begins; it is given the element's row."""

Leave: TypeAlias = "Callable[[State], None]"
"""Done where an element ends."""

_MOST: Final = 48
"""Containers within each other; parsers of XML refuse what is very deep."""
_LAST: Final = 7
"""Level of a section without a heading: any heading ends it."""


class State:
    """What one rendering knows while it walks the rows.

    Attributes:
        body: the text that is made.
        code_blocks: rows of the blocks of code.
        sections: (level, div) of the headings that the next block stands under.
        holders: lists, items, quotes, tables and figures that are open.
        stack: (end, function) of what is called when an element ends.
        flat: name of the element that is one line, such as "head"; "" where blocks may be.
        code_row: row of the inline code around; -1 outside of code.
        breaks: br elements since the last text.
        rend: how the paragraphs that follow are told apart from others, "" for not at all.
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
        self.body = Node("body")
        self.sections: list[tuple[int, Node]] = []
        self.holders: list[Node] = []
        self.stack: list[tuple[int, Leave]] = []
        self.flat = ""
        self.code_row = -1
        self.skip_to = 0
        self.breaks = 0
        self.rend = ""

    # Rows

    def text(self, row: int) -> None:
        """Add a text row, TeX that it leaves to a script as formulas."""
        raw = self.page.text[self.page.text_at[row] : self.page.text_at[row + 1]]
        if self.breaks and not raw.isspace():
            self.break_line()
        if self.code_row >= 0:
            self.inline.text(raw, row, in_code=True)
            return
        at = 0
        if "\\" in raw or "$$" in raw:
            if not self.options.formulas:
                raw = undelimited(raw)
            for begin, end, marked in left_in_text(raw) if self.options.formulas else ():
                self.inline.text(raw[at:begin], row)
                self.inline.xml(formula(marked), row)
                at = end
        self.inline.text(raw[at:], row)

    def on_leave(self, row: int, leave: Leave) -> None:
        """Have ``leave`` called when the subtree of ``row`` ends."""
        self.stack.append((int(self.page.end[row]), leave))

    def leave_until(self, row: int) -> None:
        """End the elements that end at or before ``row``."""
        while self.stack and row >= self.stack[-1][0]:
            self.stack.pop()[1](self)

    # Lines

    def break_line(self) -> None:
        """Break the line: one br breaks it, more part paragraphs."""
        if self.breaks > 1 and not self.flat:
            self.flush()
        elif self.flat == "head":
            self.inline.blank()
        else:
            self.inline.line_break()
        self.breaks = 0

    def boundary(self) -> None:
        """Start or end a block."""
        if not self.flat:
            self.flush()
        elif self.flat == "head":
            self.inline.blank()
        else:
            self.inline.line_break()
        self.breaks = 0

    def enter_block(self, row: int) -> None:
        """Start an element that is only a block."""
        self.boundary()
        self.on_leave(row, State.boundary)

    def flush(self) -> None:
        """Write what was collected as a paragraph."""
        self.breaks = 0
        line = self.inline.take()
        if line is None:
            return
        name = "p"
        if line.is_picture:
            name = "" if self.holder == "figure" else "figure"
        more = {"rend": self.rend} if self.rend and name == "p" else {}
        self.put(Node(name, more | self.identity(line.rows), line))

    def identity(self, rows: tuple[int, int]) -> dict[str, str]:
        """Return the attribute that names a block's rows, if it is asked for."""
        return {"xml:id": f"r{rows[0]}-{rows[1]}"} if self.options.rows else {}

    # Where blocks go

    def put(self, node: Node) -> None:
        """Put a block where it stands: in the innermost holder, or under the last heading."""
        if self.holders:
            self.holders[-1].put(node)
            return
        place = self.sections[-1][1] if self.sections else self.body
        if node.name != "div" and any(child.name == "div" for child in place.children[-1:]):
            place = self.section(_LAST)
        place.put(node)

    def section(self, level: int) -> Node:
        """Begin a section, and end those of its level and deeper ones."""
        while self.sections and self.sections[-1][0] >= level:
            self.sections.pop()
        node = Node("div")
        (self.sections[-1][1] if self.sections else self.body).put(node)
        self.sections.append((level, node))
        return node

    def put_apart(self, section: Node) -> None:
        """Put a section that no heading holds; what is open goes on behind it."""
        self.sections.clear()
        self.body.put(section)
        open_ones, self.holders = self.holders, []
        for old in open_ones:
            node = Node(old.name, old.attributes)
            self.put(node)
            self.holders.append(node)

    def hold(self, row: int, node: Node) -> bool:
        """Open a holder of blocks; tell whether it could be, else it is only a block."""
        self.boundary()
        if self.flat or len(self.holders) >= _MOST:
            self.on_leave(row, State.boundary)
            return False
        self.put(node)
        self.holders.append(node)
        self.on_leave(row, State._let_go)
        return True

    def _let_go(self) -> None:
        self.boundary()
        self.holders.pop()

    @property
    def holder(self) -> str:
        """Name of the innermost holder; "" where none is."""
        return self.holders[-1].name if self.holders else ""

    def enter_line(self, row: int, name: str) -> None:
        """Start an element that is one line in its holder."""
        self.flush()
        self.flat = name
        self.on_leave(row, State._end_line)

    def _end_line(self) -> None:
        line = self.inline.take()
        name, self.flat, self.breaks = self.flat, "", 0
        if line is not None:
            self.put(Node(name, self.identity(line.rows), line))


def formula(marked: str) -> str:
    """Return TeX between dollar signs as an element."""
    rend = "display" if marked.startswith("$$") else "inline"
    return tex(marked.strip("$"), rend)


def tex(source: str, rend: str) -> str:
    """Return TeX as an element; ``rend`` is "inline" or "display"."""
    return f'<formula notation="TeX" rend="{rend}">{escaped(source)}</formula>'
