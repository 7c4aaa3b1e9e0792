"""Searches through the values of one attribute that are made together.

Many rules need the class names that contain one of some words. The words of one are searched for
along with those of all others on earlier pages, in one pass over a page; each then reads bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.errors import require_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.kernels.arrays import Hashes, Rows
    from chaffinch.page.attributes import AttributeColumns

_MOST: Final = 63
"""Words of one pass."""
_MOST_GROUPS: Final = 8
"""Passes of which words are remembered; what is requested beyond them has one of its own."""
_SHORTEST: Final = 2
BEYOND: Final = 1 << _MOST
"""The bit of a value with letters beyond ASCII."""


@dataclass(frozen=True, eq=False)  # hashed by what it is, not by its words
class Group:
    """Different words of one pass, in lower case."""

    words: tuple[str, ...]


_groups: dict[str, tuple[Group, ...]] = {}
"""Name of an attribute → words of each pass, as far as requested; only ever replaced."""


@dataclass(eq=False)  # a frozen one sets each field by a call
class Search:
    """What a pass found.

    Attributes:
        group: the words that were looked for.
        rows: int32[k], those whose value holds one, or letters beyond ASCII, in order.
        bits: uint64[k], which words, and in the highest bit whether there are such letters.
        found: the bits of all of them.
    """

    group: Group
    rows: Rows
    bits: Hashes
    found: int

    def rows_with(self, mask: int) -> Rows:
        """Return int32[r]: the rows with one of the bits."""
        if not self.found & mask:
            return self.rows[:0]
        rows: Rows = self.rows[(self.bits & np.uint64(mask)).astype(bool)]
        return rows


@lru_cache(maxsize=1024)
def bits_in(group: Group, words: tuple[str, ...]) -> int:
    """Return the bits of ``words`` in a group; 0 where it hasn't all of them."""
    return bits_of(group.words, words) if set(words).issubset(group.words) else 0


def bits_of(words: tuple[str, ...], some: Iterable[str]) -> int:
    """Return the bits of ``some`` of the words of a pass."""
    return sum(1 << words.index(word) for word in set(some))


@lru_cache(maxsize=64)
def coded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return words as a kernel takes them."""
    return tuple(word.encode() for word in words)


@lru_cache(maxsize=1024)
def is_searchable(words: tuple[str, ...]) -> bool:
    """Return whether a pass may look for words: of ASCII, of two letters or more, and not many.

    Raises:
        OptionError: one isn't text.
    """
    for word in words:
        require_text("each word", word)
    return len(words) <= _MOST and all(w.isascii() and len(w) >= _SHORTEST for w in words)


def search(attributes: AttributeColumns, name: str, words: tuple[str, ...]) -> Search:
    """Return a pass over an attribute that looks for ``words`` and others; see `is_searchable`."""
    group = _together(name, words)
    rows, bits = attributes.words_contained(name, coded(group.words))
    return Search(group, rows, bits, int(np.bitwise_or.reduce(bits)) if len(bits) else 0)


def _together(name: str, words: tuple[str, ...]) -> Group:
    """Return the words of a pass over an attribute that looks for ``words``, too."""
    groups = _groups.get(name, ())
    for group in groups:
        if bits_in(group, words):
            return group
    if groups:
        grown = _different(groups[-1].words + words)
        if len(grown.words) <= _MOST:
            _groups[name] = (*groups[:-1], grown)
            return grown
    own = _different(words)
    if len(groups) < _MOST_GROUPS:
        _groups[name] = (*groups, own)
    return own


def _different(words: tuple[str, ...]) -> Group:
    return Group(tuple(dict.fromkeys(words)))
