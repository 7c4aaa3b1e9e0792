"""The containers above each block, each with more blocks than the one before: what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.text_features import TextFeatures
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

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


def containers(blocks: TextBlocks, held: Rows, parent: Rows) -> Rows:
    """Return int32[LEVELS, m]: rows of containers, from the inside out.

    First the outermost row that holds no more blocks than the owner, then, level by level, the
    outermost row that holds no more than the parent of the one before.
    """
    top = np.where(held[parent] == held, parent, np.arange(len(parent), dtype=np.int32))
    for _ in range(_CHAIN):
        top = top[top]
    chain = np.empty((LEVELS, len(blocks)), dtype=np.int32)
    rows = chain[0] = top[blocks.owner]
    for level in range(1, LEVELS):
        rows = chain[level] = top[parent[rows]]
    return chain


@dataclass(frozen=True, eq=False)
class Held:
    """The blocks of each of k containers, and what rows hold before each row.

    Attributes:
        rows: int32[k], the containers: LEVELS times m, level by level.
        ends: int32[k], where their subtrees end.
        low, high: int32[k], their blocks: low:high.
        kinds: int32[kinds, n + 1], elements of each kind before each row.
    """

    rows: Rows
    ends: Rows
    low: Rows
    high: Rows
    kinds: NDArray[np.int32]

    @classmethod
    def of(cls, page: Page, chain: Rows, begun: Rows, kinds: NDArray[np.int32]) -> Held:
        """Return what ``chain`` holds; ``begun`` is int32[n + 1], blocks before each row."""
        rows = chain.ravel()
        ends = page.end[rows]
        return cls(rows, ends, begun[rows], begun[ends], kinds)

    def write(self, text: TextFeatures, out: Floats) -> None:
        """Write the columns to ``out``, float32[len(NAMES), m]."""
        count = out.shape[1]
        by_name = out.reshape(-1, LEVELS * count)
        logs, shares = by_name[: len(_LOGS)], by_name[len(_LOGS) :]
        sums = np.zeros((len(text.sums), count + 1), dtype=np.int32)
        np.add.accumulate(text.sums, axis=1, out=sums[:, 1:])
        held = sums.take(self.high, axis=1)
        held -= sums.take(self.low, axis=1)
        units, linked, sentences = held
        amount = self.high - self.low
        logs[0] = amount
        logs[1] = units
        np.divide(units, amount, out=logs[2])
        np.divide(sentences, amount, out=logs[3])
        elements = self.kinds.take(self.ends, axis=1)
        elements -= self.kinds.take(self.rows, axis=1)
        logs[4:] = elements
        logs += 1
        np.log(logs, out=logs)
        np.divide(linked, units, out=shares[0])
        np.divide(units, sums[0, -1], out=shares[1])
        place = shares[2].reshape(LEVELS, count)
        place[:] = np.arange(count) - self.low.reshape(LEVELS, count)
        shares[2] /= amount
