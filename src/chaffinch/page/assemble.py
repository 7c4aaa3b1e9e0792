"""From the lists that a walk over a tree fills to the columns of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch.kernels.parser_tree import Walked
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Depths, Rows


def assemble(
    tag: NDArray[np.uint16],
    closed: Sequence[int],
    closed_at: Sequence[int],
    around: Sequence[int],
    texts: Sequence[str],
    **others: Any,
) -> Walked:
    """Return the columns of a page from what a walk in document order collected.

    Args:
        tag: uint16[n], codes of the tags.
        closed: rows that have descendants, in any order; of a row given twice, the last counts.
        closed_at: the first row after the subtree of each of ``closed``.
        around: the parent of each of ``closed``, -1 for the root; the row itself where it is
            given once more later.
        texts: verbatim text of each text row, in order.
        **others: the other fields of `Walked`: names, sources and attributes, each by row.
    """
    count = len(tag)
    rows, stops = _column(closed), _column(closed_at)
    end = np.arange(1, count + 1, dtype=np.int32)
    end[rows] = stops
    text_at = np.zeros(count + 1, dtype=np.int32)
    text_at[1:][tag == tags.TEXT] = _column(list(map(len, texts)))
    np.add.accumulate(text_at, out=text_at)
    return Walked(
        tag=tag,
        parent=_parents(count, rows, stops, _column(around)),
        depth=_depths(end),
        end=end,
        text="".join(texts),
        text_at=text_at,
        **others,
    )


def _parents(count: int, rows: Rows, stops: Rows, around: Rows) -> Rows:
    """Return int32[n]: the sum of the steps down to the first children and up again at the ends."""
    down = rows - around
    steps = np.zeros(count + 1, dtype=np.int32)
    np.subtract.at(steps, stops, down)
    steps[rows + 1] += down
    steps[0] = -1
    parents: Rows = np.add.accumulate(steps[:count], dtype=np.int32)
    return parents


def _depths(end: Rows) -> Depths:
    """Return int16[n]: one more from row to row, one less for each subtree that ends."""
    closings = np.bincount(end, minlength=1)[: len(end)]
    closings[:1] = 1
    depths: Depths = np.add.accumulate(1 - closings, dtype=np.int16)
    return depths


def _column(values: Sequence[int]) -> Rows:
    """Return int32[n]; `np.array` takes half as long again."""
    return np.fromiter(values, dtype=np.int32, count=len(values))
