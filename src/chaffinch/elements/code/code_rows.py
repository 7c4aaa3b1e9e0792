"""Code as pages show it: which rows are a block of code, its exact text, and what isn't part of it.

Highlighters write code as preformatted text, as a table with a cell of line numbers beside it, as
an element a line (SyntaxHighlighter, CodeMirror, Ace, Crayon, repository browsers), or as inline
code with breaks. Line numbers and copy buttons are no part of the code: they are *left out*.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.code.code_headers import read_headers
from chaffinch.elements.code.highlighters import (
    CONTAINER,
    CONTAINER_WORDS,
    GUTTER,
    LINE,
    HighlighterClasses,
)
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_NAMED: Final = re.compile(r"(?:^|\s)lang(?:uage)?-(?!none|plain)\w")
_WHITE_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_BLOCK_STYLE: Final = re.compile(r"display\s*:\s*(?:block|flex|grid|table-row)")
_LINE_TAGS: Final = tags.table(["tr", "li"])
_SIGNS: Final = ("code", "pre", "textarea", "xmp", "plaintext", "listing")
_CELL: Final = tags.table(["td", "th"])
_TABLE: Final = tags.CODES["table"]
_TR: Final = tags.CODES["tr"]
_DEEP: Final = 6  # elements from a table to the code in its cell
_NEARLY_ALL: Final = 0.8  # of the text of lines, between whose pieces of code blanks stand


@dataclass(frozen=True, eq=False)
class CodeRows:
    """Where code stands on a page.

    Attributes:
        blocks: rows of the blocks of code, outermost only, in order.
        left_out: bool[n], line numbers, copy buttons and language labels, with all in them.
        labels: row of a block → language that a label beside it names.
        by_lines: bool[n], blocks that aren't preformatted: their line elements hold exact text.
    """

    blocks: tuple[int, ...]
    left_out: Mask
    labels: dict[int, str]
    by_lines: Mask


def code_rows(page: Page) -> CodeRows:
    """Find the code of a page."""
    nothing = np.zeros(len(page), dtype=bool)
    if not page.holds(*_SIGNS):
        return CodeRows((), nothing, {}, nothing)
    classes = HighlighterClasses(page)
    by_lines, lines = nothing.copy(), nothing.copy()
    if page.own_attributes.contain(CONTAINER_WORDS, ("class", "class"), page.tag, -1):
        by_lines[classes.on_page(CONTAINER)] = True
    if page.holds("code"):
        lines[classes.on_page(LINE)] = True
        by_lines[_holders_of_lines(page, lines)] = True
    is_block = tags.PREFORMATTED.take(page.tag) | by_lines
    for row in np.flatnonzero(page.is_tag("code")).tolist() if page.holds("code") else ():
        inner = slice(row + 1, int(page.end[row]))
        is_block[row] |= bool((tags.BREAK[page.tag[inner]] | lines[inner]).any())
        is_block[row] |= keeps_lines(page, row)
    blocks = _outermost(page, is_block & page.shown)
    left_out = page.inside(_line_numbers(page, blocks, classes))
    blocks = [block for block in blocks if not left_out[block]]
    labels = read_headers(page, blocks, classes, left_out)
    return CodeRows(tuple(blocks), page.inside(left_out), labels, by_lines)


def keeps_lines(page: Page, row: int) -> bool:
    """Return whether a code element shows the breaks of its text, by highlighters' styles."""
    named = _NAMED.search(page.attribute(row, "class") or "")
    return named is not None and "\n" in page.text_of(row).strip()


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


def _line_numbers(page: Page, blocks: list[int], classes: HighlighterClasses) -> Mask:
    """Return bool[n]: elements in and beside ``blocks`` that hold nothing but line numbers."""
    left_out = np.zeros(len(page), dtype=bool)
    numbered = [row for row, _ in page.having("data-line-number")]
    for region, own in _regions(page, blocks).items():
        end = int(page.end[region])
        rows = classes.between(GUTTER, region + 1, end)
        rows += numbered[bisect_right(numbered, region) : bisect_left(numbered, end)]
        if region != own[0]:
            cells = (np.flatnonzero(_CELL[page.tag[region:end]]) + region).tolist()
            rows += [one for one in cells if not (one < own[0] and own[-1] < page.end[one])]
        left_out[[row for row in rows if _only_numbers(page, row)]] = True
    return left_out


def _regions(page: Page, blocks: list[int]) -> dict[int, list[int]]:
    """Return row → its blocks: tables of one line, which may have line numbers, and lone blocks."""
    regions: dict[int, list[int]] = {}
    is_line: dict[int, bool] = {}
    for block in blocks:
        near = islice(page.ancestors(block), _DEEP)
        table = next((row for row in near if page.tag[row] == _TABLE), -1)
        if table >= 0 and table not in is_line:
            lines = np.count_nonzero(page.tag[table : page.end[table]] == _TR)
            is_line[table] = bool(lines == 1)
        regions.setdefault(table if is_line.get(table) else block, []).append(block)
    return regions


def _outermost(page: Page, rows: Mask) -> list[int]:
    out: list[int] = []
    for row in np.flatnonzero(rows).tolist():
        if not out or row >= page.end[out[-1]]:
            out.append(row)
    return out


def _only_numbers(page: Page, row: int) -> bool:
    return all(word.strip(".:|#").isdigit() for word in page.text_of(row).split())


def needs_lines(page: Page, block: int) -> bool:
    """Return whether lines of a block of code end where elements do, not just where breaks are."""
    if page.name(block) == "textarea":
        return False
    inner = slice(block + 1, int(page.end[block]))
    if not tags.PREFORMATTED[page.tag[block]] or tags.BLOCK[page.tag[inner]].any():
        return True
    return spans_break(page, block) and bool(page.is_tag("span")[inner].any())


def spans_break(page: Page, block: int) -> bool:
    """Return whether nothing in a block of code but its elements can end a line."""
    inner = slice(block, int(page.end[block]))
    return not tags.BREAK[page.tag[inner]].any() and "\n" not in page.text_of(block).strip("\n")


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
        empty = (page.text_at[page.end[inner]] == page.text_at[inner]) & ~self.left_out[inner]
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
        if _LINE_TAGS[tag]:
            return True
        if not (tags.BLOCK[tag] or self.spans_break or self.by_lines):
            return False
        names, style = self.page.attribute(row, "class"), self.page.attribute(row, "style")
        return bool(
            (names and LINE.search(names))
            or (style and _BLOCK_STYLE.search(style))
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
