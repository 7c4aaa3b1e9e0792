"""Hashes of paths, by prefix sums modulo 2^64."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels.arithmetic import BASE, mix, powers

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Depths, Hashes, Rows


def path_hashes(symbols: Hashes, depth: Depths, end: Rows, /) -> Hashes:
    """Return uint64[n]: the hash of the path of symbols from the root to each row.

    Args:
        symbols: uint64[n], what is compared of each row.
        depth: int16[n].
        end: int32[n].
    """
    count = len(symbols)
    change: Hashes = np.zeros(count + 1, dtype=np.uint64)
    weighted = mix(symbols) * powers(BASE, 1024)[depth.astype(np.intp) % 1024]
    change[:count] = weighted
    np.subtract.at(change, end, weighted)
    return mix(np.cumsum(change)[:count])
