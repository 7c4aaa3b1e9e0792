"""How the cells of a table share the width of their rows, by what they say and hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.markup import Markup

    Numbers = NDArray[np.float64]

PAGE_WIDTH: Final = 1000.0
_CELL = tags.table(["td", "th"])
_ROW = tags.table(["tr"])


def beside(page: Page) -> Mask:
    """Return bool[n]: table cells, which stand beside their siblings and not below them."""
    cells: Mask = _CELL[page.tag] & _ROW[page.tag[np.maximum(page.parent, 0)]]
    return cells


def cell_shares(page: Page, markup: Markup, own_width: Numbers) -> tuple[Numbers, Numbers]:
    """Return (share, before), float64[n] each: the part of its table row's width that a cell takes.

    ``before`` is the part of the cells before it; both are 0 for other rows. ``own_width`` is
    float64[n], the width of each row's own text or picture in pixels.
    """
    share, before = np.zeros(len(page)), np.zeros(len(page))
    parent = np.maximum(page.parent, 0)
    cells = np.flatnonzero(beside(page))
    if len(cells) == 0:
        return share, before
    # Rows of one table stand together; a cell's column counts the spans before it.
    above = page.parent[parent[cells]]
    table = np.where(page.tag[above] == tags.CODES["table"], above, page.parent[above])
    spans = _spans(page, cells)
    order = np.argsort(parent[cells], kind="stable")
    cells, table, spans = cells[order], table[order], spans[order]
    ends = np.cumsum(spans)
    first = np.flatnonzero(np.diff(parent[cells], prepend=-1))
    lengths = np.diff(np.append(first, len(cells)))
    column = ends - spans - np.repeat(ends[first] - spans[first], lengths)
    keys, of = np.unique(table.astype(np.int64) << 20 | column, return_inverse=True)
    needs = np.clip(page.total(own_width)[cells], 8.0, PAGE_WIDTH) / spans
    said = np.where(
        np.isnan(markup.width[cells]), markup.share[cells] * PAGE_WIDTH, markup.width[cells]
    )
    said = np.where(np.isnan(said), 0, np.minimum(said, PAGE_WIDTH)) / spans
    content, given = np.zeros(len(keys)), np.zeros(len(keys))
    np.maximum.at(content, of, needs)
    np.maximum.at(given, of, said)
    wants = np.where(given > 0, given, content)
    totals = np.bincount(keys >> 20, wants)
    part = np.append(wants / totals[keys >> 20], 0)
    prefix = np.append(0, np.cumsum(part))
    stop = np.minimum(of + spans, np.searchsorted(keys, (table.astype(np.int64) + 1) << 20))
    start = np.searchsorted(keys, table.astype(np.int64) << 20)
    share[cells] = np.maximum(prefix[stop] - prefix[of], 1e-6)
    before[cells] = prefix[of] - prefix[start]
    return share, before


def _spans(page: Page, cells: NDArray[np.intp]) -> NDArray[np.int64]:
    spans = np.ones(len(page), dtype=np.int64)
    for row, value in page.having("colspan"):
        digits = value.strip()
        if digits.isascii() and digits.isdigit():
            spans[row] = min(max(int(digits[:4]), 1), 1000)
    return spans[cells]
