"""The elements above each text block, for all blocks at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chaffinch import kernels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks


@dataclass(frozen=True, eq=False)
class Ancestors:
    """The r elements that hold some of m blocks of n rows.

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
        page = blocks.page
        return cls(blocks, *kernels.above(page.tag, page.parent, page.end, blocks.first))
