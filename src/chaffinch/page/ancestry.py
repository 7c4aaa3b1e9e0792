"""What stands at, above or before each row, where a walk for each row would be too long."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

Number = TypeVar("Number", bound=np.generic)


def nearest(page: Page, marked: Mask) -> Rows:
    """Return int32[n]: the nearest marked row at or above each row; -1 where there is none."""
    return kernels.nearest(page.parent, marked)


def highest(page: Page, values: NDArray[Number]) -> NDArray[Number]:
    """Return values [n]: the highest of ``values`` [n] at or above each row."""
    return kernels.highest(page.parent, values)


def block_around(page: Page, row: int) -> int:
    """Return the nearest block element above ``row``, the root where there is none; -1 above it."""
    (blocks,) = page.derived("nearest blocks", lambda: (_nearest_blocks(page),))
    above = int(page.parent[row])
    return int(blocks[above]) if above >= 0 else -1


def _nearest_blocks(page: Page) -> Rows:
    """Return int32[n]: the nearest block element at or above each row, or the root."""
    block = tags.BLOCK.take(page.tag)
    block[:1] = True
    return nearest(page, block)


def siblings_before(page: Page, row: int) -> Iterator[int]:
    """Yield the siblings before ``row``, the nearest first."""
    parent = int(page.parent[row])
    at = row - 1
    while at > parent:
        while page.parent[at] != parent:
            at = int(page.parent[at])
        yield at
        at -= 1
