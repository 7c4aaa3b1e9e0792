"""The title above the content, for outputs that have headings: once, and nowhere else in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chaffinch import kernels
from chaffinch.decision.title_blocks import of_title
from chaffinch.page import tags
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.metadata import FieldValue
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.result import Content


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
    page, keep = content.page, content.verdict.keep
    blocks = text_blocks(page)
    heads = kernels.nearest(page.parent, tags.HEADING.take(page.tag))
    among = heads.take(blocks.first) >= 0  # what is dropped in no heading heads nothing
    kept = blocks.block[keep]
    among[kept[kept >= 0]] = True
    rows = blocks.spread(of_title(blocks, title, among))
    rows |= _headings_around(page, rows, heads)
    rows &= keep
    if not rows.any():
        return HeadedContent("" if headline is False else title.value, content)
    body = replace(content, verdict=content.verdict.with_keep(content.verdict.keep & ~rows))
    return HeadedContent("" if headline is False else title.value, body, has_row=True)


def _headings_around(page: Page, rows: Mask, heads: Rows) -> Mask:
    """Return bool[n]: all rows of the headings, int32[n] or -1, that ``rows`` stand in."""
    marked = rows.copy()
    around = heads[rows]
    marked[around[around >= 0]] = True
    return page.inside(marked)
