"""What stands at or above each row, for all rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from chaffinch import kernels

if TYPE_CHECKING:
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
