"""Sums over the elements above each text block, for all blocks at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks


@dataclass(frozen=True, eq=False)
class Ancestors:
    """The r elements that hold some of m blocks of n rows, and how to sum over those above each.

    Attributes:
        blocks: the blocks.
        begun: int32[n + 1], blocks that begin before each row.
        holds: bool[n], rows in whose subtree a block begins.
        rows: intp[r], elements that hold blocks, ascending.
        place: int32[n], where each of them stands in ``rows``; 0 for all other rows.
        up: int32[r], where in ``rows`` the parent of each stands; itself for the outermost.
        over: int32[m], where in ``rows`` the parent of each block's first row stands.
    """

    blocks: TextBlocks
    begun: Rows
    holds: Mask
    rows: NDArray[np.intp]
    place: Rows
    up: Rows
    over: Rows

    @classmethod
    def of(cls, blocks: TextBlocks) -> Ancestors:
        """Return the elements above ``blocks``."""
        page, first = blocks.page, blocks.first
        count = len(page)
        begun = np.zeros(count + 1, dtype=np.int32)
        if compiled := kernels():
            holds = np.empty(count, dtype=bool)
            rows = np.empty(count, dtype=np.intp)
            place, up = np.empty((2, count), dtype=np.int32)
            over = np.empty(len(blocks), dtype=np.int32)
            given = page.tag, page.parent, page.end, first
            number = compiled.above(*given, begun, holds, rows, place, up, over)
            return cls(blocks, begun, holds, rows[:number], place, up[:number], over)
        begun[first + 1] = 1
        np.add.accumulate(begun, out=begun)
        holds = begun[page.end] > begun[:-1]
        rows = np.flatnonzero(holds & (page.tag != tags.TEXT))
        place = np.zeros(count, dtype=np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        parent = np.maximum(page.parent, 0)
        return cls(blocks, begun, holds, rows, place, place[parent[rows]], place[parent[first]])

    def sums(self, values: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return int32[k, m]: the sum of ``values``, int32[k, r], over what is above each block.

        Sums may wrap around.
        """
        sums: NDArray[np.int32]
        if compiled := kernels():
            sums = np.empty((len(values), len(self.over)), dtype=np.int32)
            compiled.sums_above(
                self.up, self.over, np.ascontiguousarray(values), np.empty_like(self.up), sums
            )
            return sums
        by_end, opened, closed = self._edges
        before = np.zeros((2, len(values), len(self.rows) + 1), dtype=np.int32)
        before[0, :, 1:] = values
        before[1, :, 1:] = values.take(by_end, axis=1)
        np.add.accumulate(before, axis=2, out=before)
        sums = before[0].take(opened, axis=1)
        sums -= before[1].take(closed, axis=1)
        return sums

    @cached_property
    def _edges(self) -> tuple[NDArray[np.intp], ...]:
        """intp[r], intp[m], intp[m]: the order of the elements' ends, how many begin and end.

        A sum over what is above a row is what was opened up to it minus what was closed up to it:
        two prefix sums, one in the order of the starts and one in that of the ends.
        """
        first, end = self.blocks.first, self.blocks.page.end[self.rows]
        by_end = np.argsort(end, kind="stable")
        closed = np.searchsorted(end[by_end], first, side="right")
        return by_end, np.searchsorted(self.rows, first), closed
