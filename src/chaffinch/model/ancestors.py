"""Sums over the elements above each text block, for all blocks at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows


@dataclass(frozen=True, eq=False)
class Ancestors:
    """The elements that hold blocks, and how to sum over those above each block.

    A sum over what is above a row is what was opened up to it minus what was closed up to it: two
    prefix sums, one in the order of the starts and one in that of the ends. They are made of
    integers: exact, and several times as fast as of floats.

    Attributes:
        rows: intp[r], elements that hold blocks, ascending.
        place: int32[n], where each of them stands in ``rows``; 0 for all other rows.
        by_end: intp[r], the elements in the order of their ends.
        opened: int64[m], elements that start before each block.
        closed: int64[m], elements that end before each block.
    """

    rows: NDArray[np.intp]
    place: Rows
    by_end: NDArray[np.intp]
    opened: NDArray[np.int64]
    closed: NDArray[np.int64]

    @classmethod
    def of(cls, page: Page, held: Rows, first: Rows) -> Ancestors:
        """Return the elements of ``page`` above the blocks that start at ``first``, int32[m].

        ``held`` is int32[n]: how many blocks begin in the subtree of each row.
        """
        holds = (held > 0) & (page.tag != tags.TEXT)
        rows = np.flatnonzero(holds)
        place = np.zeros(len(page), dtype=np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        end = page.end[rows]
        by_end = np.argsort(end, kind="stable")
        closed = np.searchsorted(end[by_end], first, side="right")
        return cls(rows, place, by_end, np.searchsorted(rows, first), closed)

    def sums(self, values: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return int32[k, m]: the sum of ``values``, int32[k, r], over what is above each block.

        Prefix sums may wrap around; their differences are right all the same.
        """
        before = np.zeros((2, len(values), len(self.rows) + 1), dtype=np.int32)
        opened, closed = before
        opened[:, 1:] = values
        closed[:, 1:] = values.take(self.by_end, axis=1)
        np.add.accumulate(before, axis=2, out=before)
        sums: NDArray[np.int32] = opened.take(self.opened, axis=1)
        sums -= closed.take(self.closed, axis=1)
        return sums
