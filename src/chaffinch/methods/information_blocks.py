"""Information blocks: locate the topic region from above, then filter its noise.

Source: topic-information, sections 3.1 to 3.4; steps and departures: docs/methods.md. Content has
three forms, each counted by a unit of its own: prose (outside links and data tables) by commas and
full stops, data tables by cells that aren't empty, images by images.

Where the source is silent: a comma or full stop in a number counts, the Chinese 、 doesn't. A p
sets prose if it holds some, a br if the line it ends does. A cell isn't empty if it holds text or
an image. The blocks of a region are tested by counts that are made once; removing an inner block
doesn't change those of the outer one. Sizes are read from attributes and inline style, in pixels
alone.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.elements.image_sources import declared_size
from chaffinch.elements.tables import data_tables
from chaffinch.errors import LARGEST
from chaffinch.kernels.arrays import Mask, Rows
from chaffinch.page import Page, tags
from chaffinch.segment.densities import own_marks, shares, text_rows
from chaffinch.verdict import Method, Verdict

PUNCTUATION: Final = "，。．｡,.،۔।"
"""Commas and full stops: Chinese, Japanese, Latin, Arabic, Urdu, Devanagari."""

_NEGATIVE: Final = ("a", "iframe", "frame", "input", "form")

_OUTSIDE, _REGION, _SMALL_IMAGE, _NARROW_IMAGE, _LINKED_IMAGE, _LONE_IMAGE = range(6)
_NO_UNIT, _MOSTLY_LINKS, _SHORT_LINKS = range(6, 9)
"""The steps that decide; see `InformationBlocks.reasons`."""


@dataclass(frozen=True, kw_only=True)
class InformationBlocks(Method):
    """Content is the region that holds most units of content, less its blocks of links.

    Attributes:
        region_share: the region descends into a child block with more than this share (0.5..1) of
            its parent's positive weight.
        min_image_side: images with a side below this are noise; pixels.
        max_image_ratio: images longer than this many times their other side are noise.
        min_image_text: images without a size are noise if their block and the block around it
            hold fewer characters than this.
        max_negative_ratio: blocks with more than this many links, frames and forms for each unit
            of content are noise.
        min_block_text: blocks with more links, frames and forms than units are noise if they hold
            fewer characters than this and
        min_node_text: fewer characters on average than this in each text node.
        directory_ratio: the page is a directory if the region holds at least this many characters
            in links for each one outside.
        image_ratio: the page is one of images if at least this many are kept for each other unit.
        max_in_cell: a table cell with more links, controls or images is one of a layout table.
    """

    region_share: float = 0.75
    min_image_side: float = 100
    max_image_ratio: float = 3
    min_image_text: int = 15
    max_negative_ratio: float = 4
    min_block_text: int = 50
    min_node_text: float = 5
    directory_ratio: float = 0.6
    image_ratio: float = 0.5
    max_in_cell: int = 1

    bounds: ClassVar = {"region_share": (0.5, 1), "max_image_ratio": (1, LARGEST)}
    reasons: ClassVar[tuple[str, ...]] = (
        "outside the topic region",
        "in the topic region",
        "image too small",
        "image too long or wide",
        "image in a link",
        "image without size or text around it",
        "block without any unit of content",
        "block mostly of links and forms",
        "block of links and little text",
    )

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``.

        Its ``score`` is units of content in all units of a row's block; 0.2 is the source's 4 : 1.
        """
        if page.body < 0:
            return Verdict.empty(len(page))
        data = data_tables(page, max_in_cell=self.max_in_cell)
        block = self._blocks(page, data)
        innermost = kernels.nearest(page.parent, block)
        around = np.where(block, innermost[page.parent], np.int32(-1))
        around[page.body] = -1
        units = own_units(page, data)
        positive = page.total(units)
        region = self._region(page, block, around, positive)
        why = np.full(len(page), _OUTSIDE, dtype=np.int8)
        inner = slice(region, int(page.end[region]))
        why[inner] = _REGION
        image = page.is_tag("img")
        for row in np.flatnonzero(image & (why == _REGION)).tolist():
            size = declared_size(page, row)
            why[row] = self._of_image(page, row, size, int(innermost[row]), around)
        positive += page.total(image & (why == _REGION))
        negative = page.total(page.is_tag(*_NEGATIVE))
        within = np.zeros(len(page), dtype=bool)
        within[inner] = block[inner]
        within[region] = False
        self._filter(page, within, positive, negative, why)
        of_block = shares(positive, positive + negative).astype(np.float32)
        score = np.where(innermost >= 0, of_block[innermost], np.float32(0))
        keep = (why == _REGION) & page.shown
        kind = self._page_kind(page, region, units, data, keep)
        return Verdict(keep, score, why, page_type=kind, judges_images=True)

    def _blocks(self, page: Page, data: Mask) -> Mask:
        """Return bool[n]: information blocks, the body included."""
        block = page.is_tag("div", "table") & ~page.inside(data)
        block[: page.body] = False
        block[page.body] = True
        return block

    def _region(self, page: Page, block: Mask, around: Rows, positive: NDArray[np.int64]) -> int:
        rows = np.flatnonzero(block)
        rows = rows[around[rows] >= 0]
        above = around[rows]
        heavy = positive[rows] > self.region_share * positive[above]
        # More than half of a block's weight can lie in one of its child blocks only.
        step = dict(zip(above[heavy].tolist(), rows[heavy].tolist(), strict=True))
        region = page.body
        while region in step:
            region = step[region]
        return region

    def _of_image(
        self,
        page: Page,
        row: int,
        size: tuple[float | None, float | None],
        block: int,
        around: Rows,
    ) -> int:
        """Return which rule rejects the image ``row`` in its innermost ``block``, or REGION."""
        width, height = size
        sides = [side for side in (width, height) if side is not None]
        if any(side < self.min_image_side for side in sides):
            return _SMALL_IMAGE
        if width and height and max(width, height) > self.max_image_ratio * min(width, height):
            return _NARROW_IMAGE
        if page.in_link[row]:
            return _LINKED_IMAGE
        outer = int(around[block])
        texts = [int(page.length[b]) for b in (block, outer) if b >= 0]
        if not sides and all(length < self.min_image_text for length in texts):
            return _LONE_IMAGE
        return _REGION

    def _filter(
        self,
        page: Page,
        within: Mask,
        positive: NDArray[np.int64],
        negative: NDArray[np.int64],
        why: NDArray[np.int8],
    ) -> None:
        """Set in ``why`` the reason of all rows in a noise block among ``within``."""
        rows = np.flatnonzero(within)
        good, bad, length = positive[rows], negative[rows], page.length[rows]
        nodes = page.total(text_rows(page))[rows]
        short = length < np.minimum(self.min_block_text, self.min_node_text * np.maximum(nodes, 1))
        code = np.where((bad > good) & short, _SHORT_LINKS, _OUTSIDE)
        code[bad > self.max_negative_ratio * good] = _MOSTLY_LINKS
        code[good == 0] = _NO_UNIT
        stop = 0
        for row, reason in zip(rows[code > 0].tolist(), code[code > 0].tolist(), strict=True):
            if row >= stop:
                stop = int(page.end[row])
                why[row:stop] = reason

    def _page_kind(
        self, page: Page, region: int, units: NDArray[np.int64], data: Mask, keep: Mask
    ) -> str:
        """Return ``image``, ``directory``, ``table`` or ``topic``, the first that holds."""
        cells = keep & page.inside(data) & page.is_tag("td", "th")
        tabular, images = int(units[cells].sum()), int((keep & page.is_tag("img")).sum())
        prose = int(units[keep].sum()) - tabular
        if images and images >= self.image_ratio * max(prose, tabular):
            return "image"
        linked = int(page.link_length[region])
        if linked and linked >= self.directory_ratio * (int(page.length[region]) - linked):
            return "directory"
        return "table" if tabular > prose else "topic"


def own_units(page: Page, data: Mask) -> NDArray[np.int64]:
    """Return int64[n]: the positive units each row adds: PW(B) = NS + NTC + NP + 2 NH of its rows.

    That is the source's formula (1), before it is summed over subtrees: commas and full stops of a
    text row outside links and data tables (``data``, bool[n]), 1 for a cell of a data table that
    isn't empty, 1 for a p or br that sets prose, 2 for an h1 with text.
    """
    in_data = page.inside(data) if data.any() else data
    units = np.where(in_data | page.in_link, 0, own_marks(page, PUNCTUATION)).astype(np.int64)
    if in_data.any():
        filled = page.length + page.total(page.is_tag("img")) > 0
        units[page.is_tag("td", "th") & in_data & filled] = 1
    plain = page.length - page.link_length
    units[page.is_tag("p") & (plain > 0) & ~in_data] = 1
    br = np.flatnonzero(page.is_tag("br") & ~in_data)
    if len(br):
        own = np.where(page.in_link, 0, page.own_length)
        of_line = np.bincount(page.line, weights=own)
        closed = np.zeros(len(page) + 1, dtype=bool)
        closed[page.end[tags.BLOCK[page.tag]]] = True
        units[br] = (of_line[page.line[br - 1]] > 0) & ~closed[br]
    units[page.is_tag("h1") & (page.length > 0)] = 2
    return units
