"""The attributes of a page, in columns or in dicts by row, and searches through their values.

Most values are never read. Columns are filled by the walk at little cost, and a value becomes a str
when it is read. Many rules need the class names that contain one of some words: each has a `Search`
for them, and all searches that were made on earlier pages take one pass over a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from functools import lru_cache, partial, reduce
from itertools import chain, compress, count, repeat
from operator import or_
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.kernels.arrays import AttributeArrays, Hashes, Mask, Pairs, Rows

if TYPE_CHECKING:
    from chaffinch.page.page import Page

_MOST: Final = 63  # bits of what one pass looks for
_SHORTEST: Final = 2
BEYOND: Final = 1 << _MOST
"""The bit of a value with letters beyond ASCII."""
_TOGETHER: Final = frozenset(
    "class id style itemtype src role name property aria-label epub:type data-slate-type".split()
)
"""Attributes that are searched on any page; others are only where something is sought in them."""

_Key: TypeAlias = tuple[str, int]
"""A pass: an attribute, "" for those searched together, and a number."""
_Found: TypeAlias = tuple[int, Rows, Hashes]
"""Bits that a pass looked for; int32[k], rows, and the bits that it found in each."""


@dataclass(frozen=True, eq=False)
class Sought:
    """What one pass looks for."""

    kinds: dict[str, int]  # name of an attribute → its kind, from 1
    words: kernels.SoughtWords  # by kind, and what they say
    bits: int  # all bits that words have

    @classmethod
    def of(cls, sets: Iterable[tuple[str, tuple[str, ...], int]]) -> Sought:
        """Return what looks for words in attributes, with the bit of each set of words."""
        said: defaultdict[tuple[str, str], int] = defaultdict(int)
        bits = 0
        for name, words, own in sets:
            bits |= own
            for word in words:
                said[name, word] |= own
        kinds = {name: at + 1 for at, name in enumerate(dict.fromkeys(name for name, _ in said))}
        encoded = tuple(word.encode() for _, word in said)
        of_kind = bytes(kinds[name] for name, _ in said)
        each = np.array(list(said.values()), dtype=np.uint64)
        return cls(kinds, kernels.sought(encoded, of_kind, each), bits)


def words_in_names(page: Page, words: tuple[str, ...]) -> Hashes:
    """Return uint64[n]: which of ``words`` the class or the id of each row holds, as bits.

    The first word has the lowest bit; the highest, `BEYOND`, is that of names with letters beyond
    ASCII. For rules that look for many words at once, 63 at most, such as those of a `Search`.
    """
    bits = np.zeros(len(page), dtype=np.uint64)
    rows, found = page.own_attributes.search(_in_names(words))
    bits[rows] = found
    known: dict[tuple[str | None, ...], int] = {}  # rows share names
    beyond = rows[found >= np.uint64(BEYOND)]  # their lower case may be ASCII
    names = page.own_attributes.values_of(beyond, "class", "id")
    for row, own in zip(beyond.tolist(), names, strict=True):
        if own not in known:
            lower = [(value or "").lower() for value in own]
            held = (any(word in value for value in lower) for word in words)
            known[own] = BEYOND + sum(1 << at for at, holds in enumerate(held) if holds)
        bits[row] = known[own]
    return bits


@lru_cache(maxsize=64)
def _in_names(words: tuple[str, ...]) -> Sought:
    """Return what looks for each of some words in class and id."""
    return Sought.of(
        (name, (word,), 1 << at) for name in ("class", "id") for at, word in enumerate(words)
    )


def bits_of(words: tuple[str, ...], some: Iterable[str]) -> int:
    """Return the bits of ``some`` of the words of `words_in_names`."""
    return sum(1 << words.index(word) for word in set(some))


class Search:
    """Words that are looked for in an attribute of each page; made once, as a constant of a module.

    Words are in lower case, of two or more letters of ASCII; a line break at the end of one stands
    for the end of a value, too.
    """

    def __init__(self, name: str, *words: str) -> None:
        self.name = name
        self.words = words

    @cached_property
    def place(self) -> tuple[_Key, int]:
        """The pass that looks for the words along with others, and their bit."""
        group = "" if self.name in _TOGETHER else self.name
        number = next(_counts[group])
        key, bit = (group, number // _MOST), 1 << number % _MOST
        _passes[key].append((self.name, self.words, bit))
        return key, bit

    @cached_property
    def bit(self) -> int:
        """The bit of this search in `Searched.may_find`."""
        key, bit = self.place
        return bit << _first_bit(key)

    def candidates(self, page: Page) -> Rows:
        """Return int32[r]: the rows whose attribute holds one of the words, or isn't ASCII."""
        searched = page.searched
        return searched.rows_of(*self.place) if searched.may_find & self.bit else NO_ROWS

    def where(self, page: Page, matches: Callable[[str], bool]) -> list[int]:
        """Return the rows whose attribute has a value for which ``matches`` is true, in order.

        Each value is tried once, and not at all if it is ASCII and holds none of the words.
        """
        searched = page.searched
        if not searched.may_find & self.bit:
            return []
        rows = searched.rows_of(*self.place)
        if not len(rows):
            return []
        values = page.own_attributes.values_of(rows, self.name)
        answers = {one: matches(one[0] or "") for one in dict.fromkeys(values)}
        return [*compress(rows.tolist(), map(answers.__getitem__, values))]

    def rows(self, page: Page) -> list[int]:
        """Return the rows whose attribute holds one of the words in any case, in order."""
        return self.where(page, self._is_held)

    def _is_held(self, value: str) -> bool:
        return any(map(value.lower().__contains__, self.words))


class Searches:
    """Some searches; on most pages none of them finds anything, which is asked at once."""

    def __init__(self, *searches: Search) -> None:
        self.searches = searches

    @cached_property
    def bits(self) -> int:
        """The bits of all in `Searched.may_find`."""
        return reduce(or_, (search.bit for search in self.searches))

    def may_find(self, page: Page) -> bool:
        """Return whether any of them may find something: false only where none does."""
        return page.searched.may_find & self.bits != 0


class Searched:
    """What searches find in the attributes of a page."""

    def __init__(self, attributes: AttributeColumns) -> None:
        self.attributes = attributes
        # the bits of searches that may find something, of all that weren't made yet among them
        self.may_find = -1
        self._found: dict[_Key, _Found] = {}

    def rows_of(self, key: _Key, bit: int) -> Rows:
        """Return int32[r]: the rows in which a pass finds what a bit of it stands for."""
        found = self._found.get(key)
        if found is None or not found[0] & bit:  # or it was made before that search was
            found = self._found[key] = self._pass(key)
        _, rows, bits = found
        return rows[(bits & bit).nonzero()]

    def _pass(self, key: _Key) -> _Found:
        """Return what a pass finds that looks for all that is known by now."""
        sought = _sought(key, len(_passes[key]))
        rows, bits = self.attributes.search(sought)
        absent = sought.bits & ~int(np.bitwise_or.reduce(bits))
        self.may_find &= ~(absent << _first_bit(key))
        return sought.bits, rows, bits


_passes: Final = defaultdict[_Key, list[tuple[str, tuple[str, ...], int]]](list)
"""Pass → the attribute, the words and the bit of each search that was made on any page."""
_counts: Final = defaultdict[str, Iterator[int]](count)
_first_bits: Final[dict[_Key, int]] = {}
"""Pass → the number from which on its bits stand in `Searched.may_find`."""
_places: Final = count(0, _MOST)


def _first_bit(key: _Key) -> int:
    if key not in _first_bits:
        _first_bits.setdefault(key, next(_places))
    return _first_bits[key]


@lru_cache(maxsize=64)
def _sought(key: _Key, known: int) -> Sought:
    """Return what a pass looks for, of the first ``known`` of its searches."""
    return Sought.of(_passes[key][:known])


@lru_cache(maxsize=64)
def _alone(name: str, words: tuple[str, ...]) -> Sought:
    return Sought.of([(name, words, 1)])


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


NO_ROWS: Final[Rows] = np.zeros(0, dtype=np.int32)
_NO_BITS: Final[Hashes] = np.zeros(0, dtype=np.uint64)


@dataclass(eq=False)  # a frozen one sets each field by a call
class AttributeColumns:
    """Attributes in columns, as the kernel ``walk`` makes them.

    An attribute's index is its number in document order, from 0; there are ``a`` of them. No name
    stands twice in a row.
    """

    starts: bytes  # bytes of int32[n+1], the index of each row's first attribute
    rows: bytes  # bytes of int32[a], the row of each attribute
    numbers: bytes  # bytes of int32[a], the number of its name
    # bytes of int32[a+1], where the value of each starts in ``values``; the last is its length. The
    # value at index i is ``values[ends[i] : ends[i + 1]]``
    ends: bytes
    valueless: bytes  # a bytes, 1 where an attribute has no value: it maps to None
    values: bytes  # the values of all, one after the other, in UTF-8, which is valid
    number_of: dict[str, int]  # name → its number, from 0, in order of first sight

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

    @cached_property
    def of(self) -> Callable[[int], Pairs]:
        """Returns the attributes of a row, not to be changed."""
        return _Known(self.for_kernels).__getitem__

    @cached_property
    def by_row(self) -> dict[int, Pairs]:
        """Row → its attributes, of rows that have any, in order; not to be changed."""
        starts = _ints(self.starts)
        return {row: self.of(row) for row in (starts[1:] > starts[:-1]).nonzero()[0].tolist()}

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

    def rows_of(self, name: str) -> Rows:
        """Return the rows that have the attribute ``name``, in order."""
        if name not in self.number_of:
            return NO_ROWS
        rows: Rows = _ints(self.rows)[_ints(self.numbers) == self.number_of[name]]
        return rows

    def values_of(self, rows: Rows, *names: str) -> list[tuple[str | None, ...]]:
        """Return of each of int32[r] rows its values of attributes; "" for none, None if absent."""
        wanted = np.array([*map(self.number_of.get, names, repeat(-1))], dtype=np.int32)
        return kernels.values_of(self.starts, self.numbers, self.ends, self.values, rows, wanted)

    def rows_by_value(self, name: str) -> dict[str, list[int]]:
        """Return each value of the attribute ``name``, "" for none, and the rows that have it."""
        return _by_value(*self.having(name))

    def candidate_values(self, name: str, words: tuple[str, ...]) -> dict[str, list[int]]:
        """Return each value that may hold one of ``words`` in any case, and the rows that have it.

        Values with letters beyond ASCII are always among them, and all where words can't be
        searched for: of other letters, or of one. Words are in lower case; a line break at the end
        of one is the end of a value, too.
        """
        if not all(word.isascii() and len(word) >= _SHORTEST for word in words):
            return self.rows_by_value(name)
        rows, _ = self.search(_alone(name, words))
        values = self.values_of(rows, name) if len(rows) else []
        return _by_value(rows.tolist(), [value for (value,) in values])

    def search(self, sought: Sought) -> tuple[Rows, Hashes]:
        """Return what a pass finds: int32[k], rows in order, and uint64[k], the bits of each."""
        kinds, number_of = sought.kinds, self.number_of
        if kinds.keys().isdisjoint(number_of):
            return NO_ROWS, _NO_BITS
        given = self.rows, self.numbers, self.ends, self.values
        of_name = bytes(map(kinds.get, number_of, repeat(0)))
        return kernels.words_found(given, of_name, sought.words)

    @cached_property
    def for_kernels(self) -> AttributeArrays:
        """What the kernels take."""
        names = tuple(self.number_of)
        return self.starts, self.numbers, self.ends, self.valueless, self.values, names


class _Known(dict[int, Pairs]):
    """Row → its attributes, of those rows that were read; without a call where they were."""

    def __init__(self, columns: AttributeArrays) -> None:
        self.read = partial(kernels.pairs, *columns)

    def __missing__(self, row: int) -> Pairs:
        return self.setdefault(row, self.read(row))


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
