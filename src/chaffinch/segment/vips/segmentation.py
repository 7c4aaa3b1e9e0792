"""What VIPS finds: a tree of visual blocks, and the separators between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Rows


@dataclass(frozen=True, eq=False)
class Separators:
    """The separators that part blocks; s of them.

    Attributes:
        horizontal: bool[s], whether it parts what is above from what is below.
        weight: int8[s], 0 and up: how strongly it parts.
        rectangle: float32[s, 4], left, top, right, bottom in pixels. Where two blocks touch it
            has no thickness.
        parent: int32[s], the block whose children it parts.
    """

    horizontal: Mask
    weight: NDArray[np.int8]
    rectangle: Floats
    parent: Rows

    def __len__(self) -> int:
        return len(self.weight)


@dataclass(frozen=True, eq=False)
class Segmentation:
    """The content structure of a page: k blocks in a tree, parents before children.

    Attributes:
        page: the page.
        rendered: whether a browser's layout was read; else the boxes are estimates from markup.
        block: int32[n], the leaf block that each row belongs to; -1 for rows outside: elements
            that were divided, and what can't be seen.
        parent: int32[k], -1 for block 0, the whole page.
        doc: int8[k], degree of coherence, 1..10; never less than the parent's.
        rectangle: float32[k, 4], left, top, right, bottom in pixels: the box around the block's
            roots. What they hold may reach beyond it.
        root: int32[m], roots of the subtrees that the blocks consist of; see `roots`.
        root_at: int32[k+1], where each block's part of ``root`` begins.
        separators: the separators between the children of blocks.

    An empty page, or one on which nothing can be seen, has no block.
    """

    page: Page
    rendered: bool
    block: Rows
    parent: Rows
    doc: NDArray[np.int8]
    rectangle: Floats
    root: Rows
    root_at: Rows
    separators: Separators

    def __post_init__(self) -> None:
        columns = (self.block, self.parent, self.doc, self.rectangle, self.root, self.root_at)
        for column in columns:
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def leaves(self) -> Rows:
        """int32[…]: the blocks without children, in order of their first rows."""
        inner = np.zeros(len(self), dtype=bool)
        inner[self.parent[self.parent >= 0]] = True
        return self._ordered(np.flatnonzero(~inner))

    def roots(self, block: int) -> Rows:
        """Return the rows whose subtrees make up ``block``, in document order."""
        return self.root[self.root_at[block] : self.root_at[block + 1]]

    def blocks_at(self, pdoc: int) -> Rows:
        """Return the blocks at a permitted degree of coherence, in order of their first rows.

        They are the topmost blocks that are coherent enough, or leaves. For a ``pdoc`` up to the
        one that the segmentation was made with they are what VIPS finds with that one.
        """
        open_above = np.ones(len(self), dtype=bool)
        enough = self.doc >= pdoc
        enough[self.leaves] = True
        for block in range(1, len(self)):
            above = self.parent[block]
            open_above[block] = open_above[above] and not enough[above]
        return self._ordered(np.flatnonzero(open_above & enough))

    def roots_at(self, pdoc: int) -> list[Rows]:
        """Return the root rows of each block at a permitted degree of coherence."""
        return [self.roots(int(block)) for block in self.blocks_at(pdoc)]

    def text(self, block: int) -> str:
        """Return the text of ``block``, white-space runs folded, a line for each root."""
        return "\n".join(filter(None, (self.page.folded(int(row)) for row in self.roots(block))))

    def _ordered(self, blocks: NDArray[np.intp]) -> Rows:
        first = self.root[self.root_at[blocks]]
        return blocks[np.argsort(first, kind="stable")].astype(np.int32)
