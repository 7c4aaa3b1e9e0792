"""Names for the array types that columns use."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = NDArray[np.int32]
Codes: TypeAlias = NDArray[np.uint16]
Depths: TypeAlias = NDArray[np.int16]
Hashes: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float32]
Reasons: TypeAlias = NDArray[np.int8]

Number = TypeVar("Number", bound=np.generic)


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Return ``array``, read-only from now on."""
    array.flags.writeable = False
    return array
