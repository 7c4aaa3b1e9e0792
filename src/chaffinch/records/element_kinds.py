"""The kind of an element: its tag and its first lasting class name, and paths of kinds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import hashing
from chaffinch.posts.post_features import lasting_class_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes

_DIGITS: Final = re.compile(r"\d+")


def element_kinds(page: Page) -> Hashes:
    """Return uint64[n]: equal for elements of one tag whose first lasting class name is the same.

    Digits count nothing, nor do names that differ within one list, such as ``odd`` and ``first``.
    """
    (kinds,) = page.derived("kinds of elements", lambda: (_kinds(page),))
    return kinds


def _kinds(page: Page) -> Hashes:
    kinds = page.symbols.copy()
    _mix_in(kinds, page, "class", first_class_name, salt=1)
    return kinds


def first_class_name(value: str) -> str:
    """Return the first lasting name of a ``class`` attribute, without digits; "" for none."""
    names = lasting_class_names(value)
    return names[0] if names else ""


def name_paths(page: Page) -> Hashes:
    """Return uint64[n]: hash of the path of tags, lasting class names and ids to each row."""
    named = page.symbols.copy()
    _mix_in(named, page, "class", _class_names, salt=2)
    _mix_in(named, page, "id", _id, salt=3)
    return hashing.path_hashes(named, page.depth, page.end)


def _mix_in(
    symbols: Hashes, page: Page, attribute: str, named: Callable[[str], str], *, salt: int
) -> None:
    """Mix what an attribute's values are named into the symbols, uint64[n], of rows that have it.

    Names are numbered as they come on the page; "" counts as no value.
    """
    number_of = {"": 0}
    values = page.values(attribute)
    numbers = [number_of.setdefault(named(value), len(number_of)) for value in values.rows]
    number = np.array(numbers, dtype=np.uint64)
    hashes = np.where(number > 0, hashing.mix(number | np.uint64(salt << 32)), np.uint64(0))
    rows, of_row = values.columns
    symbols[rows] ^= hashes.take(of_row)


def _class_names(value: str) -> str:
    names = lasting_class_names(value)
    return "." + (" ".join(sorted(set(names))) if len(names) > 1 else "".join(names))


def _id(value: str) -> str:
    return f"#{_DIGITS.sub('', value)}"
