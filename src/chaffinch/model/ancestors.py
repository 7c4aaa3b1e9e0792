"""Sums over the ancestors of given rows, for all of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Rows

Number = TypeVar("Number", bound=np.generic)


def sums_above(
    rows: NDArray[np.intp], end: Rows, values: NDArray[Number], at: Rows
) -> NDArray[Number]:
    """Return values [m, k]: the sum over those of ``rows`` whose subtree holds each row of ``at``.

    What was opened up to a row minus what was closed up to it: two prefix sums.

    Args:
        rows: intp[r], rows in ascending order.
        end: int32[r], first row after the subtree of each.
        values: values [r, k] to add up.
        at: int32[m], rows whose ancestors (themselves included) count.
    """
    order = np.argsort(end, kind="stable")
    opened = np.zeros((len(rows) + 1, values.shape[1]), dtype=values.dtype)
    closed = np.zeros_like(opened)
    np.cumsum(values, axis=0, out=opened[1:])
    np.cumsum(values[order], axis=0, out=closed[1:])
    before = np.searchsorted(rows, at, side="right")
    after = np.searchsorted(end[order], at, side="right")
    return opened[before] - closed[after]
