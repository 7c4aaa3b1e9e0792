"""Arithmetic modulo 2^64 that hashes of rows and of texts are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Hashes

BASE: Final = 0x9E3779B97F4A7C15
"""Of polynomial hashes; odd, so that it has an inverse."""


def mix(values: NDArray[np.uint64]) -> Hashes:
    """Return ``values`` scrambled (the finaliser of splitmix64); equal in, equal out."""
    x = values + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = x ^ (x >> np.uint64(31))
    return mixed


def powers(base: int, count: int) -> Hashes:
    """Return uint64[count]: base^0, base^1, … modulo 2^64."""
    out = np.full(count, base, dtype=np.uint64)
    out[:1] = 1
    products: Hashes = np.cumprod(out)
    return products
