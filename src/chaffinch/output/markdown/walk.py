"""The walk over the kept rows that turns elements into blocks and marks.

One pass in document order with a stack of what is open; nothing recurses. Elements without a form
of their own in Markdown are written as what they hold. Departures: a definition list becomes a list
whose items begin with the term in bold; sub and sup stay HTML; a ruby text stands in parentheses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.blocks import Blocks
from chaffinch.output.markdown.code import is_gutter, language, trimmed
from chaffinch.output.markdown.inline import Inline
from chaffinch.output.markdown.tables import table_lines
from chaffinch.page import tags
from chaffinch.page.urls import FETCHED, absolute
from chaffinch.segment.shown_rows import shown_rows
from chaffinch.segment.tables import grid, is_data_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.result import Content

    Leave: TypeAlias = Callable[[int], None]

_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page
_BREAKS: Final = tags.table(["br"])
_MARKS: Final = {
    **dict.fromkeys(["b", "strong"], "strong"),
    **dict.fromkeys(["i", "em", "cite", "dfn", "var"], "em"),
    **dict.fromkeys(["s", "strike", "del"], "del"),
    **dict.fromkeys(["sub"], "sub"),
    **dict.fromkeys(["sup"], "sup"),
}


@dataclass(frozen=True, kw_only=True)
class MarkdownOptions:
    """What of the content Markdown shows besides its text.

    Attributes:
        links: links with their addresses; else only their text.
        images: images with their addresses and alternative texts.
        tables: tables that hold data as GFM tables; else a paragraph a cell.
        emphasis: strong, emphasis and strike-through.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    emphasis: bool = True


def render(content: Content, *, options: MarkdownOptions | None = None) -> str:
    """Return what is kept as Markdown (CommonMark with GFM tables and strike-through).

    Lines aren't wrapped; the last ends with a newline. "" where nothing is kept.
    """
    return _Walk(content, options or MarkdownOptions()).markdown()


class _Walk:
    """The state of one rendering."""

    def __init__(self, content: Content, options: MarkdownOptions) -> None:
        self.page = content.page
        self.options = options
        self.shown = shown_rows(content)
        self.inline = Inline()
        self.blocks = Blocks()
        self.stack: list[tuple[int, Leave, int]] = []
        self.flat = ""
        self.code_row = -1
        self.source: list[str] | None = None
        self.cells: dict[int, str] = {}
        self.terms: list[int] = []
        self.skip_to = 0
        self.breaks = 0

    def markdown(self) -> str:
        page, stack = self.page, self.stack
        rows = np.flatnonzero(self.shown)
        for row, tag in zip(rows.tolist(), page.tag[rows].tolist(), strict=True):
            while stack and row >= stack[-1][0]:
                _, leave, argument = stack.pop()
                leave(argument)
            if row < self.skip_to:
                continue
            if tag == tags.TEXT:
                self.text(row)
                continue
            enter = _ENTER.get(tag)
            if self.source is not None:
                self.in_source(row, tag)
            elif enter is not None:
                enter(self, row)
        while stack:
            _, leave, argument = stack.pop()
            leave(argument)
        self.flush()
        return "\n".join([*self.blocks.lines, ""]) if self.blocks.lines else ""

    def text(self, row: int) -> None:
        raw = self.page.text[self.page.text_at[row] : self.page.text_at[row + 1]]
        if self.source is not None:
            self.source.append(raw)
            return
        if self.breaks and not raw.isspace():
            self.break_line()
        self.inline.add(raw, code_of=self.code_row)

    def on_leave(self, row: int, leave: Leave, argument: int = 0) -> None:
        self.stack.append((int(self.page.end[row]), leave, argument))

    # Boundaries

    def flush(self) -> None:
        """Write the paragraph collected so far."""
        self.breaks = 0
        lines = self.inline.take()
        if lines:
            self.blocks.write([f"{line}\\" for line in lines[:-1]] + lines[-1:])

    def boundary(self, _: int = 0) -> None:
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

    def br(self, _: int) -> None:
        self.breaks += 1

    def block(self, row: int) -> None:
        self.boundary()
        self.on_leave(row, self.boundary)

    def rule(self, _: int) -> None:
        self.boundary()
        if not self.flat:
            self.blocks.write(["___"])

    # Containers

    def close_to(self, depth: int) -> None:
        self.boundary()
        self.blocks.close(depth)

    def contain(self, row: int, push: Callable[[], None]) -> None:
        self.boundary()
        if not self.flat:
            self.on_leave(row, self.close_to, self.blocks.depth)
            push()

    def quote(self, row: int) -> None:
        self.contain(row, self.blocks.open_quote)

    def bullets(self, row: int) -> None:
        self.contain(row, self.blocks.open_list)

    def numbers(self, row: int) -> None:
        value = (self.page.attribute(row, "start") or "").strip()
        start = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1  # noqa: PLR2004
        self.contain(row, lambda: self.blocks.open_list(start=start))

    def item(self, row: int) -> None:
        if self.blocks.in_list:
            self.contain(row, self.blocks.open_item)
        else:
            self.block(row)

    def definitions(self, row: int) -> None:
        self.boundary()
        if not self.flat:
            self.on_leave(row, self.end_definitions, self.blocks.depth)
            self.blocks.open_list()
            self.terms.append(self.blocks.depth)

    def end_definitions(self, depth: int) -> None:
        self.close_to(depth)
        self.terms.pop()

    def term(self, row: int) -> None:
        if not self.flat and self.terms and self.blocks.depth >= self.terms[-1]:
            self.boundary()
            self.blocks.close(self.terms[-1])
            self.blocks.open_item()
        self.bold_block(row)

    def definition(self, row: int) -> None:
        self.boundary()
        if not self.flat and self.terms and self.blocks.depth == self.terms[-1]:
            self.blocks.open_item()
        self.on_leave(row, self.boundary)

    def bold_block(self, row: int) -> None:
        self.boundary()
        if self.flat or self.inline.has("strong") or not self.options.emphasis:
            self.on_leave(row, self.boundary)
        else:
            self.inline.open("strong")
            self.on_leave(row, self.end_bold_block)

    def end_bold_block(self, _: int) -> None:
        self.boundary()
        self.inline.close()

    def heading(self, row: int) -> None:
        inner = self.page.tag[row + 1 : int(self.page.end[row])]
        long = self.page.length[row] > _LONG_HEADING and tags.BLOCK[inner].any()
        if self.flat or long:
            self.block(row)
            return
        self.flush()
        self.flat = "heading"
        self.on_leave(row, self.end_heading, int(self.page.name(row)[1]))

    def end_heading(self, level: int) -> None:
        lines = self.inline.take(prose=False)
        self.flat = ""
        self.breaks = 0
        if lines:
            words = " ".join(lines)
            words = f"{words[:-1]}\\#" if words.endswith("#") else words
            self.blocks.write([f"{'#' * level} {words}"])

    # Marks

    def mark(self, row: int) -> None:
        kind = _MARKS[self.page.name(row)]
        emphasis = kind in ("strong", "em", "del")
        if self.inline.has(kind) or (emphasis and not self.options.emphasis):
            return
        if self.code_row >= 0 or (kind == "strong" and self.flat == "heading"):
            return
        self.open(row, kind)

    def open(self, row: int, kind: str, end: str = "") -> None:
        if self.breaks:
            self.break_line()
        self.inline.open(kind, end)
        self.on_leave(row, self.close_mark)

    def close_mark(self, _: int) -> None:
        self.inline.close()

    def link(self, row: int) -> None:
        if not self.options.links or self.inline.has("link"):
            return
        page = self.page
        url = absolute(page.attribute(row, "href"), page.base)
        if url:
            title = escape.title(page.attribute(row, "title"))
            self.open(row, "link", f"]({escape.address(url)}{title})")

    def image(self, row: int) -> None:
        page = self.page
        url = absolute(page.attribute(row, "src"), page.base, FETCHED)
        if not url or not self.options.images:
            return
        if self.breaks:
            self.break_line()
        alt = " ".join((page.attribute(row, "alt") or "").split())
        alt = escape.text(alt, in_link=True) if alt else ""
        title = escape.title(page.attribute(row, "title"))
        self.inline.raw(f"![{alt}]({escape.address(url)}{title})")

    def reading(self, row: int) -> None:
        """Put a ruby text in parentheses, unless the page brings its own."""
        before = row - 2 if self.page.tag[row - 1] == tags.TEXT else row - 1
        if self.page.name(max(before, 0)) == "rp":
            return
        self.inline.add("(")
        self.on_leave(row, self.end_reading)

    def end_reading(self, _: int) -> None:
        self.inline.space = False
        self.inline.add(")")

    # Code

    def code(self, row: int) -> None:
        if self.code_row < 0:
            if self.breaks:
                self.break_line()
            self.code_row = row
            self.on_leave(row, self.end_code)

    def end_code(self, _: int) -> None:
        self.code_row = -1

    def preformatted(self, row: int) -> None:
        self.boundary()
        if self.flat:
            self.code(row)
            self.on_leave(row, self.boundary)
            return
        self.source = []
        self.on_leave(row, self.end_source, row)

    def in_source(self, row: int, tag: int) -> None:
        """Treat an element in preformatted text: only where lines end is looked at."""
        if is_gutter(self.page, row):
            self.skip_to = int(self.page.end[row])
        elif tags.BREAK[tag]:
            self.source_line("\n")
        elif tags.BLOCK[tag]:
            self.source_line()
            self.on_leave(row, self.end_line)

    def end_line(self, _: int) -> None:
        self.source_line()

    def source_line(self, more: str = "") -> None:
        source = self.source
        if more:
            source = [] if source is None else source
            source.append(more)
        elif source and not source[-1].endswith("\n"):
            source.append("\n")

    def end_source(self, row: int) -> None:
        raw = trimmed("".join(self.source or []))
        self.source = None
        if raw:
            fence = escape.fence(raw)
            self.blocks.write([fence + language(self.page, row), *raw.split("\n"), fence])

    # Tables

    def table(self, row: int) -> None:
        if self.flat or not self.options.tables or not is_data_table(self.page, row):
            self.block(row)
            return
        self.flush()
        self.cells = {}
        self.flat = "cell"
        self.on_leave(row, self.end_table, row)

    def caption(self, row: int) -> None:
        self.end_loose()
        self.on_leave(row, self.end_loose)

    def end_loose(self, _: int = 0) -> None:
        """Write what stands in a table but in no cell, as its caption, before it."""
        self.flush()

    def cell(self, row: int) -> None:
        if is_gutter(self.page, row):
            self.skip_to = int(self.page.end[row])
        elif self.flat == "cell":
            self.end_loose()
            self.on_leave(row, self.end_cell, row)
        else:
            self.block(row)

    def end_cell(self, row: int) -> None:
        self.breaks = 0
        words = "<br>".join(self.inline.take(prose=False)).replace("|", "\\|")
        if words:
            self.cells[row] = words

    def end_table(self, row: int) -> None:
        self.end_loose()
        self.flat = ""
        lines = table_lines(self.page, grid(self.page, row, self.shown), self.cells)
        if lines:
            self.blocks.write(lines)


def _entries() -> dict[int, Callable[[_Walk, int], None]]:
    """Return the code of each tag that is treated → what is done where it begins."""
    blocks = [name for name, tag in tags.CODES.items() if tags.BLOCK[tag]]
    sources = [name for name, tag in tags.CODES.items() if tags.PREFORMATTED[tag]]
    by_name: dict[str, Callable[[_Walk, int], None]] = {
        **dict.fromkeys(blocks, _Walk.block),
        **dict.fromkeys(_MARKS, _Walk.mark),
        **dict.fromkeys(sources, _Walk.preformatted),
        **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), _Walk.heading),
        **dict.fromkeys("ul menu dir".split(), _Walk.bullets),
        **dict.fromkeys("code kbd samp tt".split(), _Walk.code),
        **dict.fromkeys("img image".split(), _Walk.image),
        **dict.fromkeys("td th".split(), _Walk.cell),
        "ol": _Walk.numbers,
        "li": _Walk.item,
        "dl": _Walk.definitions,
        "dt": _Walk.term,
        "dd": _Walk.definition,
        "summary": _Walk.bold_block,
        "blockquote": _Walk.quote,
        "hr": _Walk.rule,
        "br": _Walk.br,
        "a": _Walk.link,
        "rt": _Walk.reading,
        "table": _Walk.table,
        "caption": _Walk.caption,
    }
    return {tags.CODES[name]: enter for name, enter in by_name.items()}


_ENTER: Final = _entries()
