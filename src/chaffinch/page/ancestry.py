"""What stands at or above each row, for all rows at once.

Without kernels both functions double their step at every round (the parent, its parent's parent,
…), so that a page of depth d takes log2(d) rounds over its rows, ten at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from chaffinch.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

Number = TypeVar("Number", bound=np.generic)


def nearest(page: Page, marked: Mask) -> Rows:
    """Return int32[n]: the nearest marked row at or above each row; -1 where there is none."""
    if compiled := kernels():
        found: Rows = np.empty(len(page), dtype=np.int32)
        compiled.nearest(page.parent, np.ascontiguousarray(marked, dtype=bool), found)
        return found
    rows = np.arange(len(page), dtype=np.int32)
    at: Rows = np.where(marked, rows, np.maximum(page.parent, 0)).astype(np.int32)
    while True:
        above = at[at]
        if np.array_equal(above, at):
            break
        at = above
    return np.where(marked[at], at, np.int32(-1))


def highest(page: Page, values: NDArray[Number]) -> NDArray[Number]:
    """Return values [n]: the highest of ``values`` [n] at or above each row."""
    if values.dtype == np.float64 and (compiled := kernels()):
        highest_above = np.empty_like(values, order="C")
        compiled.highest(page.parent, np.ascontiguousarray(values), highest_above)
        return highest_above
    best = values.copy()
    at = np.maximum(page.parent, 0)
    while at.any():
        np.maximum(best, best[at], out=best)
        at = at[at]
    if len(page):
        np.maximum(best, best[0], out=best)
    return best
