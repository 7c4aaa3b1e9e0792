"""The blocks of the text, each with its id and where it stands in the text and on the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chaffinch import kernels
from chaffinch.citation.block_ids import block_ids
from chaffinch.citation.folding import text_id
from chaffinch.citation.text_fragments import text_fragments
from chaffinch.output.kept_lines import kept_lines
from chaffinch.page import tags
from chaffinch.page.selectors import css_of_each, xpath_of_each
from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.output.kept_lines import KeptLines
    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows
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
        id: by its whole text on the page, kept or not; ``-2`` behind it for the second of that
            text.
        selector: a CSS selector of the element around it; "" for a title without a row.
        xpath: the absolute XPath of the same element; "" for the same.
        fragment: what is put behind the page's address for a browser to show it: ``#:~:text=…``;
            "" where none is clear.
        part: number of the article's part that it came from; None for a page by itself, whose JSON
            leaves it out.
    """

    rows: tuple[int, int] | None
    start: int
    end: int
    kind: str
    id: str = ""
    selector: str = ""
    xpath: str = ""
    fragment: str = ""
    part: int | None = field(default=None, metadata={"optional": True})


def blocks(content: Content, title: str = "") -> list[Block]:
    """Return the blocks of the text (`chaffinch.output.text`), in order; together they are all.

    A ``title`` is a block of its own above them.
    """
    above = [Block(None, 0, len(title), "h1", text_id(title))] if title else []
    return _placed(content, kept_lines(content), above)


def _placed(content: Content, lines: KeptLines, found: list[Block]) -> list[Block]:
    page, of_page, ids = content.page, text_blocks(content.page), block_ids(content)
    fragments = text_fragments(content)
    words = fragments.block_words
    owners = of_page.owner_at(lines.first).tolist()
    numbers = of_page.block_at(lines.first).tolist()
    places = zip(numbers, css_of_each(page, owners), xpath_of_each(page, owners), strict=True)
    at = found[-1].end + 1 if found else 0
    ranges = zip(lines.first.tolist(), lines.last.tolist(), strict=True)
    every = zip(lines.texts, ranges, places, strict=True)
    kinds = _kinds(page, lines.first)
    for kind, (text, rows, (number, selector, xpath)) in checked(zip(kinds, every, strict=True)):
        place = "", selector, xpath, ""
        if ids:
            fragment = fragments.fragment(words[number], words[number + 1])
            place = ids[number], selector, xpath, fragment
        found.append(Block(rows, at, at + len(text), kind, *place))
        at += len(text) + 1
    return found


def _kinds(page: Page, rows: Rows) -> list[str]:
    """Return the tag of the innermost block element around each row; the root is one."""
    is_block = tags.BLOCK[page.tag]
    is_block[:1] = True
    around = kernels.nearest(page.parent, is_block)[page.parent[rows]]
    return [page.name(row) for row in around.tolist()]
