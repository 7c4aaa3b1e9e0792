"""Like entries are decided alike: a field of a list's entries is kept in all of them or in none.

An entry is an element with like siblings: same parent, tag and names. A column is the blocks of one
group (`Features.group`) in the entries of one list, such as the prices of its products.
Where blocks are decided one by one, three of sixty prices are kept and stand under wrong names. So
a column goes with the majority of its blocks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.lazy import lazy_module
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.metadata import product
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:  # few pages are lists of products
    product = lazy_module("chaffinch.metadata.product")

PAGE_TYPES: Final = ("collection", "listing", "product")
"""Page types whose content is entries."""
LISTS: Final = ("collection", "listing")
"""Page types whose entries show their prices; so may pages whose type isn't sure."""
_LEAST: Final = 4
"""Entries of a list, and blocks of a column."""
_MAJORITY: Final = 0.5
"""Share of a column's blocks that must be kept for all of them to be."""


_LONGEST_PRICE: Final = 40
"""Characters of a block that is a price."""
_LEAST_SCORE: Final = 0.1
"""Least probability of a price; below, its whole list is none of content."""
_MOST: Final = 2_000
"""Blocks in which prices are looked for."""
_CHOICES: Final = ("select", "datalist", "noscript")
"""What is in them are prices to choose among, or doubles."""
_PRICE_CLASS: Final = re.compile(r"price|cost|amount|preis|prix|precio", re.IGNORECASE)


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


def prices_of_entries(found: Features, keep: Mask, score: Floats) -> Mask | None:
    """Return bool[m]: prices in entries of which something is kept; None where there is none.

    A price is a column of short blocks, most of which are named prices or have a currency.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
        score: float32[m], probability that each block is content.
    """
    blocks, page = found.blocks, found.blocks.page
    may = ~keep & (blocks.length <= _LONGEST_PRICE) & (score >= _LEAST_SCORE)
    count = np.bincount(found.group[may], minlength=1)
    may &= count[np.minimum(found.group, len(count) - 1)] >= _LEAST
    if page.holds(*_CHOICES):
        may &= ~page.inside(page.is_tag(*_CHOICES))[blocks.owner]
    if not may.any():
        return None
    entry = kernels.nearest(page.parent, _entries(found))[blocks.owner]
    may &= entry >= 0
    may &= np.bincount(entry + 1, weights=keep, minlength=len(page) + 1)[entry + 1] > 0
    chosen = np.flatnonzero(may)[:_MOST]
    if not len(chosen):
        return None
    column = _numbered(page.parent[entry[chosen]], found.group[chosen])
    is_price = np.array([_is_price(blocks, block) for block in chosen.tolist()])
    share = np.bincount(column, weights=is_price) / np.bincount(column)
    mask = np.zeros(len(blocks), dtype=bool)
    mask[chosen[(share >= _MAJORITY)[column] & is_price]] = True
    return mask if mask.any() else None


def _is_price(blocks: TextBlocks, block: int) -> bool:
    text = blocks.text(block)
    if not any(map(str.isdigit, text)):
        return False
    owner = int(blocks.owner[block])
    named = _PRICE_CLASS.search(blocks.page.attribute(owner, "class") or "") is not None
    return named or next(product.visible_prices(text), None) is not None


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
