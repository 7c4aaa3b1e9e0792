"""What a block's own text is like, in any script, and whether the page's head agrees with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.model import scripts, words
from chaffinch.model.claims import Claims, read_claims

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
_BINS: Final = 1 << 14
_RUN_BITS: Final = 16
_COUNTED: Final = np.array(
    [scripts.DIGIT, scripts.CAPITAL, scripts.SENTENCE_END, scripts.PAUSE, scripts.MARK], np.uint8
)[:, None]
"""Kinds of characters that are counted."""
_FIRST_COUNTED: Final = np.uint8(scripts.CAPITAL)
_WIDTH: Final = np.uint8(scripts.MARK - scripts.CAPITAL)


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
    every = f"{page.text}\n{claims.title}\n{claims.description}\n{claims.body}"
    codes = scripts.code_points(every)
    kinds = scripts.kinds_table().take(codes)
    written = page.written_before
    begins, stops = written[blocks.first], written[blocks.last]
    first, last = page.written_at[begins], page.written_at[stops - 1]
    found = words.read_words(codes, kinds, first)
    edges = np.searchsorted(found.at, np.concatenate([first, last + 1]))
    low, high = edges[: len(first)], edges[len(first) :]
    shares = _shares_of_words(page, found, claims, low, high)
    special = _counts(kinds, first, last + 1)
    units = np.maximum(high - low, 1)
    columns = np.empty((len(NAMES), len(first)), dtype=np.float32)
    _fill(columns, units, stops - begins, special, shares)
    hashes = found.sums[last + 1]
    hashes -= found.sums[first]
    columns[_AT["repeated"]] = np.minimum(_times(hashes) - 1, 8)
    columns[_AT["repeated"]] /= 4
    _edges(kinds[first], kinds[last], columns[_EDGES])
    columns[_AT["has_body"]] = bool(claims.body)
    return TextFeatures(
        columns,
        np.stack([units, shares[0], special[2]], dtype=np.int32, casting="unsafe"),
        units.astype(np.float32),
        words.starts_of_blocks(found, low, high, first, last + 1),
        claims.facts,
    )


def _fill(
    columns: Floats,
    units: NDArray[np.intp],
    characters: NDArray[np.intp],
    special: NDArray[np.int32],
    shares: NDArray[np.int32],
) -> None:
    """Write the columns that follow from counts."""
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
    np.log(logs, out=logs)
    columns[_BESIDE] /= _LONG
    columns[_CHARACTERS_SHARES] = special[:2]
    columns[_CHARACTERS_SHARES] /= characters_in
    columns[_WORD_SHARES] = shares
    columns[_WORD_SHARES] /= words_in
    length = columns[_AT["unit_length"]]
    np.divide(characters_in, words_in, out=length)
    np.minimum(length, 12, out=length)
    length /= 6
    length = columns[_AT["long_sentences"]]
    np.divide(words_in, special[2] + 1, out=length, casting="unsafe")
    np.minimum(length, 30, out=length)
    length /= 15
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
    edge = len(page.text)
    own = int(np.searchsorted(found.at, edge))
    at, bucket = found.at[:own], found.bucket[:own]
    flags = np.zeros((5, own + 1), dtype=np.int32)
    flags[0, 1:] = np.repeat(page.in_link, page.text_at[1:] - page.text_at[:-1])[at]
    for number, text in enumerate((claims.title, claims.description), start=1):
        start, edge = edge + 1, edge + 1 + len(text)
        if text:
            begin, stop = np.searchsorted(found.at, [start, edge])
            known = np.zeros(words.BUCKETS, dtype=bool)
            known[found.bucket[begin:stop]] = True
            flags[number, 1:] = known[bucket]
    if claims.body:
        flags[3, 1:] = _quoted(found, own, edge + 1)
    flags[4, 1:] = found.alone[:own]
    np.add.accumulate(flags, axis=1, out=flags)
    return flags[:, high] - flags[:, low]


def _quoted(found: words.Words, own: int, start: int) -> NDArray[Any]:
    """Return bool[own]: words of the page that stand in a run of three that the body has, too."""
    value = found.value
    runs = value.copy()
    for step in (1, 2):
        runs[:-step] += value[step:] << np.uint32(step)
    body = runs[np.searchsorted(found.at, start) : max(len(runs) - 2, 0)]
    known = np.zeros(1 << _RUN_BITS, dtype=bool)
    known[words.buckets(body, _RUN_BITS)] = True
    hit = known[words.buckets(runs[:own], _RUN_BITS)]
    whole = hit.copy()
    for step in (1, 2):
        whole[step:] |= hit[:-step]
    return whole


def _counts(
    kinds: NDArray[np.uint8], first: NDArray[np.intp], stop: NDArray[np.intp]
) -> NDArray[np.int32]:
    """Return int32[5, m]: digits, capitals, sentence ends, pauses and marks of each block."""
    places = np.flatnonzero((kinds - _FIRST_COUNTED) <= _WIDTH)
    counts = np.zeros((len(_COUNTED), len(places) + 1), dtype=np.int32)
    counts[:, 1:] = kinds[places] == _COUNTED
    np.add.accumulate(counts, axis=1, out=counts)
    low, high = np.searchsorted(places, first), np.searchsorted(places, stop)
    return counts[:, high] - counts[:, low]


def _edges(first: NDArray[np.uint8], last: NDArray[np.uint8], out: Floats) -> None:
    """Write how each block starts and ends."""
    out[0] = last == scripts.SENTENCE_END
    out[1] = (last == scripts.MARK) | (last == scripts.PAUSE)
    out[2] = first == scripts.CAPITAL
    out[3] = first == scripts.DIGIT
    out[4] = (first >= scripts.SENTENCE_END) & (first <= scripts.MARK)
    out[5] = first == scripts.UNIT


def _times(values: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Return intp[m]: how often each hash occurs, in bins: a rare collision adds to a count."""
    bins = words.buckets(values)
    times: NDArray[np.intp] = np.bincount(bins, minlength=_BINS)[bins]
    return times
