"""The title above the content, for outputs that have headings: once, and nowhere else in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from chaffinch import kernels
from chaffinch.decision.parts import alike, of_title
from chaffinch.lazy import lazy_module
from chaffinch.page import tags
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.metadata import FieldValue, values
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.result import Content
    from chaffinch.segment.text_blocks import TextBlocks
else:
    values = lazy_module("chaffinch.metadata.values")


@dataclass(frozen=True, eq=False)
class HeadedContent:
    """A title and the content below it.

    Attributes:
        title: the heading; "" for none.
        body: the content without the rows that are the title.
        has_row: whether there are such rows among the kept ones.
    """

    title: str
    body: Content
    has_row: bool = False


def headed(
    content: Content, title: FieldValue[str] | None, *, headline: bool | None
) -> HeadedContent:
    """Return the content with its title apart.

    Args:
        content: the page and what is kept of it.
        title: of the page, as metadata have it; None where it has none.
        headline: False for no heading; see `chaffinch.Policy`. There is none without content.
    """
    if title is None or not content:
        return HeadedContent("", content)
    above = "" if headline is False else title.value
    page, keep = content.page, content.verdict.keep
    blocks = text_blocks(page)
    heads = kernels.nearest(page.parent, tags.HEADING.take(page.tag))
    if not _may_be_kept(blocks, title, heads, keep):
        return HeadedContent(above, content)
    among = heads.take(blocks.first) >= 0  # what is dropped in no heading heads nothing
    kept = blocks.block[keep]
    among[kept[kept >= 0]] = True
    rows = blocks.spread(of_title(blocks, title, among))
    rows |= _headings_around(page, rows, heads)
    rows &= keep
    if not rows.any():
        return HeadedContent(above, content)
    body = replace(content, verdict=content.verdict.with_keep(content.verdict.keep & ~rows))
    return HeadedContent(above, body, has_row=True)


def _may_be_kept(blocks: TextBlocks, title: FieldValue[str], heads: Rows, keep: Mask) -> bool:
    """Return whether a row is kept of what is the title, or may be, or of the heading around it.

    Mostly none is: the title isn't content.

    Args:
        blocks: of the page.
        title: of the page.
        heads: int32[n], the heading at or above each row, or -1.
        keep: bool[n], kept rows.
    """
    key = values.fold(title.value)
    if not key:
        return False
    at = alike(blocks, key).nonzero()[0]
    first = blocks.first.take(at)
    around, end = heads.take(first), blocks.page.end
    in_heading = around >= 0
    starts = np.where(in_heading, around, first).tolist()
    stops = np.where(in_heading, end.take(around), blocks.last.take(at)).tolist()
    if title.row >= 0 and tags.HEADING[blocks.page.tag[title.row]]:
        starts.append(title.row)
        stops.append(int(end[title.row]))
    kept = keep.nonzero()[0]
    holding = (kept.searchsorted(starts) < kept.searchsorted(stops)).nonzero()[0].tolist()
    return any(one == len(at) or values.fold(blocks.text(at[one])) == key for one in holding)


def _headings_around(page: Page, rows: Mask, heads: Rows) -> Mask:
    """Return bool[n]: all rows of the headings, int32[n] or -1, that ``rows`` stand in."""
    marked = rows.copy()
    around = heads[rows]
    marked[around[around >= 0]] = True
    return page.inside(marked)
