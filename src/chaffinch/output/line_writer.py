"""Lines that hold marks: what Markdown and TEI make alike of what stands within a block.

Where a br breaks a line and where a paragraph, where code, formulas and images stand.
A writer defines how each is written.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from chaffinch.elements.formulas import left_in_text, undelimited
from chaffinch.elements.texts import BREAK
from chaffinch.output.element_events import ALWAYS, MARKS
from chaffinch.output.walk import Walk
from chaffinch.page.visibility import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.kernels.arrays import Kinds
    from chaffinch.output.inline import Inline
    from chaffinch.output.options import OutputOptions
    from chaffinch.output.walk import Special

TEX: Final = 4
"""Bit of characters that begin TeX which is left to a script: the backslash, and dollar signs."""

BROKEN: Final = 16
"""Bit of the character that stands for a line break which inline style shows."""

HEAD: Final = "head"
"""All is one line: the blocks in a heading are parted by spaces."""

LINES: Final = "lines"
"""All is one paragraph: the blocks in a cell or a term are lines of it."""


class LineWriter(Walk):
    """A writer of what stands within blocks.

    Attributes:
        shown: what is shown of the content.
        options: what is shown of links, images and the like.
        inline: what was collected of the block that is open.
        flat: `HEAD`, `LINES`, or "" where blocks may be written.
        code_row: row of the inline code around; -1 outside of code.
        breaks: br elements since the last text.
        line: number of the line (`Page.line`) of the last text or image.
    """

    marks: ClassVar[Mapping[str, str]]
    """Kind of each mark that is written → its markup."""
    signs: ClassVar[Kinds] = np.zeros(256, dtype=np.uint8)
    """uint8[256]: what a character of Latin-1 stands for in a text, as bits: `TEX`, `BROKEN`, …"""
    signs[[ord("\\"), ord("$")]] = TEX
    signs[ord(BREAK)] = BROKEN

    def __init__(
        self,
        shown: ShownContent,
        options: OutputOptions,
        inline: Inline,
        special: Mapping[int, Special],
    ) -> None:
        super().__init__(shown.page, special, shown.elements.text)
        self.inline = inline
        self.shown = shown
        self.options = options
        self.flat = ""
        self.code_row = -1
        self.breaks = 0
        self.line = -1

    # What a writer defines

    @abstractmethod
    def boundary(self) -> None:
        """Start or end a block."""

    @abstractmethod
    def flush(self) -> None:
        """Write what was collected as a paragraph."""

    @abstractmethod
    def formula_markup(self, tex: str, *, display: bool) -> str:
        """Return a formula as it is written in a line."""

    @abstractmethod
    def image_markup(self, row: int, url: str, alt: str) -> str:
        """Return an image as it is written in a line; "" for none."""

    @abstractmethod
    def link_markup(self, row: int, url: str) -> str:
        """Return the markup of a link; "" where only its text is written."""

    # Rows

    def on_leave(self, row: int, leave: Callable[..., None], *arguments: Any) -> None:
        """Have a method called when the subtree of ``row`` ends."""
        self.stack.append((int(self.page.end[row]), leave, arguments))

    def leave(self) -> None:
        """End the element that was opened last."""
        _, leave, arguments = self.stack.pop()
        leave(*arguments)

    def blank(self, _: int, raw: str) -> None:
        """Add a text row of white space only."""
        self.inline.blank()
        self.breaks += raw.count(BREAK)

    def text(self, row: int, raw: str) -> None:
        """Add a text row in no code, line by line where style shows its breaks."""
        for at, line in enumerate(raw.split(BREAK)):
            self.breaks += at > 0
            if not line or line.isspace():
                self.inline.blank()
            else:
                self._line_of_text(row, line)

    def _line_of_text(self, row: int, raw: str) -> None:
        """Add text, TeX that it leaves to a script as formulas."""
        self.follow_line(row)
        self.begin_inline(row)
        at = 0
        if not self.options.formulas:
            raw = undelimited(raw)
        for begin, end, tex, display in left_in_text(raw) if self.options.formulas else ():
            self.inline.text(raw[at:begin], row, row + 1)
            self.inline.raw(self.formula_markup(tex, display=display), row)
            at = end
        self.inline.text(raw[at:], row, row + 1)

    def follow_line(self, row: int) -> None:
        """Begin a line before a text or an image where the page does."""
        line = int(self.page.line[row])
        if line != self.line:
            self.begin_text(row, line)

    def begin_text(self, row: int, line: int) -> None:
        """Begin the line of the page, another than before, in which a text or an image stands."""
        if self.breaks:
            self.begin_inline(row)
        elif self.inline.first >= 0:
            self.boundary()  # of a block that isn't shown
        self.line = line

    def begin_inline(self, row: int) -> None:
        """Break the line where br elements came before: one breaks it, more part paragraphs."""
        if not self.breaks:
            return
        self.line = self.page.line[row]
        if self.breaks > 1 and not self.flat:
            self.flush()
        elif self.flat == HEAD:
            self.inline.blank()
        else:
            self.inline.line_break()
        self.breaks = 0

    def formula(self, row: int) -> None:
        """Write a formula in the line, or as a paragraph of its own."""
        found = self.shown.formulas[row]
        self.skip_to = found.end
        is_apart = found.display and not self.flat
        if is_apart:
            self.boundary()
        self.follow_line(row)
        if self.options.formulas:
            self.inline.raw(self.formula_markup(found.tex, display=found.display), row)
        else:
            self.inline.text(found.tex, row, row + 1)
        self.inline.last = found.end
        if is_apart:
            self.boundary()

    def line_break(self, _: int) -> None:
        """Note a br; what follows decides whether it breaks a line or a paragraph."""
        self.breaks += 1

    def code(self, row: int) -> None:
        """Begin code within a line."""
        if self.code_row < 0:
            self.begin_inline(row)
            self.code_row = row
            self.on_leave(row, self._leave_code)

    def _leave_code(self) -> None:
        self.code_row = -1

    def mark(self, row: int) -> None:
        """Begin a mark, unless it is one of its kind already or the option leaves it out."""
        kind = MARKS[self.page.name(row)]
        is_meant = kind in ALWAYS or self.options.emphasis
        is_set = self.inline.has(kind) or (self.flat == HEAD and kind == "bold")
        if kind in self.marks and is_meant and not is_set:
            self.open_mark(row, kind, self.marks[kind])

    def open_mark(self, row: int, kind: str, markup: str) -> None:
        """Begin what stands around a part of a line."""
        self.begin_inline(row)
        self.inline.open(kind, markup)
        self.on_leave(row, self.inline.close)

    def link(self, row: int) -> None:
        """Begin a link."""
        if self.options.links and not self.inline.has("link"):
            url = self.page.addresses.find(self.page.attribute(row, "href"))
            if url and (markup := self.link_markup(row, url)):
                self.open_mark(row, "link", markup)

    def quotation(self, row: int) -> None:
        """Begin a quotation in a line; as text, unless the writer has a form for it."""

    def image(self, row: int) -> None:
        """Write an image of the content."""
        if self.options.images:
            alt = " ".join(visible(self.page.attribute(row, "alt") or "").split())
            if markup := self.image_markup(row, self.shown.images[row].url, alt):
                self.follow_line(row)
                self.inline.raw(markup, row)
