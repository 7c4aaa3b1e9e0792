"""Markdown of what is kept: CommonMark with the tables and strike-through of GFM.

Elements without a form of their own in Markdown are written as what they hold. Departures: a
definition list becomes a list whose items begin with the term in bold; sub and sup stay HTML; a
ruby text stands in parentheses. Notes to which marks lead are written ``[^1]`` and ``[^1]: note``,
as GitHub and Pandoc read them. CommonMark knows no formulas: they stand between dollar signs, as
GitHub, Pandoc and KaTeX read them; nothing in them is escaped, and none of it is markup.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final

import numpy as np

from chaffinch.elements.shown_content import ShownContent, shown_content
from chaffinch.output import markdown_blocks, markdown_text
from chaffinch.output.markdown_blocks import (
    BULLETS,
    CODE_BLOCK,
    HEADING,
    PARAGRAPH,
    RULE,
    TABLE,
    Blocks,
    Container,
    WrittenBlock,
    table_lines,
)
from chaffinch.output.markdown_text import flanked
from chaffinch.output.options import OutputOptions
from chaffinch.output.text import PostHeading, named_posts, sentence_ends
from chaffinch.output.walk import (
    BREAK,
    CLOSE,
    CODE,
    EMPHASIS,
    HEAD,
    LINES,
    OPEN,
    RAW,
    TEXT,
    BlockWriter,
    Inline,
    Markup,
    Piece,
)
from chaffinch.page import tags
from chaffinch.page.visibility import visible
from chaffinch.verdict import Content

_SUP, _TH = tags.CODES["sup"], tags.CODES["th"]
_OF_PRICE: Final = re.compile(r"[$€£¥₹₽₩₺₴฿]|[.,]\d\d")
_TAG: Final = re.compile(r"</?[a-z][^<>]{0,999}>")
"""Markup in an alternative text, which shows none."""
_ALTERNATIVE: Final = re.compile(r"!\[((?>(?:[^\[\]\\]++|\\.)*))\]")
_ESCAPE: Final = re.compile(r"\\(.)")


def render(
    content: Content,
    *,
    options: OutputOptions | None = None,
    title: str = "",
    written: list[WrittenBlock] | None = None,
) -> str:
    """Return what is kept as Markdown (CommonMark with GFM tables and strike-through).

    Lines aren't wrapped; the last ends with a newline. "" where nothing is kept. Above stands the
    ``title``, a heading of level 1; ``written`` takes each block below it as it is written.
    """
    options = options or OutputOptions()
    headings: list[PostHeading] = []
    if options.posts == "named" or (options.posts is None and content.verdict.page_type == "forum"):
        content, headings = named_posts(content)
    shown = shown_content(content)
    writer = _Writer(shown, options, written, headings[::-1])
    writer.walk(shown.rows.nonzero()[0])
    return headed(title, writer.markdown())


def headed(title: str, body: str) -> str:
    return f"{markdown_text.heading(markdown_text.escaped(title), 1)}\n\n{body}" if title else body


def render_table(content: Content, table: int) -> str:
    """Return a table or definition list as `render` writes it, without its caption.

    ``table`` is its row on the page.
    """
    shown = shown_content(content)
    rows = (shown.rows[table : shown.page.end[table]]).nonzero()[0] + table
    caption = shown.table(table).caption
    if caption >= 0:
        rows = rows[(rows < caption) | (rows >= shown.page.end[caption])]
    writer = _Writer(shown, OutputOptions())
    writer.walk(rows)
    return writer.markdown()


SPECIAL: Final = 8
"""Bit of characters that may have to be escaped; see `chaffinch.output.walk.Piece.signs`."""


def inline_lines(
    pieces: list[Piece], *, prose: bool = True, ends: list[tuple[int, int]] | None = None
) -> list[str]:
    """Return the pieces of one block as Markdown, a string a line; none for no pieces.

    ``prose``: each is the line of a paragraph, where list and heading marks count. ``ends`` takes
    (line, character after it) of each end of a sentence that stands in no mark.
    """
    if ends is None and len(pieces) == 1 and pieces[0].what == TEXT:  # as most blocks are
        words = pieces[0].text
        if pieces[0].signs & SPECIAL or (prose and not words[:1].isalpha()):
            words = markdown_text.escaped(words, line_start=prose)
        return [words]
    for piece in pieces:
        if piece.mark.kind in EMPHASIS:
            pieces = flanked(pieces)
            break
    lines = _written_pieces(pieces, prose=prose) if pieces else []
    if ends is not None:
        ends += _ends_of_sentences(pieces, lines)
    return list(map("".join, lines))


def plain_words(pieces: list[Piece]) -> str:
    """Return the words of pieces: text, code and formulas; else those that stand for images."""
    held = [one for one in pieces if one.what <= BREAK]
    words = (one.text for one in held if one.what != RAW or not one.text.startswith("!["))
    line = " ".join("".join(word or " " for word in words).split())
    alternatives = (_ALTERNATIVE.match(one.text) for one in held if not line and one.what == RAW)
    return line or _ESCAPE.sub(r"\1", " ".join(one[1] for one in alternatives if one and one[1]))


def _written_pieces(pieces: list[Piece], *, prose: bool) -> list[list[str]]:
    """Return each piece as Markdown, line by line."""
    line: list[str] = []
    lines, in_link = [line], False
    for piece in pieces:
        what, words = piece.what, piece.text
        if what == TEXT:
            at_start = prose and not line
            if piece.signs & SPECIAL or (at_start and not words[:1].isalpha()):
                words = markdown_text.escaped(words, line_start=at_start, in_link=in_link)
        elif what >= OPEN:
            words = piece.mark.opening if what == OPEN else piece.mark.closing
            if piece.mark.kind == "link":
                in_link = what == OPEN
                if in_link and line and line[-1].endswith("!"):  # which would make it an image
                    line[-1] = f"{line[-1][:-1]}\\!"
        elif what == CODE:
            words = markdown_text.code_span(words)
        elif what == BREAK:
            lines.append(line := [])
            continue
        line.append(words)
    return lines


def _ends_of_sentences(pieces: list[Piece], lines: list[list[str]]) -> Iterator[tuple[int, int]]:
    """Yield (line, character after it) of each end of a sentence in pieces and what is written."""
    bare, marks = [""], 0
    written = chain.from_iterable(lines)
    for piece in pieces:
        marks += (piece.what == OPEN) - (piece.what == CLOSE)
        if piece.what == BREAK:
            bare.append("")
        else:  # what stands in marks ends and begins no sentence
            own = next(written)
            bare[-1] += own if piece.what == TEXT and not marks else "x" * len(own)
    for number, line in enumerate(bare):
        yield from ((number, end) for end in sentence_ends(line))


_DIGITS: Final = 9  # CommonMark takes numbers of at most nine
_LETTERS: Final = ("A", "a", "I", "i")  # types of a list whose marks are no digits
_LETTERED: Final = re.compile(
    r"list-style(?:-type)?\s*+:[^;:]{0,40}?\b(upper|lower)-(alpha|latin|roman)"
)
_STRUCTURED: Final = tags.PREFORMATTED | tags.table(
    "ul ol menu dl table blockquote h1 h2 h3 h4 h5 h6".split()
)
_PRESSED: Final = tags.table("a button input select".split())
_MOST_ROWS, _LONGEST_SIGN = 12, 40  # rows of a cell that an icon fills, characters of its label
_NO_LIST: Final = 1 << 30  # the depth of a definition list that isn't written as a list


class _Writer(BlockWriter):
    marks: ClassVar[Mapping[str, Markup]] = {
        **dict.fromkeys(["bold", "italic", "strikethrough"], ("", "")),
        "subscript": ("<sub>", "</sub>"),
        "superscript": ("<sup>", "</sup>"),
    }

    signs = BlockWriter.signs.copy()
    signs[[*map(ord, markdown_text.SPECIAL)]] |= SPECIAL

    def __init__(
        self,
        shown: ShownContent,
        options: OutputOptions,
        written: list[WrittenBlock] | None = None,
        headings: Sequence[PostHeading] = (),
    ) -> None:
        super().__init__(shown, options, Inline(EMPHASIS))
        self.blocks = Blocks()  # what is written
        self.around: list[Container] = []  # lists, items, quotes and notes that are open
        self.cells: dict[int, str] = {}  # Markdown of each cell of the table around
        self.terms: list[int] = []  # depth of the list of each definition list around
        self.written = written  # each block, where a list is given
        self._last: tuple[int, int, list[str], list[tuple[int, int]]] = -1, 0, [], []
        """Lines written when the last paragraph was, depth of the containers, its lines, `ends`."""
        self._defined = -1
        """Lines written when the last definition list was."""
        self.headings = [*headings]  # above posts that are still to come, the last first
        self.is_plain = written is None and not (options.rows or headings)
        """Blocks are only written: nothing else is to be known of them."""
        self.post: PostHeading | None = None  # that was named last, before its first quotation

    def markdown(self) -> str:
        self.close()
        self.flush()
        return self.blocks.markdown()

    def flush(self) -> None:
        self.breaks, inline = 0, self.inline
        if inline.first < 0:
            return
        rows = inline.first, inline.last
        ends: list[tuple[int, int]] = []
        written = inline_lines(inline.take(), ends=None if self.written is None else ends)
        if len(written) == 1 and (
            not markdown_blocks.may_be_item(written[0])
            or (written[0][0] in BULLETS and self._begins_item())
        ):
            self._write(written, rows, PARAGRAPH, ends=ends)
            return
        above = next(filter(None, reversed(self.blocks.lines)), "")
        for block, is_list in markdown_blocks.typed_lists(written, above) if written else ():
            own = [one for one in ends if one[0] < len(block)]
            if is_list:  # cut between its items
                own = [(at, len(line)) for at, line in enumerate(block)]
            self._continue_list(block, own)
            self._write(block, rows, PARAGRAPH, ends=own)
            self._last = len(self.blocks.lines), len(self.around), block, own

    def _continue_list(self, block: list[str], ends: list[tuple[int, int]]) -> None:
        at, depth, before, ends_before = self._last
        follows = (at, depth) == (len(self.blocks.lines), len(self.around))
        if not (follows and len(block) == len(before) == 1):
            return
        above = next((line for line in self.blocks.lines[-2::-1] if line), "")
        goes_on = before[0].startswith("- ")  # a hyphen that is none of an item is escaped
        if markdown_blocks.is_list([before[0], block[0]], ":" if goes_on else above):
            old = before[0]
            for lines_of, ends_of in ((before, ends_before), (block, ends)):
                item = markdown_blocks.as_item(lines_of[0])
                shorter = len(lines_of[0]) - len(item)
                ends_of[:] = [(line, end - shorter) for line, end in ends_of]
                lines_of[0] = item
            self.blocks.lines[-1] = self.blocks.lines[-1].replace(old, before[0])

    def paragraph(self, words: str, signs: int, row: int, stop: int) -> None:
        if self.is_plain and words[0].isalpha():
            self.breaks = 0
            if signs & SPECIAL:
                words = markdown_text.escaped(words, line_start=True)
            self.blocks.write([words], self.around)
        else:
            super().paragraph(words, signs, row, stop)

    def _write(self, block: list[str], rows: tuple[int, int], kind: str, **of_kind: Any) -> None:
        """Write a block; a comment above it names its rows, if they are requested."""
        if self.is_plain:
            self.blocks.write(block, self.around)
            return
        if self.headings and rows[0] >= self.headings[-1].row and kind != RULE:
            self._name_post(rows[0])
        is_named = self.options.rows and kind != RULE
        comment = [f"<!-- r{rows[0]}-{rows[1]} -->"] if is_named else []
        around = tuple(self.around)
        self.blocks.write([*comment, *block], around)
        if self.written is not None:
            self.written.append(WrittenBlock(kind, comment, block, rows, around, **of_kind))

    def _name_post(self, row: int) -> None:
        while self.headings and row >= self.headings[-1].row:
            self.post = heading = self.headings.pop()
        author = f"**{markdown_text.escaped(heading.author)}**" if heading.author else ""
        about = markdown_text.escaped(heading.about, line_start=not author) if heading.about else ""
        self._write([" · ".join(filter(None, (author, about)))], (row, row), PARAGRAPH)

    # Within a line

    def mark(self, row: int) -> None:
        """Begin emphasis, or a raised text; a price's sign or cents are raised by design only.

        A cell that is a heading is bold anyway.
        """
        page, tag = self.page, self.page.tag.item(row)
        is_design = (tag == _SUP and _OF_PRICE.fullmatch(page.folded(row))) or (
            self.flat == LINES
            and tags.BOLD[tag]
            and any(page.tag[up] == _TH for up in page.ancestors(row))
        )
        if self.code_row < 0 and not is_design:
            super().mark(row)

    def formula_markup(self, tex: str, *, display: bool) -> str:
        return markdown_text.formula(tex, display=display, in_link=self.inline.has("link"))

    def image_markup(self, row: int, url: str, alt: str) -> str:  # noqa: ARG002  TEI looks at it
        if "&" in alt or "<" in alt:  # written twice into the page, as markup
            alt = _TAG.sub("", html.unescape(alt)).strip()
        alt = markdown_text.escaped(alt, in_link=True) if alt else ""
        return f"![{alt}]({markdown_text.address(url)})"

    def link_markup(self, row: int, url: str) -> Markup | None:
        """Return the markup of a link; None for the address of the heading in or around it."""
        page = self.page
        if (
            "#" in url
            and page.anchor(row)
            and (self.flat == HEAD or tags.HEADING[page.tag[row : page.end[row]]].any())
        ):
            return None
        return "[", f"]({markdown_text.address(url)})"

    def note_mark(self, row: int, label: str) -> None:
        if self.code_row < 0 and not self.inline.has("link"):
            self.skip_to = self.page.end.item(row)
            self.raw(row, f"[^{label}]", self.skip_to)
        else:
            super().note_mark(row, label)

    def note_label(self, row: int, _: str) -> None:
        self.skip_to = self.page.end.item(row)

    # Headings, code, rules

    def open_heading(self, row: int) -> None:
        self.flat = HEAD
        self.on_leave(row, self._end_heading, self.heading_level(row))

    def _end_heading(self, level: int) -> None:
        rows = self.inline.first, self.inline.last
        pieces = self.inline.take()
        text = "" if self.written is None else plain_words(pieces)  # before marks move punctuation
        is_empty = all(one.what > CODE and one.text[:4] in ("", "![](") for one in pieces)
        written = inline_lines(pieces, prose=False)
        self.flat, self.breaks = "", 0
        if is_empty and written:  # pictures that say nothing
            self._write([" ".join(written)], rows, PARAGRAPH)
        elif written:
            block = [markdown_text.heading(" ".join(written), level)]
            self._write(block, rows, HEADING, level=level, text=text)

    def write_code(self, row: int) -> None:
        raw, name = self.shown.code_block(row)
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")  # each ends a line of Markdown
        self.skip_to = int(self.page.end[row])
        if raw:
            fence = markdown_text.fence(raw)
            self._write([fence + name, *raw.split("\n"), fence], (row, self.skip_to), CODE_BLOCK)

    def rule(self, row: int) -> None:
        self.boundary()
        if not self.flat:
            self._write(["___"], (row, row + 1), RULE)

    # Lists and quotes

    def _begins_item(self) -> bool:
        around = self.around
        return bool(around) and around[-1].kind == "item" and self.blocks.is_fresh(around[-1])

    def _contain(self, row: int, container: Container) -> None:
        self.boundary()
        if self.headings and row > self.headings[-1].row:  # above a quote that a post begins with
            self._name_post(row)
        if not self.flat:
            self.on_leave(row, self._close_to, len(self.around))
            self.around.append(container)

    def _close_to(self, depth: int) -> None:
        self.boundary()
        del self.around[depth:]

    def quote(self, row: int) -> None:
        """Begin a quotation; an element with all the text of a post is none, as on vBulletin."""
        self.boundary()
        if self.headings and self.headings[-1].row < row:
            self._name_post(row)
        if (post := self.post) is not None:  # its first quotation, perhaps behind a picture
            self.post, own = None, slice(post.row, post.end)
            told = self.shown.rows[own] & (self.page.own_length[own] > 0)
            if told.sum() == told[row - post.row : self.page.end[row] - post.row].sum():
                return
        self._contain(row, Container("quote"))

    def bullets(self, row: int) -> None:
        self._contain(row, Container("list"))

    def numbers(self, row: int) -> None:
        pairs = self.page.attributes(row)
        start, letters = _number(pairs.get("start")), (pairs.get("type") or "").strip()
        if letters not in _LETTERS:
            named = _LETTERED.search(pairs.get("style") or "")
            letters = _LETTERS[2 * (named[2] == "roman") + (named[1] == "lower")] if named else ""
        first, step = 1, 1
        if "reversed" in pairs:
            first, step = sum(self.page.name(at) == "li" for at in self.page.children(row)), -1
        first = first if start is None else start
        self._contain(row, Container("list", first, letters, step))

    def item(self, row: int) -> None:
        if self.around and self.around[-1].kind == "list":
            has_value = "value" in self.page.attribute_names
            number = _number(self.page.attribute(row, "value")) if has_value else None
            self._contain(row, Container("item", number))
        else:
            self.block(row)

    def note(self, row: int, label: str) -> None:
        self._contain(row, Container("note", label=label))

    def task(self, row: int, done: str) -> None:
        super().task(row, done)
        if not self.flat:
            self._begin_line(row + 1, self.page.line.item(row + 1))
            self.inline.raw(f"[{done}]", row, row + 1)
            self.inline.blank()

    def definitions(self, row: int) -> None:
        self.boundary()
        if self.flat:
            return
        self.on_leave(row, self._end_definitions, len(self.around))
        if self._is_short(row):
            goes_on = self._defined == len(self.blocks.lines)
            self.around.append(Container("list", goes_on=goes_on))
            self.terms.append(len(self.around))
        else:
            self.terms.append(_NO_LIST)

    def _is_short(self, row: int) -> bool:
        """Return whether a definition list has terms, and definitions of a paragraph at most.

        Reference pages hold whole chapters in a definition, which a list would only indent; wikis
        indent by definitions without a term.
        """
        inner = self.page.tag[row + 1 : int(self.page.end[row])]
        terms, meant, paragraphs = (
            np.count_nonzero(inner == tags.CODES[name]) for name in ("dt", "dd", "p")
        )
        return bool(terms and paragraphs <= meant and not _STRUCTURED[inner].any())

    def _end_definitions(self, depth: int) -> None:
        self._close_to(depth)
        if self.terms.pop() < _NO_LIST:
            self._defined = len(self.blocks.lines)

    def term(self, row: int) -> None:
        if not self.flat and self.terms and len(self.around) >= self.terms[-1]:
            self._close_to(self.terms[-1])
            self.around.append(Container("item"))
        self.summary(row)

    def definition(self, row: int) -> None:
        self.boundary()
        if not self.flat and self.terms and len(self.around) == self.terms[-1]:
            self.around.append(Container("item"))
        self.on_leave(row, self.boundary)

    def summary(self, row: int) -> None:
        self.boundary()
        is_head = tags.HEADING[self.page.tag[row : self.page.end[row]]].any()
        if self.flat or is_head or self.inline.has("bold") or not self.options.emphasis:
            self.on_leave(row, self.boundary)
        else:
            self.inline.open("bold", *self.marks["bold"])
            self.on_leave(row, self.inline.close)
            self.on_leave(row, self.boundary)  # what is left last runs first

    # Tables

    def table(self, row: int) -> None:
        if self.flat or not self.options.tables or not self.shown.data_tables[row]:
            self.block(row)
        else:
            self.flush()
            self.cells = {}
            self.flat = LINES
            self.on_leave(row, self._end_table, row)

    def _end_table(self, row: int) -> None:
        self.flush()
        self.flat = ""
        if written := table_lines(self.shown.table(row), self.cells):
            self._write(written, (min(self.cells), int(self.page.end[row])), TABLE)

    def caption(self, row: int) -> None:
        if self.flat in ("", LINES):
            self.flush()
            self.on_leave(row, self.flush)
        else:
            self.block(row)

    def cell(self, row: int) -> None:
        if self.flat == LINES:
            self.flush()
            self.on_leave(row, self._end_cell, row)
        else:
            self.block(row)

    def _end_cell(self, row: int) -> None:
        self.breaks = 0
        words = "<br>".join(inline_lines(self.inline.take(), prose=False)).replace("|", "\\|")
        if words := words or self._signs_of(row):
            self.cells[row] = words

    def code_block(self, row: int) -> None:
        """Write a block of code; in a cell each line as code of its own."""
        if self.flat != LINES:
            super().code_block(row)
            return
        self.boundary()
        self.skip_to = self.page.end.item(row)
        for line in filter(str.strip, self.shown.code_block(row)[0].split("\n")):
            self.inline.raw(markdown_text.code_span(line), row, self.skip_to)
            self.boundary()

    def _signs_of(self, cell: int) -> str:
        """Return what icons alone say in a cell without text: «Yes», «in stock»."""
        page, end = self.page, self.page.end.item(cell)
        if page.length[cell] or end > cell + _MOST_ROWS or _PRESSED[page.tag[cell:end]].any():
            return ""
        pairs = map(page.attributes, range(cell + 1, end))
        said = (visible(one.get("alt") or one.get("aria-label") or "") for one in pairs)
        line = " ".join(" ".join(dict.fromkeys(said)).split())
        return markdown_text.escaped(line[:_LONGEST_SIGN]).replace("|", "\\|")

    def table_row(self, row: int) -> None:
        if self.flat != LINES:
            self.block(row)

    between = table_row


def _number(value: str | None) -> int | None:
    value = (value or "").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < _DIGITS else None
