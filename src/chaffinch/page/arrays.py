"""Names for the array types that columns use."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from chaffinch.kernels.arrays import Codes, Depths, Floats, Hashes, Mask, Reasons, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Codes", "Depths", "Floats", "Hashes", "Mask", "Reasons", "Rows", "frozen"]

Number = TypeVar("Number", bound=np.generic)


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Return ``array``, read-only from now on."""
    array.setflags(write=False)
    return array
