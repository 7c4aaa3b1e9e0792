"""Hashed words of class, id, role and itemprop, by row; and rows that a style hides.

The words are learned, not listed: each is hashed to a bucket whose vector the network learns. A
name is cut at hyphens, digits and changes of case; it also counts as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress, repeat
from struct import Struct
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from chaffinch import kernels
from chaffinch.caching import finds, kept_of_short_texts
from chaffinch.elements.opening import FOLDED_WORDS
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import marked
from chaffinch.kernels.codes import (
    ARIA_HIDDEN,
    CLASS,
    HIDDEN,
    ID,
    ITEMPROP,
    NAME_BUCKETS,
    NAME_WORDS,
    ROLE,
    STYLE,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Mask, Rows
    from chaffinch.page import Page
    from chaffinch.page.attributes import AttributeColumns

NONE: Final = NAME_BUCKETS
"""The bucket of no word."""

_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_DIGITS: Final = re.compile(r"\d+")
_hides: Final = finds(re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE))
_KIND_OF: Final = {
    "class": CLASS,
    "id": ID,
    "role": ROLE,
    "itemprop": ITEMPROP,
    "style": STYLE,
    "hidden": HIDDEN,
    "aria-hidden": ARIA_HIDDEN,
}
"""Codes of the attributes that are read."""
_CACHED: Final = 1 << 14
_PACK: Final = Struct(f"={NAME_WORDS}H").pack
_PADDING: Final = (NONE,) * NAME_WORDS


@dataclass(eq=False)  # a frozen one sets each field by a call
class NameHashes:
    """The names of each row, hashed.

    A row's names are the values of its class, id, role and itemprop. Rows of equal names share a
    set of names, by its number.

    Attributes:
        of_row: int32[n], number of the row's set of names; 0 for none.
        alike: int32[n], the same for rows whose names differ in digits alone, or in the ids beside
            a class; 0 for none. Posts and products have numbers of a database in their names, and
            editors give each paragraph an id that a machine drew.
        hidden: int32[h], rows whose own style or attributes hide them.
        buckets: uint16[NAME_WORDS, s], the buckets of each set of names, then `NONE`.
        columns: the attributes that the names are of.
        first: int32[s], the first row of each set, -1 for that of no names.
        purposeful: number → names of the sets with a role, or with a class that may name a
            part which opens by a click.
    """

    of_row: Rows
    alike: Rows
    hidden: Rows
    buckets: NDArray[np.uint16]
    columns: AttributeColumns
    first: Rows
    purposeful: dict[int, Names]

    def set_of(self, number: int) -> Names:
        """Return a set of names."""
        pairs = self.columns.of(self.first.item(number))
        key = pairs.get("class"), pairs.get("id")
        if "role" in pairs or "itemprop" in pairs:
            return (*key, pairs.get("role"), pairs.get("itemprop"))
        return key

    def matching(self, matches: Callable[[Names], bool]) -> Mask | None:
        """Return bool[s]: which sets match, of those that are `purposeful`; None if none does."""
        numbers = [*compress(self.purposeful, map(matches, self.purposeful.values()))]
        return marked(len(self.first), numbers) if numbers else None


def read_name_hashes(page: Page, wanted: Mask) -> NameHashes:
    """Return the names of those rows of ``page`` that are ``wanted``, bool[n]."""
    columns = page.own_attributes
    kinds = np.frombuffer(bytes(map(_KIND_OF.get, columns.number_of, repeat(0))), np.uint8)
    of_row, alike, buckets, first, purposeful, hidden = kernels.read_names(
        columns.for_kernels, kinds, wanted, FOLDED_WORDS, _packed, _hides
    )
    return NameHashes(
        of_row=of_row,
        alike=alike,
        hidden=hidden,
        buckets=buckets.T,
        columns=columns,
        first=first,
        purposeful=dict(purposeful),
    )


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
    return (*special, *found.values())[:NAME_WORDS]


def cut_words(key: Names) -> set[bytes]:
    """Return the words of class and id that are hashed: names as a whole, and their parts."""
    return {word for name in f"{key[0] or ''} {key[1] or ''}".split() for word in _buckets(name)}


def _packed(key: Names) -> bytes:
    """Return the buckets of `words_of` as `kernels.read_names` takes them."""
    words = words_of(key)
    return _PACK(*words, *_PADDING[len(words) :])


@kept_of_short_texts(_CACHED)
def _buckets(name: str) -> dict[bytes, int]:
    """Return the words of one name, the whole and its parts, in UTF-8, and the bucket of each."""
    parts = (_DIGITS.sub("0", name), *_PART.findall(name))
    words = [part.lower().encode("utf-8", "surrogatepass") for part in parts]
    return {word: _bucket(word) for word in words}


def _bucket(word: bytes) -> int:
    return crc32(word) % NAME_BUCKETS
