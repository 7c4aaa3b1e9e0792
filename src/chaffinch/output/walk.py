"""The walk over the rows that are shown, one pass in document order, and what writers make alike.

`Walk` calls a writer's methods where a text or an element begins, and where an element ends that
the writer has put on its stack; nothing recurses. `Page.line` defines where a line of the text
begins, here as in `chaffinch.output.text`. `BlockWriter` stands on it, for Markdown and TEI:
`EVENTS` says what each element is, `Inline` collects what stands in a block, a writer says how each
is written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.elements.formulas import left_in_text
from chaffinch.elements.shown_content import ShownContent
from chaffinch.elements.tables import BETWEEN
from chaffinch.elements.texts import BREAK as SHOWN_BREAK
from chaffinch.kernels.arrays import Kinds, Rows, frozen, marked
from chaffinch.kernels.codes import (
    RUN_AFTER_SPACE,
    RUN_BEFORE_SPACE,
    RUN_BLOCK,
    RUN_BOUNDARY,
    RUN_INLINE,
    RUN_WORDS,
)
from chaffinch.output.options import OutputOptions
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.visibility import visible
from chaffinch.page_work import checked

Special: TypeAlias = tuple[str, ...]
"""Name of a method of a writer, and arguments for it."""


class Walk(ABC):
    """What each writer does while it walks; walks over parts of one content share ``special``."""

    def __init__(
        self,
        page: Page,
        special: Mapping[int, Special] | None = None,
        text: tuple[str, Rows] | None = None,
    ) -> None:
        self.page = page
        self.all_text, self.text_at = text or (page.text, page.text_at)  # or as `page_text` has it
        self.stack: list[tuple[Any, ...]] = []
        """(First row after it, …) of what is open, innermost last; the rest is the writer's."""
        self.skip_to = 0  # rows before this one are left out
        self.special = special or {}  # row → what is called there in place of `element`

    @abstractmethod
    def text(self, row: int, raw: str) -> None:
        """Add a text row, which holds ``raw``."""

    def blank(self, row: int, raw: str) -> None:
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
        while self.stack:
            self.leave()


# What stands in a line

TEXT: Final = 0
CODE: Final = 1
RAW: Final = 2
BREAK: Final = 3
OPEN: Final = 4
CLOSE: Final = 5
"""Kinds of pieces of a line: text, code, what is written as it is, breaks, and marks."""

ANY_SIGNS: Final = ~(RUN_AFTER_SPACE | RUN_BEFORE_SPACE)
"""What is known of a text whose characters weren't looked at."""
EMPHASIS: Final = frozenset({"bold", "italic", "strikethrough"})
Markup: TypeAlias = tuple[str, str]
"""What is written where a mark begins, and where it ends."""


@dataclass(slots=True, eq=False)
class Mark:
    """One span of emphasis, link or raw element; its opening and closing pieces share it."""

    kind: str
    opening: str = ""
    closing: str = ""
    """What is written where it begins and ends; of emphasis in Markdown, once that is chosen."""
    dropped: bool = False


_NO_MARK: Final = Mark("")


@dataclass(slots=True, eq=False)
class Piece:
    """A part of the line: what it is, its text or its mark, and what is known of the text."""

    what: int
    text: str = ""
    mark: Mark = _NO_MARK
    """Of one that opens or closes a mark; else one that is none."""
    signs: int = ANY_SIGNS
    """Bits that characters of the text stand for, or more of them; see `text_runs`."""


class Inline:
    """Collects the inline content of a block: text, code, images, formulas and the marks around.

    White space is held back until something follows, and marks are held back until something stands
    in them; so no mark is empty and none has white space inside.
    """

    def __init__(self, joined: frozenset[str] = frozenset()) -> None:
        self.joined = joined  # kinds of marks that go on where one ends and another begins
        self.pieces: list[Piece] = []  # what was collected
        self.active: list[Mark] = []  # the marks that are open, innermost last
        self.pending: list[Mark] = []  # those of them in which nothing stands so far
        self.space = self.broken = False
        self.first = -1  # first row that it is from; -1 where nothing was collected
        self.last = -1  # first row after those that it is from
        self._code_row = -1  # row of the code element that the last piece of code is of

    def has(self, kind: str) -> bool:
        for mark in self.active:  # noqa: SIM110  a generator would cost more than the search
            if mark.kind == kind:
                return True
        return False

    def open(self, kind: str, opening: str, closing: str) -> None:
        mark = Mark(kind, opening, closing)
        self.active.append(mark)
        self.pending.append(mark)

    def close(self) -> None:
        mark = self.active.pop()
        if self.pending:
            self.pending.pop()
        else:
            self.pieces.append(Piece(CLOSE, mark=mark))

    def line_break(self) -> None:
        """Break the line before what follows, if anything does."""
        self.broken = bool(self.pieces)

    def blank(self) -> None:
        self.space = bool(self.pieces)

    def text(self, raw: str, row: int, stop: int) -> None:
        if words := " ".join(raw.split()):
            spaces = raw[0].isspace() * RUN_AFTER_SPACE | raw[-1].isspace() * RUN_BEFORE_SPACE
            self.words(words, spaces | ANY_SIGNS, row, stop)
        else:
            self.space |= bool(raw)

    def words(self, words: str, signs: int, row: int, stop: int, code_of: int = -1) -> None:
        """Add the text of the rows from ``row`` up to ``stop``, white space folded, not "".

        Its ``signs`` are as of `chaffinch.kernels.codes.RUN_AFTER_SPACE`; ``code_of`` is the row of
        the code element it stands in, -1 for none.
        """
        if self.first < 0:
            self.first = row
        self.last = stop
        if code_of < 0 and not self.pieces and not self.pending:  # of most blocks all there is
            self.pieces.append(Piece(TEXT, words, _NO_MARK, signs))
            self.broken = False
            self.space = signs & RUN_BEFORE_SPACE != 0
            return
        if signs & RUN_AFTER_SPACE:
            self.space = True
        if code_of >= 0:
            if SHOWN_BREAK in words:
                words = " ".join(words.replace(SHOWN_BREAK, " ").split())
            follows = self.pieces and not self.pending and self.pieces[-1].what == CODE
            if follows and self.space and not self.broken and self._code_row == code_of:
                words = f" {words}"
                self.space = False
            self._code_row = code_of
        self._put(Piece(TEXT if code_of < 0 else CODE, words, _NO_MARK, signs))
        self.space = signs & RUN_BEFORE_SPACE != 0

    def raw(self, markup: str, row: int, stop: int) -> None:
        if self.first < 0:
            self.first = row
        self.last = stop
        self._put(Piece(RAW, markup))

    def _put(self, piece: Piece) -> None:
        pieces, pending = self.pieces, self.pending
        if pending and pieces and pieces[-1].what == CLOSE and not self.broken:
            self._continue_emphasis()
        if pieces:
            last = pieces[-1]
            if self.broken:
                pieces.append(Piece(BREAK))
            elif not self.space:
                pass
            elif last.what == TEXT:  # the space stands in a text beside it, if there is one
                last.text += " "
            elif piece.what == TEXT and not pending:
                piece.text = f" {piece.text}"
            else:
                pieces.append(Piece(TEXT, " "))
        self.space = self.broken = False
        if pieces and not pending and piece.what <= CODE and piece.what == pieces[-1].what:
            pieces[-1].text += piece.text
            pieces[-1].signs |= piece.signs
            return
        if pending:
            pieces.extend([Piece(OPEN, mark=mark) for mark in pending])
            pending.clear()
        pieces.append(piece)

    def _continue_emphasis(self) -> None:
        """Take back closing marks that are opened again at once, as in ``<b>a</b><b>b</b>``."""
        while self.pending and self.pieces and self.pieces[-1].what == CLOSE:
            old, new = self.pieces[-1].mark, self.pending[0]
            if old.kind != new.kind or new.kind not in self.joined:
                return
            self.pieces.pop()
            self.active[self.active.index(new)] = old
            self.pending.pop(0)

    def take(self) -> list[Piece]:
        """Return what was collected so far, and begin anew within the same marks.

        No two texts stand side by side in it, and no two pieces of code.
        """
        pieces, self.pieces = self.pieces, []
        self.first = self.last = -1
        self.space = self.broken = False
        if pieces and self.active:
            written = [mark for mark in self.active if mark not in self.pending]
            pieces.extend([Piece(CLOSE, mark=mark) for mark in reversed(written)])
            self.active = [Mark(one.kind, one.opening, one.closing) for one in self.active]
            self.pending = list(self.active)
        return pieces


# What elements are

MARKS: Final = {
    **dict.fromkeys(["b", "strong"], "bold"),
    **dict.fromkeys(["i", "em", "cite", "dfn", "var"], "italic"),
    **dict.fromkeys(["s", "strike", "del"], "strikethrough"),
    "u": "underline",
    "mark": "highlight",
    "sub": "subscript",
    "sup": "superscript",
}
"""Tag → kind of the mark that it is."""
_MARK_OF_TAG: Final = {tags.CODES[name]: kind for name, kind in MARKS.items()}

EVENTS: Final = {
    **{name: "block" for name, tag in tags.CODES.items() if tags.BLOCK[tag]},
    **{name: "code_block" for name, tag in tags.CODES.items() if tags.PREFORMATTED[tag]},
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), "heading"),
    **dict.fromkeys("ul menu dir".split(), "bullets"),
    **dict.fromkeys("code kbd samp tt".split(), "code"),
    **dict.fromkeys(["td", "th"], "cell"),
    **dict.fromkeys(MARKS, "mark"),
    "ol": "numbers",
    "li": "item",
    "dl": "definitions",
    "dt": "term",
    "dd": "definition",
    "blockquote": "quote",
    "summary": "summary",
    "figure": "figure",
    "figcaption": "figure_caption",
    "table": "table",
    "caption": "caption",
    "tr": "table_row",
    "hr": "rule",
    "br": "line_break",
    "a": "link",
    "q": "quotation",
}
"""Tag → name of the method that is called where such an element begins."""
_PARTS: Final = {
    **{name: EVENTS[name] for name in ("table", "caption", "tr", "td", "th")},
    BETWEEN: "between",
}
"""Part of a table made of divs → the same."""
_QUOTES: Final = frozenset("quote bbcode_quote quotemain quotebody quote-body".split())
"""Class names of such boxes."""
_QUOTE_BOXES: Final = Search("class", "quote")
_POSTS, _POST_CELLS = Search("id", "post_message_"), Search("class", "alt2")  # of vBulletin 3
_TICKED: Final = Search("type", "checkbox")
_IN_LINE: Final = frozenset(
    "mark code line_break link quotation formula image note_mark note_label".split()
)
"""Methods that are called for what stands in a line."""


def _special_rows(
    shown: ShownContent,
) -> tuple[dict[int, Special], NDArray[np.int64], NDArray[np.uint8]]:
    """Return row → method that is called there whatever the element is, in order; as columns, too.

    These are int64[s], the rows, and uint8[s], what each is to a walk. Many walks share them.
    """
    found: dict[int, Special] = {
        **{row: ("task", done) for row, done in _tasks(shown.page)},
        **dict.fromkeys(_quote_boxes(shown.page), ("quote",)),
        **dict.fromkeys(shown.crossheads, ("heading",)),
        **{row: ("note", label) for row, label in shown.footnotes.notes.items()},
        **dict.fromkeys(shown.footnotes.labels, ("note_label", "")),
        **{row: ("note_mark", label) for row, label in shown.footnotes.marks.items()},
        **{row: (_PARTS[part],) for row, part in shown.elements.table_parts.items()},
        **dict.fromkeys(shown.code.blocks, ("code_block",)),
        **dict.fromkeys(shown.formulas, ("formula",)),
        **dict.fromkeys(shown.images, ("image",)),
    }
    found = dict(sorted(found.items()))
    kinds = [RUN_INLINE if one[0] in _IN_LINE else RUN_BLOCK for one in found.values()]
    return found, np.array(list(found), dtype=np.int64), np.array(kinds, dtype=np.uint8)


def _quote_boxes(page: Page) -> list[int]:
    """Return the boxes without a blockquote in which forums, and some texts, quote."""
    quoted = _QUOTE_BOXES.where(page, lambda own: not _QUOTES.isdisjoint(own.split()))
    quoted = [row for row in quoted if page.name(row) in ("div", "p", "section", "aside")]
    if posts := _POSTS.rows(page):
        cells = _POST_CELLS.where(page, "alt2".__eq__)
        inner = page.inside(page.is_tag("td") & page.inside(marked(len(page), posts)))
        quoted += [row for row in cells if inner[row]]
    if not quoted:
        return []
    quotations = page.is_tag("blockquote")
    return [row for row in quoted if not quotations[row : page.end[row]].any()]


_ITEM, _BOXES_OF_TASK = tags.CODES["li"], 3  # boxes of a line between it and its item


def _tasks(page: Page) -> Iterator[tuple[int, str]]:
    """Yield items of a list of tasks, or what begins in one with its box; and its mark, x if done.

    The box can't be ticked, or the class of the box or of the item speaks of tasks.
    """
    for row in _TICKED.where(page, lambda own: own.lower() == "checkbox"):
        pairs = page.attributes(row)
        item = next((one for one in page.ancestors(row) if tags.BLOCK[page.tag[one]]), -1)
        if item < 0:
            continue
        above = (item, *islice(page.ancestors(item), _BOXES_OF_TASK))
        around = [one for one in above if page.tag[one] == _ITEM][:1]
        names = [pairs.get("class"), *(page.attribute(one, "class") for one in around)]
        is_task = "disabled" in pairs or any("task" in one for one in names if one)
        if around and is_task and page.written_before[row] == page.written_before[item]:
            yield item, "x" if "checked" in pairs else " "


# Blocks

TEX: Final = 4
"""Bit of characters that begin TeX which is left to a script: the backslash, and dollar signs."""
_OF_TEX: Final = ("\\", "$$", "_{", "^{")  # of which such TeX has one
BROKEN: Final = 16
"""Bit of the character that stands for a line break which inline style shows."""
_ONE_BY_ONE: Final = TEX | BROKEN
HEAD: Final = "head"
"""All is one line: the blocks in a heading are parted by spaces."""
LINES: Final = "lines"
"""All is one paragraph: the blocks in a cell or a term are lines of it."""
_NO_ENDS: Final = frozen(np.zeros(0, dtype=np.int32))
_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page


class BlockWriter(Walk):
    """A writer of blocks that hold lines."""

    marks: ClassVar[Mapping[str, Markup]]
    """Kind of each mark that is written → its markup."""
    signs: ClassVar[Kinds] = np.zeros(256, dtype=np.uint8)
    """uint8[256]: what a character of Latin-1 stands for in a text, as bits: `TEX`, `BROKEN`, …"""
    signs[[ord("\\"), ord("$")]] = TEX
    signs[ord(SHOWN_BREAK)] = BROKEN
    _events: ClassVar[dict[int, Callable[[Any, int], None]]]
    _kinds: ClassVar[Kinds]

    def __init_subclass__(cls) -> None:
        cls._events = {tags.CODES[name]: getattr(cls, event) for name, event in EVENTS.items()}
        cls._kinds = np.zeros(len(tags.BLOCK), dtype=np.uint8)
        for name, event in EVENTS.items():
            is_boundary = getattr(cls, event) is BlockWriter.block
            block = RUN_BOUNDARY if is_boundary else RUN_BLOCK
            cls._kinds[tags.CODES[name]] = RUN_INLINE if event in _IN_LINE else block
        cls._kinds[tags.TEXT] = RUN_WORDS

    def __init__(self, shown: ShownContent, options: OutputOptions, inline: Inline) -> None:
        special, *columns = shown.derived("special rows", lambda: _special_rows(shown))
        super().__init__(shown.page, special, shown.elements.text)
        self._special_rows, self._special_kinds = columns
        self._open = _NO_ENDS
        self.inline = inline  # what was collected of the block that is open
        self.shown = shown  # of the content
        self.options = options  # what is shown of links, images and the like
        self.flat = ""  # `HEAD`, `LINES`, or "" where blocks may be written
        self.code_row = -1  # row of the inline code around; -1 outside of code
        self.breaks = 0  # br elements since the last text
        self.line = -1  # number of the line (`Page.line`) of the last text or image

    # What a writer defines

    @abstractmethod
    def flush(self) -> None:
        """Write what was collected as a paragraph."""

    @abstractmethod
    def open_heading(self, row: int) -> None:
        """Begin a heading, which is one line."""

    @abstractmethod
    def write_code(self, row: int) -> None:
        """Write a block of code, exact, and skip its rows."""

    @abstractmethod
    def formula_markup(self, tex: str, *, display: bool) -> str:
        """Return a formula as it is written in a line."""

    @abstractmethod
    def image_markup(self, row: int, url: str, alt: str) -> str:
        """Return an image as it is written in a line; "" for none."""

    @abstractmethod
    def link_markup(self, row: int, url: str) -> Markup | None:
        """Return the markup of a link; None where only its text is written."""

    # Rows

    def walk(self, rows: NDArray[Any]) -> None:
        """Walk some rows, as `Walk`: texts that stand side by side at once, boundaries as such."""
        page, stack, special, inline = self.page, self.stack, self.special, self.inline
        events, shows_breaks = self._events, page.breaks_kept is not None
        own = slice(0, 0)
        if special and len(rows):
            own = slice(*self._special_rows.searchsorted((rows[0], rows[-1] + 1)).tolist())
        runs, still_open = kernels.text_runs(
            self.all_text, rows, self._special_rows[own], self._special_kinds[own], self._kinds,
            self._open, page.tag, page.end, page.line, self.text_at, page.written, self.signs,
        )  # fmt: skip
        self._open = np.array(still_open, dtype=np.int32) if still_open else _NO_ENDS
        for row, tag, line, parted, closed, stop, words, signs in checked(runs):
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
                self._words(row, stop, line, words, signs, is_block=closed)
            elif tag == tags.TEXT:
                inline.blank()
                self.breaks += shows_breaks and self._raw(row).count(SHOWN_BREAK)
            elif row in special:
                name, *arguments = special[row]
                getattr(self, name)(row, *arguments)
            else:
                events[tag](self, row)

    def _words(  # noqa: PLR0913  the columns of a run
        self, row: int, stop: int, line: int, words: str, signs: int, *, is_block: bool
    ) -> None:
        if (
            signs & _ONE_BY_ONE
            and self.code_row < 0
            and (signs & BROKEN or any(map(words.__contains__, _OF_TEX)))
        ):
            self._each_text(row, stop, signs)
            return
        inline = self.inline
        if line != self.line:
            if self.breaks or inline.first >= 0:
                self._begin_line(row, line)
            self.line = line
        is_alone = is_block and inline.first < 0 and not (self.flat or inline.active)
        if is_alone and self.code_row < 0:
            self.paragraph(words, signs, row, stop)
        else:
            inline.words(words, signs, row, stop, self.code_row)

    def _each_text(self, row: int, stop: int, signs: int) -> None:
        """Add texts one by one: they may hold TeX that is left to a script, or breaks."""
        if signs & RUN_AFTER_SPACE:
            self.inline.blank()
        for own in ((self.page.tag[row:stop] == tags.TEXT).nonzero()[0] + row).tolist():
            self.text(own, self._raw(own))
        if signs & RUN_BEFORE_SPACE:
            self.inline.blank()

    def _raw(self, row: int) -> str:
        at = self.text_at
        return self.all_text[at[row] : at[row + 1]]

    def paragraph(self, words: str, signs: int, row: int, stop: int) -> None:
        self.inline.words(words, signs, row, stop)
        self.flush()

    def element(self, row: int, tag: int) -> None:
        self._events[tag](self, row)

    def on_leave(self, row: int, leave: Callable[..., None], *arguments: Any) -> None:
        """Have a method called when the subtree of ``row`` ends."""
        self.stack.append((self.page.end.item(row), leave, arguments))

    def leave(self) -> None:
        _, leave, arguments = self.stack.pop()
        leave(*arguments)

    # Within a line

    def text(self, row: int, raw: str) -> None:
        """Add a text row in no code, line by line where style shows its breaks.

        TeX that it leaves to a script is written as formulas.
        """
        for number, line in enumerate(raw.split(SHOWN_BREAK)):
            self.breaks += number > 0
            if not line or line.isspace():
                self.inline.blank()
                continue
            self._begin_line(row, self.page.line.item(row))
            self._begin_inline(row)
            at = 0
            for begin, end, tex, display in left_in_text(line):
                self.inline.text(line[at:begin], row, row + 1)
                self.inline.raw(self.formula_markup(tex, display=display), row, row + 1)
                at = end
            self.inline.text(line[at:], row, row + 1)

    def raw(self, row: int, markup: str, stop: int) -> None:
        """Add what is written as it is for the rows up to ``stop``."""
        self._begin_line(row, self.page.line.item(row))
        self.inline.raw(markup, row, stop)

    def _begin_line(self, row: int, line: int) -> None:
        """Begin a line before a text or an image where the page does."""
        if line == self.line:
            return
        if self.breaks:
            self._begin_inline(row)
        elif self.inline.first >= 0:
            self.boundary()  # of a block that isn't shown
        self.line = line

    def _begin_inline(self, row: int) -> None:
        """Break the line where br elements came before: one breaks it, more part paragraphs."""
        if self.breaks:
            self.line = self.page.line.item(row)
            self.boundary(is_block=self.breaks > 1)

    def formula(self, row: int) -> None:
        found = self.shown.formulas[row]
        self.skip_to = found.end
        is_apart = found.display and not self.flat
        if is_apart:
            self.boundary()
        self.raw(row, self.formula_markup(found.tex, display=found.display), found.end)
        if is_apart:
            self.boundary()

    def line_break(self, _: int) -> None:
        """Note a br; what follows decides whether it breaks a line or a paragraph."""
        self.breaks += 1

    def code(self, row: int) -> None:
        if self.code_row < 0:
            self._begin_inline(row)
            self.code_row = row
            self.on_leave(row, setattr, self, "code_row", -1)

    def mark(self, row: int) -> None:
        kind = _MARK_OF_TAG[self.page.tag.item(row)]
        markup = self.marks.get(kind)
        if markup is None or (self.flat == HEAD and kind == "bold") or self.inline.has(kind):
            return
        if not self.options.emphasis and kind not in ("subscript", "superscript"):
            return
        inner = self.shown.formulas.get(row + 1)  # slanted by itself
        if inner is None or inner.end != self.page.end[row]:
            self.open_mark(row, kind, markup)

    def open_mark(self, row: int, kind: str, markup: Markup) -> None:
        if self.breaks:
            self._begin_inline(row)
        self.inline.open(kind, *markup)
        self.stack.append((self.page.end.item(row), self.inline.close, ()))

    def link(self, row: int) -> None:
        if self.options.links and not self.inline.has("link"):
            url = self.page.addresses.find(self.page.attribute(row, "href"))
            if url and (markup := self.link_markup(row, url)):
                self.open_mark(row, "link", markup)

    def quotation(self, row: int) -> None:
        """Begin a quotation in a line; as text, unless the writer has a form for it."""

    def image(self, row: int) -> None:
        if self.options.images:
            alt = " ".join(visible(self.page.attribute(row, "alt") or "").split())
            if markup := self.image_markup(row, self.shown.images[row].url, alt):
                self.raw(row, markup, row + 1)

    # Blocks

    def boundary(self, *, is_block: bool = True) -> None:
        """End a block, or only a line; where no block may be written, both are as `flat` says."""
        if is_block and not self.flat:
            self.flush()
        elif self.flat == HEAD:
            self.inline.blank()
        else:
            self.inline.line_break()
        self.breaks = 0

    def block(self, row: int) -> None:
        self.boundary()
        self.on_leave(row, self.boundary)

    def heading(self, row: int) -> None:
        """Begin a heading, or where it can't be one, a block."""
        is_long = self.page.length[row] > _LONG_HEADING
        if self.flat or (is_long and tags.BLOCK[self.page.tag[row + 1 : self.page.end[row]]].any()):
            self.block(row)
        else:
            self.boundary()
            self.open_heading(row)

    def heading_level(self, row: int) -> int:
        return self.shown.crossheads.get(row) or int(self.page.name(row)[1])

    def code_block(self, row: int) -> None:
        """Write a block of code; where no block may be, as code within the line."""
        self.boundary()
        if self.flat:
            self.code(row)
            self.on_leave(row, self.boundary)
        else:
            self.write_code(row)

    def task(self, row: int, _: str) -> None:
        """Begin an item, or a paragraph in one, that a box to tick begins."""
        if event := self._events.get(self.page.tag.item(row)):
            event(self, row)

    note = note_mark = note_label = task

    bullets = numbers = item = definitions = term = definition = block
    quote = summary = figure = figure_caption = table = caption = table_row = cell = between = block
