"""Boxes, fonts and colours of every row: of a browser's layout, else estimated from markup."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.kernels.arrays import Floats, Mask
from chaffinch.layout.markup import (
    FONT_SIZE,
    FONT_WEIGHT,
    REPLACED,
    WHITE,
    Markup,
    inherited,
    read_markup,
    seen_without_text,
)
from chaffinch.page import Page, layout_columns, tags

Numbers = NDArray[np.float64]

# Widths of table cells, as shares of their row: from declared widths and from their text.

PAGE_WIDTH: Final = 1000.0
_MOST_GIVEN: Final = 0.8  # share left to declared widths where other columns declare none
_LEAST: Final = 1e-6
_ROW = tags.table(["tr"])


def beside(page: Page) -> Mask:
    """Return bool[n]: table cells, which are laid out beside their siblings, not below them."""
    cells: Mask = tags.CELL[page.tag] & _ROW[page.tag[np.maximum(page.parent, 0)]]
    return cells


def cell_shares(page: Page, markup: Markup, own_width: Numbers) -> tuple[Numbers, Numbers]:
    """Return (share, before), float64[n] each: the share of its table row's width a cell takes.

    ``before`` is that of the cells before it; both are 0 for other rows. Cells with a declared
    width get it, the others share the rest as their contents ask for, by ``own_width``, float64[n],
    the width of each row's own text or picture in pixels.
    """
    share, before = np.zeros(len(page)), np.zeros(len(page))
    cells = np.flatnonzero(beside(page))
    parent = page.parent[cells]
    declared = np.where(np.isnan(markup.width), markup.share, markup.width / PAGE_WIDTH)[cells]
    given = np.clip(np.nan_to_num(declared), 0, 1)
    holds = np.where(given > 0, 0, np.clip(page.total(own_width)[cells], 8.0, PAGE_WIDTH))
    taken, demand = (
        np.bincount(parent, one, minlength=len(page))[parent] for one in (given, holds)
    )
    most = np.where(demand > 0, _MOST_GIVEN, 1.0)
    scale = np.where((taken > most) | (demand == 0), most / np.maximum(taken, _LEAST), 1)
    left = (1 - np.minimum(taken, most)) / np.maximum(demand, _LEAST)
    share[cells] = np.maximum(np.where(given > 0, given * scale, holds * left), _LEAST)
    order = np.argsort(parent, kind="stable")
    sums = np.cumsum(share[cells[order]]) - share[cells[order]]
    first = np.searchsorted(parent[order], parent[order])
    before[cells[order]] = sums - sums[first]
    return share, before


# Estimated sizes, in pixels: of texts by their length, of replaced elements and margins by tag.

LINE_HEIGHT: Final = 1.2  # of the font size; browsers' «normal» is 1.1 to 1.3
CHARACTER: Final = 0.5  # width of a Latin character, of the font size; a wide one takes two
BOX_GAP: Final = 6.0  # around a block that holds several: stands for the margins of style sheets
INDENT: Final = 40.0
_IS_WIDE: Final = np.arange(0x1101) >= 0x1100  # noqa: PLR2004  Hangul, kana and Han begin here

_MARGINS: Final = {  # half of the vertical space that browsers leave between two such blocks
    "p": 8.0, "h1": 10.0, "h2": 10.0, "h3": 9.0, "h4": 10.0, "h5": 11.0, "h6": 12.0, "ul": 8.0,
    "ol": 8.0, "dl": 8.0, "pre": 7.0, "blockquote": 8.0, "figure": 8.0, "hr": 4.0, "dir": 8.0,
    "menu": 8.0, "table": 2.0, "td": 1.0, "th": 1.0, "form": 4.0, "fieldset": 6.0,
}  # fmt: skip
_SIZES: Final = {  # default width and height of elements without text
    "img": (120.0, 90.0), "image": (120.0, 90.0), "input": (160.0, 22.0), "select": (120.0, 22.0),
    "textarea": (200.0, 60.0), "button": (0.0, 22.0), "iframe": (300.0, 150.0),
    "embed": (300.0, 150.0), "object": (300.0, 150.0), "applet": (300.0, 150.0),
    "video": (300.0, 150.0), "audio": (300.0, 40.0), "canvas": (300.0, 150.0),
    "svg": (24.0, 24.0), "progress": (160.0, 16.0), "meter": (80.0, 16.0), "math": (0.0, 20.0),
    "keygen": (120.0, 22.0), "hr": (0.0, 2.0),
}  # fmt: skip


def _by_tag(values: dict[str, float]) -> Numbers:
    column = np.zeros(len(tags.NAMES))
    for name, value in values.items():
        column[tags.CODES[name]] = value
    return column


MARGIN = _by_tag(_MARGINS)
WIDTH = _by_tag({name: size[0] for name, size in _SIZES.items()})
HEIGHT = _by_tag({name: size[1] for name, size in _SIZES.items()})
GAP = np.where(tags.table("tbody thead tfoot tr td th".split()), 0.0, BOX_GAP)
FIXED = REPLACED | tags.table(["hr"])
INDENTED = tags.table("ul ol dir menu blockquote dd figure".split())


def own_sizes(page: Page, markup: Markup, drawn: Mask) -> tuple[Numbers, Numbers]:
    tag = page.tag
    fixed = FIXED[tag]
    font = markup.font_size.astype(np.float64)
    # Some characters are twice as wide as Latin ones.
    wide = np.minimum(kernels.characters(page.text, page.text_at, _IS_WIDE), page.own_length)
    width = (page.own_length + wide) * (CHARACTER * font)
    height = np.where(page.own_length > 0, font * LINE_HEIGHT, 0.0)
    given = np.where(np.isnan(markup.width), WIDTH[tag], np.minimum(markup.width, PAGE_WIDTH))
    tall = np.where(np.isnan(markup.height), HEIGHT[tag], markup.height)
    width[fixed], height[fixed] = given[fixed], tall[fixed]
    width[~drawn], height[~drawn] = 0, 0
    return width, height


# An estimated box for every row of a page that no browser has laid out.
#
# A simple, deterministic flow: blocks stack and fill their parent's width, table cells stand side
# by side with column widths shared by their text, inline content fills lines. Floats, positioning
# and style sheets aren't known.


@dataclass(frozen=True, eq=False)
class Boxes:
    """Where each row stands, in pixels from the top left corner of the page; float64[n] each."""

    left: Numbers
    top: Numbers
    width: Numbers
    height: Numbers


def flow(page: Page, markup: Markup) -> Boxes:
    """Lay out ``page`` by its tags, attributes and amounts of text."""
    if not len(page):
        empty = np.zeros(0)
        return Boxes(empty, empty, empty, empty)
    return _Flow(page, markup).boxes()


class _Flow:
    """A page with the sizes of its texts and pictures, while boxes are placed.

    Attributes:
        drawn: bool[n], rows that aren't hidden.
        blocks: bool[n], rows that are laid out as blocks: block elements, and inline ones around
            them.
        levels: intp[…] each, these by depth.
        width, height: float64[n], of each row's own text or picture, as if on one line.
        rows: int32[k], the inline rows, in m runs under one block each, that start ``at`` places
            of them; ``of`` is the run of each.
        owner: int32[m], the block of each run.
        rise: float64[m], height of one line of text, pixels.
        text, pictures: float64[m], width of all text, of all pictures and controls, on one line.
        tallest: float64[m], height of the tallest of these.
        breaks: float64[m], count of line breaks inside inline elements.
    """

    def __init__(self, page: Page, markup: Markup) -> None:
        self.page, self.markup = page, markup
        self.drawn = page.shown & ~markup.hidden
        self.blocks = page.around(tags.BLOCK[page.tag] & self.drawn)
        self.blocks[0] = True
        blocks = np.flatnonzero(self.blocks)
        order = np.argsort(page.depth[blocks], kind="stable")
        steps = np.flatnonzero(np.diff(page.depth[blocks[order]])) + 1
        self.levels = np.split(blocks[order], steps)
        self.width, self.height = own_sizes(page, markup, self.drawn)
        self._cut()

    def _cut(self) -> None:
        page, drawn, blocks = self.page, self.drawn, self.blocks
        bounds = np.zeros(len(page) + 1, dtype=np.int32)
        bounds[:-1] = blocks
        bounds[page.end[blocks]] = 1
        breaks = ~blocks & (page.tag == tags.CODES["br"])
        outer = breaks & blocks[np.maximum(page.parent, 0)]
        bounds[np.flatnonzero(outer) + 1] = 1
        self.rows = rows = np.flatnonzero(~blocks).astype(np.int32)
        self.at = at = np.flatnonzero(np.diff(np.cumsum(bounds[:-1])[rows], prepend=-1))
        fixed, broken = FIXED[page.tag[rows]], (breaks & drawn)[rows]
        font = self.markup.font_size[rows].astype(np.float64)
        font[~(((page.own_length > 0) & drawn)[rows] | broken)] = 0

        def each(by: np.ufunc, values: NDArray[Any]) -> Numbers:
            return by.reduceat(values.astype(np.float64), at) if len(at) else np.zeros(0)

        self.of = np.repeat(np.arange(len(at)), np.diff(np.append(at, len(rows))))
        self.owner = page.parent[rows[at]]
        self.rise = each(np.maximum, font) * LINE_HEIGHT
        self.text = each(np.add, np.where(fixed, 0, self.width[rows]))
        self.pictures = each(np.add, np.where(fixed, self.width[rows], 0))
        self.tallest = each(np.maximum, np.where(fixed, self.height[rows], 0.0))
        self.breaks = each(np.add, broken & ~outer[rows])

    def boxes(self) -> Boxes:
        """Place the block rows from the root downwards, then the inline rows in their lines."""
        page, markup, owner = self.page, self.markup, self.owner
        share, before = cell_shares(page, markup, self.width)
        indent = np.where(INDENTED[page.tag], INDENT, 0.0)
        given = np.where(FIXED[page.tag], self.width, markup.width)
        given = np.where(given > 0, given, np.nan)
        wide = markup.share.astype(np.float64)
        left, width = np.zeros((2, len(page)))
        width[0] = PAGE_WIDTH
        for level in self.levels[1:]:
            start, around = left[page.parent[level]], width[page.parent[level]]
            inner = np.maximum(around - indent[level], 1)
            wanted = np.where(np.isnan(given[level]), wide[level] * around, given[level])
            is_cell = share[level] > 0
            width[level] = np.where(is_cell, share[level] * around, np.fmin(wanted, inner))
            left[level] = start + np.where(is_cell, before[level] * around, around - inner)
        room = np.maximum(width[owner], 1.0)
        lines = np.maximum(np.ceil(self.text / room), (self.rise > 0).astype(np.float64))
        pictures = np.maximum(np.ceil(self.pictures / room), (self.tallest > 0).astype(np.float64))
        line = (lines + self.breaks) * self.rise + pictures * self.tallest
        top, run_top, height = self._down(line)
        boxes = Boxes(left, top, width, height)
        if len(self.rows):
            self._place_inline(boxes, line, run_top)
        boxes.width[~self.drawn] = boxes.height[~self.drawn] = 0
        return boxes

    def _down(self, line: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the tops of the block rows and of the runs, and the heights of the block rows.

        They are measured from the innermost upwards; each stands below its siblings before it.
        ``line`` is float64[m], the height of each run.
        """
        page, owner = self.page, self.owner
        blocks = np.flatnonzero(self.blocks)
        height, margin = np.zeros((2, len(page)))
        items = np.zeros(len(page), dtype=np.int32)
        np.add.at(height, owner, line)
        np.add.at(items, owner, line > 0)
        given = np.where(np.isnan(self.markup.height), 0.0, self.markup.height).astype(np.float64)
        besides = beside(page)
        for level in reversed(self.levels):
            tag, cells, above = page.tag[level], besides[level], page.parent[level]
            tall = np.where(FIXED[tag], self.height[level], np.maximum(height[level], given[level]))
            gap = np.where(items[level] > 1, GAP[tag], 0)
            height[level] = tall
            margin[level] = np.where(tall > 0, np.maximum(MARGIN[tag], gap), 0)
            full = tall + 2 * margin[level]
            if level[0]:  # the first row stands in no other
                np.add.at(items, above, tall > 0)
                np.add.at(height, above[~cells], full[~cells])
                np.maximum.at(height, above[cells], full[cells])
        rows = blocks[1:]
        item = np.concatenate([rows, self.rows[self.at]])
        parent = np.concatenate([page.parent[rows], owner])
        taken = np.where(besides[rows], 0, height[rows] + 2 * margin[rows])
        takes = np.concatenate([taken, line])
        order = np.lexsort((item, parent))
        ends = np.cumsum(takes[order])
        first = np.flatnonzero(np.diff(parent[order], prepend=-1))
        lengths = np.diff(np.append(first, len(order)))
        base = np.repeat((ends - takes[order])[first], lengths)
        offset = np.empty(len(order))
        offset[order] = ends - takes[order] - base
        shift, top = np.zeros(len(page)), np.zeros(len(page))
        shift[rows] = offset[: len(rows)] + margin[rows]
        for level in self.levels[1:]:
            top[level] = top[page.parent[level]] + shift[level]
        return top, top[owner] + offset[len(rows) :], height

    def _place_inline(self, boxes: Boxes, line: Numbers, top: Numbers) -> None:
        rows, of, owner = self.rows, self.of, self.owner
        prefix = np.append(0, np.cumsum(self.width))
        start = prefix[rows] - prefix[rows[self.at]][of]
        taken = prefix[self.page.end[rows]] - prefix[rows]
        room = np.maximum(boxes.width[owner], 1.0)[of]
        mixed = (self.tallest > 0)[of]
        before = np.floor(start / room)
        after = np.maximum(np.ceil((start + taken) / room), before + 1)
        single = after - before <= 1
        edge = boxes.left[owner][of]
        boxes.left[rows] = np.where(single, edge + start - before * room, edge)
        boxes.width[rows] = np.where(single, taken, room)
        rise = self.rise[of]
        boxes.top[rows] = top[of] + np.where(mixed, 0, before * rise)
        tall = np.minimum((after - before) * rise, line[of])
        boxes.height[rows] = np.where(mixed, line[of], tall)
        boxes.height[rows[taken == 0]] = 0


@dataclass(frozen=True, eq=False)
class Looks:
    """Boxes, fonts and colours of the rows of a page; the same columns from either source."""

    rendered: bool  # whether they are a browser's; else they are estimated from markup
    left: Floats  # float32[n], pixels from the left edge of the page
    top: Floats  # float32[n], pixels from its upper edge
    right: Floats  # float32[n], never less than ``left``
    bottom: Floats  # float32[n], never less than ``top``
    font_size: Floats  # float32[n], pixels
    font_weight: Floats  # float32[n], 1 to 1000
    background: Floats  # float32[n], 0xRRGGBB of the nearest background at or above the row
    # bool[n], rows that show something themselves: text that isn't white space, pictures, controls,
    # embedded documents
    seen: Mask
    valid: Mask  # bool[n], rows that can be seen: seen themselves or holding such a row


def looks(page: Page) -> Looks:
    """Return the looks of every row: from the layout columns of a rendered page, else estimated."""
    return _rendered(page, page.layout) if page.layout is not None else _from_markup(page)


def _from_markup(page: Page) -> Looks:
    markup = read_markup(page)
    boxes = flow(page, markup)
    seen = ((page.written & (page.tag == tags.TEXT)) | seen_without_text(page)) & page.shown
    seen &= ~markup.hidden & ((boxes.width > 0) | (boxes.height > 0))
    return Looks(
        False,
        boxes.left.astype(np.float32),
        boxes.top.astype(np.float32),
        (boxes.left + boxes.width).astype(np.float32),
        (boxes.top + boxes.height).astype(np.float32),
        markup.font_size,
        markup.font_weight,
        markup.background,
        seen,
        page.around(seen),
    )


def _rendered(page: Page, columns: Floats) -> Looks:
    width, height = columns[:, layout_columns.WIDTH], columns[:, layout_columns.HEIGHT]
    boxed = (width > 0) & (height > 0)
    seen = ((page.written & (page.tag == tags.TEXT)) | seen_without_text(page)) & page.shown
    seen &= boxed & (columns[:, layout_columns.VISIBLE] != 0)
    valid = page.around(seen)
    left, top = columns[:, layout_columns.X].copy(), columns[:, layout_columns.Y].copy()
    right, bottom = left + width, top + height
    # Elements that take no room themselves (display: contents, a box of floats) are as big as
    # what they hold; from the last row upwards, so that inner ones come first.
    for row in np.flatnonzero(valid & ~boxed)[::-1].tolist():
        inner = np.flatnonzero(valid[row + 1 : page.end[row]]) + row + 1
        left[row], top[row] = left[inner].min(), top[inner].min()
        right[row], bottom[row] = right[inner].max(), bottom[inner].max()
    for column in (left, top, right, bottom):
        column[~valid] = 0
    return Looks(
        True,
        left,
        top,
        right,
        bottom,
        inherited(page, columns[:, layout_columns.FONT_SIZE], FONT_SIZE),
        inherited(page, columns[:, layout_columns.FONT_WEIGHT], FONT_WEIGHT),
        inherited(page, columns[:, layout_columns.BACKGROUND], WHITE),
        seen,
        valid,
    )
