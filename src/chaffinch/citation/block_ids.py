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
    """The ids of the blocks of a content's page; `block_ids` keeps them with it.

    Each is made when it is asked for: most blocks of a page are noise that nobody cites.
    """

    def __init__(self, content: Content) -> None:
        self._blocks = text_blocks(content.page)
        self._last = self._blocks.last.tolist()
        kept = content.kept & (self._blocks.block >= 0)
        self._kept_rows = np.flatnonzero(kept).tolist()
        self._kept_blocks = self._blocks.block[kept].tolist()  # ascend, as their rows do
        self._texts = folded_each(self._blocks.texts())
        self._turns: list[int] = []
        seen: dict[str, int] = {}
        for text in checked(self._texts):
            seen[text] = turn = seen.get(text, 0) + 1
            self._turns.append(turn)
        self._made: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, block: int) -> str:
        """Return the id of a text block by its number.

        Raises:
            IndexError: there is none.
        """
        if block not in self._made:
            own, turn = folded_id(self._texts[block]), self._turns[block]
            self._made[block] = own if turn == 1 else f"{own}-{turn}"
        return self._made[block]

    def of_row(self, row: int) -> str:
        """Return the id of the block that a row stands in or before; "" behind the last."""
        at = bisect_right(self._last, row)
        return self[at] if at < len(self) else ""

    def within(self, rows: tuple[int, int]) -> tuple[str, ...]:
        """Return the ids of the blocks that a half-open range of rows holds kept rows of."""
        first, last = bisect_left(self._kept_rows, rows[0]), bisect_left(self._kept_rows, rows[1])
        held = self._kept_blocks[first:last]
        if held and held[0] == held[-1]:
            return (self[held[0]],)
        return tuple([self[at] for at in dict.fromkeys(held)])


def block_ids(content: Content) -> BlockIds:
    """Return the ids of the page's blocks; they are made on first use and kept with it."""
    found: BlockIds = content.derived("block ids", lambda: BlockIds(content))
    return found
