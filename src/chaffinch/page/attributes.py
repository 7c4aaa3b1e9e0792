"""The attributes of a page, in columns or in dicts by row, and searches through their values.

Most values are never read. Columns are filled by the walk at little cost, and a value becomes a str
when it is read. Many rules need the class names that contain one of some words: the words of one
are searched for along with those of all others on earlier pages, in one pass over a page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.errors import require_text
from chaffinch.kernels.arrays import AttributeArrays, Hashes, Pairs, Rows
from chaffinch.page.arrays import Codes, Mask

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


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one attribute.

    Attributes:
        rows: different value, "" where none is given → rows that have it, in order.
    """

    rows: dict[str, list[int]]

    @cached_property
    def columns(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """intp[r], intp[r]: all rows that have the attribute, value by value; numbers of these."""
        rows = np.array(list(chain.from_iterable(self.rows.values())), dtype=np.intp)
        return rows, np.repeat(np.arange(len(self.rows)), list(map(len, self.rows.values())))

    def rows_of(self, values: Iterable[str]) -> list[int]:
        """Return the rows that have one of ``values``, different ones of `rows`, in order."""
        return sorted(chain.from_iterable(self.rows[value] for value in values))

    def containing(self, *words: str) -> list[str]:
        """Return the values that hold one of ``words``, given in lower case, in any case."""
        if not self.rows:
            return []
        text, starts = self._lines
        numbers: set[int] = set()
        for word in words:
            at = text.find(word)
            while at >= 0:
                number = bisect_right(starts, at) - 1
                numbers.add(number)
                after = number + 1
                at = text.find(word, starts[after]) if after < len(starts) else -1
        values = list(self.rows)
        return [values[number] for number in sorted(numbers)]

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """All values in lower case, each behind a line break, and where each one's line starts."""
        lines = ["\n" + value.lower() for value in self.rows]
        starts = list(accumulate(map(len, lines), initial=0))
        return "".join([*lines, "\n"]) if lines else "", starts[:-1]


_NONE: Final[Pairs] = {}
_NO_ROWS: Final[Rows] = np.zeros(0, dtype=np.int32)
_NO_CODES: Final[Codes] = np.zeros(0, dtype=np.uint16)
_NO_BITS: Final[Hashes] = np.zeros(0, dtype=np.uint64)


@dataclass(eq=False)  # a frozen one sets each field by a call
class AttributeColumns:
    """Attributes in columns, as the kernel ``walk`` makes them.

    An attribute's index is its number in document order, from 0; there are ``a`` of them. No name
    stands twice in a row.

    Attributes:
        starts: bytes of int32[n+1], the index of each row's first attribute.
        rows: bytes of int32[a], the row of each attribute.
        numbers: bytes of int32[a], the number of its name.
        ends: bytes of int32[a+1], where the value of each starts in ``values``; the last is its
            length. The value at index i is ``values[ends[i] : ends[i + 1]]``.
        valueless: a bytes, 1 where an attribute has no value: it maps to None.
        values: the values of all, one after the other, in UTF-8, which is valid.
        number_of: name → its number, from 0, in order of first sight.
    """

    starts: bytes
    rows: bytes
    numbers: bytes
    ends: bytes
    valueless: bytes
    values: bytes
    number_of: dict[str, int]

    @classmethod
    def of_rows(cls, by_row: dict[int, Pairs], count: int) -> AttributeColumns:
        """Return the columns of attributes of a page of ``count`` rows; ``by_row`` is in order."""
        number_of: dict[str, int] = {}
        numbers = [number_of.setdefault(n, len(number_of)) for own in by_row.values() for n in own]
        values = [value for own in by_row.values() for value in own.values()]
        texts = [value or "" for value in values]
        encoded = "".join(texts).encode("utf-8", "replace")
        lengths = [
            len(text) if text.isascii() else len(text.encode("utf-8", "replace")) for text in texts
        ]
        sizes = np.zeros(count, dtype=np.int32)
        sizes[list(by_row)] = [len(own) for own in by_row.values()]
        return cls(
            _up_to(sizes),
            np.repeat(np.arange(count, dtype=np.int32), sizes).tobytes(),
            np.array(numbers, dtype=np.int32).tobytes(),
            _up_to(np.array(lengths, dtype=np.int32)),
            bytes([value is None for value in values]),
            encoded,
            number_of,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: self.__dict__[f.name] for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def of(self, row: int) -> Pairs:
        """Return the attributes of ``row``, not to be changed."""
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = kernels.pairs(*self.for_kernels, row)
        return known

    @cached_property
    def by_row(self) -> dict[int, Pairs]:
        """Row → its attributes, of rows that have any, in order; not to be changed."""
        starts = _ints(self.starts)
        rows = np.flatnonzero(starts[1:] > starts[:-1]).tolist()
        return {row: self.of(row) for row in rows}

    @property
    def names(self) -> AbstractSet[str]:
        """Names of all attributes on the page."""
        return self.number_of.keys()

    def having(self, name: str, among: Mask | None = None) -> tuple[list[int], list[str | None]]:
        """Return the rows (of those ``among``) that have an attribute, and its value in each."""
        if name not in self.number_of:
            return [], []
        mask = b"" if among is None else np.ascontiguousarray(among, dtype=bool)
        columns = self.rows, self.numbers, self.ends, self.values, self.valueless
        return kernels.having(*columns, mask, self.number_of[name])

    def rows_of(self, name: str) -> Rows | list[int]:
        """Return the rows that have the attribute ``name``, in order."""
        if name not in self.number_of:
            return []
        rows: Rows = _ints(self.rows)[_ints(self.numbers) == self.number_of[name]]
        return rows

    def values_of(self, rows: Rows, *names: str) -> list[tuple[str | None, ...]]:
        """Return for each of r rows its values of some attributes; "" for none, None where absent.

        Args:
            rows: int32[r].
            names: of the attributes.
        """
        wanted = np.array([self.number_of.get(name, -1) for name in names], dtype=np.int32)
        return kernels.values_of(self.starts, self.numbers, self.ends, self.values, rows, wanted)

    def rows_by_value(self, name: str) -> dict[str, list[int]]:
        """Return each value of the attribute ``name``, "" for none, and the rows that have it."""
        return _by_value(*self.having(name))

    def candidate_values(self, name: str, words: tuple[str, ...]) -> dict[str, list[int]]:
        """Return each value that may hold one of ``words`` in any case, and the rows that have it.

        Values with letters beyond ASCII are always among them. Words are of ASCII in lower case; a
        line break at the end of one is the end of a value, too.
        """
        rows, _ = self.words_contained(name, coded(words))
        values = self.values_of(rows, name) if len(rows) else []
        return _by_value(rows.tolist(), [value for (value,) in values])

    def words_contained(
        self,
        name: str,
        words: tuple[bytes, ...],
        tag: Codes = _NO_CODES,
        code: int = 0,
        *,
        folded: bool = True,
    ) -> tuple[Rows, Hashes]:
        """Return what `kernels.words_found` does of the attribute ``name``."""
        if name not in self.number_of:
            return _NO_ROWS, _NO_BITS
        given = self.rows, self.numbers, self.ends, self.values
        return kernels.words_found(given, self.number_of[name], words, folded, tag, code)

    def contain(
        self, words: tuple[str, ...], names: tuple[str, str], tag: Codes, code: int
    ) -> bool:
        """Return whether one of ``words`` stands in one of two attributes of rows with a tag.

        Args:
            words: up to 32 of two or more letters or signs of ASCII, compared in their own case.
            names: names of the attributes.
            tag: uint16[n], the codes of the page's tags.
            code: of the tag of the rows that are searched; -1 for all.
        """
        given = coded(words), tag if code >= 0 else _NO_CODES, code
        return any(len(self.words_contained(name, *given, folded=False)[0]) for name in set(names))

    @cached_property
    def for_kernels(self) -> AttributeArrays:
        """What the kernels take."""
        names = tuple(self.number_of)
        return self.starts, self.numbers, self.ends, self.valueless, self.values, names

    @cached_property
    def _known(self) -> dict[int, Pairs]:
        """Row → its attributes, of those rows that were read."""
        return {}


def _by_value(rows: list[int], values: list[str | None]) -> dict[str, list[int]]:
    by_value: defaultdict[str, list[int]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        by_value[value or ""].append(row)
    return dict(by_value)


def _up_to(sizes: Rows) -> bytes:
    """Return int32[k+1] as bytes: the sum of what is before each of k sizes, and of all."""
    return np.append(np.int32(0), np.cumsum(sizes, dtype=np.int32)).tobytes()


def _ints(column: bytes) -> Rows:
    return np.frombuffer(column, np.int32)
