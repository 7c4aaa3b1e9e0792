"""An estimated box for every row of a page that no browser has laid out.

A simple, deterministic flow: blocks stack and fill their parent's width, table cells stand side by
side with column widths shared by their text, inline content fills lines. Floats, positioning and
style sheets aren't known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.layout.cell_widths import PAGE_WIDTH, beside, cell_shares
from chaffinch.layout.estimated_sizes import (
    FIXED,
    GAP,
    INDENT,
    INDENTED,
    LINE_HEIGHT,
    MARGIN,
    own_sizes,
)
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.layout.markup import Markup
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Where each row stands, in pixels from the top left corner of the page; float64[n] each."""

    left: Numbers
    top: Numbers
    width: Numbers
    height: Numbers


@dataclass(frozen=True, eq=False)
class _Measured:
    """The page with the sizes of its texts and pictures, before boxes are placed."""

    page: Page
    markup: Markup
    drawn: Mask  # rows that aren't hidden
    blocks: Mask  # rows that are laid out as blocks: block elements, and inline ones around them
    width: Numbers  # of each row's own text or picture, as if on one line
    height: Numbers


class _Heights(NamedTuple):
    height: Numbers  # of the block rows
    margin: Numbers  # half of the vertical space to their neighbours
    line: Numbers  # height of each run


@dataclass(frozen=True, eq=False)
class _Runs:
    """Runs of inline rows under one block: m runs over the inline rows ``rows``."""

    rows: Rows
    at: NDArray[np.intp]  # where each run starts in ``rows``
    of: NDArray[np.intp]  # the run of each of ``rows``
    owner: Rows
    rise: Numbers  # height of one line of text, pixels
    text: Numbers  # width of all text on one line
    pictures: Numbers  # the same of all pictures and controls
    tallest: Numbers
    breaks: Numbers  # count of line breaks inside inline elements


def flow(page: Page, markup: Markup) -> Boxes:
    """Lay out ``page`` by its tags, attributes and amounts of text."""
    count = len(page)
    if count == 0:
        empty = np.zeros(0)
        return Boxes(empty, empty, empty, empty)
    drawn = page.shown & ~markup.hidden
    blocks = page.around(tags.BLOCK[page.tag] & drawn)
    blocks[0] = True
    measured = _Measured(page, markup, drawn, blocks, *own_sizes(page, markup, drawn))
    runs = _runs(measured)
    levels = _levels(page, blocks)
    left, width = _across(measured)
    heights = _heights(measured, levels, width, runs)
    top, run_top = _down(measured, levels, runs, heights)
    boxes = Boxes(left, top, width, heights.height)
    _place_inline(measured, boxes, runs, heights.line, run_top)
    gone = ~drawn
    boxes.width[gone] = boxes.height[gone] = 0
    return boxes


def _runs(measured: _Measured) -> _Runs:
    page, markup, drawn, blocks = measured.page, measured.markup, measured.drawn, measured.blocks
    width, height = measured.width, measured.height
    inline = ~blocks
    bounds = np.zeros(len(page) + 1, dtype=np.int32)
    bounds[:-1] = blocks
    bounds[page.end[blocks]] = 1
    breaks = inline & (page.tag == tags.CODES["br"])
    outer = breaks & blocks[np.maximum(page.parent, 0)]
    bounds[np.flatnonzero(outer) + 1] = 1
    rows = np.flatnonzero(inline).astype(np.int32)
    key = np.cumsum(bounds[:-1])[rows]
    at = np.flatnonzero(np.diff(key, prepend=-1))
    fixed = FIXED[page.tag[rows]]
    broken = (breaks & drawn)[rows]
    nested = broken & ~outer[rows]
    font = np.where(
        ((page.own_length > 0) & drawn)[rows] | broken, markup.font_size[rows].astype(np.float64), 0
    )

    def sums(values: NDArray[Any]) -> Numbers:
        return np.add.reduceat(values.astype(np.float64), at) if len(at) else np.zeros(0)

    def most(values: Numbers) -> Numbers:
        return np.maximum.reduceat(values, at) if len(at) else np.zeros(0)

    return _Runs(
        rows,
        at,
        np.repeat(np.arange(len(at)), np.diff(np.append(at, len(rows)))),
        page.parent[rows[at]],
        most(font) * LINE_HEIGHT,
        sums(np.where(fixed, 0, width[rows])),
        sums(np.where(fixed, width[rows], 0)),
        most(np.where(fixed, height[rows], 0.0)),
        sums(nested),
    )


def _levels(page: Page, blocks: Mask) -> list[Rows]:
    """Return the block rows of each depth, the root's first."""
    rows = np.flatnonzero(blocks).astype(np.int32)
    depth = page.depth[rows]
    order = rows[np.argsort(depth, kind="stable")]
    cuts = np.flatnonzero(np.diff(np.sort(depth))) + 1
    return np.split(order, cuts)


def _across(measured: _Measured) -> tuple[Numbers, Numbers]:
    """Return (left, width) of the block rows, from the root downwards."""
    page, markup = measured.page, measured.markup
    share, before = cell_shares(page, markup, measured.width)
    indent = np.where(INDENTED[page.tag], INDENT, 0.0)
    given = np.where(FIXED[page.tag], measured.width, markup.width)
    given = np.where(given > 0, given, np.nan)
    wide = markup.share.astype(np.float64)
    columns = given, wide, indent, share, before
    return kernels.flow_across(page.parent, measured.blocks, *columns, PAGE_WIDTH)


def _heights(measured: _Measured, levels: list[Rows], width: Numbers, runs: _Runs) -> _Heights:
    """Measure the block rows from the innermost upwards, and the runs."""
    page, markup = measured.page, measured.markup
    room = np.maximum(width[runs.owner], 1.0)
    lines = np.maximum(np.ceil(runs.text / room), (runs.rise > 0).astype(np.float64))
    pictures = np.maximum(np.ceil(runs.pictures / room), (runs.tallest > 0).astype(np.float64))
    line = (lines + runs.breaks) * runs.rise + pictures * runs.tallest
    height = np.zeros(len(page))
    np.add.at(height, runs.owner, line)
    items = np.zeros(len(page), dtype=np.int32)
    np.add.at(items, runs.owner, (line > 0).astype(np.int32))
    given = np.where(np.isnan(markup.height), 0.0, markup.height)
    fixed, tag_margin, tag_gap = FIXED[page.tag], MARGIN[page.tag], GAP[page.tag]
    besides = beside(page)
    given = given.astype(np.float64)
    of_rows = page.parent, page.depth, fixed, besides, given, measured.height, tag_margin, tag_gap
    margin = kernels.flow_heights(np.concatenate(levels), *of_rows, items, height)
    return _Heights(height, margin, line)


def _down(
    measured: _Measured, levels: list[Rows], runs: _Runs, heights: _Heights
) -> tuple[Numbers, Numbers]:
    """Return the tops of the block rows and of the runs: each below its siblings before it."""
    page, (height, margin, line) = measured.page, heights
    rows = np.flatnonzero(measured.blocks)[1:].astype(np.int32)
    besides = beside(page)[rows]
    item = np.concatenate([rows, runs.rows[runs.at]])
    parent = np.concatenate([page.parent[rows], runs.owner])
    takes = np.concatenate([np.where(besides, 0, height[rows] + 2 * margin[rows]), line])
    order = np.lexsort((item, parent))
    ends = np.cumsum(takes[order])
    first = np.flatnonzero(np.diff(parent[order], prepend=-1))
    lengths = np.diff(np.append(first, len(order)))
    base = np.repeat((ends - takes[order])[first], lengths)
    offset = np.empty(len(order))
    offset[order] = ends - takes[order] - base
    shift = np.zeros(len(page))
    shift[rows] = offset[: len(rows)] + margin[rows]
    top = np.zeros(len(page))
    for level in levels[1:]:
        top[level] = top[page.parent[level]] + shift[level]
    return top, top[runs.owner] + offset[len(rows) :]


def _place_inline(
    measured: _Measured, boxes: Boxes, runs: _Runs, line: Numbers, top: Numbers
) -> None:
    """Place the inline rows in the lines of their runs."""
    if len(runs.rows) == 0:
        return
    page, rows, of = measured.page, runs.rows, runs.of
    prefix = np.append(0, np.cumsum(measured.width))
    start = prefix[rows] - prefix[rows[runs.at]][of]
    taken = prefix[page.end[rows]] - prefix[rows]
    room = np.maximum(boxes.width[runs.owner], 1.0)[of]
    mixed = (runs.tallest > 0)[of]
    before = np.floor(start / room)
    after = np.maximum(np.ceil((start + taken) / room), before + 1)
    single = after - before <= 1
    edge = boxes.left[runs.owner][of]
    boxes.left[rows] = np.where(single, edge + start - before * room, edge)
    boxes.width[rows] = np.where(single, taken, room)
    rise = runs.rise[of]
    boxes.top[rows] = top[of] + np.where(mixed, 0, before * rise)
    boxes.height[rows] = np.where(mixed, line[of], np.minimum((after - before) * rise, line[of]))
    boxes.height[rows[taken == 0]] = 0
