"""What an automaton puts out while it reads bytes, counted, and sums of rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Rows

_EXPONENTS: Final = np.float32(2.0**112)
"""What a float16's bits, shifted to where a float32 has them, are too small by."""


def counted_outputs(
    moves: NDArray[np.uint32], rows: Codes, outputs: Rows, data: bytes, /
) -> tuple[Rows, Rows]:
    """Return what the states that bytes lead to from state 0 put out, and how often.

    Two int32[k]: the different outputs in ascending order, and the count of each.

    Args:
        moves: uint32[256*r], the next state by row and byte.
        rows: uint16[s], the row of each state.
        outputs: int32[s], what each state puts out; below 0 for nothing.
        data: the bytes, fewer than 2**31.
    """
    state, found = 0, []
    for byte in data:
        state = int(moves[256 * int(rows[state]) + byte])
        if (output := int(outputs[state])) >= 0:
            found.append(output)
    different, counts = np.unique(np.array(found, dtype=np.int32), return_counts=True)
    return different, counts.astype(np.int32)


def half_sums(table: NDArray[np.uint16], rows: Rows, weights: Floats, /) -> Floats:
    """Return float32[c]: the sums of rows of a table, each times its weight, one after the other.

    Args:
        table: uint16[n, c], bits of finite float16.
        rows: int32[k].
        weights: float32[k], below 65536.
    """
    summed = np.zeros((len(rows) + 1, table.shape[1]), np.float32)
    summed[1:] = weights[:, None] * single(table[rows])
    np.add.accumulate(summed, axis=0, out=summed)  # which `np.add.reduce` does in pairs
    last: Floats = summed[-1].copy()
    return last


def single(half: NDArray[np.uint16]) -> Floats:
    """Return float32 of finite float16, given by their bits: many at once, unlike numpy's own."""
    bits = half.astype(np.uint32)
    sign = (bits & 0x8000) << 16
    bits &= 0x7FFF
    bits <<= 13
    single = bits.view(np.float32)
    single *= _EXPONENTS
    bits |= sign
    return single
