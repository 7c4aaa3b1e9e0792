"""The product that a page is about: its price, brand, numbers, availability and rating.

What JSON-LD, microdata and metas declare is read by `chaffinch.metadata.product_sources`; here the
sources are combined, field by field. Only where none of them gives a price is the first visible
one near the title taken. The price that a rule of a site model selects stands in place of all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from chaffinch.lazy import lazy_module
from chaffinch.metadata.candidates import FieldCandidate, choose_value
from chaffinch.metadata.field_value import FieldValue
from chaffinch.metadata.prices import read_price
from chaffinch.metadata.product_sources import (
    ProductDeclaration,
    declared_products,
    places,
    visible_price,
)
from chaffinch.metadata.text_cleaning import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.metadata import role_rules
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.metadata.prices import Price
    from chaffinch.page.selectors import Selected
else:
    role_rules = lazy_module("chaffinch.metadata.role_rules")

_AMOUNTS: Final = frozenset({"price", "highest_price", "rating", "best_rating"})
_PRICES: Final = frozenset({"price", "highest_price"})
_PRODUCT: Final = "product"


@dataclass(frozen=True)
class Product:
    """What a page gives of its product; None where it gives nothing.

    Attributes:
        name: its name.
        price: decimal string without grouping, such as ``1299.00``; of several offers the lowest.
        highest_price: the highest of several offers or of a range; None where there is one price.
        currency: ISO 4217 code.
        brand: name of the brand or manufacturer.
        sku: the shop's number of it.
        gtin: Global Trade Item Number of 8, 12, 13 or 14 digits with a valid check digit.
        availability: name of schema.org, such as ``InStock`` or ``OutOfStock``.
        rating: mean of its ratings, a decimal string.
        rating_count: how many ratings, or reviews, there are.
        best_rating: the best possible rating, a decimal string.
    """

    name: FieldValue[str] | None = None
    price: FieldValue[str] | None = None
    highest_price: FieldValue[str] | None = None
    currency: FieldValue[str] | None = None
    brand: FieldValue[str] | None = None
    sku: FieldValue[str] | None = None
    gtin: FieldValue[str] | None = None
    availability: FieldValue[str] | None = None
    rating: FieldValue[str] | None = None
    rating_count: FieldValue[int] | None = None
    best_rating: FieldValue[str] | None = None

    def values(self) -> dict[str, str | int]:
        """Return the plain values by name, without those that are unknown."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: one.value for name, one in found.items() if one is not None}


def product(evidence: Evidence) -> FieldValue[Product] | None:
    """Return the page's product; None where the page declares none and isn't taken for one's."""
    declared = list(declared_products(evidence))
    verdict = evidence.content.verdict if evidence.content is not None else None
    if (ruled := _by_rule(evidence)) is not None:
        declared = [ruled, *(_without_price(one) for one in declared)]
    if not declared and (verdict is None or verdict.page_type != _PRODUCT):
        return None
    price = _chosen(declared, "price")
    if price is None:
        seen = visible_price(evidence)
        declared += [seen] if seen is not None else []
        price = _chosen(declared, "price")
    if not declared:
        return None
    same = [one for one in declared if price is not None and _is_of(one, price)]
    found: dict[str, Any] = {
        one.name: _chosen(declared, one.name)
        for one in fields(Product)
        if one.name not in {"price", "highest_price", "currency"}
    }
    found["price"] = price
    found["highest_price"] = _chosen(same, "highest_price")
    found["currency"] = _chosen(same, "currency") or _chosen(declared, "currency")
    main = next((one for one in (price, *found.values()) if one is not None), None)
    if main is None:
        return None
    agreeing = tuple(dict.fromkeys(one.source for one in declared if one.source != main.source))
    return FieldValue(Product(**found), main.source, main.row, main.confidence, agreeing)


def _by_rule(evidence: Evidence) -> ProductDeclaration | None:
    """Return the price that a rule of a site model selects; None for none."""
    if not any(rule.role == "price" for rule in evidence.roles):
        return None
    page, where = evidence.page, places(evidence)

    def read(one: Selected) -> Price | None:
        is_meta = one.row >= 0 and page.name(one.row) == "meta"
        return read_price(role_rules.written(page, one), machine=is_meta, places=where)

    found = role_rules.value_by_rule(evidence, "price", read)
    if found is None:
        return None
    price: Price = found.value
    highest = price.highest if price.highest != price.lowest else ""
    named = {"price": price.lowest, "highest_price": highest, "currency": price.currency}
    values: dict[str, tuple[str | int, str]] = {
        name: (value, found.source) for name, value in named.items() if value
    }
    return ProductDeclaration(found.source, found.row, found.confidence, values)


def _without_price(one: ProductDeclaration) -> ProductDeclaration:
    """Return a declaration without its prices; its currency stays, for a price without one."""
    kept = {name: value for name, value in one.values.items() if name not in _PRICES}
    return replace(one, values=kept)


def _is_of(one: ProductDeclaration, price: FieldValue[str]) -> bool:
    own = one.values.get("price")
    return own is not None and Decimal(str(own[0])) == Decimal(price.value)


def _chosen(declared: Iterable[ProductDeclaration], name: str) -> FieldValue[Any] | None:
    """Return the value of one field on which the sources agree best."""
    candidates: defaultdict[str, list[FieldCandidate]] = defaultdict(list)
    for one in declared:
        if name in one.values:
            value, source = one.values[name]
            key = Decimal(str(value)) if name in _AMOUNTS else fold(str(value))
            candidates[name].append(FieldCandidate(value, key, source, one.row, one.weight))
    return choose_value(candidates[name])
