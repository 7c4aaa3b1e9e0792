"""Like entries are decided alike: a field of a list's entries is kept in all of them or in none.

An entry is an element with like siblings: same parent, tag and names. A column is the blocks of one
group (`Features.group`) in the entries of one list, such as the prices of its products.
Where blocks are decided one by one, three of sixty prices are kept and stand under wrong names. So
a column goes with the majority of its blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Mask

PAGE_TYPES: Final = ("collection", "listing", "product")
"""Page types whose content is entries."""
_LEAST: Final = 4
"""Entries of a list, and blocks of a column."""
_MAJORITY: Final = 0.5
"""Share of a column's blocks that must be kept for all of them to be."""


def columns_as_one(found: Features, keep: Mask) -> Mask:
    """Return bool[m]: ``keep``, with each column of a list kept or dropped as a whole.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
    """
    count = np.bincount(found.group)
    kept = np.bincount(found.group, weights=keep)
    if not ((count >= _LEAST) & (kept > 0) & (kept < count)).any():
        return keep
    blocks = found.blocks
    entry = kernels.nearest(blocks.page.parent, _entries(found))[blocks.owner]
    of_list = np.where(entry >= 0, blocks.page.parent[entry], -1)
    column = _numbered(of_list, found.group)
    count, kept = np.bincount(column), np.bincount(column, weights=keep)
    uneven = ((count >= _LEAST) & (kept > 0) & (kept < count))[column] & (of_list >= 0)
    return np.where(uneven, (kept >= _MAJORITY * count)[column], keep)


def _entries(found: Features) -> Mask:
    """Return bool[n]: elements with `_LEAST` like siblings, themselves included."""
    page = found.blocks.page
    elements = np.flatnonzero(page.tag > tags.TEXT)
    kind = _numbered(page.tag[elements], found.names.alike[elements])
    alike = _numbered(page.parent[elements], kind)
    mask = np.zeros(len(page), dtype=bool)
    mask[elements[np.bincount(alike)[alike] >= _LEAST]] = True
    return mask


def _numbered(first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return intp[k]: the number of each pair, equal for equal pairs."""
    pairs = (first.astype(np.int64) << 32) + second
    numbers: NDArray[np.intp] = np.unique(pairs, return_inverse=True)[1]
    return numbers
