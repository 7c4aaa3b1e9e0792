"""What a browser doesn't show is no content, unless a control of the page opens it.

The scores don't tell: a hidden paragraph between shown ones reads like them. Marks are taken from
what is kept; where they hold more than `MOST_KEPT` of it, a script shows what they hide, and they
count for nothing. See `chaffinch.elements.hidden`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.hidden import (
    MOST_KEPT,
    class_says,
    folded,
    hidden_of,
    hiding_marks,
    inline_marks,
    may_be_marked,
)

if TYPE_CHECKING:
    from chaffinch.kernels.plain.names import Names
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Mask


class HiddenText:
    """What of a page isn't shown, as far as it was asked for.

    Attributes:
        rows: bool[n], the rows of kept blocks that aren't shown; None for none.
    """

    def __init__(self, found: Features, *, folds: bool) -> None:
        """Look for marks; with ``folds`` folded text isn't shown, either."""
        self.rows: Mask | None = None
        self._blocks, self._names, self._folds = found.blocks, found.names, folds
        self._asked: Mask | None = None
        self._may_be_marked = may_be_marked(found.blocks.page)
        self._needs_all = folds or found.blocks.page.layout is not None

    @cached_property
    def _marks(self) -> dict[int, int]:
        """Row → what its marks say."""
        page = self._blocks.page
        return hiding_marks(page, self._names.said(_names_say) | inline_marks(page))

    def without(self, keep: Mask) -> Mask:
        """Return bool[m]: those of the kept blocks of which something is shown."""
        if self._asked is not None and not (keep > self._asked).any():
            return keep  # nothing was added
        self._asked = keep
        marked = self._marked_in(keep) if len(self._may_be_marked) else []
        if not marked and not self._needs_all:
            return keep
        blocks = self._blocks
        page = blocks.page
        gone, opened = hidden_of(page, marked, self._marks)
        texts = np.flatnonzero(blocks.spread(keep))
        lengths = page.own_length[texts]
        if int(lengths[gone[texts]].sum()) > MOST_KEPT * int(lengths.sum()):
            gone = np.zeros(len(page), dtype=bool)
        if self._folds:
            gone = gone | opened | folded(page)
        unseen = gone[texts]
        if not unseen.any():
            return keep
        self.rows = gone if self.rows is None else self.rows | gone
        left = np.zeros(len(blocks), dtype=bool)
        left[blocks.block[texts[~unseen]]] = True
        return keep & left

    def _marked_in(self, keep: Mask) -> list[int]:
        """Return the rows with marks that hold text of kept blocks, or stand in it, in order."""
        blocks, end = self._blocks, self._blocks.page.end
        stretches = blocks.first, blocks.last, keep
        if not len(kernels.touching(end, self._may_be_marked, *stretches)):
            return []
        rows = np.array(sorted(self._marks), dtype=np.int32)
        marked: list[int] = kernels.touching(end, rows, *stretches).tolist()
        return marked


def _names_say(names: Names) -> int:
    return class_says(names[0] or "")
