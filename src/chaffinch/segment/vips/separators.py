"""Visual separators between the blocks of a pool, and their weights.

Cai, Yu, Wen, Ma: VIPS, MSR-TR-2003-79, 2003, section 4.2. There a separator that spans the pool is
split by blocks that lie in it, trimmed by those that cross it, removed by those that cover it, and
dropped at the border. What is left are the gaps that no block reaches into, and those are read off
directly here, in one sweep over the blocks. Departure: blocks that touch have a separator of no
thickness between them, for many styles leave no gap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.layout.estimated_boxes import Looks
    from chaffinch.page import Page
    from chaffinch.segment.vips.blocks import Block
    from chaffinch.segment.vips.settings import Settings


class Gap(NamedTuple):
    """A separator and the blocks next to it.

    Attributes:
        start: pixels, where it begins (its top, or its left edge).
        stop: pixels, where it ends; not before ``start``.
        before: position in the pool of the block that reaches furthest before it.
        after: position in the pool of the first block after it.
        first: how many blocks of the pool, in the order of the sweep, lie before it.
    """

    start: float
    stop: float
    before: int
    after: int
    first: int


def gaps(pool: Sequence[Block], *, horizontal: bool, overlap: float) -> tuple[list[int], list[Gap]]:
    """Return (order, gaps): the pool sorted along the axis, and the separators in that order.

    ``overlap`` is in pixels: blocks that reach that far into each other are still parted.
    """
    if horizontal:
        starts = [block.top for block in pool]
        stops = [block.bottom for block in pool]
    else:
        starts = [block.left for block in pool]
        stops = [block.right for block in pool]
    order = sorted(range(len(pool)), key=starts.__getitem__)
    found = []
    reach, furthest = stops[order[0]], order[0]
    for index in range(1, len(order)):
        item = order[index]
        start, stop = starts[item], stops[item]
        # A block inside the tolerance mustn't be parted from one that it lies within.
        if start >= reach - overlap and stop > reach:
            found.append(Gap(min(reach, start), max(reach, start), furthest, item, index))
        if stop > reach:
            reach, furthest = stop, item
    return order, found


@dataclass(frozen=True, eq=False)
class Weigher:
    """Computes the weights of one page's separators."""

    settings: Settings
    background: list[float]
    font_size: list[float]
    font_weight: list[float]
    end: list[int]
    text_before: list[int]
    text_rows: list[int]
    rules: list[tuple[float, float, float]]  # middle, left and right of each hr, by height

    @classmethod
    def of(cls, page: Page, looks: Looks, settings: Settings) -> Weigher:
        """Collect the columns that weights are computed from: fonts, backgrounds, hr elements."""
        is_text = looks.seen & (page.tag == tags.TEXT)
        before = np.zeros(len(page) + 1, dtype=np.int32)
        np.cumsum(is_text, out=before[1:])
        hr = np.flatnonzero((page.tag == tags.CODES["hr"]) & page.shown & (looks.right > 0))
        middle = (looks.top[hr] + looks.bottom[hr]) / 2
        rules = zip(middle.tolist(), looks.left[hr].tolist(), looks.right[hr].tolist(), strict=True)
        return cls(
            settings,
            looks.background.tolist(),
            looks.font_size.tolist(),
            looks.font_weight.tolist(),
            page.end.tolist(),
            before.tolist(),
            np.flatnonzero(is_text).tolist(),
            sorted(rules),
        )

    def weight(self, gap: Gap, pool: Sequence[Block], *, horizontal: bool) -> int:
        """Return the weight of a separator, 0 and up."""
        settings = self.settings
        before, after = pool[gap.before], pool[gap.after]
        weight = settings.base_weight
        weight += bisect_right(settings.distances, gap.stop - gap.start)
        if self.background[before.roots[0]] != self.background[after.roots[0]]:
            weight += settings.background_weight
        if horizontal:
            if self.rules and self._has_rule(gap, before, after):
                weight += settings.hr_weight
            weight += self._font_weight(before, after)
        if before.kind == after.kind:
            weight -= settings.like_weight
        return max(weight, 0)

    def _has_rule(self, gap: Gap, before: Block, after: Block) -> bool:
        index = bisect_left(self.rules, (gap.start,))
        while index < len(self.rules) and self.rules[index][0] <= gap.stop:
            _, left, right = self.rules[index]
            if right > min(before.left, after.left) and left < max(before.right, after.right):
                return True
            index += 1
        return False

    def _font_weight(self, before: Block, after: Block) -> int:
        """Return the weight added by the fonts of the last text before and the first after."""
        last = self.text_before[self.end[before.roots[-1]]] - 1
        first = self.text_before[after.roots[0]]
        if last < self.text_before[before.roots[0]]:
            return 0
        if first >= self.text_before[self.end[after.roots[-1]]]:
            return 0
        above, below = self.text_rows[last], self.text_rows[first]
        weight, ratio = 0, self.settings.font_ratio
        small, big = sorted((self.font_size[above], self.font_size[below]))
        while big >= small * ratio > 0:
            weight, small = weight + 1, small * ratio
        if (self.font_weight[above] >= _BOLD) != (self.font_weight[below] >= _BOLD):
            weight += self.settings.font_weight
        if self.font_size[above] < self.font_size[below]:
            weight += self.settings.smaller_before_weight
        return weight


_BOLD = 600.0
