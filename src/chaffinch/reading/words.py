"""Words of texts: how texts are compared, which words two have in common, which ranges repeat.

Texts are compared in NFKC, white space folded. Scripts that write without spaces (Han, kana, Thai,
Lao, Khmer, Burmese) break lines anywhere: white space between two of their characters is left out,
and each character is a word.

Equal items of two sequences are found in their order, in nearly linear time. What both have exactly
once is matched first, as a longest run in both orders (Cohen's patience diff); what lies between is
matched by a longest common subsequence with a bit an item (Hyyrö, «Bit-parallel LCS-length
computation revisited», 2004), where it isn't too long for that.

Ranges of words are compared by hashes: sums of the words' numbers times powers of one odd number,
modulo 2^64, so that the hash of any range is the difference of two prefix sums.
"""

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.model.words import SPACELESS_RANGES

_SPACELESS: Final = (
    "".join(f"\\U{low:08x}-\\U{high - 1:08x}" for low, high in SPACELESS_RANGES)
    + "\U00020000-\U0003ffff"
)
_PUNCTUATION: Final = "\u3001-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_WITHOUT_SPACES: Final = f"[{_SPACELESS}{_PUNCTUATION}]"
_BETWEEN: Final = re.compile(f" (?={_WITHOUT_SPACES})(?<={_WITHOUT_SPACES} )")
"""Begins with the space, so that only these are looked at."""
_WORD: Final = re.compile(f"[{_SPACELESS}]|[^\\W_{_SPACELESS}]+")
_WORDS_AND_GAPS: Final = re.compile(f"({_WORD.pattern})")
_MARKS: Final = "".join(
    re.escape(chr(code))
    for code in range(0x300, 0x20000)  # all later planes have none
    if unicodedata.combining(chr(code))
)
_MANY_MARKS: Final = re.compile(f"[{_MARKS}]{{30}}")
"""Runs of marks that would take normalisation the square of their length."""
_PERHAPS_MARKS: Final = re.compile("[^\x00-\u02ff\u3400-\u9fff\uac00-\ud7a3]{30}")
"""Finds whatever `_MANY_MARKS` finds, a hundred times as fast: no mark is in these ranges."""
_JOINER: Final = "\u034f"
_ID_DIGITS: Final = 12


def folded(text: str) -> str:
    """Return a text in NFKC, runs of white space folded to one space, none at its ends.

    Runs of more than 30 combining marks are cut as in Unicode Standard Annex 15, section 13.
    """
    if not text.isascii():
        if _PERHAPS_MARKS.search(text):
            text = _MANY_MARKS.sub(lambda found: found[0] + _JOINER, text)
        text = unicodedata.normalize("NFKC", text)
    text = " ".join(text.split())
    return text if text.isascii() else _BETWEEN.sub("", text)


def words(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def has_words(text: str) -> bool:
    return _WORD.search(text) is not None


class LowerWords(NamedTuple):
    """The words of a text in order."""

    words: list[str]  # in lower case; equal ones are one object
    starts: NDArray[np.int64]  # [w], first character of each in the text
    ends: NDArray[np.int64]  # [w], the character after its last


def lower_words(text: str) -> LowerWords:
    """Return the words of a text, as `words` finds them, at a third of the cost and memory."""
    parts = _WORDS_AND_GAPS.split(text)  # gap, word, gap, …
    ends = np.cumsum(np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)))
    written = parts[1::2]
    lower = {word: word.casefold() for word in dict.fromkeys(written)}
    one_of = {word: word for word in lower.values()}
    lower = {word: one_of[low] for word, low in lower.items()}
    return LowerWords(list(map(lower.__getitem__, written)), ends[:-1:2], ends[1::2])


def joint(before: str, after: str) -> str:
    """Return what stands between two folded texts that follow each other: a space, or nothing."""
    if not before or not after:
        return ""
    return "" if _BETWEEN.search(f"{before[-1]} {after[0]}") else " "


def text_id(text: str) -> str:
    """Return the id of a text: 12 hexadecimal digits of the SHA-256 of its folded form."""
    return hashlib.sha256(folded(text).encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]


# Equal items of two sequences

_MOST: Final = 2048
"""Items of a stretch that is matched exactly: its cost an item is bounded by so many bits."""


def matched(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of places of equal items, ascending in both.

    As many as there can be for sequences of up to 2,048 items. Of longer ones there may be more,
    and none is found in a longer stretch of which no item occurs once in each.
    """
    pairs: list[tuple[int, int]] = []
    waiting = [(0, len(old), 0, len(new))]
    while waiting:
        low, high, left, right = waiting.pop()
        while low < high and left < right and old[low] == new[left]:
            pairs.append((low, left))
            low, left = low + 1, left + 1
        while low < high and left < right and old[high - 1] == new[right - 1]:
            high, right = high - 1, right - 1
            pairs.append((high, right))
        if low == high or left == right:
            continue
        if max(high - low, right - left) <= _MOST:
            found = _longest(old[low:high], new[left:right])
            pairs += [(low + one, left + other) for one, other in found]
            continue
        anchors = _anchors(old, new, low, high, left, right)
        pairs += anchors
        for one, other in [*anchors, (high, right)] if anchors else []:
            waiting.append((low, one, left, other))
            low, left = one + 1, other + 1
    return sorted(pairs)


def _anchors(  # noqa: PLR0913, PLR0917  two ranges
    old: Sequence[Hashable], new: Sequence[Hashable], low: int, high: int, left: int, right: int
) -> list[tuple[int, int]]:
    """Return pairs of items that both ranges have once, as many as ascend in both."""
    once = Counter(old[low:high])
    place = {item: at for at, item in enumerate(new[left:right], left)}
    once_new = Counter(new[left:right])
    pairs = [
        (at, place[item])
        for at, item in enumerate(old[low:high], low)
        if once[item] == 1 and once_new[item] == 1
    ]
    least: list[int] = []  # of the runs of each length the least last place in the second
    last: list[int] = []
    before: list[int] = []
    for at, (_, other) in enumerate(pairs):
        length = bisect_left(least, other)
        before.append(last[length - 1] if length else -1)
        least[length : length + 1] = [other]
        last[length : length + 1] = [at]
    out = []
    at = last[-1] if last else -1
    while at >= 0:
        out.append(pairs[at])
        at = before[at]
    return out[::-1]


def _longest(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the pairs of a longest common subsequence."""
    bits: dict[Hashable, int] = {}
    for at, item in enumerate(old):
        bits[item] = bits.get(item, 0) | 1 << at
    every = (1 << len(old)) - 1
    state = every
    states = []
    for item in new:
        common = state & bits.get(item, 0)
        state = ((state + common) | (state - common)) & every
        states.append(state)
    out = []
    at, other = len(old), len(new)
    while at and other:
        if states[other - 1] >> (at - 1) & 1:
            at -= 1
        else:
            other -= 1
            if not other or states[other - 1] >> (at - 1) & 1:
                at -= 1
                out.append((at, other))
    return out[::-1]


# Ranges of words

_FACTOR: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_FACTOR, -1, 1 << 64)
_LONG: Final = 32  # words of a range that are compared: longer ones that begin alike count as equal


class RepeatedWords:
    """The words of a text, compared range by range; a range ``low:high`` excludes its ``high``."""

    def __init__(self, words: list[str]) -> None:
        number = {word: at for at, word in enumerate(dict.fromkeys(words), 1)}
        own = np.fromiter(map(number.__getitem__, words), dtype=np.uint64, count=len(words))
        powers = np.full(len(own) + 1, _FACTOR, dtype=np.uint64)
        self._back = np.full(len(own) + 1, _INVERSE, dtype=np.uint64)
        for one in (powers, self._back):
            one[0] = 1
            np.multiply.accumulate(one, out=one)
        self._sums = np.zeros(len(own) + 1, dtype=np.uint64)
        np.add.accumulate(own * powers[:-1], out=self._sums[1:])
        self._firsts: dict[int, bytes] = {}

    def is_first(self, low: int, high: int) -> bool:
        """Return whether the words of a range, the first 32 of them, stand nowhere before it."""
        length = min(high - low, _LONG)
        if length not in self._firsts:
            self._firsts[length] = self._first_ranges(length)
        return bool(self._firsts[length][low])

    def recurs(self, low: int, start: int, stop: int) -> bool:
        """Return whether the words ``start:stop`` stand at any place from ``low`` to ``start``."""
        hashes = self._hashes(low, start + 1, stop - start)
        return bool((hashes[:-1] == hashes[-1]).any())

    def _hashes(self, low: int, high: int, length: int) -> NDArray[np.uint64]:
        """Return uint64[high-low]: hashes of the ranges of a length that begin there."""
        ends = self._sums[low + length : high + length]
        return (ends - self._sums[low:high]) * self._back[low:high]

    def _first_ranges(self, length: int) -> bytes:
        """Return a byte for each range of a length: 1 where it stands nowhere before."""
        hashes = self._hashes(0, len(self._sums) - length, length)
        order = np.argsort(hashes, kind="stable")
        ordered = hashes[order]
        is_first = np.ones(len(order), dtype=bool)
        is_first[order[1:]] = ordered[1:] != ordered[:-1]
        return is_first.tobytes()
