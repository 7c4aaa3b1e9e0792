"""Runs of text and elements: what a walk over shown rows stops at."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chaffinch.kernels.codes import RUN_BLOCK, RUN_BOUNDARY, RUN_INLINE, RUN_PASSED, RUN_WORDS

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Amounts, Array, Codes, Kinds, Mask, Rows

Run: TypeAlias = tuple[int, int, int, bool, bool, int, int, int]
"""Row, its tag, its line, whether a `RUN_BOUNDARY` begins or ends before it, and whether after it a
block of any kind does; of texts the first row after the last one that is written, 0 for none, and
where they begin and end in the page's text. The row of texts is the first that is written."""


def text_runs(
    rows: Amounts,
    special: Amounts,
    special_kinds: Kinds,
    kinds: Kinds,
    open_ends: Rows,
    tag: Codes,
    end: Rows,
    line: Rows,
    text_at: Rows,
    written: Mask,
    /,
) -> tuple[list[Run], list[int]]:
    """Return the runs of some rows, and the ends of boundaries that go on behind them.

    Most rows of a page do nothing by themselves: a text goes on where the text before it ends, and
    an element only parts two blocks. So texts that stand side by side in one line are one run, and
    elements that are only boundaries are marks of the runs around them.

    Args:
        rows: int64[r], rising.
        special: int64[s], rising, rows that have a kind of their own.
        special_kinds: uint8[s], that kind.
        kinds: uint8[tags], what an element is: `RUN_PASSED` and the like.
        open_ends: int32[o], of boundaries that began before the rows, where they end.
        tag: uint16[n].
        end, line: int32[n].
        text_at: int32[n+1].
        written: bool[n].
    """
    kind = kinds.take(tag.take(rows))
    at = np.searchsorted(rows, special)
    there = rows.take(at, mode="clip") == special if len(rows) else at < 0
    kind[at[there]] = special_kinds[there]
    boundaries = rows[kind == RUN_BOUNDARY]
    ends = np.concatenate([open_ends, end.take(boundaries)])
    still_open = ends[ends > rows[-1]] if len(rows) else ends
    left = (kind != RUN_BOUNDARY) & (kind != RUN_PASSED)
    rows, kind = rows[left], kind[left]
    parted = _at(rows, boundaries) | _at(rows, ends)
    bounded = parted | _at(rows, end.take(rows[kind == RUN_BLOCK]))
    bounded[:-1] |= kind == RUN_BLOCK
    apart = bounded | _at(rows, end.take(rows[kind == RUN_INLINE]))
    row_line, begin, stop = line.take(rows), text_at.take(rows), text_at.take(rows + 1)
    joins = np.zeros(len(rows), dtype=bool)
    joins[1:] = (kind[1:] == RUN_WORDS) & (kind[:-1] == RUN_WORDS) & ~apart[1:-1]
    joins[1:] &= (row_line[1:] == row_line[:-1]) & (begin[1:] == stop[:-1])
    first = np.flatnonzero(~joins)
    behind = np.append(first[1:], len(rows))[: len(first)]
    is_written = written.take(rows)
    past = np.maximum.reduceat(np.where(is_written, rows + 1, 0), first) if len(first) else first
    row = np.minimum.reduceat(np.where(is_written, rows, len(tag)), first) if len(first) else first
    row = np.where(past > 0, row, rows[first])
    columns: tuple[Array, ...] = (
        *(row, tag.take(row), row_line[first], parted[first], bounded[behind]),
        *(past, begin[first], stop[behind - 1]),
    )
    runs = zip(*(own.tolist() for own in columns), strict=True)
    return list(runs), still_open.tolist()


def _at(rows: Amounts, places: Array) -> Mask:
    """Return bool[r+1]: rows that are the first at or behind one of the places; at last, none."""
    found = np.zeros(len(rows) + 1, dtype=bool)
    found[np.searchsorted(rows, places)] = True
    return found
