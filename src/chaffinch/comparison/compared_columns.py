"""The columns of several methods on one page, their agreement and the blocks that they dispute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.comparison.method_column import agreement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.comparison.method_column import MethodColumn
    from chaffinch.page import Page
    from chaffinch.segment.text_blocks import TextBlocks


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """The figures of a comparison, which the text and HTML reports are made from.

    Attributes are those of `chaffinch.comparison.comparison.Comparison`.
    """

    blocks: TextBlocks
    columns: tuple[MethodColumn, ...]
    left_out: dict[str, str]
    siblings: int = 0

    @property
    def page(self) -> Page:
        """The page."""
        return self.blocks.page

    @cached_property
    def agreement(self) -> NDArray[np.float64]:
        """float64[k, k]: how far the k methods agree, Jaccard index of the characters kept."""
        length = self.page.own_length
        return np.array(
            [[agreement(one, other, length) for other in self.columns] for one in self.columns]
        ).reshape(len(self.columns), len(self.columns))

    @cached_property
    def disputed(self) -> list[int]:
        """Numbers of the blocks that some methods keep and others don't, the longest first."""
        if not self.columns:
            return []
        votes = np.sum([column.keep for column in self.columns], axis=0)
        numbers = np.flatnonzero((votes > 0) & (votes < len(self.columns)))
        return sorted(numbers.tolist(), key=lambda number: -int(self.blocks.length[number]))
