"""The attributes of a page: in dicts by row, or in columns where the compiled walk made the page.

Most values are never asked for. Columns are filled by the walk at little cost, and a value becomes
a str when somebody wants it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask, Rows

Pairs = dict[str, str | None]
"""Name → value of one row's attributes; a valueless one maps to None."""

_NONE: Final[Pairs] = {}


@dataclass(frozen=True, eq=False)
class Attributes:
    """Attributes in dicts.

    Attributes:
        by_row: row → its attributes, of rows that have any, in order; not to be changed.
    """

    by_row: dict[int, Pairs]

    def __getstate__(self) -> dict[str, Any]:
        return {"by_row": self.by_row}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def of(self, row: int) -> Pairs:
        """Return the attributes of ``row``, not to be changed."""
        return self.by_row.get(row, _NONE)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all attributes on the page: quicker to make than what `having` needs."""
        return frozenset().union(*self.by_row.values())

    def having(self, name: str, among: Mask | None = None) -> tuple[list[int], list[str | None]]:
        """Return the rows (of those ``among``) that have an attribute, and its value in each."""
        rows = self.rows_of(name)
        if among is not None:
            rows = [row for row in rows if among[row]]
        pairs = self.by_row
        return rows, [pairs[row][name] for row in rows]

    def rows_of(self, name: str) -> list[int]:
        """Return the rows that have the attribute ``name``, in order."""
        return self._rows.get(name, [])

    def rows_by_value(self, name: str) -> dict[str, list[int]]:
        """Return each value of the attribute ``name``, "" for none, and the rows that have it."""
        return _by_value(*self.having(name))

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """Name → rows that have it, in order: pages are asked for many names."""
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row, pairs in self.by_row.items():
            for name in pairs:
                rows[name].append(row)
        return dict(rows)


@dataclass(frozen=True, eq=False)
class AttributeColumns:
    """Attributes in columns, as the kernel ``walk`` makes them, with what `Attributes` has.

    An attribute's place is its number in document order, from 0; there are ``a`` of them. No name
    stands twice in a row.

    Attributes:
        starts: bytes of int32[n+1], the place of each row's first attribute.
        rows: bytes of int32[a], the row of each attribute.
        numbers: bytes of int32[a], the number of its name.
        ends: bytes of int32[a+1], where the value of each starts in ``values``; the last is its
            length. The value of place i is ``values[ends[i] : ends[i + 1]]``.
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

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: self.__dict__[f.name] for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def of(self, row: int) -> Pairs:
        """Return the attributes of ``row``, not to be changed."""
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = self._made(row)
        return known

    @cached_property
    def by_row(self) -> dict[int, Pairs]:
        """Row → its attributes, of rows that have any, in order; not to be changed."""
        by_row: dict[int, Pairs]
        if compiled := kernels():
            by_row = compiled.all_pairs(*self.for_kernels)
            return by_row
        by_row = {}
        last, pairs = -1, _NONE
        names = self._names
        rows, numbers = _ints(self.rows).tolist(), _ints(self.numbers).tolist()
        values = self._values(np.arange(len(rows)))
        for row, number, value in zip(rows, numbers, values, strict=True):
            if row != last:
                last, pairs = row, {}
                by_row[row] = pairs
            pairs[names[number]] = value
        return by_row

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all attributes on the page."""
        return frozenset(self.number_of)

    def having(self, name: str, among: Mask | None = None) -> tuple[list[int], list[str | None]]:
        """Return the rows (of those ``among``) that have an attribute, and its value in each."""
        if name not in self.number_of:
            return [], []
        if compiled := kernels():
            columns = self.rows, self.numbers, self.ends, self.values, self.valueless
            mask = b"" if among is None else np.ascontiguousarray(among, dtype=bool)
            told: tuple[list[int], list[str | None]]
            told = compiled.having(*columns, mask, self.number_of[name])
            return told
        places = np.flatnonzero(_ints(self.numbers) == self.number_of[name])
        rows = _ints(self.rows)[places]
        if among is not None:
            places, rows = places[among[rows]], rows[among[rows]]
        return rows.tolist(), self._values(places)

    def rows_of(self, name: str) -> Rows | list[int]:
        """Return the rows that have the attribute ``name``, in order."""
        if name not in self.number_of:
            return []
        rows: Rows = _ints(self.rows)[_ints(self.numbers) == self.number_of[name]]
        return rows

    def rows_by_value(self, name: str) -> dict[str, list[int]]:
        """Return each value of the attribute ``name``, "" for none, and the rows that have it."""
        number = self.number_of.get(name)
        if (compiled := kernels()) and number is not None:
            given = self.rows, self.numbers, self.ends, self.values
            by_value: dict[str, list[int]] = compiled.rows_by_value(*given, number)
            return by_value
        return _by_value(*self.having(name))

    def rows_that_may_say(self, name: str, words: tuple[str, ...]) -> dict[str, list[int]]:
        """Return each value that may hold one of ``words`` in any case, and the rows that have it.

        Values with letters beyond ASCII are always among them; without kernels, all are. Words are
        in lower case and of ASCII; a line break at the end of one is the end of a value, too.
        """
        number = self.number_of.get(name)
        if (compiled := kernels()) and number is not None:
            given = self.rows, self.numbers, self.ends, self.values
            encoded = tuple(word.encode() for word in words)
            by_value: dict[str, list[int]] = compiled.rows_that_may_say(*given, number, encoded)
            return by_value
        return self.rows_by_value(name)

    def _made(self, row: int) -> Pairs:
        if compiled := kernels():
            pairs: Pairs = compiled.pairs(*self.for_kernels, row)
            return pairs
        if not 0 <= row < len(self.starts) // 4 - 1:
            return _NONE
        start, stop = _ints(self.starts)[row : row + 2].tolist()
        names = [self._names[number] for number in _ints(self.numbers)[start:stop].tolist()]
        return dict(zip(names, self._values(np.arange(start, stop)), strict=True))

    def _values(self, places: NDArray[np.intp]) -> list[str | None]:
        ends, none = _ints(self.ends), np.frombuffer(self.valueless, np.bool_)
        spans = zip(
            ends[places].tolist(), ends[places + 1].tolist(), none[places].tolist(), strict=True
        )
        values = self.values
        return [None if is_none else values[at:stop].decode() for at, stop, is_none in spans]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names by number."""
        return tuple(self.number_of)

    @cached_property
    def for_kernels(self) -> tuple[bytes | tuple[str, ...], ...]:
        """What the kernels take."""
        return self.starts, self.numbers, self.ends, self.valueless, self.values, self._names

    @cached_property
    def _known(self) -> dict[int, Pairs]:
        """Row → its attributes, of those rows that were asked for."""
        return {}


def _by_value(rows: list[int], values: list[str | None]) -> dict[str, list[int]]:
    by_value: defaultdict[str, list[int]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        by_value[value or ""].append(row)
    return dict(by_value)


def _ints(column: bytes) -> Rows:
    return np.frombuffer(column, np.int32)
