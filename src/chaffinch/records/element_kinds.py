"""The kind of an element: its tag and its first lasting class name, and paths of kinds."""

from __future__ import annotations

import re
from functools import lru_cache
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
    _mix_in(kinds, page, "class", _first_class_hash)
    return kinds


def first_class_name(value: str) -> str:
    """Return the first lasting name of a ``class`` attribute, without digits; "" for none."""
    return next(iter(lasting_class_names(value)), "")


def name_paths(page: Page) -> Hashes:
    """Return uint64[n]: hash of the path of tags, lasting class names and ids to each row."""
    named = page.symbols.copy()
    _mix_in(named, page, "class", _class_names_hash)
    _mix_in(named, page, "id", _id_hash)
    return hashing.path_hashes(named, page.depth, page.end)


def _mix_in(symbols: Hashes, page: Page, attribute: str, hashed: Callable[[str], int]) -> None:
    """Mix hashes of an attribute's values into the symbols, uint64[n], of the rows that have it."""
    rows: list[int] = []
    hashes: list[int] = []
    for value, own in page.values(attribute).rows.items():
        rows += own
        hashes += [hashed(value)] * len(own)
    symbols[rows] ^= np.array(hashes, dtype=np.uint64)


@lru_cache(maxsize=4096)
def _first_class_hash(value: str) -> int:
    """Return the hash of the first lasting class name; 0 for none. Cached: pages repeat them."""
    name = first_class_name(value)
    return hashing.hash_string(f".{name}") if name else 0


@lru_cache(maxsize=4096)
def _class_names_hash(value: str) -> int:
    """Return the hash of all lasting class names, cached likewise."""
    return hashing.hash_string("." + " ".join(sorted(set(lasting_class_names(value)))))


def _id_hash(value: str) -> int:
    return hashing.hash_string(f"#{_DIGITS.sub('', value)}")
