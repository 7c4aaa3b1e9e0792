"""Line numbers of code: elements in and beside its blocks that hold nothing else.

Highlighters name their gutters. Where none is named, integers that count up are one: those that
begin all lines of a block, each in an element of its own, or all of an element before the code.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.code.highlighters import GUTTER, HighlighterClasses
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_CELL: Final = tags.table(["td", "th"])
_TABLE: Final = tags.CODES["table"]
_TR: Final = tags.CODES["tr"]
_DEEP: Final = 6  # elements from a table to the code in its cell, from a block to its numbers
_SIGNS: Final = ".:|#"
_VALUE: Final = re.compile(r"(?:^|\s)(?:hljs-number|number|constant|m[ifhob]?|nu)(?=\s|$)")
"""Names that highlighters give to numbers of the program."""
_OFF: Final = 2  # lines that a column of numbers may be longer or shorter than the code beside it


def line_numbers(
    page: Page, blocks: list[int], classes: HighlighterClasses
) -> tuple[Mask, frozenset[int]]:
    """Return bool[n], elements that hold line numbers, and the rows that are the lines of these."""
    left_out = np.zeros(len(page), dtype=bool)
    lines: list[int] = []
    numbered = [row for row, _ in page.having("data-line-number")]
    for region, own in _regions(page, blocks).items():
        end = int(page.end[region])
        rows = classes.between(GUTTER, region + 1, end)
        rows += numbered[bisect_right(numbered, region) : bisect_left(numbered, end)]
        if region != own[0]:
            cells = (np.flatnonzero(_CELL[page.tag[region:end]]) + region).tolist()
            rows += [one for one in cells if not (one < own[0] and own[-1] < page.end[one])]
        rows = [row for row in rows if _only_numbers(page, row)]
        left_out[rows] = True
        if not any(page.length[row] for row in rows):
            for block in own:
                found = _counted(page, block)
                left_out[found] = True
                lines += _holders(page, found)
    return left_out, frozenset(lines)


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


def _only_numbers(page: Page, row: int) -> bool:
    return all(word.strip(_SIGNS).isdigit() for word in page.text_of(row).split())


def _counted(page: Page, block: int) -> list[int]:
    """Return elements of a block whose numbers count its lines, though nothing says so."""
    before = page.written_before
    written = int(before[block])
    if before[page.end[block]] == written:
        return []
    # the text in which the block's first character that is no white space stands
    first = int(np.searchsorted(before, written, side="right")) - 1
    if not _numbers(page, first):
        return []
    above = [row for row in islice(page.ancestors(first), _DEEP) if row > block]
    column = next((row for row in reversed(above) if _numbers(page, row)), -1)
    if column < 0:
        return []
    count = len(_numbers(page, column))
    if count > 1:
        rest = page.text[page.text_at[page.end[column]] : page.text_at[page.end[block]]].strip("\n")
        lines = rest.count("\n") + 1
        return [column] if rest and (lines == 1 or abs(lines - count) <= _OFF) else []
    return _at_starts(page, block, column)


def _numbers(page: Page, row: int) -> list[int]:
    """Return the integers that a row holds, if it holds nothing else and they count up."""
    text = page.text_of(row)
    words = [word.strip(_SIGNS) for word in text.split()] if len(text) < 1 << 16 else []
    if not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):  # noqa: PLR2004
        return []
    found = [int(word) for word in words]
    return found if all(a + 1 == b for a, b in pairwise(found)) else []


def _at_starts(page: Page, block: int, first: int) -> list[int]:
    """Return elements like ``first`` if they begin all lines of a block and count up."""
    if _VALUE.search(page.attribute(first, "class") or ""):
        return []
    inner = slice(first, int(page.end[block]))
    alike = (page.tag[inner] == page.tag[first]) & (page.depth[inner] == page.depth[first])
    names = page.attribute(first, "class"), page.attribute(first, "style")
    rows, expected = [], _numbers(page, first)[0]
    for row in (np.flatnonzero(alike) + first).tolist():
        same = (page.attribute(row, "class"), page.attribute(row, "style")) == names
        if same and _numbers(page, row) == [expected]:
            rows.append(row)
            expected += 1
    begins = [int(page.text_at[row]) for row in rows[1:]] + [int(page.text_at[page.end[block]])]
    of_lines = [
        page.text[page.text_at[page.end[row]] : begin]
        for row, begin in zip(rows, begins, strict=True)
    ]
    apart = all(
        text.endswith("\n") or page.parent[row] != page.parent[after]
        for text, row, after in zip(of_lines, rows, rows[1:], strict=False)
    )
    alone = all("\n" not in text.strip("\n") for text in of_lines)
    written = sum(bool(text.strip()) for text in of_lines)
    return rows if len(rows) > 1 and apart and alone and 2 * written >= len(rows) else []


def _holders(page: Page, numbers: list[int]) -> list[int]:
    """Return the elements that begin with one of ``numbers`` each."""
    holders = page.parent[numbers].tolist()
    return holders if len(set(holders)) == len(numbers) > 1 else []
