"""Code as pages show it: which rows are a block of code, its exact text, and what isn't part of it.

Highlighters write code as preformatted text, as a table with a cell of line numbers beside it, as
an element a line (SyntaxHighlighter, CodeMirror, Ace, Crayon, repository browsers), as a list in a
box of a forum, as inline code with breaks, or as text whose breaks inline style shows. Line numbers
and copy buttons are no part of the code: they are *left out*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.code.code_headers import read_headers
from chaffinch.elements.code.highlighters import (
    CODE_BOX,
    CONTAINER,
    CONTAINER_WORDS,
    LINE,
    HighlighterClasses,
)
from chaffinch.elements.code.line_numbers import line_numbers
from chaffinch.page import tags
from chaffinch.page.inline_style import declared, shows_as_block

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_NAMED: Final = re.compile(r"(?:^|\s)lang(?:uage)?-(?!none|plain)\w")
_WHITE_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_LINE_TAGS: Final = tags.table(["tr", "li"])
_SIGNS: Final = ("code", "pre", "textarea", "xmp", "plaintext", "listing")
_OUTPUT: Final = tags.table(["kbd", "samp", "tt"])
_CODE: Final = tags.CODES["code"]
_P: Final = tags.CODES["p"]
_PRE: Final = tags.CODES["pre"]
_NO_CODE: Final = tags.PREFORMATTED | tags.table("code p ol ul table h1 h2 h3 h4 h5 h6".split())
_LISTS: Final = tags.table(["ol", "ul"])
_IN_ITEMS: Final = tags.table("p h1 h2 h3 h4 h5 h6 table img".split())
_MONOSPACE: Final = ("mono", "courier", "consolas", "menlo")
_CODE_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:code|terminal|console|shell|listing|snippet|prettyprint|hljs|codehilite|cmd|bash"
    r"|source-?code)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_CODE_SIGN: Final = re.compile(r"[{}()\[\]=;<>$\\]")
_MOST: Final = 0.6  # of a box around a listing, beside which a button and a name stand
_NEARLY_ALL: Final = 0.8  # of the text of lines, between whose pieces of code blanks stand


@dataclass(frozen=True, eq=False)
class CodeRows:
    """Where code stands on a page.

    Attributes:
        blocks: rows of the blocks of code, outermost only, in order.
        left_out: bool[n], line numbers, copy buttons and language labels, with all in them.
        labels: row of a block → language that a label beside it names.
        by_lines: bool[n], blocks that aren't preformatted: their line elements hold exact text.
        numbered: rows that are lines since they begin with a number that is left out.
    """

    blocks: tuple[int, ...]
    left_out: Mask
    labels: dict[int, str]
    by_lines: Mask
    numbered: frozenset[int] = frozenset()


def code_rows(page: Page) -> CodeRows:
    """Find the code of a page."""
    nothing = np.zeros(len(page), dtype=bool)
    boxed, styled = _boxed_lists(page), _styled_blocks(page)
    if not (boxed or styled or page.holds(*_SIGNS)):
        return CodeRows((), nothing, {}, nothing)
    classes = HighlighterClasses(page)
    by_lines, lines = nothing.copy(), nothing.copy()
    by_lines[boxed] = True
    if page.own_attributes.contain(CONTAINER_WORDS, ("class", ""), page.tag, -1):
        by_lines[classes.on_page(CONTAINER)] = True
    if page.holds("code"):
        lines[classes.on_page(LINE)] = True
        by_lines[_holders_of_lines(page, lines)] = True
    is_block = tags.PREFORMATTED.take(page.tag) | by_lines
    is_block[styled] = True
    for row in np.flatnonzero(page.is_tag("code")).tolist() if page.holds("code") else ():
        inner = slice(row + 1, int(page.end[row]))
        is_block[row] |= bool((tags.BREAK[page.tag[inner]] | lines[inner]).any())
        is_block[row] |= keeps_lines(page, row)
    blocks = _outermost(page, is_block & page.shown)
    numbers, numbered = line_numbers(page, blocks, classes)
    left_out = page.inside(numbers)
    blocks = [block for block in blocks if not left_out[block]]
    labels = read_headers(page, blocks, classes, left_out)
    return CodeRows(tuple(blocks), page.inside(left_out), labels, by_lines, numbered)


def keeps_lines(page: Page, row: int) -> bool:
    """Return whether an element shows the breaks of its text, by its style or highlighters'."""
    kept = page.breaks_kept is not None and page.breaks_kept[row]
    named = kept or _NAMED.search(page.attribute(row, "class") or "") is not None
    return named and "\n" in page.text_of(row).strip()


def _styled_blocks(page: Page) -> list[int]:
    """Return elements whose breaks inline style shows, and whose style or name is that of code."""
    if page.breaks_kept is None:
        return []
    rows = np.flatnonzero(page.breaks_kept & page.has("style") & (page.tag != tags.TEXT))
    found = []
    for row in rows[~_NO_CODE[page.tag[rows]] | (page.tag[rows] == _P)].tolist():
        own = declared(page.attribute(row, "style") or "")
        font = own.get("font-family", "") + own.get("font", "")
        is_code = (
            _OUTPUT[page.tag[row]]
            or any(name in font for name in _MONOSPACE)
            or _CODE_CLASS.search(page.attribute(row, "class") or "")
        )
        within = page.tag[row + 1 : page.end[row]]
        if is_code and keeps_lines(page, row) and not _NO_CODE[within].any():
            found.append(row)
    return found


def _boxed_lists(page: Page) -> list[int]:
    """Return the lists that are code: nearly all of a box of that name, and written like code."""
    if not page.holds("ol", "ul"):
        return []
    found = []
    for box in page.rows_where("class", lambda own: CODE_BOX.search(own) is not None, "code"):
        inner = slice(box, int(page.end[box]))
        lists = (np.flatnonzero(_LISTS[page.tag[inner]]) + box).tolist()
        if len(lists) != 1 or page.length[lists[0]] < _MOST * page.length[box]:
            continue
        lines = [row for row in page.children(lists[0]) if page.name(row) == "li"]
        like_code = sum(_CODE_SIGN.search(page.text_of(row)) is not None for row in lines)
        if (
            2 * like_code >= len(lines)
            and not (_NO_CODE | _IN_ITEMS)[page.tag[lists[0] + 1 : page.end[lists[0]]]].any()
        ):
            found.append(lists[0])
    return found


def _holders_of_lines(page: Page, lines: Mask) -> list[int]:
    """Return what holds ``lines``, bool[n], of inline code: a highlighter without its names."""
    rows = np.flatnonzero(lines & tags.BLOCK[page.tag])
    if not len(rows):
        return []
    coded = page.inside(page.is_tag("code"))
    in_code = page.total(np.where(coded, page.own_length, 0))
    parents, counts = np.unique(page.parent[rows], return_counts=True)
    all_code = (in_code[parents] >= _NEARLY_ALL * page.length[parents]) & (in_code[parents] > 0)
    found: list[int] = parents[all_code & (counts > 1) & ~coded[parents]].tolist()
    return found


def _outermost(page: Page, rows: Mask) -> list[int]:
    out: list[int] = []
    for row in np.flatnonzero(rows).tolist():
        if not out or row >= page.end[out[-1]]:
            out.append(row)
    return out


def needs_lines(page: Page, block: int, code: CodeRows) -> bool:
    """Return whether lines of a block of code end where elements do, or numbers are left out."""
    if page.name(block) == "textarea":
        return False
    inner = slice(block + 1, int(page.end[block]))
    if not tags.PREFORMATTED[page.tag[block]] or tags.BLOCK[page.tag[inner]].any():
        return True
    if code.left_out[inner].any() or _sibling_codes(page, block):
        return True
    return spans_break(page, block) and bool(page.is_tag("span")[inner].any())


def spans_break(page: Page, block: int) -> bool:
    """Return whether nothing in a block of code but its elements can end a line."""
    inner = slice(block, int(page.end[block]))
    return not tags.BREAK[page.tag[inner]].any() and "\n" not in page.text_of(block).strip("\n")


def _sibling_codes(page: Page, block: int) -> list[int]:
    """Return the code elements that are the lines of a pre: all its text, no break between them."""
    inner = slice(block + 1, int(page.end[block]))
    if page.tag[block] != _PRE or np.count_nonzero(page.tag[inner] == _CODE) < 2:  # noqa: PLR2004
        return []
    children = page.children(block)
    codes = [row for row in children if page.tag[row] == _CODE]
    own = [row for row in children if page.tag[row] != _CODE and page.length[row]]
    if own or len(codes) < 2:  # noqa: PLR2004  one is no sibling
        return []
    between = [row for row in children if codes[0] < row < codes[-1] and page.tag[row] != _CODE]
    broken = any("\n" in page.text_of(row) or tags.BREAK[page.tag[row]] for row in between)
    return [] if broken else codes


def source(page: Page, block: int, shown: Mask, code: CodeRows) -> str:
    """Return the text of a block of code as it is shown, bool[n], without empty lines at its ends.

    Preformatted text is exact; what else is in it is exact in its line elements. In code that isn't
    preformatted (inline code with breaks) white space is folded.
    """
    return _Source(page, block, code).read(shown)


class _Source:
    def __init__(self, page: Page, block: int, code: CodeRows) -> None:
        self.page = page
        self.block = block
        self.left_out = code.left_out
        self.numbered = code.numbered
        self.lines = code.numbered.union(_sibling_codes(page, block))
        self.parts: list[str] = []
        self.by_lines = bool(code.by_lines[block])
        exact = tags.PREFORMATTED[page.tag[block : page.end[block]]]
        exact = exact[:1] if self.by_lines else exact
        self.exact = bool(exact.any()) or keeps_lines(page, block)
        self.in_line = 0
        self.spans_break = spans_break(page, block)

    def read(self, shown: Mask) -> str:
        page, end = self.page, int(self.page.end[self.block])
        open_lines: list[tuple[int, int, bool]] = []
        inner = slice(self.block + 1, end)
        # An empty line is an element without text, which no verdict keeps.
        before = page.written_before
        empty = (before[page.end[inner]] == before[inner]) & ~self.left_out[inner]
        empty[[row - inner.start for row in self.numbered if row in range(inner.start, end)]] = True
        rows = np.flatnonzero(shown[inner] | empty) + self.block + 1
        for row, tag in zip(rows.tolist(), page.tag[rows].tolist(), strict=True):
            while open_lines and row >= open_lines[-1][0]:
                self._end_line(*open_lines.pop())
            if tag == tags.TEXT:
                self._text(page.text[page.text_at[row] : page.text_at[row + 1]])
            elif tags.BREAK[tag]:
                self.parts.append("\n")
            else:
                is_line = self._is_line(row, tag)
                if is_line or tags.BLOCK[tag]:
                    self._fresh_line()
                    open_lines.append((int(page.end[row]), len(self.parts), is_line))
                    self.in_line += is_line
        while open_lines:
            self._end_line(*open_lines.pop())
        return trimmed("".join(self.parts))

    def _text(self, raw: str) -> None:
        if not self.exact:
            if self.by_lines:
                if not self.in_line and raw.isspace():
                    return
                raw = raw.rstrip("\n") if self.in_line else raw
            else:
                raw = _WHITE_SPACE.sub(" ", raw)
                if not self.parts or self.parts[-1].endswith("\n"):
                    raw = raw.lstrip(" ")
            raw = raw.replace("\xa0", " ")
        if raw:
            self.parts.append(raw)

    def _is_line(self, row: int, tag: int) -> bool:
        if _LINE_TAGS[tag] or row in self.lines:
            return True
        if not (tags.BLOCK[tag] or self.spans_break or self.by_lines):
            return False
        names, style = self.page.attribute(row, "class"), self.page.attribute(row, "style")
        return bool(
            (names and LINE.search(names))
            or (style and shows_as_block(style))
            or self.page.attribute(row, "data-line") is not None
        )

    def _fresh_line(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def _end_line(self, _: int, begun: int, is_line: bool) -> None:  # noqa: FBT001  a tuple's part
        self.in_line -= is_line
        if is_line and len(self.parts) == begun:
            self.parts.append("\n")
        else:
            self._fresh_line()


def trimmed(text: str) -> str:
    """Return source code without empty lines at its ends; other white space is kept."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    begin = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, begin) + 1 :]
