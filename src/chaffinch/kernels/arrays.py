"""The types of arrays that columns are, and how one is frozen or marked."""

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = NDArray[np.int32]
Places: TypeAlias = NDArray[np.intp]
Codes: TypeAlias = NDArray[np.uint16]
Kinds: TypeAlias = NDArray[np.uint8]
Depths: TypeAlias = NDArray[np.int16]
Hashes: TypeAlias = NDArray[np.uint64]
Amounts: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.float64]
Reasons: TypeAlias = NDArray[np.int8]

AttributeArrays: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, tuple[str, ...]]
"""All attributes of a page; their place is their number in document order, from 0.

In order: bytes of int32[n+1], the place of each row's first attribute; of int32[a], the number of
the name of each; of int32[a+1], where the value of each starts among the values, at last their
length; a bytes, 1 where an attribute has no value; the values of all in UTF-8; names by number.
"""
Pairs: TypeAlias = dict[str, str | None]
"""Name → value of one row's attributes; a valueless one maps to None."""
Array: TypeAlias = NDArray[Any]

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
