"""The containers above each block, each with more blocks than the one before: what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.ancestors import Ancestors
    from chaffinch.model.text_features import TextFeatures
    from chaffinch.page.arrays import Floats, Rows

LEVELS: Final = 4
"""Containers looked at above each block."""
_LOGS: Final = (
    "log_blocks log_units log_units_a_block log_ends_a_block"
    " links media controls paragraphs headings items times bars"
).split()
_SHARES: Final = "link_share page_share place".split()
NAMES: Final = tuple(f"{name}_{level}" for name in (*_LOGS, *_SHARES) for level in range(LEVELS))
"""Columns of `write_held`."""
_CHAIN: Final = 5
"""Rounds of doubling: wrappers of wrappers are skipped up to 32 deep."""


def containers(above: Ancestors) -> NDArray[np.intp]:
    """Return intp[LEVELS, m]: rows of containers, from the inside out.

    First the outermost row that holds no more blocks than the owner, then, level by level, the
    outermost row that holds no more than the parent of the one before. Looked for among the
    elements ``above`` blocks.
    """
    blocks, rows, parent = above.blocks, above.rows, above.up
    held = above.begun[blocks.page.end[rows]] - above.begun[rows]
    top = np.where(held[parent] == held, parent, np.arange(len(rows), dtype=np.int32))
    for _ in range(_CHAIN):
        top = top.take(top)
    further = top[parent]
    found = np.empty((LEVELS, len(blocks)), dtype=np.int32)
    found[0] = top[above.place[blocks.owner]]
    for level in range(1, LEVELS):
        found[level] = further.take(found[level - 1])
    return rows.take(found)


@dataclass(frozen=True, eq=False)
class Held:
    """The blocks of each of k containers, and what rows hold before each row.

    Attributes:
        rows: intp[k], the containers: LEVELS times m, level by level.
        ends: int32[k], where their subtrees end.
        low, high: int32[k], their blocks: low:high.
        kinds: int32[kinds, n + 1], elements of each kind before each row.
    """

    rows: NDArray[np.intp]
    ends: Rows
    low: Rows
    high: Rows
    kinds: NDArray[np.int32]

    @classmethod
    def of(cls, above: Ancestors, around: NDArray[np.intp], kinds: NDArray[np.int32]) -> Held:
        """Return what ``around`` holds, elements ``above`` blocks."""
        rows = around.ravel()
        ends = above.blocks.page.end[rows]
        return cls(rows, ends, above.begun[rows], above.begun[ends], kinds)

    def write(self, text: TextFeatures, out: Floats) -> None:
        """Write the columns to ``out``, float32[len(NAMES), m]."""
        count = out.shape[1]
        by_name = out.reshape(-1, LEVELS * count)
        logs, shares = by_name[: len(_LOGS)], by_name[len(_LOGS) :]
        sums = np.zeros((len(text.sums), count + 1), dtype=np.int32)
        np.add.accumulate(text.sums, axis=1, out=sums[:, 1:])
        held = sums.take(self.high, axis=1)
        held -= sums.take(self.low, axis=1)
        amount, units = logs[0], logs[1]
        np.subtract(self.high, self.low, out=amount, casting="unsafe")
        units[:], shares[0], logs[3] = held
        np.divide(units, amount, out=logs[2])
        logs[3] /= amount
        shares[0] /= units
        np.divide(units, np.float32(sums[0, -1]), out=shares[1])
        place = shares[2].reshape(LEVELS, count)
        np.subtract(np.arange(count), self.low.reshape(LEVELS, count), out=place, casting="unsafe")
        shares[2] /= amount
        elements = self.kinds.take(self.ends, axis=1)
        elements -= self.kinds.take(self.rows, axis=1)
        logs[4:] = elements
        logs += 1
        np.log(logs, out=logs)
