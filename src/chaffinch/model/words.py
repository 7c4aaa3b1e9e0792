"""Words of a text as hashes, and kinds of characters by script."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.kernels.character_kinds import (
    CAPITAL,
    DIGIT,
    LETTER,
    MARK,
    OTHER,
    PAUSE,
    SENTENCE_END,
    SPACE,
    UNIT,
)
from chaffinch.kernels.codes import WORD_BUCKETS as BUCKETS
from chaffinch.kernels.codes import WORD_SLOTS as SLOTS
from chaffinch.kernels.codes import WORDS_READ as READ

NONE = BUCKETS
"""The bucket of no word."""

__all__ = ["BUCKETS", "NONE", "READ", "SLOTS"]


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
    for code in (*range(_IDEOGRAPHS), *range(0xFE00, _PLANE)):
        character = chr(code)
        category = unicodedata.category(character)
        kind = _BY_CATEGORY.get(category[0], OTHER)
        if category in {"Lu", "Lt"}:
            kind = CAPITAL
        if character.isspace():
            kind = SPACE
        table[code] = kind
    for low, high in _UNIT_RANGES:
        letters = table[low:high]
        letters[(letters == LETTER) | (low >= _IDEOGRAPHS)] = UNIT
    for marks, kind in ((_ENDS, SENTENCE_END), (_PAUSES, PAUSE)):
        table[[ord(mark) for mark in marks]] = kind
    table.flags.writeable = False
    return table


@cache
def letter_hashes() -> NDArray[np.uint32]:
    """Return uint32[65536]: a hash of each letter and digit, 0 for all other characters.

    The same for both cases, and for all digits.
    """
    table = np.random.default_rng(_SEED).integers(1 << 32, size=_PLANE, dtype=np.uint32)
    for code in range(0x2C00):
        small = chr(code).lower()
        if len(small) == 1 and ord(small) < _PLANE:
            table[code] = table[ord(small)]
    kinds = kinds_table()
    table[kinds == DIGIT] = table[ord("0")]
    table[~((kinds >= LETTER) & (kinds <= DIGIT) | (kinds == UNIT))] = 0
    table.flags.writeable = False
    return table
