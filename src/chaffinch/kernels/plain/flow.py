"""Estimated boxes of block rows, vectorised over the rows of one depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Depths, Mask, Numbers, Rows


def flow_across(
    parent: Rows,
    blocks: Mask,
    given: Numbers,
    wide: Numbers,
    indent: Numbers,
    cell: Numbers,
    before: Numbers,
    page_width: float,
    /,
) -> tuple[Numbers, Numbers]:
    """Return where the block rows begin and how wide they are, in pixels: float64[n] twice.

    Args:
        parent: int32[n].
        blocks: bool[n], the block rows; the first row is one.
        given: float64[n], pixels, NaN where there are none.
        wide: float64[n], share of the room, NaN where there is none.
        indent: float64[n], pixels.
        cell, before: float64[n], shares of the room of a cell and of those before it; 0 elsewhere.
        page_width: of the first row, in pixels.
    """
    left, width = np.zeros(len(parent)), np.zeros(len(parent))
    width[:1] = page_width
    for rows in _levels(parent, blocks)[1:]:
        room = width[parent[rows]]
        inner = np.maximum(room - indent[rows], 1.0)
        wanted = np.where(np.isnan(given[rows]), wide[rows] * room, given[rows])
        free = np.where(np.isnan(wanted), inner, np.minimum(wanted, inner))
        width[rows] = np.where(cell[rows] > 0, cell[rows] * room, free)
        left[rows] = left[parent[rows]] + np.where(
            cell[rows] > 0, before[rows] * room, room - inner
        )
    return left, width


def _levels(parent: Rows, blocks: Mask) -> list[Rows]:
    """Return the block rows of each depth, the root's first; what is above a block is one."""
    rows = np.flatnonzero(blocks).astype(np.int32)
    levels, place = [], np.full(len(parent), -1, dtype=np.int32)
    waiting = rows[parent[rows] < 0]
    depth = 0
    above = np.maximum(parent[rows], 0)
    while len(waiting):
        levels.append(waiting)
        place[waiting] = depth
        waiting = rows[(place[above] == depth) & (place[rows] < 0)]
        depth += 1
    return levels


def flow_heights(
    order: Rows,
    parent: Rows,
    depth: Depths,
    fixed: Mask,
    beside: Mask,
    least: Numbers,
    own: Numbers,
    tag_margin: Numbers,
    gap: Numbers,
    items: Rows,
    height: Numbers,
    /,
) -> Numbers:
    """Return float64[n], the margins of block rows; complete their items and heights in place.

    Args:
        order: int32[b], the block rows by depth.
        parent: int32[n].
        depth: int16[n].
        fixed: bool[n], rows as high as their ``own``.
        beside: bool[n], cells, which stand beside one another.
        least, own: float64[n], pixels.
        tag_margin: float64[n], half of what parts an element from its neighbours.
        gap: float64[n], the same between several items in it.
        items: int32[n], how many runs of inline content each row holds, to which blocks are added.
        height: float64[n], their heights, to which those of blocks are added.
    """
    margin = np.zeros(len(parent))
    cuts = np.flatnonzero(np.diff(depth[order])) + 1
    for rows in reversed(np.split(order, cuts)):
        tall = np.maximum(height[rows], least[rows])
        height[rows] = tall = np.where(fixed[rows], own[rows], tall)
        between = np.where(items[rows] > 1, gap[rows], 0.0)
        margin[rows] = np.where(tall > 0, np.maximum(tag_margin[rows], between), 0.0)
        above = parent[rows]
        inner = above >= 0
        cell = beside[rows]
        down = inner & ~cell
        np.add.at(height, above[down], tall[down] + 2 * margin[rows[down]])
        np.maximum.at(height, above[cell], tall[cell] + 2 * margin[rows[cell]])
        np.add.at(items, above[inner], (tall[inner] > 0).astype(np.int32))
    return margin
