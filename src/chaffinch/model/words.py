"""Words of a text as hashes, and kinds of characters by script."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.kernels.arrays import Codes, Kinds, Mask, Places
from chaffinch.kernels.codes import WORD_BUCKETS as BUCKETS
from chaffinch.kernels.codes import WORD_SLOTS as SLOTS
from chaffinch.kernels.codes import WORDS_READ as READ

NONE = BUCKETS
"""The bucket of no word."""

__all__ = ["BUCKETS", "NONE", "READ", "SLOTS"]


OTHER: Final = 0
SPACE: Final = 1
LETTER: Final = 2
CAPITAL: Final = 3
DIGIT: Final = 4
SENTENCE_END: Final = 5
PAUSE: Final = 6
MARK: Final = 7
UNIT: Final = 8
"""A character that counts as a word, in scripts that don't part words by spaces."""

_ODD: Final = np.uint32(0x9E3779B1)
_NEXT: Final = np.uint32(0x85EBCA6B)
_MIDDLE: Final = np.uint32(15)
_SEED: Final = 0x5EED
_PLANE: Final = 0x10000
_IDEOGRAPHS: Final = 0x3400
_ENDS: Final = ".!?…。！？｡．।॥؟۔։።፧៕‽‼⁇⁈⁉"
_PAUSES: Final = ",;:、，；：،؛·،፣፤﹐﹑"
_UNIT_RANGES: Final = (
    (0x0E00, 0x0F00),
    (0x1000, 0x10A0),
    (0x1100, 0x1200),
    (0x1780, 0x1800),
    (0x3005, 0x3006),
    (0x3041, 0x3100),
    (0x3105, 0x3130),
    (0x31F0, 0x3200),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
    (0xAC00, 0xD7B0),
    (0xF900, 0xFB00),
    (0xFF66, 0xFFA0),
)
_HANGUL: Final = (0x1100, 0xAC00)
SPACELESS_RANGES: Final = tuple(one for one in _UNIT_RANGES if one[0] not in _HANGUL)
"""Half-open ranges of the letters of scripts that write without spaces."""
_BY_CATEGORY: Final = {"L": LETTER, "M": LETTER, "N": DIGIT, "P": MARK, "S": MARK, "Z": SPACE}


@cache
def kinds_table() -> NDArray[np.uint8]:
    """Return uint8[65536]: the kind of each character; those beyond count as units."""
    table = np.full(_PLANE, LETTER, dtype=np.uint8)
    for low, high in ((0, _IDEOGRAPHS), (0xFE00, _PLANE)):
        table[low:high] = [_kind(chr(code)) for code in range(low, high)]
    for low, high in _UNIT_RANGES:
        letters = table[low:high]
        letters[(letters == LETTER) | (low >= _IDEOGRAPHS)] = UNIT
    for marks, kind in ((_ENDS, SENTENCE_END), (_PAUSES, PAUSE)):
        table[[ord(mark) for mark in marks]] = kind
    table.flags.writeable = False
    return table


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if character.isspace():
        return SPACE
    return CAPITAL if category in {"Lu", "Lt"} else _BY_CATEGORY.get(category[0], OTHER)


@cache
def letter_hashes() -> NDArray[np.uint32]:
    """Return uint32[65536]: a hash of each letter and digit, 0 for all other characters.

    The same for both cases, and for all digits.
    """
    table = np.random.default_rng(_SEED).integers(1 << 32, size=_PLANE, dtype=np.uint32)
    small = [chr(code).lower() for code in range(0x2C00)]
    table[: len(small)] = table[
        [ord(one) if len(one) == 1 else code for code, one in enumerate(small)]
    ]
    kinds = kinds_table()
    table[kinds == DIGIT] = table[ord("0")]
    table[~((kinds >= LETTER) & (kinds <= DIGIT) | (kinds == UNIT))] = 0
    table.flags.writeable = False
    return table


def code_points(text: str) -> Codes:
    """Return uint16[len(text)]: code points; those beyond the basic plane become U+5B57."""
    narrow = text.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, dtype="<u2")
    wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.where(wide < _PLANE, wide, 0x5B57).astype(np.uint16)


def starts_of_units(kinds: Kinds) -> Mask:
    """Return bool[c]: where a word starts; each character of a script without spaces is a unit."""
    wordy = (kinds - np.uint8(LETTER)) <= np.uint8(DIGIT - LETTER)
    starts = wordy.copy()
    np.greater(wordy[1:], wordy[:-1], out=starts[1:])
    starts |= kinds == UNIT
    return starts


def read_words(codes: Codes, breaks: Places) -> tuple[Places, NDArray[np.uint32]]:
    """Return where each word of a text starts, intp[w], and its bucket, uint32[w].

    Args:
        codes: uint16[c], code points.
        breaks: places where a word ends and another starts, whatever stands there.
    """
    terms, kinds = letter_hashes().take(codes), kinds_table().take(codes)
    starts = starts_of_units(kinds)
    starts[breaks] = terms[breaks] > 0
    at = np.flatnonzero(starts)
    before = np.empty_like(terms)
    before[:1] = 1
    np.bitwise_or(terms[:-1], np.uint32(1), out=before[1:])
    before[at] = 1
    sums = np.append(np.uint32(0), np.add.accumulate(terms * before, dtype=np.uint32))
    value = np.diff(sums[np.append(at, len(codes))])
    alone = kinds[at] == UNIT
    pairs = alone[:-1] & alone[1:] & (at[1:] - at[:-1] == 1)
    value[:-1] += (value[1:] * _NEXT) * pairs
    mixed = value * _ODD
    mixed ^= mixed >> _MIDDLE
    mixed *= _NEXT
    return at, mixed >> np.uint32(32 - 14)
