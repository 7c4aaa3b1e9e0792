"""Blocks that hold lines, and lines that hold marks: what Markdown and TEI make of a page alike.

What each element of HTML is stands here, once: which begins a block, a list, a mark; where a br
breaks a line and where a paragraph; where code, formulas, ruby texts and images stand. A writer
defines how each is written.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

from chaffinch.elements.formulas.tex import left_in_text, undelimited
from chaffinch.elements.tables.aria_roles import BETWEEN
from chaffinch.output.walk import Walk
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.output.inline import Inline
    from chaffinch.output.options import OutputOptions
    from chaffinch.output.walk import Special

HEAD: Final = "head"
"""All is one line: the blocks in a heading are parted by spaces."""

LINES: Final = "lines"
"""All is one paragraph: the blocks in a cell or a term are lines of it."""

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

_ALWAYS: Final = frozenset(["subscript", "superscript"])
"""Marks that mean something, and are no emphasis."""

_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page

_EVENTS: Final = {
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
    "rt": "ruby_text",
}
"""Tag → name of the method that is called where such an element begins."""

_PARTS: Final = {
    **{name: _EVENTS[name] for name in ("table", "caption", "tr", "td", "th")},
    BETWEEN: "between",
}
"""Part of a table made of divs → the same."""


def _special(shown: ShownContent) -> dict[int, Special]:
    """Return row → method that is called there whatever the element is."""
    return {
        **{row: (_PARTS[part],) for row, part in shown.elements.table_parts.items()},
        **dict.fromkeys(shown.code.blocks, ("code_block",)),
        **dict.fromkeys(shown.formulas, ("formula",)),
        **dict.fromkeys(shown.images, ("image",)),
    }


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

    def __init_subclass__(cls) -> None:
        cls._events = {tags.CODES[name]: getattr(cls, event) for name, event in _EVENTS.items()}

    def __init__(self, shown: ShownContent, options: OutputOptions, inline: Inline) -> None:
        super().__init__(shown.page, shown.derived("special rows", lambda: _special(shown)))
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

    def element(self, row: int, tag: int) -> None:
        """Begin an element; one without a form of its own is written as what it holds."""
        event = self._events.get(tag)
        if event is not None:
            event(self, row)

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
        """Add a text row, TeX that it leaves to a script as formulas."""
        self.begin_text(row)
        at = 0
        if self.code_row < 0 and ("\\" in raw or "$$" in raw):
            if not self.options.formulas:
                raw = undelimited(raw)
            for begin, end, tex, display in left_in_text(raw) if self.options.formulas else ():
                self.inline.text(raw[at:begin], row)
                self.inline.raw(self.formula_markup(tex, display=display), row)
                at = end
        self.inline.text(raw[at:], row, code_of=self.code_row)

    def begin_text(self, row: int) -> None:
        """Begin a line before a text or an image where the page does."""
        line = self.page.line[row]
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
        self.begin_text(row)
        if self.options.formulas:
            self.inline.raw(self.formula_markup(found.tex, display=found.display), row)
        else:
            self.inline.text(found.tex, row)
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
        inner = self.page.tag[row + 1 : int(self.page.end[row])]
        is_long = self.page.length[row] > _LONG_HEADING and tags.BLOCK[inner].any()
        if self.flat or is_long:
            self.block(row)
        else:
            self.boundary()
            self.open_heading(row)

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
        is_meant = kind in _ALWAYS or self.options.emphasis
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
                self.begin_text(row)
                self.inline.raw(markup, row)

    def ruby_text(self, row: int) -> None:
        """Put a ruby text in parentheses, unless the page brings its own."""
        before = row - 2 if self.page.tag[row - 1] == tags.TEXT else row - 1
        if self.page.name(max(before, 0)) != "rp":
            self.begin_text(row)
            self.inline.text("(", row)
            self.on_leave(row, self.inline.join, ")", row)
