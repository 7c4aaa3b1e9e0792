"""Hashed words of class, id, role and itemprop, by row; and rows that a style hides.

The words are learned, not listed: each is hashed to a bucket whose vector the network learns. A
name is cut at hyphens, digits and changes of case; it also counts as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_lowercase
from struct import Struct
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from chaffinch.compiled import kernels
from chaffinch.segment.hidden import FOLDED_STEMS, class_folds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

BUCKETS: Final = 1 << 12
NONE: Final = BUCKETS
"""The bucket of no word."""
MOST_WORDS: Final = 12
"""Words read of one element's names; utility classes can be dozens."""

_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_DIGITS: Final = re.compile(r"\d+")
_ASCII_DIGITS: Final = re.compile(rb"[0-9]+")
_APART: Final = bytes(code if code in ascii_lowercase.encode() else 0x20 for code in range(256))
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPECIAL: Final = frozenset("role itemprop style hidden aria-hidden".split())
_REMEMBERED: Final = 1 << 14
_CLASS_AND_ID: Final = 2
"""Names of an element without role and itemprop; see `Marks.sets`."""
_PACK: Final = Struct(f"={MOST_WORDS}H").pack
_PADDING: Final = (NONE,) * MOST_WORDS


@dataclass(frozen=True, eq=False)
class Marks:
    """Which names each row bears.

    Attributes:
        of_row: int32[n], number of the row's set of names; 0 for none.
        sets: class and id, with role and itemprop where there is one of them, of each set of names.
        packed: the buckets of each set of names: `MOST_WORDS` of uint16, `NONE` at the end.
        hidden: rows whose own style or attributes hide them.
    """

    of_row: Rows
    sets: list[tuple[str | None, ...]]
    packed: list[bytes]
    hidden: list[int]

    @cached_property
    def telling(self) -> list[int]:
        """Numbers of the sets that may tell what an element is for.

        They have a role, or a class that may say that a click opens the element
        (`chaffinch.segment.hidden.class_folds`).
        """
        if compiled := kernels():
            found: list[int] = compiled.sets_telling(self.sets, FOLDED_STEMS)
            return found
        return [number for number, names in enumerate(self.sets) if _may_tell(names)]

    @property
    def buckets(self) -> NDArray[np.uint16]:
        """uint16[MOST_WORDS, s]: the buckets of each set of names; that of set 0 are `NONE`."""
        joined = np.frombuffer(b"".join(self.packed), dtype=np.uint16)
        return joined.reshape(-1, MOST_WORDS).T

    @property
    def alike(self) -> NDArray[np.int32]:
        """int32[n]: rows whose names differ in digits alone have the same number; 0 for none.

        Posts, comments and products bear the numbers of their database.
        """
        known: dict[bytes, int] = {}
        numbers = [known.setdefault(words, len(known)) for words in self.packed]
        return np.array(numbers, dtype=np.int32)[self.of_row]


def read_marks(page: Page, wanted: Mask) -> Marks:
    """Return the marks of those rows of ``page`` that are ``wanted``, bool[n]."""
    look, is_plain = wanted.tolist(), _SPECIAL.isdisjoint
    seen: dict[tuple[str | None, ...], int] = {(None, None): 0}
    rows: list[int] = []
    numbers: list[int] = []
    hidden: list[int] = []
    key: tuple[str | None, ...]
    for row, pairs in page.all_attributes():
        if not look[row]:
            continue
        if is_plain(pairs):
            if "class" in pairs:
                key = pairs["class"], pairs.get("id")
            elif "id" in pairs:
                key = None, pairs["id"]
            else:
                continue
        else:
            key = pairs.get("class"), pairs.get("id")
            if "role" in pairs or "itemprop" in pairs:
                key = (*key, pairs.get("role"), pairs.get("itemprop"))
            if _hides(pairs):
                hidden.append(row)
        rows.append(row)
        numbers.append(seen.setdefault(key, len(seen)))
    of_row = np.zeros(len(page), dtype=np.int32)
    of_row[np.fromiter(rows, np.intp, len(rows))] = np.fromiter(numbers, np.int32, len(rows))
    return Marks(of_row, list(seen), list(map(_packed, seen)), hidden)


@lru_cache(maxsize=_REMEMBERED)
def _may_tell(names: tuple[str | None, ...]) -> bool:
    """Tell whether `Marks.telling` counts a set of names; sites repeat themselves."""
    return len(names) > _CLASS_AND_ID or class_folds(names[0] or "")


def _hides(pairs: Mapping[str, str | None]) -> bool:
    style = pairs.get("style")
    return (
        "hidden" in pairs
        or pairs.get("aria-hidden") == "true"
        or bool(style and _HIDDEN.search(style))
    )


def words_of(key: tuple[str | None, ...]) -> tuple[int, ...]:
    """Return the buckets of the words in (class, id[, role, itemprop])."""
    found: dict[bytes, int] = {}
    for name in f"{key[0] or ''} {key[1] or ''}".split():
        found |= _buckets(name)
    special = [
        _bucket(f"{kind}={value.strip().lower()}".encode("utf-8", "surrogatepass"))
        for kind, value in zip(("role", "itemprop"), key[2:], strict=False)
        if value
    ]
    return (*special, *found.values())[:MOST_WORDS]


@lru_cache(maxsize=_REMEMBERED)
def _packed(key: tuple[str | None, ...]) -> bytes:
    """Return the buckets of `words_of` as `Marks.packed` has them; sites repeat themselves."""
    words = words_of(key)
    return _PACK(*words, *_PADDING[len(words) :])


@lru_cache(maxsize=_REMEMBERED)
def _buckets(name: str) -> dict[bytes, int]:
    """Return the words of one name, the whole and its parts, in UTF-8, and the bucket of each."""
    words: list[bytes]
    if name.isascii() and name.islower():  # nine of ten; bytes are cut without a search
        whole = name.encode()
        words = [whole if whole.isalpha() else _ASCII_DIGITS.sub(b"0", whole)]
        words += whole.translate(_APART).split()
    else:
        parts = (_DIGITS.sub("0", name), *_PART.findall(name))
        words = [part.lower().encode("utf-8", "surrogatepass") for part in parts]
    return {word: _bucket(word) for word in words}


def _bucket(word: bytes) -> int:
    return crc32(word) % BUCKETS
