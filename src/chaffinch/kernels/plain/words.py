"""Words of a text as hashes.

A word is a run of letters and digits (case folded, digits all as 0); in scripts without spaces it
is one character, hashed together with the next. Hashes are sums over the characters, each
times the one before it, so that one prefix sum gives those of all words, and of whole blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.character_kinds import UNIT, starts_of_units
from chaffinch.kernels.codes import WORD_BUCKETS, WORD_SLOTS, WORDS_READ

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Codes, Kinds, Places

_ODD: Final = np.uint32(0x9E3779B1)
_NEXT: Final = np.uint32(0x85EBCA6B)
_FIRST: Final = np.uint32(0x58519F2D)
_WHOLE: Final = np.uint32(0x14057B7E)
_MIDDLE: Final = np.uint32(15)
_PLACES: Final = np.arange(WORDS_READ)[:, None]


@dataclass(frozen=True, eq=False)
class Words:
    """The words of a text, in order.

    Attributes:
        at: intp[w], where each word starts.
        value: uint32[w], hash of each word.
        bucket: uint16[w + 1], bucket of each word, and `WORD_BUCKETS`.
        sums: uint32[c + 1], hash of all characters before each: those of a stretch are the
            difference of two.
        alone: bool[w], characters of scripts without spaces.
    """

    at: Places
    value: NDArray[np.uint32]
    bucket: Codes
    sums: NDArray[np.uint32]
    alone: NDArray[np.bool_]


def read_words(codes: Codes, kinds: Kinds, hashes: NDArray[np.uint32], breaks: Places) -> Words:
    """Return the words of a text.

    Args:
        codes: uint16[c], code points.
        kinds: uint8[c], kinds of the characters; see `chaffinch.kernels.character_kinds`.
        hashes: uint32[65536], a hash of each letter and digit, 0 for all other characters.
        breaks: places where a word ends and another starts, whatever stands there.
    """
    terms = hashes.take(codes)
    starts = starts_of_units(kinds)
    starts[breaks] = terms[breaks] > 0
    at = np.flatnonzero(starts)
    before = np.empty_like(terms)
    before[:1] = 1
    np.bitwise_or(terms[:-1], np.uint32(1), out=before[1:])
    before[at] = 1
    terms *= before
    sums = np.zeros(len(codes) + 1, dtype=np.uint32)
    np.add.accumulate(terms, out=sums[1:])
    value = np.empty(len(at), dtype=np.uint32)
    before_each = sums[at]
    np.subtract(before_each[1:], before_each[:-1], out=value[:-1])
    value[-1:] = sums[-1] - before_each[-1:]
    alone = kinds[at] == UNIT
    if alone.any():
        pairs = alone[:-1] & alone[1:] & (at[1:] - at[:-1] == 1)
        value[:-1] += (value[1:] * _NEXT) * pairs
    bucket = np.empty(len(at) + 1, dtype=np.uint16)
    bucket[:-1] = buckets(value)
    bucket[-1] = WORD_BUCKETS
    return Words(at, value, bucket, sums, alone)


def buckets(hashes: NDArray[np.uint32], bits: int = 14) -> NDArray[np.uint32]:
    """Return the bucket of each hash, in 0..2^bits."""
    mixed = hashes * _ODD
    mixed ^= mixed >> _MIDDLE
    mixed *= _NEXT
    found: NDArray[np.uint32] = mixed >> np.uint32(32 - bits)
    return found


def starts_of_blocks(
    words: Words,
    first: Places,
    last: Places,
    begin: Places,
    stop: Places,
) -> Codes:
    """Return uint16[WORD_SLOTS, m]: buckets of m blocks' first words, first word alone, whole text.

    Args:
        words: the words of the page.
        first: intp[m], first word of each block.
        last: intp[m], first word after each block.
        begin: intp[m], first character of each block.
        stop: intp[m], first character after each block.
    """
    out = np.empty((WORD_SLOTS, len(first)), dtype=np.uint16)
    count = len(words.at)
    places = first + _PLACES
    np.putmask(places, places >= last, count)
    words.bucket.take(places, out=out[:WORDS_READ], mode="clip")
    special = np.empty((WORD_SLOTS - WORDS_READ, len(first)), dtype=np.uint32)
    further = first + WORDS_READ
    if count:
        stop = np.where(further < last, words.at.take(further, mode="clip"), stop)
        words.value.take(first, out=special[0], mode="clip")
    whole = words.sums[stop]
    whole -= words.sums[begin]
    special[0] *= first < last
    special[0] ^= _FIRST
    np.bitwise_xor(whole, _WHOLE, out=special[1])
    out[WORDS_READ:] = buckets(special)
    return out
