"""Data tables and code between kept blocks are kept unless they are nearly surely noise.

The network scores cells of numbers and lines of code low. Between kept blocks, outside navigation
and forms, they are part of the text, and the lowest threshold of all holds for them. So are plain
blocks among kept siblings, at a higher one: short lines that no name marks as anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.tables import shows_data
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks

BARS: Final = tags.table("nav header footer aside form".split())
"""Elements around the content, in which no table, code or card is part of it."""
_PLAIN: Final = 0.2
"""Score of a plain block among kept siblings."""
_CODE: Final = tags.table(["pre"])
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)
_NO_ROLES: Final[dict[int, str]] = {}


def tables_and_code(blocks: TextBlocks, *, tables: bool, code: bool) -> Mask | None:
    """Return bool[m]: blocks in data tables or code, outside `BARS`; None where there are none.

    Args:
        blocks: the page's m text blocks.
        tables: whether data tables count.
        code: whether code counts.
    """
    page = blocks.page
    mask = None
    if code and page.holds("pre"):
        mask = blocks.inside(_CODE)
    if tables and len(rows := data_table_rows(page)):
        marked = np.zeros(len(page), dtype=bool)
        marked[rows] = True
        inside = page.inside(marked)[blocks.first]
        mask = inside if mask is None else mask | inside
    return None if mask is None else mask & ~blocks.inside(BARS)


def between_kept(mask: Mask, keep: Mask) -> Mask:
    """Return bool[m]: ``mask`` from the first kept block to the last; all of it where none is."""
    kept = np.flatnonzero(keep)
    if len(kept):
        mask = mask.copy()
        mask[: kept[0]] = False
        mask[kept[-1] + 1 :] = False
    return mask


def plain_siblings(blocks: TextBlocks, score: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: blocks without links, class or id between kept siblings; None for none.

    Args:
        blocks: the page's m text blocks.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
    """
    likely = ~keep & (score >= _PLAIN)
    if 1 not in likely.tobytes():
        return None
    page, kept = blocks.page, keep.tobytes()
    owner, parent, tag = blocks.owner.item, page.parent.item, page.tag.item
    added, before, after = [], -1, kept.find(1)
    for at in likely.nonzero()[0].tolist():
        if at > after >= 0:  # the kept blocks on both sides
            before, after = kept.rfind(1, after, at), kept.find(1, at)
        if before < 0 or after < 0:
            continue
        row = owner(at)
        above = parent(row)
        if (
            tags.BLOCK[tag(row)]
            and parent(owner(before)) == above == parent(owner(after))
            and not any(page.attributes(row).get(name) for name in ("class", "id"))
            and not _has_links(blocks, at)
        ):
            added.append(at)
    if not added:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    mask[added] = True
    return mask


def _has_links(blocks: TextBlocks, at: int) -> bool:
    own = slice(blocks.first.item(at), blocks.last.item(at))
    return bool(blocks.page.own_length[own][blocks.page.in_link[own]].any())


def data_table_rows(page: Page) -> Rows:
    """Return int32[r]: the rows of table elements that show data; derived once a page."""
    if not page.holds("table"):
        return _NO_ROWS
    (rows,) = page.derived(
        "data tables by tag",
        lambda: (np.flatnonzero(shows_data(page, _NO_ROLES)).astype(np.int32),),
    )
    return rows
