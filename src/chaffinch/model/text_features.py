"""What a block's own text is like, in any script, and whether the page's head agrees with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.kernels import kernels
from chaffinch.model import words, writing_systems
from chaffinch.model.head_signals import Claims, read_claims

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats
    from chaffinch.segment.text_blocks import TextBlocks

NAMES: Final = (
    "log_units log_characters log_ends log_pauses log_marks log_link_units"
    " log_units_before log_units_after"
    " digits capitals link_share title description body scriptless"
    " unit_length long_sentences position_in_units repeated"
    " last_is_end last_is_mark first_is_capital first_is_digit first_is_mark first_is_unit"
    " all_link one_unit has_body"
).split()
_AT: Final = {name: number for number, name in enumerate(NAMES)}
_LOGS: Final = slice(_AT["log_units"], _AT["log_units_after"] + 1)
_COUNTS: Final = slice(_AT["log_ends"], _AT["log_marks"] + 1)
_BESIDE: Final = slice(_AT["log_units_before"], _AT["log_units_after"] + 1)
_CHARACTERS_SHARES: Final = slice(_AT["digits"], _AT["capitals"] + 1)
_WORD_SHARES: Final = slice(_AT["link_share"], _AT["scriptless"] + 1)
_EDGES: Final = slice(_AT["last_is_end"], _AT["first_is_unit"] + 1)
_LONG: Final = np.float32(5.0)
_RUN_BITS: Final = 16
_COUNTED: Final = np.array(
    [
        writing_systems.DIGIT,
        writing_systems.CAPITAL,
        writing_systems.SENTENCE_END,
        writing_systems.PAUSE,
        writing_systems.MARK,
    ],
    np.uint8,
)[:, None]
"""Kinds of characters that are counted."""
_FIRST_COUNTED: Final = np.uint8(writing_systems.CAPITAL)
_WIDTH: Final = np.uint8(writing_systems.MARK - writing_systems.CAPITAL)


@dataclass(frozen=True, eq=False)
class TextFeatures:
    """Text features of m blocks.

    Attributes:
        columns: float32[len(NAMES), m].
        sums: int32[3, m], units, units in links, and marks that end a sentence.
        units: float32[m], words (characters in scripts without spaces), at least 1.
        words: uint16[words.SLOTS, m], buckets of the words at the start of each block.
        facts: float32[len(claims.FACTS)].
    """

    columns: Floats
    sums: NDArray[np.int32]
    units: Floats
    words: NDArray[np.uint16]
    facts: Floats


def read(page: Page, blocks: TextBlocks) -> TextFeatures:
    """Return the text features of ``blocks``."""
    claims = read_claims(page)
    columns = np.empty((len(NAMES), len(blocks)), dtype=np.float32)
    sums = np.empty((3, len(blocks)), dtype=np.int32)
    if compiled := kernels():
        firsts = np.empty((words.SLOTS, len(blocks)), dtype=np.uint16)
        compiled.text_features(
            page.text,
            claims.title,
            claims.description,
            claims.body,
            writing_systems.kinds_table(),
            writing_systems.letter_hashes(),
            page.written_at,
            page.written_before,
            page.text_at,
            page.in_link,
            blocks.first,
            blocks.last,
            columns,
            sums,
            firsts,
        )
    else:
        firsts = _read(page, blocks, claims, columns, sums)
    logs = columns[_LOGS]
    np.log(logs, out=logs)
    columns[_BESIDE] /= _LONG
    return TextFeatures(columns, sums, sums[0].astype(np.float32), firsts, claims.facts)


def _read(
    page: Page, blocks: TextBlocks, claims: Claims, columns: Floats, sums: NDArray[np.int32]
) -> NDArray[np.uint16]:
    """Write the columns, in those of logarithms counts with 1 added, and sums; return the words."""
    every = f"{page.text}\n{claims.title}\n{claims.description}\n{claims.body}"
    codes = writing_systems.code_points(every)
    kinds = writing_systems.kinds_table().take(codes)
    written = page.written_before
    begins, stops = written[blocks.first], written[blocks.last]
    first, last = page.written_at[begins], page.written_at[stops - 1]
    stop = last + 1
    edges = np.concatenate([first, stop])
    found = words.read_words(codes, kinds, first)
    low, high = np.searchsorted(found.at, edges).reshape(2, -1)
    shares = _shares_of_words(page, found, claims, low, high)
    special = _counts(kinds, edges)
    units = np.maximum(high - low, 1)
    _fill(columns, units, stops - begins, special, shares)
    hashes = found.sums[stop]
    hashes -= found.sums[first]
    columns[_AT["repeated"]] = np.minimum(_times(hashes) - 1, 8)
    columns[_AT["repeated"]] /= 4
    _edges(kinds[first], kinds[last], columns[_EDGES])
    columns[_AT["has_body"]] = bool(claims.body)
    sums[0], sums[1], sums[2] = units, shares[0], special[2]
    return words.starts_of_blocks(found, low, high, first, stop)


def _fill(
    columns: Floats,
    units: NDArray[np.intp],
    characters: NDArray[np.intp],
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
    page: Page,
    found: words.Words,
    claims: Claims,
    low: NDArray[np.intp],
    high: NDArray[np.intp],
) -> NDArray[np.int32]:
    """Return int32[5, m]: words of each block in links, in title, description, body, and alone."""
    end = len(page.text)
    title = end + 1 + len(claims.title)
    ends = np.array([end, title, title + 1 + len(claims.description)])
    own, title, described = np.searchsorted(found.at, ends).tolist()
    said = np.zeros(words.BUCKETS, dtype=np.uint8)
    said[found.bucket[own:title]] = 1
    said[found.bucket[title:described]] |= 2
    known = said.take(found.bucket[:own])
    flags = np.zeros((5, own + 1), dtype=np.int32)
    flags[0, 1:] = _linked(page, found.at[:own])
    np.bitwise_and(known, 1, out=flags[1, 1:])
    np.right_shift(known, 1, out=flags[2, 1:])
    if claims.body:
        flags[3, 1:] = _quoted(found, own, described)
    flags[4, 1:] = found.alone[:own]
    np.add.accumulate(flags, axis=1, out=flags)
    shares: NDArray[np.int32] = flags.take(high, axis=1)
    shares -= flags.take(low, axis=1)
    return shares


def _linked(page: Page, at: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return bool[w]: whether the words that start ``at`` places in the text are in links."""
    rows = np.searchsorted(page.text_at, at, side="right") - 1
    linked: NDArray[np.bool_] = page.in_link.take(rows)
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


def _counts(kinds: NDArray[np.uint8], edges: NDArray[np.intp]) -> NDArray[np.int32]:
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


def _edges(first: NDArray[np.uint8], last: NDArray[np.uint8], out: Floats) -> None:
    """Write how each block starts and ends."""
    out[0] = last == writing_systems.SENTENCE_END
    out[1] = (last == writing_systems.MARK) | (last == writing_systems.PAUSE)
    out[2] = first == writing_systems.CAPITAL
    out[3] = first == writing_systems.DIGIT
    out[4] = (first >= writing_systems.SENTENCE_END) & (first <= writing_systems.MARK)
    out[5] = first == writing_systems.UNIT


def _times(values: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Return intp[m]: how often each hash occurs, in bins: a rare collision adds to a count."""
    bins = words.buckets(values)
    times: NDArray[np.intp] = np.bincount(bins)[bins]
    return times
