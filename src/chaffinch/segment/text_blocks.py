"""Text blocks: the lines of inline content between block boundaries, as models see them.

A text block is a run of inline rows under one block element, with no start or end of a block
element and no ``br`` between them. Every shown text that isn't white space lies in exactly one
block, but for controls behind headings (`chaffinch.elements.aids`), which lie in none;
the blocks stand in document order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property, kept_with_page
from chaffinch.elements.aids import heading_controls
from chaffinch.elements.texts import headings_by_role
from chaffinch.kernels.arrays import Codes, Mask, Rows
from chaffinch.page import Page, tags
from chaffinch.page.selectors import css_of_each

_EVERY: Final = slice(None)
_NONE: Final = np.zeros(0, dtype=bool)
_DIV, _MOST_BOXES = tags.CODES["div"], 4  # boxes around one text
_NOWHERE: Final = np.zeros(0, dtype=np.int32)
_RANK: Final = np.zeros(len(tags.NAMES), dtype=np.int8)
"""int8[tags]: the rank of a heading, 1 is the highest; 0 for other tags."""
_RANK[[tags.CODES[name] for name in "h1 h2 h3 h4 h5 h6 summary".split()]] = 1, 2, 3, 4, 5, 6, 6


@dataclass(eq=False)  # a frozen one sets each field by a call
class TextBlocks:
    """The text blocks of a page, as columns; m blocks in document order."""

    page: Page  # the page
    first: Rows  # int32[m], first text row of each block
    last: Rows  # int32[m], first row after the last text row of each block
    owner: Rows  # int32[m], the nearest block element around the block's first text row
    length: Rows  # int32[m], folded characters
    link_length: Rows  # int32[m], folded characters in links
    block: Rows  # int32[n], the block each shown, non-empty text row belongs to; -1 for other rows

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def owner_tag(self) -> Codes:
        """uint16[m]: the tag of the owner of each block."""
        return self.page.tag.take(self.owner)

    @cached_property
    def linked(self) -> bytes:
        """1 for each block with characters in links, else 0; m bytes."""
        return (self.link_length > 0).tobytes()

    @cached_property
    def selectors(self) -> list[str]:
        """CSS selector of the owner of each block (`chaffinch.page.selectors.css_of_each`)."""
        return list(css_of_each(self.page, self.owner.tolist()))

    def block_at(self, rows: Rows) -> NDArray[np.intp]:
        """Return intp[r]: the block that each row stands in or before; the last for those behind.

        There is at least one block.
        """
        found: NDArray[np.intp] = np.searchsorted(self.last, rows, side="right")
        return np.minimum(found, len(self) - 1)

    def owner_at(self, rows: Rows) -> Rows:
        """Return int32[r]: the row that owns the block of each row (`block_at`).

        In a page without blocks, all of whose text stands in attributes, that is the row's parent.
        """
        return self.owner[self.block_at(rows)] if len(self) else self.page.parent[rows]

    def text(self, block: int) -> str:
        """Return the text of one block, white-space runs folded to one space."""
        starts, stops = self.spans
        return " ".join(self.page.text[starts[block] : stops[block]].split())

    @cached_property
    def spans(self) -> tuple[list[int], list[int]]:
        """Where in the page's text each block starts and stops."""
        at = self.page.text_at
        return at.take(self.first).tolist(), at.take(self.last).tolist()

    def texts(self, some: Sequence[int] | NDArray[Any] | slice = _EVERY) -> list[str]:
        """Return the text of each block, or of some, white-space runs folded to one space."""
        at = self.page.text_at
        spans = at.take(self.first[some]), at.take(self.last[some])
        return kernels.folded_texts(self.page.text, *spans)

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values [n]: each text row the value [m] of its block, 0 elsewhere."""
        padded = np.zeros(len(values) + 1, dtype=values.dtype)  # -1 is the last, a zero
        padded[:-1] = values
        return padded.take(self.block)

    @cached_property
    def outermost(self) -> Rows:
        """int32[m]: the outermost of the boxes around each owner that hold nothing but its text."""
        of_page = self.page.tag, self.page.parent, self.page.length
        return kernels.outermost_boxes(*of_page, self.owner, _DIV, _MOST_BOXES)

    @cached_property
    def heading_rank(self) -> NDArray[np.int8]:
        """int8[m]: the rank of the heading that each block is, 1 is the highest; 0 for none.

        What a heading holds in an element of its own is the heading, too; one by its role is as
        others.
        """
        page, rank = self.page, _RANK.take(self.owner_tag)
        heads = kernels.rows_of(page.tag, tags.HEADING, _NONE, 0, len(page))
        begin, stop = self.first.searchsorted((heads, page.end.take(heads)))
        alone = stop - begin == 1
        rank[begin[alone]] = _RANK.take(page.tag.take(heads[alone]))
        for row, level in headings_by_role(page, page.shown).items():
            at = int(self.first.searchsorted(row))  # an empty one may be the last of all
            if at < len(rank) and self.owner[at] == row:
                rank[at] = level
        return rank

    def inside(self, table: Mask, named: Mask = _NONE, of_row: Rows = _NOWHERE) -> Mask:
        """Return bool[m]: blocks that begin in elements of certain tags (`tags.table`) or names.

        Where sets of names count, bool[s], ``of_row`` is int32[n], the set that each row bears.
        """
        page = self.page
        return kernels.blocks_inside(page.boxes, page.end, self.first, table, of_row, named)


def text_blocks(page: Page) -> TextBlocks:
    """Return the text blocks of ``page``; they are cut on first use and kept with it."""
    return TextBlocks(page, *page.derived("text blocks", lambda: _cut(page)))


def _cut(page: Page) -> tuple[Rows, ...]:
    controls = heading_controls(page)
    written = page.written & ~controls if len(controls) else page.written
    of_rows = page.tag, page.parent, page.line_by_tags, page.shown, written
    return kernels.text_blocks(*of_rows, page.own_length, page.in_link, tags.BLOCK)


_LEAST_PROSE: Final = 60  # characters of a block that counts as prose
_WIDE: Final = np.arange(0x2E81) >= 0x2E80  # noqa: PLR2004  where the East Asian scripts begin
"""Code points whose characters carry more than a letter; those beyond are like the last."""

_WIDE_WEIGHT: Final = 3
"""Latin letters that carry as much as one such character; about the ratio of translated texts."""


def prose_length(page: Page) -> int:
    """Return the characters outside links in all text blocks that have at least 60.

    East Asian characters count as three, so that one threshold serves all scripts.
    """
    prose = block_prose(page)
    return int(prose[prose >= _LEAST_PROSE].sum())


@kept_with_page
def block_prose(page: Page) -> NDArray[np.float64]:
    """Return float64[m]: characters outside links of each text block, East Asian ones as three."""
    blocks = text_blocks(page)
    if page.text.isascii() or not len(blocks):
        return (blocks.length - blocks.link_length).astype(np.float64)
    wide = kernels.characters(page.text, page.text_at, _WIDE)
    before = np.append(0, wide.cumsum())
    share = (before[blocks.last] - before[blocks.first]) / np.maximum(blocks.length, 1)
    weight = 1 + (_WIDE_WEIGHT - 1) * np.minimum(share, 1)
    prose: NDArray[np.float64] = (blocks.length - blocks.link_length) * weight
    return prose
