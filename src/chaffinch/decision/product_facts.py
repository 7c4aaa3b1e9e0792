"""Price, variants and specification of the product that a page is about are content.

A price is a short line among buttons, and looks like noise. The page declares it for machines, so
that the block that shows it is known from the prices of other products: it has that amount, stands
nearest to the product's name, is no link and none of many like blocks with other amounts. Variants
are lines near below the name that the page declares as such, two of them or more. Tables and
definition lists below the name are the specification.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.choice import LOWEST
from chaffinch.decision.tables_and_code import data_table_rows
from chaffinch.lazy import lazy_module
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.metadata import product, sources, values
    from chaffinch.metadata.product import ProductDeclaration
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:  # few pages are those of products
    sources = lazy_module("chaffinch.metadata.sources")
    product = lazy_module("chaffinch.metadata.product")
    values = lazy_module("chaffinch.metadata.values")

PAGE_TYPES: Final = ("product",)
_BARS: Final = tags.table("nav header footer aside".split())
_LONGEST: Final = 80
"""Characters of a block that is a price, with its label."""
_NEAR: Final = 60
"""Blocks between the product's name and its price."""
_BEFORE: Final = 15
"""The same for a price above the name."""
_OTHERS: Final = 3
"""Blocks like that of the price with other amounts, from which on they are those of a list."""
_MOST: Final = 2_000
"""Blocks in which prices are looked for."""


def product_facts(found: Features, keep: Mask, score: Floats) -> Mask | None:
    """Return bool[m]: blocks of price, variants and specification of the page's product.

    None where the page declares no product, or its name isn't among the blocks.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
        score: float32[m], probability that each block is content.
    """
    blocks = found.blocks
    known = sources.Evidence(blocks.page)
    declared = list(product.declared_products(known))
    name = _name_block(known, blocks, declared) if declared else -1
    if name < 0:
        return None
    outside = ~blocks.inside(_BARS)
    mask = _specification(blocks, name) & outside & (score >= LOWEST)
    mask[_variant_blocks(blocks, declared, name, outside)] = True
    price = _price_block(found, declared_amounts(declared), name, keep, outside)
    if price >= 0:
        mask[price] = True
    return mask


def declared_amounts(declared: Iterable[ProductDeclaration]) -> frozenset[Decimal]:
    """Return the lowest and highest prices that sources declare; none of nothing."""
    keys = ("price", "highest_price")
    values = (one.values[key][0] for one in declared for key in keys if key in one.values)
    return frozenset(filter(None, (Decimal(str(value)) for value in values)))


def _price_block(
    found: Features, amounts: frozenset[Decimal], name: int, keep: Mask, outside: Mask
) -> int:
    """Return the block that shows the price; -1 for none, or where a kept block shows it."""
    blocks = found.blocks
    if not amounts:
        return -1
    may = (blocks.length <= _LONGEST) & (blocks.length > 0)
    texts = {
        at: set(product.amounts_in(blocks.text(at))) for at in np.flatnonzero(may)[:_MOST].tolist()
    }
    shown = [at for at, own in texts.items() if not amounts.isdisjoint(own)]
    if not shown or keep[shown].any():
        return -1
    linked = blocks.link_length * 2 > blocks.length
    shown = [at for at in shown if outside[at] and not linked[at]]
    others = np.bincount(
        found.group[[at for at, own in texts.items() if own and amounts.isdisjoint(own)]],
        minlength=int(found.group.max()) + 1,
    )
    shown = [at for at in shown if others[found.group[at]] < _OTHERS]
    below = [at for at in shown if 0 <= at - name <= _NEAR]
    above = [at for at in shown if 0 < name - at <= _BEFORE]
    return below[0] if below else above[-1] if above else -1


def _variant_blocks(
    blocks: TextBlocks, declared: Iterable[ProductDeclaration], name: int, outside: Mask
) -> list[int]:
    """Return the blocks near below the name that are a declared variant, each variant once."""
    variants = set[str]().union(*(one.variants for one in declared))
    shown: dict[str, int] = {}
    for at in range(name + 1, min(name + _NEAR, len(blocks))) if variants else ():
        if outside[at] and blocks.length[at] <= _LONGEST:
            key = values.fold(blocks.text(at))
            if key in variants:
                shown.setdefault(key, at)
    return list(shown.values()) if len(shown) > 1 else []


def _name_block(
    known: sources.Evidence, blocks: TextBlocks, declared: Iterable[ProductDeclaration]
) -> int:
    """Return the block of the product's name: a heading that has it, else the headline; -1."""
    names = {values.fold(str(one.values["name"][0])) for one in declared if "name" in one.values}
    heading = tags.HEADING.take(blocks.owner_tag)
    for at in np.flatnonzero(heading).tolist():
        if values.fold(blocks.text(at)) in names:
            return int(at)
    row = known.headline_row
    at = int(np.searchsorted(blocks.first, row))
    return at if row >= 0 and at < len(blocks) else -1


def _specification(blocks: TextBlocks, name: int) -> Mask:
    """Return bool[m]: blocks below the name in data tables and definition lists."""
    page = blocks.page
    marked = page.is_tag("dl")
    marked[data_table_rows(page)] = True
    mask: Mask = page.inside(marked)[blocks.first]
    mask[: name + 1] = False
    return mask
