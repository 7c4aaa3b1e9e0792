"""Names for the array types that columns use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from chaffinch.kernels.arrays import Codes, Depths, Floats, Hashes, Mask, Reasons, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Codes", "Depths", "Floats", "Hashes", "Mask", "Reasons", "Rows", "frozen", "marked"]

Number = TypeVar("Number", bound=np.generic)


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Return ``array``, read-only from now on."""
    array.setflags(write=False)
    return array


def marked(count: int, places: Any) -> Mask:
    """Return bool[count]: which numbers are among some places, as numbers, a slice or a mask."""
    mask = np.zeros(count, dtype=bool)
    mask[places] = True
    return mask
