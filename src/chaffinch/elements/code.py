"""Code as pages show it: which rows are a block of code, its exact text, and what isn't part of it.

Highlighters write code as preformatted text, as a table with a cell of line numbers beside it, as
an element a line (SyntaxHighlighter, CodeMirror, Ace, Crayon, repository browsers), as a list in a
box of a forum, as inline code with breaks, or as text whose breaks inline style shows. Line numbers
and copy buttons are no part of the code: they are *left out*.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from chaffinch.caching import kept_with_page
from chaffinch.elements import WORDS, whole_names
from chaffinch.elements.around_code import (
    CODE_BOX,
    CONTAINER,
    GUTTER,
    LINE,
    SIGNS,
    counted_lines,
    line_numbers,
    read_headers,
    signed_rows,
    signs_of,
)
from chaffinch.elements.formulas import PageFormula
from chaffinch.elements.hidden import hidden
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import NO_ROWS, Search, Searches
from chaffinch.page.visibility import declared, shows_as_block

_NAMED: Final = re.compile(rf"(?:^|\s)(?:{WORDS['names of highlighted code']})", re.IGNORECASE)
_WHITE_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_LINE_TAGS: Final = tags.table(["tr", "li"])
_CODE_TAGS: Final = ("code", "pre", "textarea", "xmp", "plaintext", "listing")
_CODE_TAG: Final = tags.CODES["code"]
_DIVS: Final = tags.table(["div"])
_NO_CODE: Final = tags.PREFORMATTED | tags.table("code p ol ul table h1 h2 h3 h4 h5 h6".split())
_NO_LINE: Final = _NO_CODE & ~tags.table(["code"])
_LISTS: Final = tags.table(["ol", "ul"])
_IN_ITEMS: Final = tags.table("p h1 h2 h3 h4 h5 h6 table img".split())
_CODE_CLASS: Final = re.compile(whole_names("names of code"), re.IGNORECASE)
_NAMED_FOR_CODE: Final = Search("class", "code")
_BOXES: Final = Search("class", "code", "fragment")
_SLATE: Final = Search("data-slate-type", "pre")
_NAMES: Final = Searches(_BOXES, _SLATE, SIGNS[CONTAINER][1])
"""Names that tables of lines have are among those of the first."""
_MOST: Final = 0.6  # of a box around a listing, beside which a button and a name stand
_NEARLY_ALL: Final = 0.8  # of the text of lines, between whose pieces of code blanks stand
_LEAST_COPIED: Final = 20  # characters of a block that says the same as the one before it
_SURE_SIGN: Final = re.compile(r"[{}=;<>$\\]|\w[(\[]")


@dataclass(eq=False)  # a frozen one sets each field by a call
class CodeRows:
    """Where code stands on a page."""

    blocks: tuple[int, ...]  # rows of the blocks of code, outermost only, in order
    left_out: Mask  # bool[n], line numbers, copy buttons and language labels, with all in them
    labels: dict[int, str]  # row of a block → language that a label beside it names
    by_lines: Mask  # bool[n], blocks that aren't preformatted: their line elements hold exact text
    # rows that are lines since they begin with a number that is left out
    numbered: frozenset[int] = frozenset()


def code_rows(page: Page) -> CodeRows:
    nothing = np.zeros(len(page), dtype=bool)
    styled, named = styled_blocks(page), containers_of_code(page).tolist()
    if not (styled or named) and page.tag_names.isdisjoint(_CODE_TAGS):
        return CodeRows((), nothing, {}, nothing)
    by_lines, lines = nothing.copy(), nothing.copy()
    by_lines[named] = True
    if "code" in page.tag_names:
        lines[signed_rows(page, LINE)] = True
        by_lines[_holders_of_lines(page, lines)] = True
    is_block = tags.PREFORMATTED.take(page.tag) | by_lines
    is_block[styled] = True
    for row in page.is_tag("code").nonzero()[0].tolist() if "code" in page.tag_names else ():
        inner = slice(row + 1, int(page.end[row]))
        is_block[row] |= bool((tags.BREAK[page.tag[inner]] | lines[inner]).any())
        is_block[row] |= keeps_lines(page, row)
    blocks: list[int] = []
    for row in (is_block & page.shown).nonzero()[0].tolist():
        if not blocks or row >= page.end[blocks[-1]]:
            blocks.append(row)
    if not (blocks or named):
        return CodeRows((), nothing, {}, by_lines)
    numbers, numbered = line_numbers(page, blocks)
    if named:  # terms of lists that are code, and links of those who made it coloured, are none
        titles = page.is_tag("dt", "thead")
        titles[[row for row, url in page.having("href") if "colorscripter.com" in url]] = True
        numbers |= titles & page.inside(marked(len(page), named))
    numbers[_copies(page, blocks, named)] = True
    left_out = page.inside(numbers)
    blocks = [block for block in blocks if not left_out[block]]
    labels = read_headers(page, blocks, left_out)
    return CodeRows(tuple(blocks), page.inside(left_out), labels, by_lines, numbered)


@kept_with_page
def containers_of_code(page: Page) -> Rows:
    """Return the rows of code that needn't be preformatted: those of highlighters, and lists."""
    if not _NAMES.may_find(page):
        return NO_ROWS
    slate = _SLATE.where(page, "pre".__eq__)
    rows = [*_boxed_lists(page), *signed_rows(page, CONTAINER).tolist(), *slate]
    return np.array([*rows, *_tables_of_lines(page)], dtype=np.int32)


def keeps_lines(page: Page, row: int) -> bool:
    """Return whether an element shows the breaks of its text, by its style or highlighters'.

    What style shows may be lines of their own, as editors copy code.
    """
    kept = page.breaks_kept is not None and page.breaks_kept[row]
    named = kept or _NAMED.search(page.attribute(row, "class") or "") is not None
    in_lines = kept and np.count_nonzero(_DIVS[page.tag[row + 1 : page.end[row]]]) > 1
    return named and bool(in_lines or "\n" in page.text_of(row).strip())


def styled_blocks(page: Page) -> list[int]:
    """Return elements whose breaks inline style shows, and whose style or name is that of code."""
    if page.breaks_kept is None:
        return []
    rows = (page.breaks_kept & page.has("style") & (page.tag != tags.TEXT)).nonzero()[0]
    found = []
    for row in rows[~_NO_CODE[page.tag[rows]] | (page.tag[rows] == tags.CODES["p"])].tolist():
        own = declared(page.attribute(row, "style") or "")
        font = own.get("font-family", "") + own.get("font", "")
        is_code = any(
            name in font for name in ("mono", "courier", "consolas", "menlo")
        ) or _CODE_CLASS.search(page.attribute(row, "class") or "")
        within = page.tag[row + 1 : page.end[row]]
        if is_code and keeps_lines(page, row) and not _NO_CODE[within].any():
            found.append(row)
    return found


def _tables_of_lines(page: Page) -> list[int]:
    """Return tables named for code of which each row has a cell for the number of its line."""
    if not ("table" in page.tag_names and len(_NAMED_FOR_CODE.candidates(page))):
        return []
    numbers = {
        *signed_rows(page, GUTTER).tolist(),
        *(row for row, _ in page.having("data-line-number")),
    }
    cells = defaultdict[int, list[int]](list)
    for cell in sorted(row for row in numbers if tags.CELL[page.tag[row]]):
        cells[next((up for up in page.ancestors(cell) if page.name(up) == "table"), 0)].append(cell)
    found = []
    for table, own in cells.items():
        lines = np.count_nonzero(page.is_tag("tr")[table : page.end[table]])
        last = range(own[-1], int(page.end[page.parent[own[-1]]]))
        names = (page.attribute(row, "class") or "" for row in (page.parent[table], table, *last))
        if lines == len(own) > 1 and any(map(_CODE_CLASS.search, names)):
            found.append(table)
    return found


def _boxed_lists(page: Page) -> list[int]:
    """Return what is code in boxes of that name: lists, terms, and lines with a number each.

    A list is nearly all of its box; lines with breaks between are written like code.
    """
    found = []
    for box in _BOXES.where(page, lambda own: CODE_BOX.search(own) is not None):
        inner, names = slice(box, int(page.end[box])), (page.attribute(box, "class") or "").split()
        if "fragment" in names:  # of Doxygen, or of a slide
            own = {row for row in page.children(box) if page.tag[row] != tags.TEXT}
            found += [box] if own and own.issubset(signed_rows(page, LINE).tolist()) else []
            continue
        if page.name(box) == "dl" or (
            not _NO_LINE[page.tag[inner]].any() and len(counted_lines(page, box)) > 0
        ):
            found.append(box)
            continue
        breaks = tags.BREAK[page.tag[inner]].nonzero()[0] + box
        if (
            len(breaks)
            and _SURE_SIGN.search(page.text, page.text_at[box], page.text_at[box] + 2000)
            and not _NO_CODE[page.tag[inner]].any()
        ):
            found.append(int(page.parent[breaks[0]]))
            continue
        lists = (_LISTS[page.tag[inner]].nonzero()[0] + box).tolist()
        if "blockcode" in names and len(lists) == 1:
            within = page.tag[lists[0] + 1 : page.end[lists[0]]]
            is_most = page.length[lists[0]] >= _MOST * page.length[box]
            if is_most and not (_NO_CODE | _IN_ITEMS)[within].any():
                found.append(lists[0])
    return found


def _copies(page: Page, blocks: list[int], named: list[int]) -> list[int]:
    """Return what says all of a listing again, for copying: the next block, or one within.

    Within are what is preformatted in ``named`` blocks, beside their lines.
    """
    before, found = page.written_before, list[int]()
    for block, after in pairwise(blocks):
        if before[after] == before[page.end[block]]:
            own = _letters(page, block)
            is_copy = len(own) >= _LEAST_COPIED and own == _letters(page, after)
            found += [after] if is_copy and not hidden(page)[block : page.end[block]].any() else []
    for block in named:
        inner = tags.PREFORMATTED[page.tag[block + 1 : page.end[block]]].nonzero()[0][-1:]
        rows = (inner + block + 1).tolist()
        found += [row for row in rows if 2 * _letters(page, row) == _letters(page, block)]
    return found


def _letters(page: Page, row: int) -> str:
    return "".join(page.text_of(row).split())


def _holders_of_lines(page: Page, lines: Mask) -> list[int]:
    """Return what holds ``lines``, bool[n], of inline code: a highlighter without its names."""
    rows = (lines & tags.BLOCK[page.tag]).nonzero()[0]
    if not len(rows):
        return []
    coded = page.inside(page.is_tag("code"))
    in_code = page.total(np.where(coded, page.own_length, 0))
    parents, counts = np.unique(page.parent[rows], return_counts=True)
    all_code = (in_code[parents] >= _NEARLY_ALL * page.length[parents]) & (in_code[parents] > 0)
    found: list[int] = parents[all_code & (counts > 1) & ~coded[parents]].tolist()
    return found


def needs_lines(page: Page, block: int, code: CodeRows) -> bool:
    """Return whether lines of a block of code end where elements do, or numbers are left out."""
    if page.name(block) == "textarea":
        return False
    inner = slice(block + 1, int(page.end[block]))
    return bool(
        not tags.PREFORMATTED[page.tag[block]]
        or (tags.BLOCK[page.tag[inner]] | code.left_out[inner]).any()
        or _sibling_codes(page, block)
        or (spans_break(page, block) and page.is_tag("span")[inner].any())
    )


def spans_break(page: Page, block: int) -> bool:
    """Return whether nothing in a block of code but its elements can end a line."""
    inner = slice(block, int(page.end[block]))
    return not tags.BREAK[page.tag[inner]].any() and "\n" not in page.text_of(block).strip("\n")


def _sibling_codes(page: Page, block: int) -> list[int]:
    """Return the elements that are the lines of a pre: all its text, no break between them.

    These are code elements, or spans with an id each, as Medium has them.
    """
    if page.tag[block] != tags.CODES["pre"]:
        return []
    children = page.children(block)
    codes = [row for row in children if page.tag[row] == _CODE_TAG]
    spans = (row for row in children if page.name(row) == "span")
    codes = codes if len(codes) > 1 else [row for row in spans if "id" in page.attributes(row)]
    others = {*children}.difference(codes)
    if len(codes) <= 1 or any(page.length[row] for row in others):
        return []
    between = (row for row in others if codes[0] < row < codes[-1])
    broken = any("\n" in page.text_of(row) or tags.BREAK[page.tag[row]] for row in between)
    return [] if broken else codes


def source(
    page: Page, block: int, shown: Mask, code: CodeRows, formulas: Mapping[int, PageFormula]
) -> str:
    """Return the text of a block of code as it is shown, bool[n], without empty lines at its ends.

    Preformatted text is exact, ``formulas`` are TeX; what else is in it is exact in its line
    elements. In code that isn't preformatted (inline code with breaks) white space is folded.
    """
    return _Source(page, block, code).read(shown, formulas)


class _Source:
    def __init__(self, page: Page, block: int, code: CodeRows) -> None:
        self.page = page
        self.block = block
        self.code = code
        self.lines = code.numbered.union(_sibling_codes(page, block))
        self.parts: list[str] = []
        self.open_lines: list[tuple[int, int, bool]] = []  # end, parts before it, whether a line
        self.by_lines = bool(code.by_lines[block])
        exact = tags.PREFORMATTED[page.tag[block : page.end[block]]]
        exact = exact[:1] if self.by_lines else exact
        self.exact = bool(exact.any()) or keeps_lines(page, block)
        self.in_line = 0
        self.spans_break = spans_break(page, block)

    def read(self, shown: Mask, formulas: Mapping[int, PageFormula]) -> str:
        page, end = self.page, int(self.page.end[self.block])
        inner = slice(self.block + 1, end)
        # An empty line is an element without text but its number, which no verdict keeps.
        left_out, numbered = self.code.left_out[inner], self.code.numbered
        told = ~left_out
        before = np.append(0, (page.written[inner] & told).cumsum())
        empty = (before[page.end[inner] - inner.start] == before[:-1]) & told
        empty[[row - inner.start for row in numbered if row in range(inner.start, end)]] = True
        rows = (shown[inner] | empty).nonzero()[0] + self.block + 1
        if len(rows) > 1 and page.tag[rows[1]] == _CODE_TAG and page.text_of(rows[0]).isspace():
            rows = rows[1:]  # what stands between pre and code isn't of its first line
        for row, tag in zip(rows.tolist(), page.tag[rows].tolist(), strict=True):
            self._end_lines(row)
            if tag == tags.TEXT:
                self._text(page.text[page.text_at[row] : page.text_at[row + 1]])
            elif tags.BREAK[tag]:
                self.parts.append("\n")
            elif row in formulas:
                self.parts.append(formulas[row].tex)
            else:
                is_line = self._is_line(row, tag)
                if is_line or tags.BLOCK[tag]:
                    self._fresh_line()
                    self.open_lines.append((int(page.end[row]), len(self.parts), is_line))
                    self.in_line += is_line
        self._end_lines(end)
        text = "".join(self.parts).replace("\r\n", "\n").replace("\r", "\n").rstrip()
        text = text[text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1 :]
        if not left_out.any():
            return text
        # The one blank that stood between each line and its number goes.
        lines = text.split("\n")
        blank = any(len(line) - len(line.lstrip(" ")) == 1 for line in lines)
        blank = blank and all(line[:1] in ("", " ") for line in lines)
        return "\n".join(line[1:] for line in lines) if blank else text

    def _text(self, raw: str) -> None:
        if not self.exact:
            if self.by_lines:
                if not self.in_line and "\n" in raw and raw.isspace():
                    return
                if self.parts[-1:] == ["\n"]:
                    raw = raw.removeprefix("\n")
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
            (names and signs_of(names) & LINE)
            or (style and shows_as_block(style))
            or self.page.attribute(row, "data-line") is not None
            or self.page.attribute(row, "data-slate-type") == "code-line"
        )

    def _fresh_line(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def _end_lines(self, row: int) -> None:
        """End the elements that are open and end before a row."""
        while self.open_lines and row >= self.open_lines[-1][0]:
            _, begun, is_line = self.open_lines.pop()
            self.in_line -= is_line
            if is_line and len(self.parts) == begun:
                self.parts.append("\n")
            else:
                self._fresh_line()
