"""What texts of rows hold; see `chaffinch.kernels.plain.lengths` and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.kernels import _native
from chaffinch.kernels.plain import tag_reading, titles
from chaffinch.kernels.plain.lengths import TextColumns
from chaffinch.kernels.tag_codes import TagsRead

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Amounts, Codes, Floats, Hashes, Kinds, Mask, Rows
    from chaffinch.kernels.plain.lines import Lines
    from chaffinch.kernels.plain.runs import Run
    from chaffinch.kernels.tag_codes import TagLimits, TagTable

_HIGHEST = 1 << 40
"""Of a limit in C; what is higher is none."""


def counted_outputs(
    moves: NDArray[np.uint32], rows: Codes, outputs: Rows, data: bytes, /
) -> tuple[Rows, Rows]:
    found, counts, room = np.empty((3, len(data)), np.int32)
    number = _native.counted_outputs(moves, rows, outputs, data, found, counts, room)
    return found[:number], counts[:number]


def read_tags(
    data: bytes, table: TagTable, limits: TagLimits, check: Callable[[], object], /
) -> TagsRead:
    found = None
    if len(data) < np.iinfo(np.int32).max:
        highest = np.array([min(limit, _HIGHEST) for limit in limits], np.int64)
        found = _native.read_tags(data, *table, highest, check)
    # else too long for offsets of C, or made such that its hashes fall on one place
    return TagsRead(*found) if found else tag_reading.read_tags(data, table, limits, check)


def words_contained(
    rows: bytes,
    numbers: bytes,
    ends: bytes,
    values: bytes,
    number: int,
    words: tuple[bytes, ...],
    /,
) -> tuple[Rows, Hashes]:
    size = len(rows) // 4
    containing, bits = np.empty(size, np.int32), np.empty(size, np.uint64)
    count = _native.words_contained(rows, numbers, ends, values, number, words, containing, bits)
    return containing[:count], bits[:count]


def half_sums(table: NDArray[np.uint16], rows: Rows, weights: Floats, /) -> Floats:
    sums = np.empty(table.shape[1], np.float32)
    _native.half_sums(table, rows, weights, sums)
    return sums


def text_columns(
    tag: Codes,
    end: Rows,
    text: str,
    text_at: Rows,
    kinds: Kinds,
    invisible: Mask,
    links: Mask,
    /,
) -> TextColumns:
    count = len(tag)
    shown, in_link, written = np.empty(count, bool), np.empty(count, bool), np.empty(count, bool)
    line, own = np.empty(count, np.int32), np.empty(count, np.int32)
    before = np.empty(count + 1, np.intp)
    of_page = tag, end, text, text_at, kinds, invisible, links
    _native.text_columns(*of_page, shown, in_link, written, line, own, before)
    return TextColumns(shown, in_link, written, line, own, before)


def characters(text: str, text_at: Rows, counted: Mask, /) -> Rows:
    counts = np.empty(len(text_at) - 1, np.int32)
    _native.characters(text, text_at, counted, counts)
    return counts


def kept_lines(
    text: str,
    text_at: Rows,
    tag: Codes,
    line: Rows,
    end: Rows,
    parent: Rows,
    kept: Mask,
    above: Mask,
    kinds: Kinds,
    /,
) -> Lines:
    first, last = np.empty(len(tag), np.int32), np.empty(len(tag), np.int32)
    verbatim, beside = np.empty(len(tag), bool), np.empty(len(tag), bool)
    of_rows = tag, line, end, parent, kept, above
    texts = _native.kept_lines(text, text_at, *of_rows, kinds, first, last, verbatim, beside)
    found = len(texts)
    return texts, first[:found], last[:found], verbatim[:found], beside[:found]


def texts_alike(text: str, starts: Rows, stops: Rows, key: str, first: int, last: int, /) -> Mask:
    may = np.empty(len(starts), bool)
    _native.texts_alike(text, starts, stops, key, first, last, may)
    return may


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
    room = np.empty(2 * (len(open_ends) + len(rows)), np.int32)
    given = text, rows, special, special_kinds, kinds, open_ends
    return _native.text_runs(*given, tag, end, line, text_at, written, signs, room)


def words_held(text: str, words: list[str], text_at: Rows, names: Rows, /) -> NDArray[np.uint32]:
    held = np.empty(len(names), np.uint32)
    if _native.words_held(text, words, text_at, names, held):
        return held
    return titles.words_held(text, words, text_at, names)  # some letter's lower case isn't one
