"""From the lists that a walk over a tree fills to the columns of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch.page import tags
from chaffinch.page.columns import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Rows


def assemble(
    tag: NDArray[np.uint16],
    parents: Sequence[int],
    closed: Sequence[int],
    closed_at: Sequence[int],
    texts: Sequence[str],
    **fields: Any,
) -> Page:
    """Return the page of a walk in document order.

    Args:
        tag: uint16[n], codes of the tags.
        parents: n rows of parents, -1 for the root.
        closed: rows that have descendants; of a row given twice, the last counts.
        closed_at: the first row after the subtree of each of ``closed``.
        texts: verbatim text of each text row, in order.
        **fields: the other fields of `Page`.
    """
    count = len(tag)
    end = np.arange(1, count + 1, dtype=np.int32)
    end[_column(closed)] = _column(closed_at)
    text_at = np.zeros(count + 1, dtype=np.int32)
    text_at[1:][tag == tags.TEXT] = _column(list(map(len, texts)))
    np.add.accumulate(text_at, out=text_at)
    closings = np.bincount(end, minlength=count + 1)
    return Page(
        tag=tag,
        parent=_column(parents),
        depth=(np.arange(count) - np.cumsum(closings[:count])).astype(np.int16),
        end=end,
        text="".join(texts),
        text_at=text_at,
        **fields,
    )


def _column(values: Sequence[int]) -> Rows:
    """Return int32[n]; `np.array` takes half as long again."""
    return np.fromiter(values, dtype=np.int32, count=len(values))
