"""Ids of a page's blocks: by their text alone, so that no method, policy or release changes them.

A block is a text block of the page (`chaffinch.segment.text_blocks`), kept or not. Blocks of equal
text are counted in document order: the second has ``-2`` behind the id of the first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.citation.folding import folded_each, folded_id
from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.result import Content


class BlockIds:
    """The ids of the blocks of a content's page; `block_ids` makes them once for each content.

    Attributes:
        ids: the id of each text block, in document order.
    """

    def __init__(self, content: Content) -> None:
        self._blocks = text_blocks(content.page)
        self._last = self._blocks.last.tolist()
        kept = content.kept & (self._blocks.block >= 0)
        self._kept_rows = np.flatnonzero(kept).tolist()
        self._kept_blocks = self._blocks.block[kept].tolist()  # ascend, as their rows do
        seen: dict[str, int] = {}
        self.ids: list[str] = []
        for text in checked(folded_each(self._blocks.texts())):
            own = folded_id(text)
            seen[own] = count = seen.get(own, 0) + 1
            self.ids.append(own if count == 1 else f"{own}-{count}")

    def of_row(self, row: int) -> str:
        """Return the id of the block that a row stands in or before; "" behind the last."""
        at = bisect_right(self._last, row)
        return self.ids[at] if at < len(self.ids) else ""

    def within(self, rows: tuple[int, int]) -> tuple[str, ...]:
        """Return the ids of the blocks that a half-open range of rows holds kept rows of."""
        first, last = bisect_left(self._kept_rows, rows[0]), bisect_left(self._kept_rows, rows[1])
        held = self._kept_blocks[first:last]
        if held and held[0] == held[-1]:
            return (self.ids[held[0]],)
        return tuple([self.ids[at] for at in dict.fromkeys(held)])


def block_ids(content: Content) -> BlockIds:
    """Return the ids of the page's blocks; they are made on first use and kept with it."""
    found: BlockIds = content.derived("block ids", lambda: BlockIds(content))
    return found
