"""Runs of text and elements: what a walk over shown rows stops at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from chaffinch.kernels.codes import (
    RUN_AFTER_SPACE,
    RUN_BEFORE_SPACE,
    RUN_BLOCK,
    RUN_BOUNDARY,
    RUN_PASSED,
    RUN_WORDS,
)
from chaffinch.kernels.plain.lines import folded_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.kernels.arrays import Amounts, Array, Codes, Kinds, Mask, Rows

Run: TypeAlias = tuple[int, int, int, bool, bool, int, str, int]
"""Row, its tag, its line, whether a `RUN_BOUNDARY` begins or ends before it, and whether after it a
block of any kind does; of texts in which anything is written the first row after the last one that
is, their text, white space folded, and what is known of it, as bits: `RUN_AFTER_SPACE`,
`RUN_BEFORE_SPACE`, and those that its characters stand for; of others 0, "" and 0. The row of texts
is the first that is written."""

_LATIN: Final = 256
"""Characters that may stand for something."""


def text_runs(
    text: str,
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
    signs: Kinds,
    /,
) -> tuple[list[Run], list[int]]:
    """Return the runs of some rows, and the ends of boundaries that go on behind them.

    Most rows of a page do nothing by themselves: a text goes on where the text before it ends, and
    an element only parts two blocks. So texts that stand side by side in one line are one run, and
    elements that are only boundaries are marks of the runs around them. White space behind a
    boundary is no run, unless it is the last one or an element that is no boundary ends before the
    next.

    Args:
        text: all text of the page.
        rows: int64[r], rising.
        special: int64[s], rising, rows that have a kind of their own.
        special_kinds: uint8[s], that kind.
        kinds: uint8[tags], what an element is: `RUN_PASSED` and the like.
        open_ends: int32[o], of boundaries that began before the rows, where they end.
        tag: uint16[n].
        end, line: int32[n].
        text_at: int32[n+1].
        written: bool[n].
        signs: uint8[256], bits that a character of Latin-1 stands for.
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
    left_behind = _at(rows, end.take(rows[kind != RUN_WORDS]))
    apart = bounded | left_behind
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
    has_words = (kind[first] == RUN_WORDS) & (past > 0)
    texts = _words(text, begin[first], stop[behind - 1], has_words, signs)
    columns: tuple[Array, ...] = (
        *(row, tag.take(row), row_line[first], parted[first], bounded[behind]),
        np.where(kind[first] == RUN_WORDS, past, 0),
    )
    idle = (kind[first] == RUN_WORDS) & (past == 0) & ~left_behind[behind]
    every = zip(*(own.tolist() for own in columns), texts, strict=True)
    runs = [(*run, *words) for *run, words in every]
    return list(_without_idle(runs, idle.tolist())), still_open.tolist()


def _words(
    text: str, begins: Rows, stops: Rows, has_words: Mask, signs: Kinds
) -> Iterator[tuple[str, int]]:
    """Yield the folded text of each run, and what is known of it; "" and 0 where it has none."""
    folded = iter(folded_texts(text, begins[has_words], stops[has_words]))
    every = zip(begins.tolist(), stops.tolist(), has_words.tolist(), strict=True)
    for begin, stop, own in every:
        if not own:
            yield "", 0
            continue
        held = RUN_AFTER_SPACE * text[begin].isspace() | RUN_BEFORE_SPACE * text[stop - 1].isspace()
        for code in {ord(sign) for sign in text[begin:stop]}:
            held |= int(signs[code]) if code < _LATIN else 0
        yield next(folded), held


def _without_idle(runs: list[Run], idle: list[bool]) -> Iterator[Run]:
    """Yield the runs but ``idle`` ones behind a boundary, which goes to the run after them."""
    carried = False
    for at, (row, tag, line, parted, closed, past, words, signs) in enumerate(runs):
        carried |= parted
        if not (idle[at] and carried and at + 1 < len(runs)):
            yield row, tag, line, carried, closed, past, words, signs
            carried = False


def _at(rows: Amounts, places: Array) -> Mask:
    """Return bool[r+1]: rows that are the first at or behind one of the places; at last, none."""
    found = np.zeros(len(rows) + 1, dtype=bool)
    found[np.searchsorted(rows, places)] = True
    return found
