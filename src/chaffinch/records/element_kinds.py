"""The kind of an element: its tag and its first lasting class name, and paths of kinds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import hashing
from chaffinch.posts.post_features import lasting_class_names

if TYPE_CHECKING:
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
    for value, rows in page.values("class").rows.items():
        if (name := first_class_name(value)) != "":
            kinds[rows] ^= _hash(f".{name}")
    return kinds


def first_class_name(value: str) -> str:
    """Return the first lasting name of a ``class`` attribute, without digits; "" for none."""
    return next(iter(lasting_class_names(value)), "")


def name_paths(page: Page) -> Hashes:
    """Return uint64[n]: hash of the path of tags, lasting class names and ids to each row."""
    named = page.symbols.copy()
    for value, rows in page.values("class").rows.items():
        names = " ".join(sorted(set(lasting_class_names(value))))
        named[rows] ^= _hash(f".{names}")
    for value, rows in page.values("id").rows.items():
        named[rows] ^= _hash(f"#{_DIGITS.sub('', value)}")
    return hashing.path_hashes(named, page.depth, page.end)


@lru_cache(maxsize=4096)
def _hash(names: str) -> np.uint64:
    """Return the hash of names; cached, since pages repeat them."""
    return np.uint64(hashing.hash_string(names))
