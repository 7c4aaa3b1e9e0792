"""What an automaton puts out while it reads bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Rows


def automaton_outputs(
    moves: NDArray[np.uint32], rows: Codes, outputs: Rows, data: bytes, /
) -> Rows:
    """Return int32[k]: the outputs of the states that bytes lead to from state 0, in order.

    Args:
        moves: uint32[256*r], the next state by row and byte.
        rows: uint16[s], the row of each state.
        outputs: int32[s], what each state puts out; below 0 for nothing.
        data: the bytes.
    """
    state, found = 0, []
    for byte in data:
        state = int(moves[256 * int(rows[state]) + byte])
        if (output := int(outputs[state])) >= 0:
            found.append(output)
    return np.array(found, dtype=np.int32)
