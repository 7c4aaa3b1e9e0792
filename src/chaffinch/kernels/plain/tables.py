"""Counts of what each table of a page holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.kernels.codes import (
    TABLE_CELL,
    TABLE_HEAD,
    TABLE_HEAD_CELL,
    TABLE_HEADING,
    TABLE_LINE,
    TABLE_NAMED,
    TABLE_UNLIKE,
)
from chaffinch.kernels.plain.rows import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Kinds, Mask, Rows

_COUNTS: Final = 11
_TWO: Final = 2


def table_counts(
    parent: Rows,
    table: Mask,
    kinds: Kinds,
    length: NDArray[np.int64],
    link_length: NDArray[np.int64],
    /,
) -> NDArray[np.int64]:
    """Return int64[11, t]: what each of t tables holds, inner tables apart.

    Cells; written ones; characters in them; those in links; lines with a written cell; with two;
    with two cells, perhaps empty; rows of kind `TABLE_NAMED`; of kind `TABLE_HEAD`; of kind
    `TABLE_HEADING` outside header cells; of kind `TABLE_UNLIKE`, and inner tables.

    Args:
        parent: int32[n].
        table: bool[n], the tables.
        kinds: uint8[n], what each row is in a table, as `chaffinch.kernels.codes` has it.
        length, link_length: int64[n], characters of each subtree, and those in links.
    """
    count, owner, rows = len(parent), nearest(parent, table), np.flatnonzero(table)
    in_head_cell = nearest(parent, (kinds & TABLE_HEAD_CELL) > 0) >= 0
    kinds = np.where(owner < 0, np.uint8(0), kinds)
    line = (kinds & TABLE_LINE) > 0
    line_of = nearest(parent, line)
    cells = np.flatnonzero(((kinds & TABLE_CELL) > 0) & (line_of >= 0))
    full = cells[length[cells] > 0]
    per_line = np.bincount(line_of[cells], minlength=count)
    written = np.bincount(line_of[full], minlength=count)
    inner = rows[1:]
    inner = inner[owner[parent[inner]] >= 0]
    counted: tuple[tuple[NDArray[Any], NDArray[Any] | None], ...] = (
        (cells, None),
        (full, None),
        (cells, length[cells]),
        (cells, link_length[cells]),
        (line & (written > 0), None),
        (line & (written >= _TWO), None),
        (line & (per_line >= _TWO), None),
        ((kinds & TABLE_NAMED) > 0, None),
        ((kinds & TABLE_HEAD) > 0, None),
        (((kinds & TABLE_HEADING) > 0) & ~in_head_cell, None),
        ((kinds & TABLE_UNLIKE) > 0, None),
    )
    counts = np.zeros((_COUNTS, len(rows)), dtype=np.int64)
    for column, (some, weights) in zip(counts, counted, strict=True):
        column[:] = np.bincount(owner[some], weights, minlength=count)[rows]
    counts[-1] += np.bincount(owner[parent[inner]], minlength=count)[rows]
    return counts
