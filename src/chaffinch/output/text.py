"""Plain text of what is kept: one line a block, as evaluations compare it.

White space is folded as in a browser, except in preformatted elements; a br ends a line; list items
bear no bullets. The cells of a table row stand on one line, parted by tabs, as long as each is a
single line: a row stays a row for the reader and pastes into a spreadsheet, and measures that count
words see no token that isn't on the page. Cells of several lines (layout tables) keep them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.output.kept_lines import kept_lines
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from chaffinch.output.kept_lines import KeptLines
    from chaffinch.page import Page
    from chaffinch.result import Content


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the text, and where on the page it came from.

    Attributes:
        rows: half-open range of rows; the block is what is kept of their text. None for a title
            that the page has no row for.
        start: its first character in the text.
        end: the character after its last in the text.
        kind: tag of the innermost block element around it, such as "p", "h2", "li" or "td".
        part: number of the article's part that it came from; None for a page by itself, whose JSON
            leaves it out.
    """

    rows: tuple[int, int] | None
    start: int
    end: int
    kind: str
    part: int | None = field(default=None, metadata={"optional": True})


def render(content: Content) -> str:
    """Return the plain text of what is kept; "" where nothing is.

    Blocks are parted by one newline, or by a tab within a table row; there is none at the end.
    """
    lines = kept_lines(content)
    if not np.count_nonzero(lines.beside):
        return "\n".join(lines.texts)
    parts: list[str] = []
    for text, beside in zip(lines.texts, lines.beside.tolist(), strict=True):
        parts.append("\t" if beside else "\n")
        parts.append(text)
    return "".join(parts[1:])


def blocks(content: Content, title: str = "") -> list[Block]:
    """Return the blocks of the text that `render` gives, in order; together they are all of it.

    A ``title`` is a block of its own above them.
    """
    lines = kept_lines(content)
    return _placed(content.page, lines, [Block(None, 0, len(title), "h1")] if title else [])


def _placed(page: Page, lines: KeptLines, found: list[Block]) -> list[Block]:
    at = found[-1].end + 1 if found else 0
    ranges = zip(lines.first.tolist(), lines.last.tolist(), strict=True)
    for text, (first, last) in checked(zip(lines.texts, ranges, strict=True)):
        around = int(page.parent[first])
        while around > 0 and not tags.BLOCK[page.tag[around]]:
            around = int(page.parent[around])
        found.append(Block((first, last), at, at + len(text), page.name(around)))
        at += len(text) + 1
    return found
