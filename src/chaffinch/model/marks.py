"""Hashed words of class, id, role and itemprop, by row; and rows that a style hides.

The words are learned, not listed: each is hashed to a bucket whose vector the network learns. A
name is cut at hyphens, digits and changes of case; it also counts as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

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
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPECIAL: Final = frozenset("role itemprop style hidden aria-hidden".split())
_REMEMBERED: Final = 20_000
_memory: dict[tuple[str | None, ...], tuple[int, ...]] = {}


@dataclass(frozen=True, eq=False)
class Marks:
    """Which names each row bears.

    Attributes:
        of_row: int32[n], number of the row's set of names; 0 for none.
        sets: class and id, with role and itemprop where there is one of them, of each set of names.
        words: one tuple of buckets a set of names; that of set 0 is empty.
        hidden: rows whose own style or attributes hide them.
    """

    of_row: Rows
    sets: list[tuple[str | None, ...]]
    words: list[tuple[int, ...]]
    hidden: list[int]


def read_marks(page: Page, wanted: Mask) -> Marks:
    """Return the marks of those rows of ``page`` that are ``wanted``, bool[n]."""
    look = wanted.tolist()
    seen: dict[tuple[str | None, ...], int] = {(None, None): 0}
    rows: list[int] = []
    numbers: list[int] = []
    hidden: list[int] = []
    for row, pairs in page.all_attributes():
        if not look[row]:
            continue
        key: tuple[str | None, ...] = (  # twice as fast as get
            pairs["class"] if "class" in pairs else None,  # noqa: SIM401
            pairs["id"] if "id" in pairs else None,  # noqa: SIM401
        )
        if not _SPECIAL.isdisjoint(pairs):
            if "role" in pairs or "itemprop" in pairs:
                key = (*key, pairs.get("role"), pairs.get("itemprop"))
            if _hides(pairs):
                hidden.append(row)
        rows.append(row)
        numbers.append(seen.setdefault(key, len(seen)))
    of_row = np.zeros(len(page), dtype=np.int32)
    of_row[rows] = numbers
    return Marks(of_row, list(seen), [words_of(key) for key in seen], hidden)


def _hides(pairs: Mapping[str, str | None]) -> bool:
    style = pairs.get("style")
    return (
        "hidden" in pairs
        or pairs.get("aria-hidden") == "true"
        or bool(style and _HIDDEN.search(style))
    )


def words_of(key: tuple[str | None, ...]) -> tuple[int, ...]:
    """Return the buckets of the words in (class, id[, role, itemprop])."""
    found = _memory.get(key)
    if found is None:
        if len(_memory) > _REMEMBERED:
            _memory.clear()
        found = _memory[key] = _words_of(key)
    return found


def _words_of(key: tuple[str | None, ...]) -> tuple[int, ...]:
    words: dict[str, None] = {}
    for name in f"{key[0] or ''} {key[1] or ''}".split():
        words[_DIGITS.sub("0", name).lower()] = None
        for part in _PART.findall(name):
            words[part.lower()] = None
    special = [
        f"{kind}={value.strip().lower()}"
        for kind, value in zip(("role", "itemprop"), key[2:], strict=False)
        if value
    ]
    chosen = (special + list(words))[:MOST_WORDS]
    return tuple(crc32(word.encode("utf-8", "surrogatepass")) % BUCKETS for word in chosen)


def padded(words: list[tuple[int, ...]]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Return (int32[MOST_WORDS, s], intp[s]): the buckets of s sets, and how many each has."""
    sizes = np.fromiter(map(len, words), dtype=np.intp, count=len(words))
    stops = np.cumsum(sizes)
    total = int(stops[-1])
    every = np.fromiter(chain.from_iterable(words), dtype=np.int32, count=total)
    at = np.arange(total) - np.repeat(stops - sizes, sizes)
    out = np.full((int(sizes.max()), len(words)), NONE, dtype=np.int32)
    out[at, np.repeat(np.arange(len(words)), sizes)] = every
    return out, sizes
