"""Hashed words of class, id, role and itemprop, by row; and rows that a style hides.

The words are learned, not listed: each is hashed to a bucket whose vector the network learns. A
name is cut at hyphens, digits and changes of case; it also counts as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase
from struct import Struct
from typing import TYPE_CHECKING, Final, TypeAlias, overload
from zlib import crc32

import numpy as np

from chaffinch.elements.hidden import FOLDED_STEMS
from chaffinch.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.page.attributes import AttributeColumns

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
_READ: Final = "class id role itemprop style hidden aria-hidden".split()
"""Attributes that are read, in the order in which the kernel numbers them."""
_SPECIAL: Final = frozenset(_READ[2:])
_REMEMBERED: Final = 1 << 14
_PACK: Final = Struct(f"={MOST_WORDS}H").pack
_PADDING: Final = (NONE,) * MOST_WORDS


Names: TypeAlias = tuple[str | None, ...]
"""Class and id, with role and itemprop where there is one of them; None for those absent."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Which names each row bears.

    Attributes:
        of_row: int32[n], number of the row's set of names; 0 for none.
        alike: int32[n], the same for rows whose names differ in digits alone; 0 for none. Posts,
            comments and products bear the numbers of their database.
        hidden: int32[h], rows whose own style or attributes hide them.
        buckets: uint16[MOST_WORDS, s], the buckets of each set of names, then `NONE`.
        sets: the s sets of names.
        telling: the sets in which a role or a class may say what an element is for, after the
            number of each.
    """

    of_row: Rows
    alike: Rows
    hidden: Rows
    buckets: NDArray[np.uint16]
    sets: Sequence[Names]
    telling: list[tuple[int, Names]]

    def saying(self, says: Callable[[Names], bool]) -> Mask:
        """Return bool[s]: which sets say so, of those that are `telling`."""
        mask = np.zeros(len(self.sets), dtype=bool)
        mask[[number for number, names in self.telling if says(names)]] = True
        return mask


def read_marks(page: Page, wanted: Mask) -> Marks:
    """Return the marks of those rows of ``page`` that are ``wanted``, bool[n]."""
    compiled, columns = kernels(), page.attribute_columns
    if compiled and columns and (marks := _read_columns(compiled, columns, wanted)):
        return marks
    look, is_plain = wanted.tolist(), _SPECIAL.isdisjoint
    seen: dict[Names, int] = {(None, None): 0}
    rows: list[int] = []
    numbers: list[int] = []
    hidden: list[int] = []
    key: Names
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
            key = _names(pairs)
            if _hides(pairs):
                hidden.append(row)
        rows.append(row)
        numbers.append(seen.setdefault(key, len(seen)))
    of_row = np.zeros(len(page), dtype=np.int32)
    of_row[np.fromiter(rows, np.intp, len(rows))] = np.fromiter(numbers, np.int32, len(rows))
    packed = list(map(_packed, seen))
    known: dict[bytes, int] = {}
    alike = np.array([known.setdefault(words, len(known)) for words in packed], dtype=np.int32)
    return Marks(
        of_row=of_row,
        alike=alike.take(of_row),
        hidden=np.array(hidden, dtype=np.int32),
        buckets=_buckets_of(b"".join(packed)),
        sets=list(seen),
        telling=list(enumerate(seen)),
    )


def _read_columns(compiled: ModuleType, columns: AttributeColumns, wanted: Mask) -> Marks | None:
    """Return the marks of rows whose attributes are in columns; None for names made to collide."""
    number_of = columns.number_of
    kinds = bytearray(len(number_of))
    for kind, name in enumerate(_READ, 1):
        if name in number_of:
            kinds[number_of[name]] = kind
    of_row, alike = np.empty((2, len(wanted)), dtype=np.int32)
    found = compiled.read_names(
        *columns.for_kernels,
        kinds,
        np.ascontiguousarray(wanted),
        of_row,
        alike,
        FOLDED_STEMS,
        _packed,
        _style_hides,
    )
    if found is None:
        return None
    buckets, first, telling, hidden = found
    return Marks(
        of_row=of_row,
        alike=alike,
        hidden=np.frombuffer(hidden, np.int32),
        buckets=_buckets_of(buckets),
        sets=_Sets(columns, np.frombuffer(first, np.int32)),
        telling=telling,
    )


@dataclass(frozen=True, eq=False)
class _Sets(Sequence[Names]):
    """Sets of names that are read where somebody asks.

    Attributes:
        columns: the page's attributes.
        first: int32[s], the first row of each set, -1 for that of no names.
    """

    columns: AttributeColumns
    first: Rows

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, at: int) -> Names: ...
    @overload
    def __getitem__(self, at: slice) -> list[Names]: ...
    def __getitem__(self, at: int | slice) -> Names | list[Names]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return _names(self.columns.of(self.first.item(at)))


def _buckets_of(packed: bytes) -> NDArray[np.uint16]:
    return np.frombuffer(packed, dtype=np.uint16).reshape(-1, MOST_WORDS).T


def _names(pairs: Mapping[str, str | None]) -> Names:
    key = pairs.get("class"), pairs.get("id")
    if "role" in pairs or "itemprop" in pairs:
        return (*key, pairs.get("role"), pairs.get("itemprop"))
    return key


def _hides(pairs: Mapping[str, str | None]) -> bool:
    style = pairs.get("style")
    return (
        "hidden" in pairs
        or pairs.get("aria-hidden") == "true"
        or bool(style and _style_hides(style))
    )


def _style_hides(style: str) -> bool:
    return _HIDDEN.search(style) is not None


def words_of(key: Names) -> tuple[int, ...]:
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
def _packed(key: Names) -> bytes:
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
