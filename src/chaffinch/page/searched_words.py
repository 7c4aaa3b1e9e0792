"""Searches through the values of one attribute that are made together.

Many rules need the class names that contain one of some words. The words of one are searched for
along with those of all others on earlier pages, in one pass over a page; each then reads bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
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
_BEYOND: Final = np.uint64(BEYOND)
_NONE: Final = np.uint64(0)


@dataclass(frozen=True, eq=False)
class Group:
    """Words of one pass.

    Attributes:
        words: different ones, in lower case.
        coded: the same as bytes.
    """

    words: tuple[str, ...]
    coded: tuple[bytes, ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> Group:
        """Return the group of ``words``."""
        each = tuple(dict.fromkeys(words))
        return cls(each, coded(each))


_groups: dict[str, tuple[Group, ...]] = {}
"""Name of an attribute → groups of words that were requested; only ever replaced."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a pass found.

    Attributes:
        group: the words that were looked for.
        rows: int32[k], those whose value holds one, or letters beyond ASCII, in order.
        bits: uint64[k], which words, and in the highest bit whether there are such letters.
    """

    group: Group
    rows: Rows
    bits: Hashes

    def rows_of(self, words: tuple[str, ...]) -> Rows:
        """Return the rows whose value holds one of ``words``, of any case that ASCII has."""
        return self._rows_with(_bits(self.group, words) or _NONE)

    def rows_that_may(self, words: tuple[str, ...]) -> Rows:
        """Return the same rows, and those whose value has letters beyond ASCII."""
        return self._rows_with((_bits(self.group, words) or _NONE) | _BEYOND)

    @cached_property
    def is_ascii(self) -> bool:
        """Whether no value has letters beyond ASCII."""
        return not len(self._rows_with(_BEYOND))

    def _rows_with(self, mask: np.uint64) -> Rows:
        rows: Rows = self.rows[(self.bits & mask).astype(bool)] if len(self.rows) else self.rows
        return rows


def word_bits(words: tuple[str, ...], some: Iterable[str]) -> int:
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


def search(
    known: list[Search], attributes: AttributeColumns, name: str, words: tuple[str, ...]
) -> Search:
    """Return a pass over an attribute that looks for ``words``, made unless it is among ``known``.

    Args:
        known: passes over this attribute of the page; a new one is added.
        attributes: of the page.
        name: of the attribute.
        words: in lower case, as `is_searchable`.
    """
    for one in known:
        if _bits(one.group, words) is not None:
            return one
    group = _together(name, words)
    found = Search(group, *attributes.words_contained(name, group.coded))
    known.append(found)
    return found


def _together(name: str, words: tuple[str, ...]) -> Group:
    """Return a group of words, searched for in an attribute, that holds ``words``."""
    groups = _groups.get(name, ())
    for group in groups:
        if _bits(group, words) is not None:
            return group
    if groups:
        grown = Group.of((*groups[-1].words, *words))
        if len(grown.words) <= _MOST:
            _groups[name] = (*groups[:-1], grown)
            return grown
    own = Group.of(words)
    if len(groups) < _MOST_GROUPS:
        _groups[name] = (*groups, own)
    return own


@lru_cache(maxsize=1024)
def _bits(group: Group, words: tuple[str, ...]) -> np.uint64 | None:
    """Return the bits of ``words``; None where a group hasn't all of them."""
    if not set(words).issubset(group.words):
        return None
    return np.uint64(word_bits(group.words, words))
