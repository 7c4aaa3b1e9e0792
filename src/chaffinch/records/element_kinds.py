"""The kind of an element: its tag and its first lasting class name, and paths of kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page import hashing
from chaffinch.posts.lasting_names import lasting_class_names, numbered_names, without_digits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes
    from chaffinch.page.attribute_values import Values


def element_kinds(page: Page) -> Hashes:
    """Return uint64[n]: equal for elements of one tag whose first lasting class name is the same.

    Digits count nothing, nor do names that differ within one list, such as ``odd`` and ``first``.
    """
    (kinds,) = page.derived("kinds of elements", lambda: (_kinds(page),))
    return kinds


def _kinds(page: Page) -> Hashes:
    kinds = page.symbols.copy()
    values = page.values("class")
    numbers, owners = numbered_names(page)
    first = np.ones(len(owners), dtype=bool)
    first[1:] = owners[1:] != owners[:-1]
    hashes = np.zeros(len(values.rows), dtype=np.uint64)
    hashes[owners[first]] = _mixed(numbers[first], salt=1)
    _mix_in(kinds, values, hashes)
    return kinds


def first_class_name(value: str) -> str:
    """Return the first lasting name of a ``class`` attribute, without digits; "" for none."""
    names = lasting_class_names(value)
    return names[0] if names else ""


def name_paths(page: Page) -> Hashes:
    """Return uint64[n]: hash of the path of tags, lasting class names and ids to each row."""
    named = page.symbols.copy()
    for attribute, hashes in (("class", _hashes_of_sets(page)), ("id", _hashes_of_ids(page))):
        _mix_in(named, page.values(attribute), hashes)
    return hashing.path_hashes(named, page.depth, page.end)


def _hashes_of_sets(page: Page) -> Hashes:
    """Return uint64[v]: equal for values of ``class`` that have the same set of lasting names."""
    numbers, owners = numbered_names(page)
    count = int(numbers.max(initial=0)) + 1
    pairs = np.sort(owners * count + numbers)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    sums = np.zeros(len(page.values("class").rows), dtype=np.uint64)
    np.add.at(sums, pairs // count, _mixed(pairs % count, salt=2))
    return hashing.mix(sums + np.uint64(1))


def _hashes_of_ids(page: Page) -> Hashes:
    """Return uint64[v]: equal for values of ``id`` that are the same but for digits."""
    names = without_digits(list(page.values("id").rows))
    number_of = {name: number for number, name in enumerate(dict.fromkeys(names))}
    numbers = np.array([number_of[name] for name in names], dtype=np.int64)
    return _mixed(numbers, salt=3)


def _mixed(numbers: NDArray[np.int64], *, salt: int) -> Hashes:
    """Return uint64[k]: a hash of each number, from 0, another one for each salt."""
    return hashing.mix(numbers.astype(np.uint64) | np.uint64(salt << 32))


def _mix_in(symbols: Hashes, values: Values, hashes: Hashes) -> None:
    """Mix the hash, uint64[v], of each of an attribute's values into those, uint64[n], of rows."""
    rows, of_row = values.columns
    symbols[rows] ^= hashes.take(of_row)
