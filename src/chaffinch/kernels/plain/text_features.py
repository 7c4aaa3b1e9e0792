"""Features of a block's text, in any script, and its overlap with title, description and body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from chaffinch.kernels.character_kinds import (
    CAPITAL,
    DIGIT,
    MARK,
    PAUSE,
    SENTENCE_END,
    UNIT,
    code_points,
)
from chaffinch.kernels.codes import TEXT_COLUMNS, WORD_BUCKETS
from chaffinch.kernels.plain import words
from chaffinch.kernels.plain.lengths import written_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Floats, Kinds, Mask, Places, Rows

_AT: Final = {name: number for number, name in enumerate(TEXT_COLUMNS)}
_LOGS: Final = slice(_AT["log_units"], _AT["log_units_after"] + 1)
_COUNTS: Final = slice(_AT["log_ends"], _AT["log_marks"] + 1)
_CHARACTERS_SHARES: Final = slice(_AT["digits"], _AT["capitals"] + 1)
_WORD_SHARES: Final = slice(_AT["link_share"], _AT["scriptless"] + 1)
_EDGES: Final = slice(_AT["last_is_end"], _AT["first_is_unit"] + 1)
_RUN_BITS: Final = 16
_COUNTED: Final = np.array([DIGIT, CAPITAL, SENTENCE_END, PAUSE, MARK], np.uint8)[:, None]
"""Kinds of characters that are counted."""
_FIRST_COUNTED: Final = np.uint8(CAPITAL)
_WIDTH: Final = np.uint8(MARK - CAPITAL)


class _Text(NamedTuple):
    """The page's text, and where the rows of which it is made start in it."""

    size: int
    text_at: Rows
    in_link: Mask


def text_features(
    text: str,
    title: str,
    description: str,
    body: str,
    kinds: Kinds,
    hashes: NDArray[np.uint32],
    written_before: Places,
    text_at: Rows,
    in_link: Mask,
    first: Rows,
    last: Rows,
    columns: Floats,
    sums: NDArray[np.int32],
    /,
) -> Codes:
    """Write the features of the text of each of m blocks, and return its first words.

    Args:
        text: all text of the page.
        title, description, body: texts that are compared with it.
        kinds: uint8[65536], the kind of each character; see `chaffinch.kernels.character_kinds`.
        hashes: uint32[65536], a hash of each letter and digit, 0 for all other characters.
        written_before: intp[n+1], characters that aren't white space before each row.
        text_at: int32[n+1], where in the text each row's own text starts.
        in_link: bool[n].
        first, last: int32[m], the first row of each block and the first one after its last.
        columns: float32[28, m], what is written to: `TEXT_COLUMNS` of `chaffinch.kernels.codes`;
            those of logarithms are counts with 1 added.
        sums: int32[3, m], what is written to: units (words, or characters in scripts without
            spaces), units in links, and marks that end a sentence.

    Returns:
        uint16[WORD_SLOTS, m], buckets of each block's first words, first word alone, whole text.
    """
    written_at = written_places(text)
    codes = code_points(f"{text}\n{title}\n{description}\n{body}")
    of_each = kinds.take(codes)
    begins, stops = written_before[first], written_before[last]
    start, end = written_at[begins], written_at[stops - 1]
    stop = end + 1
    edges = np.concatenate([start, stop])
    found = words.read_words(codes, of_each, hashes, start)
    low, high = np.searchsorted(found.at, edges).reshape(2, -1)
    page = _Text(len(text), text_at, in_link)
    shares = _shares_of_words(page, found, (title, description, body), low, high)
    special = _counts(of_each, edges)
    units = np.maximum(high - low, 1)
    _fill(columns, units, stops - begins, special, shares)
    sums_of_all = found.sums[stop]
    sums_of_all -= found.sums[start]
    columns[_AT["repeated"]] = np.minimum(_times(sums_of_all) - 1, 8)
    columns[_AT["repeated"]] /= 4
    _edges(of_each[start], of_each[end], columns[_EDGES])
    columns[_AT["has_body"]] = bool(body)
    sums[0], sums[1], sums[2] = units, shares[0], special[2]
    return words.starts_of_blocks(found, low, high, start, stop)


def _fill(
    columns: Floats,
    units: Places,
    characters: Places,
    special: NDArray[np.int32],
    shares: NDArray[np.int32],
) -> None:
    """Write the columns that follow from counts; those of logarithms are counts with 1 added."""
    before = np.add.accumulate(units)
    total = int(before[-1])
    columns[_AT["log_units"]] = units
    columns[_AT["log_characters"]] = characters
    columns[_COUNTS] = special[2:]
    columns[_AT["log_link_units"]] = shares[0]
    columns[_AT["log_units_before"]] = before - units
    columns[_AT["log_units_after"]] = total - before
    logs = columns[_LOGS]
    words_in, characters_in = columns[0].copy(), columns[1].copy()
    logs += 1
    length = columns[_AT["long_sentences"]]
    np.divide(words_in, columns[_AT["log_ends"]], out=length)
    np.minimum(length, 30, out=length)
    length /= 15
    columns[_CHARACTERS_SHARES] = special[:2]
    columns[_CHARACTERS_SHARES] /= characters_in
    columns[_WORD_SHARES] = shares
    columns[_WORD_SHARES] /= words_in
    length = columns[_AT["unit_length"]]
    np.divide(characters_in, words_in, out=length)
    np.minimum(length, 12, out=length)
    length /= 6
    columns[_AT["position_in_units"]] = before
    columns[_AT["position_in_units"]] /= total
    columns[_AT["all_link"]] = shares[0] >= units
    columns[_AT["one_unit"]] = units == 1


def _shares_of_words(
    page: _Text,
    found: words.Words,
    texts: tuple[str, str, str],
    low: Places,
    high: Places,
) -> NDArray[np.int32]:
    """Return int32[5, m]: words of each block in links, in title, description, body, and alone."""
    end, (first, second, body) = page.size, texts
    title = end + 1 + len(first)
    ends = np.array([end, title, title + 1 + len(second)])
    own, title, described = np.searchsorted(found.at, ends).tolist()
    origins = np.zeros(WORD_BUCKETS, dtype=np.uint8)
    origins[found.bucket[own:title]] = 1
    origins[found.bucket[title:described]] |= 2
    known = origins.take(found.bucket[:own])
    flags = np.zeros((5, own + 1), dtype=np.int32)
    flags[0, 1:] = _linked(page, found.at[:own])
    np.bitwise_and(known, 1, out=flags[1, 1:])
    np.right_shift(known, 1, out=flags[2, 1:])
    if body:
        flags[3, 1:] = _quoted(found, own, described)
    flags[4, 1:] = found.alone[:own]
    np.add.accumulate(flags, axis=1, out=flags)
    shares: NDArray[np.int32] = flags.take(high, axis=1)
    shares -= flags.take(low, axis=1)
    return shares


def _linked(page: _Text, at: Places) -> Mask:
    """Return bool[w]: whether the words that start ``at`` places in the text are in links."""
    rows = np.searchsorted(page.text_at, at, side="right") - 1
    linked: Mask = page.in_link.take(rows)
    return linked


def _quoted(found: words.Words, own: int, start: int) -> NDArray[Any]:
    """Return bool[own]: words of the page that stand in a run of three that the body has, too.

    The body's words are those from ``start`` on.
    """
    value = found.value
    runs = value.copy()
    for step in (1, 2):
        runs[:-step] += value[step:] << np.uint32(step)
    body = runs[start : max(len(runs) - 2, 0)]
    known = np.zeros(1 << _RUN_BITS, dtype=bool)
    known[words.buckets(body, _RUN_BITS)] = True
    hit = known[words.buckets(runs[:own], _RUN_BITS)]
    whole = hit.copy()
    for step in (1, 2):
        whole[step:] |= hit[:-step]
    return whole


def _counts(kinds: Kinds, edges: Places) -> NDArray[np.int32]:
    """Return int32[5, m]: digits, capitals, sentence ends, pauses and marks of each block.

    ``edges`` is intp[2m]: where the blocks start, then where they stop.
    """
    places = np.flatnonzero((kinds - _FIRST_COUNTED) <= _WIDTH)
    counts = np.zeros((len(_COUNTED), len(places) + 1), dtype=np.int32)
    np.equal(kinds[places], _COUNTED, out=counts[:, 1:], casting="unsafe")
    np.add.accumulate(counts, axis=1, out=counts)
    low, high = np.searchsorted(places, edges).reshape(2, -1)
    sums: NDArray[np.int32] = counts.take(high, axis=1)
    sums -= counts.take(low, axis=1)
    return sums


def _edges(first: Kinds, last: Kinds, out: Floats) -> None:
    """Write how each block starts and ends."""
    out[0] = last == SENTENCE_END
    out[1] = (last == MARK) | (last == PAUSE)
    out[2] = first == CAPITAL
    out[3] = first == DIGIT
    out[4] = (first >= SENTENCE_END) & (first <= MARK)
    out[5] = first == UNIT


def _times(values: NDArray[np.uint32]) -> Places:
    """Return intp[m]: how often each hash occurs, in bins: a rare collision adds to a count."""
    bins = words.buckets(values)
    times: Places = np.bincount(bins)[bins]
    return times
