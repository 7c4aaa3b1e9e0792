"""Blocks that hold lines, and lines that hold marks: what Markdown and TEI make of a page alike.

Where a br breaks a line and where a paragraph, where a heading is none, where code, formulas, ruby
texts and images stand; what each element is, `chaffinch.output.element_events` decides. A writer
defines how each is written.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.formulas.delimiters import left_in_text, undelimited
from chaffinch.kernels.codes import RUN_BLOCK, RUN_BOUNDARY, RUN_INLINE, RUN_WORDS
from chaffinch.output.element_events import ALWAYS, EVENTS, IN_LINE, MARKS, special_rows
from chaffinch.output.walk import Walk
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.kernels.arrays import Kinds
    from chaffinch.output.inline import Inline
    from chaffinch.output.options import OutputOptions

HEAD: Final = "head"
"""All is one line: the blocks in a heading are parted by spaces."""

LINES: Final = "lines"
"""All is one paragraph: the blocks in a cell or a term are lines of it."""

_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page


class BlockWriter(Walk):
    """A writer of blocks.

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
    _events: ClassVar[dict[int, Callable[[Any, int], None]]]
    _kinds: ClassVar[Kinds]

    def __init_subclass__(cls) -> None:
        cls._events = {tags.CODES[name]: getattr(cls, event) for name, event in EVENTS.items()}
        cls._kinds = np.zeros(len(tags.BLOCK), dtype=np.uint8)
        for name, event in EVENTS.items():
            is_boundary = getattr(cls, event) is BlockWriter.block
            block = RUN_BOUNDARY if is_boundary else RUN_BLOCK
            kind = RUN_INLINE if event in IN_LINE else block
            cls._kinds[tags.CODES[name]] = kind
        cls._kinds[tags.TEXT] = RUN_WORDS

    def __init__(self, shown: ShownContent, options: OutputOptions, inline: Inline) -> None:
        special, *columns = shown.derived("special rows", lambda: special_rows(shown))
        super().__init__(shown.page, special)
        self._special_rows, self._special_kinds = columns
        self._open = np.zeros(0, dtype=np.int32)
        self.inline = inline
        self.shown = shown
        self.options = options
        self.flat = ""
        self.code_row = -1
        self.breaks = 0
        self.line = -1

    # What a writer defines

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

    @abstractmethod
    def open_heading(self, row: int) -> None:
        """Begin a heading, which is one line."""

    @abstractmethod
    def write_code(self, row: int) -> None:
        """Write a block of code, exact, and skip its rows."""

    # Rows

    def walk(self, rows: NDArray[Any]) -> None:
        """Walk some rows, as `Walk`: texts that stand side by side at once, boundaries as such."""
        page, all_text, stack, special = self.page, self.page.text, self.stack, self.special
        inline, words = self.inline, self._words
        first, last = (int(rows[0]), int(rows[-1])) if len(rows) else (0, -1)
        own = slice(*self._special_rows.searchsorted((first, last + 1)).tolist())
        runs, still_open = kernels.text_runs(
            rows, self._special_rows[own], self._special_kinds[own], self._kinds,
            self._open, page.tag, page.end, page.line, page.text_at, page.written,
        )  # fmt: skip
        self._open = np.array(still_open, dtype=np.int32)
        for row, tag, line, parted, closed, stop, begin, end in checked(runs):
            while stack and row >= stack[-1][0]:
                self.leave()
            if row < self.skip_to:
                continue
            if parted:
                if inline.first < 0:
                    self.breaks = 0
                else:
                    self.boundary()
            if stop:
                words(row, stop, all_text[begin:end], line, closed=closed)
            elif tag == tags.TEXT:
                inline.blank()
            elif row in special:
                name, *arguments = special[row]
                getattr(self, name)(row, *arguments)
            else:
                self.element(row, tag)

    def _words(self, row: int, stop: int, raw: str, line: int, *, closed: bool) -> None:
        """Add texts that stand side by side in a line; ``closed``: a boundary follows."""
        inline = self.inline
        if self.code_row < 0 and ("\\" in raw or "$$" in raw):
            if raw[0].isspace():
                inline.blank()
            for own in (np.flatnonzero(self.page.tag[row:stop] == tags.TEXT) + row).tolist():
                self.text(own, self.page.text_of(own))
            if raw[-1].isspace():
                inline.blank()
            return
        if line != self.line:
            self.begin_text(row, line)
        is_first = inline.first < 0 and self.code_row < 0
        if closed and is_first and not (self.flat or inline.active):
            self.paragraph(raw, row, stop)
        else:
            inline.text(raw, row, stop, code_of=self.code_row)

    def paragraph(self, raw: str, row: int, stop: int) -> None:
        """Write a paragraph that is nothing but text."""
        self.inline.text(raw, row, stop)
        self.flush()

    def element(self, row: int, tag: int) -> None:
        """Begin an element that has a form of its own."""
        self._events[tag](self, row)

    def on_leave(self, row: int, leave: Callable[..., None], *arguments: Any) -> None:
        """Have a method called when the subtree of ``row`` ends."""
        self.stack.append((int(self.page.end[row]), leave, arguments))

    def leave(self) -> None:
        """End the element that was opened last."""
        _, leave, arguments = self.stack.pop()
        leave(*arguments)

    def blank(self, _: int, __: str) -> None:
        """Add a text row of white space only."""
        self.inline.blank()

    def text(self, row: int, raw: str) -> None:
        """Add a text row in no code, TeX that it leaves to a script as formulas."""
        self.begin_text(row, int(self.page.line[row]))
        at = 0
        if not self.options.formulas:
            raw = undelimited(raw)
        for begin, end, tex, display in left_in_text(raw) if self.options.formulas else ():
            self.inline.text(raw[at:begin], row, row + 1)
            self.inline.raw(self.formula_markup(tex, display=display), row)
            at = end
        self.inline.text(raw[at:], row, row + 1)

    def begin_text(self, row: int, line: int) -> None:
        """Begin a line before a text or an image where the page does."""
        if line != self.line:
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
        self.begin_text(row, int(self.page.line[row]))
        if self.options.formulas:
            self.inline.raw(self.formula_markup(found.tex, display=found.display), row)
        else:
            self.inline.text(found.tex, row, row + 1)
        self.inline.last = found.end
        if is_apart:
            self.boundary()

    # Blocks

    def boundary(self) -> None:
        """Start or end a block."""
        if self.inline.first < 0:
            pass
        elif not self.flat:
            self.flush()
        elif self.flat == HEAD:
            self.inline.blank()
        else:
            self.inline.line_break()
        self.breaks = 0

    def block(self, row: int) -> None:
        """Begin an element that is only a block."""
        self.boundary()
        self.on_leave(row, self.boundary)

    def heading(self, row: int) -> None:
        """Begin a heading, or where it can't be one, a block."""
        if self.flat or (self.page.length[row] > _LONG_HEADING and self._holds_blocks(row)):
            self.block(row)
        else:
            self.boundary()
            self.open_heading(row)

    def _holds_blocks(self, row: int) -> bool:
        return bool(tags.BLOCK[self.page.tag[row + 1 : int(self.page.end[row])]].any())

    def code_block(self, row: int) -> None:
        """Write a block of code; where no block may be, as code within the line."""
        self.boundary()
        if self.flat:
            self.code(row)
            self.on_leave(row, self.boundary)
        else:
            self.write_code(row)

    bullets = numbers = item = definitions = term = definition = block
    quote = summary = figure = figure_caption = table = caption = table_row = cell = between = block

    def rule(self, _: int) -> None:
        """Write a rule between blocks."""
        self.boundary()

    # Within a line

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
            alt = " ".join((self.page.attribute(row, "alt") or "").split())
            if markup := self.image_markup(row, self.shown.images[row].url, alt):
                self.begin_text(row, int(self.page.line[row]))
                self.inline.raw(markup, row)

    def ruby_text(self, row: int) -> None:
        """Put a ruby text in parentheses, unless the page brings its own."""
        before = row - 2 if self.page.tag[row - 1] == tags.TEXT else row - 1
        if self.page.name(max(before, 0)) != "rp":
            self.begin_text(row, int(self.page.line[row]))
            self.inline.text("(", row, row + 1)
            self.on_leave(row, self.inline.join, ")", row)
