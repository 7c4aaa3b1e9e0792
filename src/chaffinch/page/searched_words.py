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

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Hashes, Rows
    from chaffinch.page.attributes import AttributeColumns

_MOST: Final = 63
"""Words of one pass."""
_MOST_GROUPS: Final = 8
"""Passes of which words are remembered; what is requested beyond them has one of its own."""
_SHORTEST: Final = 2
_BEYOND: Final = np.uint64(1 << _MOST)

_groups: dict[str, tuple[tuple[str, ...], ...]] = {}
"""Name of an attribute → words that were requested, in groups; only ever replaced."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a pass found.

    Attributes:
        words: that were looked for.
        rows: int32[k], those whose value holds one, or letters beyond ASCII, in order.
        bits: uint64[k], which words, and in the highest bit whether there are such letters.
    """

    words: tuple[str, ...]
    rows: Rows
    bits: Hashes

    def rows_of(self, words: tuple[str, ...]) -> Rows:
        """Return the rows whose value holds one of ``words``, of any case that ASCII has."""
        return self._rows_with(_mask(self.words, words))

    def rows_that_may(self, words: tuple[str, ...]) -> Rows:
        """Return the same rows, and those whose value has letters beyond ASCII."""
        return self._rows_with(_mask(self.words, words) | _BEYOND)

    @cached_property
    def is_ascii(self) -> bool:
        """Whether no value has letters beyond ASCII."""
        return not len(self._rows_with(_BEYOND))

    def _rows_with(self, mask: np.uint64) -> Rows:
        rows: Rows = self.rows[(self.bits & mask).astype(bool)]
        return rows


def is_searchable(words: tuple[str, ...]) -> bool:
    """Return whether a pass may look for words: of ASCII, of two letters or more, and not many."""
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
        if _holds(one.words, words):
            return one
    together = _together(name, words)
    coded = tuple(word.encode() for word in together)
    found = Search(together, *attributes.words_contained(name, coded))
    known.append(found)
    return found


def _together(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a group of words, searched for in an attribute, that holds ``words``."""
    groups = _groups.get(name, ())
    for group in groups:
        if _holds(group, words):
            return group
    grown = tuple(dict.fromkeys((*(groups[-1] if groups else ()), *words)))
    if groups and len(grown) <= _MOST:
        _groups[name] = (*groups[:-1], grown)
        return grown
    if len(groups) < _MOST_GROUPS:
        _groups[name] = (*groups, words)
    return words


@lru_cache(maxsize=1024)
def _holds(group: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return set(words).issubset(group)


@lru_cache(maxsize=1024)
def _mask(group: tuple[str, ...], words: tuple[str, ...]) -> np.uint64:
    """Return the bits of ``words``, all of a group."""
    return np.uint64(sum(1 << group.index(word) for word in set(words)))
