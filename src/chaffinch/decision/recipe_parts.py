"""Ingredients and steps of the recipe that a page declares are content.

Lists of short lines beside a long text look like noise. A page that declares its recipe for
machines has the texts of both: the element that shows most of them is found by these texts, and
kept where the kept text lacks them. Copies for printers, and lists that show the same twice, are
not added to one that is kept.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.lazy import lazy_module
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.metadata import recipe_texts, values
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:  # few pages declare a recipe
    recipe_texts = lazy_module("chaffinch.metadata.recipe_texts")
    values = lazy_module("chaffinch.metadata.values")

# Chosen on the corpus of recipes, whole languages left out: python -m bench.quality.recipes
_ENOUGH: Final = 0.97
"""Share of the shown texts that must be kept for nothing to be missing."""
_MOST: Final = 0.8
"""Share of the shown texts that the element holds."""
_OWN: Final = 0.3
"""Share of its own characters from which the element is kept as a whole, with its headings and
what stands between the texts."""
_LEAST: Final = 0.1
"""Share of the declared characters that must be shown at one place."""
_LONG: Final = 15
"""Letters and digits of a block that counts as a part of a longer declared text."""
_MOST_PLACES: Final = 20
"""Places at which one text is looked for."""
_NAMED: Final = "recipeI"
"""What stands in the JSON-LD of every recipe with parts: ``recipeIngredient`` or the like."""
_TYPE: Final = "itemtype"
_RECIPE: Final = ("Recipe",)
"""The attribute that names types of microdata, and what it holds for a recipe."""
_MOST_BLOCKS: Final = 5_000
"""Blocks of a page on which texts are looked for."""


def recipe_parts(blocks: TextBlocks, keep: Mask) -> Mask | None:
    """Return bool[m]: blocks of ingredients and steps that are to be kept, too; None for none.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
    """
    if len(keep) > _MOST_BLOCKS or not may_declare(blocks.page):
        return None
    recipe = recipe_texts.declared_recipe(blocks.page)
    if recipe is None:
        return None
    keys = [values.fold(text) for text in blocks.texts()]
    added = np.zeros(len(blocks), dtype=bool)
    for declared in (recipe.ingredients, recipe.steps):
        added |= _missing(blocks, keys, declared, keep)
    added &= ~keep
    return added if added.any() else None


def may_declare(page: Page) -> bool:
    """Return whether a page may declare the parts of a recipe: quick, and seldom wrong."""
    for source in page.sources.values():
        if _NAMED in source:
            return True
    if _TYPE not in page.attribute_names:
        return False
    return page.own_attributes.contain(_RECIPE, (_TYPE, _TYPE), page.tag, -1)


def _missing(blocks: TextBlocks, keys: list[str], declared: tuple[str, ...], keep: Mask) -> Mask:
    """Return bool[m]: the blocks that show the declared texts, where the kept ones lack them."""
    nothing = np.zeros(len(keys), dtype=bool)
    matched = shown_in(keys, declared)
    length = np.array([len(key) for key in keys])
    whole = sum(map(len, declared))
    sums = _summed(np.where(matched, length, 0))
    shown = min(int(sums[-1]), whole)
    kept = int(length[matched & keep].sum())
    if shown < _LEAST * whole or kept >= _ENOUGH * shown:
        return nothing
    page = blocks.page
    rows = np.flatnonzero(page.tag > tags.TEXT)
    first = np.searchsorted(blocks.first, rows)
    stop = np.searchsorted(blocks.first, page.end[rows])
    held = np.minimum(sums[stop] - sums[first], whole)
    rows_with = np.flatnonzero(held >= max(_MOST * shown, 1))
    own = _summed(length)
    size = (own[stop] - own[first])[rows_with]
    best = rows_with[np.lexsort((-rows[rows_with], size))[0]]
    inside = nothing.copy()
    inside[first[best] : stop[best]] = True
    if held[best] < _OWN * (own[stop[best]] - own[first[best]]):
        inside &= matched
    return inside


def shown_in(keys: list[str], declared: tuple[str, ...]) -> Mask:
    """Return bool[m]: the blocks that show declared texts.

    A text may be shown by several blocks in a row (amount and name), if it begins and ends with
    them; and a long block may be a part of a text.

    Args:
        keys: folded texts of the m blocks.
        declared: folded texts.
    """
    ends = list(accumulate(map(len, keys)))
    starts = {
        end - len(key): at for at, (end, key) in enumerate(zip(ends, keys, strict=True)) if key
    }
    running, joined = "".join(keys), "\n".join(declared)
    mask = np.array([len(key) >= _LONG and key in joined for key in keys], dtype=bool)
    for text in declared:
        at = -1
        for _ in range(_MOST_PLACES):
            at = running.find(text, at + 1)
            if at < 0:
                break
            if at in starts:
                last = bisect_left(ends, at + len(text))
                if ends[last] == at + len(text):
                    mask[starts[at] : last + 1] = True
    return mask


def _summed(values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return int64[m + 1]: the sum of the values before each block."""
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
