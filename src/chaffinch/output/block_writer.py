"""Blocks that hold lines: what Markdown and TEI make of a page alike.

Where a block begins and ends, and where a heading is none; what each element is,
`chaffinch.output.element_events` decides, and what stands in a line, `LineWriter`. A writer defines
how each is written.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.texts import BREAK
from chaffinch.kernels.codes import (
    RUN_AFTER_SPACE,
    RUN_BEFORE_SPACE,
    RUN_BLOCK,
    RUN_BOUNDARY,
    RUN_INLINE,
    RUN_WORDS,
)
from chaffinch.output.element_events import EVENTS, IN_LINE, special_rows
from chaffinch.output.line_writer import BROKEN, HEAD, TEX, LineWriter
from chaffinch.page import tags
from chaffinch.page.arrays import frozen
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.kernels.arrays import Kinds
    from chaffinch.kernels.plain.runs import Run
    from chaffinch.output.inline import Inline
    from chaffinch.output.options import OutputOptions

_NO_ENDS: Final = frozen(np.zeros(0, dtype=np.int32))
_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page


class BlockWriter(LineWriter):
    """A writer of blocks."""

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
        super().__init__(shown, options, inline, special)
        self._special_rows, self._special_kinds = columns
        self._open = _NO_ENDS

    # What a writer defines

    @abstractmethod
    def open_heading(self, row: int) -> None:
        """Begin a heading, which is one line."""

    @abstractmethod
    def write_code(self, row: int) -> None:
        """Write a block of code, exact, and skip its rows."""

    # Rows

    def walk(self, rows: NDArray[Any]) -> None:
        """Walk some rows, as `Walk`: texts that stand side by side at once, boundaries as such."""
        page, stack, special, inline = self.page, self.stack, self.special, self.inline
        own = slice(0, 0)
        if special and len(rows):
            own = slice(*self._special_rows.searchsorted((rows[0], rows[-1] + 1)).tolist())
        runs, still_open = kernels.text_runs(
            self.all_text, rows, self._special_rows[own], self._special_kinds[own], self._kinds,
            self._open, page.tag, page.end, page.line, self.text_at, page.written, self.signs,
        )  # fmt: skip
        self._open = np.array(still_open, dtype=np.int32) if still_open else _NO_ENDS
        for run in checked(runs):
            row, tag, _, parted, _, stop, _, _ = run
            while stack and row >= stack[-1][0]:
                _, leave, arguments = stack.pop()
                leave(*arguments)
            if row < self.skip_to:
                continue
            if parted:
                if inline.first < 0:
                    self.breaks = 0
                else:
                    self.boundary()
            if stop:
                self.words(run)
            elif tag == tags.TEXT:
                self.blank(row, self._raw(row))
            elif row in special:
                name, *arguments = special[row]
                getattr(self, name)(row, *arguments)
            else:
                self.element(row, tag)

    def words(self, run: Run) -> None:
        """Add texts that stand side by side in a line."""
        inline = self.inline
        row, _, line, _, closed, stop, words, signs = run
        if self.code_row >= 0:
            if line != self.line:
                self.begin_text(row, line)
            words = " ".join(words.replace(BREAK, " ").split()) if signs & BROKEN else words
            inline.words(words, signs, row, stop, code_of=self.code_row)
        elif (signs & TEX and ("\\" in words or "$$" in words)) or signs & BROKEN:
            self._texts(row, stop, signs)
        else:
            if line != self.line:
                self.begin_text(row, line)
            if closed and inline.first < 0 and not (self.flat or inline.active):
                self.paragraph(words, signs, row, stop)
            else:
                inline.words(words, signs, row, stop)

    def _texts(self, row: int, stop: int, signs: int) -> None:
        """Add the texts of rows one by one: they may hold TeX that is left to a script, breaks."""
        if signs & RUN_AFTER_SPACE:
            self.inline.blank()
        for own in (np.flatnonzero(self.page.tag[row:stop] == tags.TEXT) + row).tolist():
            self.text(own, self._raw(own))
        if signs & RUN_BEFORE_SPACE:
            self.inline.blank()

    def _raw(self, row: int) -> str:
        at = self.text_at
        return self.all_text[at[row] : at[row + 1]]

    def paragraph(self, words: str, signs: int, row: int, stop: int) -> None:
        """Write a paragraph that is nothing but text."""
        self.inline.words(words, signs, row, stop)
        self.flush()

    def element(self, row: int, tag: int) -> None:
        """Begin an element that has a form of its own."""
        self._events[tag](self, row)

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

    def heading_level(self, row: int) -> int:
        """Return the level of a heading."""
        return self.shown.crossheads.get(row) or int(self.page.name(row)[1])

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
