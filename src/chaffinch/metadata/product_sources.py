"""What a page declares about its product: JSON-LD, microdata, metas; and its visible price.

The vocabulary is that of schema.org (Product, Offer, AggregateOffer, AggregateRating) and of Open
Graph. Pages use it loosely: whatever isn't of a form that can be read is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.metadata.json_ld import JsonLdGraph, types_of
from chaffinch.metadata.microdata import main_item
from chaffinch.metadata.page_regions import in_boilerplate
from chaffinch.metadata.prices import Price, amount, currency_of, read_price, visible_prices
from chaffinch.metadata.text_cleaning import clean, fold
from chaffinch.page.arrays import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page

PRODUCTS: Final = frozenset(
    "Product ProductGroup ProductModel IndividualProduct SomeProducts Book Vehicle Car".split()
)
"""Types of schema.org whose price, brand and rating are read."""
_GTINS: Final = ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "isbn", "ean", "upc")
_GTIN_LENGTHS: Final = (8, 12, 13, 14)
_AVAILABILITY: Final = {
    fold(word): name
    for name, words in {
        "InStock": "InStock,in stock,available,instore,available for order,auf Lager,1",
        "OutOfStock": "OutOfStock,out of stock,oos,unavailable,not available,0",
        "PreOrder": "PreOrder,preorder,pre-sale,PreSale",
        "BackOrder": "BackOrder,available for backorder,pending",
        "SoldOut": "SoldOut,sold out",
        "Discontinued": "Discontinued",
        "LimitedAvailability": "LimitedAvailability,low stock",
        "InStoreOnly": "InStoreOnly",
        "OnlineOnly": "OnlineOnly",
        "MadeToOrder": "MadeToOrder",
        "Reserved": "Reserved",
    }.items()
    for word in words.split(",")
}
_OTHER_PRICES: Final = ("list", "strike", "msrp", "srp", "regular", "minimumadvertised")
"""What names the type of a price that nobody pays."""
_MOST_OFFERS: Final = 100
_VARIANT_NAMES: Final = ("name", "size", "color", "pattern", "material")
_LONGEST: Final = 200
_LEVELS: Final = 4  # elements around a price that may strike it through
_JSON_LD, _MICRODATA, _META, _VISIBLE = 0.75, 0.7, 0.6, 0.3
"""Weights of the sources: see `chaffinch.metadata.candidates`."""
_METAS: Final = {
    "brand": ("product:brand", "og:brand"),
    "sku": ("product:retailer_item_id", "product:sku", "product:retailer_part_no"),
    "gtin": ("product:gtin", "product:ean", "product:isbn", "product:upc"),
    "availability": ("product:availability", "og:availability"),
}
_META_PRICES: Final = (
    "product:sale_price:amount", "product:price:amount", "og:price:amount", "product:price",
)  # fmt: skip
_META_CURRENCIES: Final = (
    "product:sale_price:currency", "product:price:currency", "og:price:currency",
)  # fmt: skip

_CURRENCIES: Final = (*"$€£¥￥₹₽₺₩₫₪₴₱฿元円원đł", "kr", "Kč", "Ft", "ر.س", "د.إ", "CHF")
"""Signs of which a price that can be read on a page mostly has one; sought before more is done."""
_BASKET: Final = (
    *("add to cart", "add to basket", "add to bag", "add to trolley", "in den warenkorb"),
    *("in den einkaufskorb", "ajouter au panier", "añadir al carrito", "agregar al carrito"),
    *("añadir a la cesta", "adicionar ao carrinho", "aggiungi al carrello", "in winkelwagen"),
    *("in winkelmand", "do koszyka", "do košík", "kosárba", "în coș", "u košaricu", "в корзину"),
    *("до кошика", "sepete ekle", "i varukorg", "i kundvagn", "læg i kurv", "i handlekurv"),
    *("ostoskoriin", "στο καλάθι", "vào giỏ", "ke keranjang", "ตะกร้า", "إلى السلة", "الى السلة"),
    *("للسلة", "לסל", "कार्ट में", "カートに入", "カートに追", "カートへ", "カゴに入", "買い物かごに"),
    *("加入购物", "加入購物", "放入购物", "立即购买", "立即購買", "장바구니", "구매하기"),
)
"""Texts of the control that puts a product into a basket, in lower case."""
_NONE: Final = frozen(np.zeros(0, dtype=np.intp))
_MOST_BASKETS: Final = 2
"""Controls of one product, at the top and below; each entry of a list has its own."""
_MOST_BESIDE: Final = 1_500
"""Characters from the headline of a product to the control."""
_STRUCK: Final = re.compile(
    r"strike|struck|\bold\b|old-?price|price-?old|was-?price|list-?price|original|regular|before"
    r"|market-?price|crossed|\bdel\b",
    re.IGNORECASE,
)
"""Class names of a price that nobody pays."""


@dataclass(frozen=True)
class ProductDeclaration:
    """What one source declares of the product.

    Attributes:
        source: its name, such as ``json-ld:Product``.
        row: its row on the page.
        weight: 0..1, the chance that it is right where it stands alone.
        values: field of `Product` → (value, provenance).
        variants: folded names, sizes, colours and the like of its variants and offers.
    """

    source: str
    row: int
    weight: float
    values: dict[str, tuple[str | int, str]] = field(default_factory=dict)
    variants: set[str] = field(default_factory=set)

    def add(self, name: str, value: str | int, prop: str) -> None:
        """Add a value where it isn't empty and none is there."""
        if value != "":
            self.values.setdefault(name, (value, f"{self.source}.{prop}"))


def declared_products(evidence: Evidence) -> Iterator[ProductDeclaration]:
    """Yield what each source declares of the page's own product; nothing of sources without any."""
    graph = evidence.graph
    nodes = tuple(node for node in graph.nodes if PRODUCTS.intersection(types_of(node.properties)))
    for node in evidence.main_of(JsonLdGraph(nodes, graph.by_id)):
        own = ProductDeclaration(f"json-ld:{node.type}", node.row, _JSON_LD)
        _read_item(own, graph, node.properties, places(evidence))
        yield own
    if (item := main_item(evidence, PRODUCTS)) is not None:
        row, values = item
        own = ProductDeclaration(f"microdata:{types_of(values)[0]}", row, _MICRODATA)
        _read_item(own, graph, values, places(evidence))
        if own.values:
            yield own
    yield from _of_metas(evidence)


def visible_price(evidence: Evidence) -> ProductDeclaration | None:
    """Return the first price with a currency in a line below the headline; None for none."""
    page = evidence.page
    above = max(evidence.headline_row, 0)
    for row, line in evidence.window.near:
        if row < above or not any(map(str.isdigit, line)):
            continue
        price = next(visible_prices(_unstruck(page, row, line), places(evidence)), None)
        if price is not None and not in_boilerplate(evidence, row):
            own = ProductDeclaration("line", row, _VISIBLE)
            own.values["price"] = price.lowest, "line"
            own.values["currency"] = price.currency, "line"
            return own
    return None


def _unstruck(page: Page, row: int, line: str) -> str:
    """Return a line of prices without those that are struck through."""
    rows = np.flatnonzero(page.written[row:] & (page.line[row:] == page.line[row]))[:_MOST_OFFERS]
    parts, is_struck = [], False
    for one in (rows + row).tolist():
        around = [above for _, above in zip(range(_LEVELS), page.ancestors(one), strict=False)]
        names = {page.name(above) for above in around}
        classes = " ".join(page.attribute(above, "class") or "" for above in around[:1])
        if names & {"del", "s", "strike"} or _STRUCK.search(classes):
            is_struck = True
        else:
            parts.append(page.text[page.text_at[one] : page.text_at[one + 1]])
    return "".join(parts) if is_struck else line


def sells(page: Page) -> bool:
    """Return whether a page shows a price beside the one control that puts it into a basket."""
    heads = np.flatnonzero(page.is_tag("h1") & (page.length > 0)) if page.holds("h1") else _NONE
    if not len(heads):
        return False
    head = int(page.text_at[heads[0]])
    text = page.text[head : head + _MOST_BESIDE]
    if not any(sign in text for sign in _CURRENCIES):
        return False
    stop = min(int(page.text_at.searchsorted(head + _MOST_BESIDE)), len(page))
    ends = page.text_at[int(heads[0]) : stop + 1].tolist()
    text = " ".join([page.text[start:end] for start, end in pairwise(ends) if start < end])
    low = " ".join(text.lower().split())
    controls = [(low.find(words), words) for words in _BASKET if words in low]
    if not controls:
        return False
    whole = page.text.lower()
    if sum(whole.count(words) for _, words in controls) > _MOST_BASKETS:
        return False
    at = min(place for place, _ in controls)
    return any(
        next(visible_prices(low[begin : begin + _LONGEST]), None) is not None
        for begin in range(max(at - _MOST_BESIDE // 2, 0), at + _LONGEST, _LONGEST // 2)
    )


def places(evidence: Evidence) -> tuple[str, ...]:
    """Return the page's top-level domain and language, by which "$" and "kr" are read."""
    host = evidence.address.partition("/")[0]
    lang = evidence.page.head.lang.lower().replace("_", "-")
    region = lang.rpartition("-")[2] if "-" in lang else ""
    return tuple(filter(None, (host.rpartition(".")[2], region, lang.partition("-")[0])))


def gtin(text: str) -> str:
    """Return a Global Trade Item Number without separators; "" where its check digit is wrong.

    Source of the check: GS1 General Specifications, section 7.9.
    """
    digits = text.replace("-", "").replace(" ", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) in _GTIN_LENGTHS):
        return ""
    weighted = sum(int(c) * (3 if at % 2 else 1) for at, c in enumerate(reversed(digits)))
    return digits if weighted % 10 == 0 and digits.strip("0") else ""


def _read_item(
    own: ProductDeclaration, graph: JsonLdGraph, item: dict[str, Any], where: tuple[str, ...]
) -> None:
    """Read a product of schema.org's vocabulary into ``own``."""
    own.add("name", graph.text(item.get("name"))[:_LONGEST], "name")
    for key in ("brand", "manufacturer"):
        own.add("brand", graph.text(item.get(key), "name")[:_LONGEST], key)
    offers = list(_offers(graph, item))
    prices = [price for one in offers for price in _prices(graph, one, where)]
    _add_prices(own, prices, "offers.price")
    for one in offers:
        own.add("currency", currency_of(graph.text(one.get("priceCurrency")).upper()),
                "offers.priceCurrency")  # fmt: skip
    stock = [_availability(graph.text(one.get("availability"), "@id", "name")) for one in offers]
    stock = sorted(filter(None, stock), key=lambda name: name != "InStock")
    own.add("availability", stock[0] if stock else "", "offers.availability")
    for one in (item, *offers):
        for key in ("sku", "productID"):
            own.add("sku", _number(graph, one.get(key)), key)
        for key in _GTINS:
            own.add("gtin", gtin(_number(graph, one.get(key))), key)
    _read_rating(own, graph, item.get("aggregateRating"))
    for one in (*graph.values(item.get("hasVariant")), *offers):
        if isinstance(one, dict):
            names = (fold(graph.text(one.get(key), "name")) for key in _VARIANT_NAMES)
            own.variants.update(filter(None, names))


def _offers(graph: JsonLdGraph, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the offers of a product, of its variants, and those within an aggregate."""
    waiting = [item.get("offers"), item.get("hasVariant")]
    count = 0
    while waiting and count < _MOST_OFFERS:
        for one in graph.values(waiting.pop(0)):
            count += 1
            if not isinstance(one, dict) or count > _MOST_OFFERS:
                continue
            if PRODUCTS.isdisjoint(types_of(one)):
                yield one
            waiting.append(one.get("offers"))


def _prices(graph: JsonLdGraph, offer: dict[str, Any], where: tuple[str, ...]) -> Iterator[Price]:
    """Yield the prices of an offer."""
    found = [offer.get("price"), offer.get("lowPrice"), offer.get("highPrice")]
    code = graph.text(offer.get("priceCurrency"))
    values = [(value, code) for one in found for value in graph.values(one)]
    if not values:
        for one in graph.values(offer.get("priceSpecification")):
            if isinstance(one, dict) and not _is_other_price(graph, one):
                own = graph.text(one.get("priceCurrency")) or code
                keys = ("price", "minPrice", "maxPrice")
                values += [(v, own) for key in keys for v in graph.values(one.get(key))]
    for value, currency in values:
        price = read_price(value, machine=True, places=where)
        if price is not None:
            named = currency_of(currency.upper()) or price.currency
            yield Price(price.lowest, price.highest, named)


def _is_other_price(graph: JsonLdGraph, one: dict[str, Any]) -> bool:
    """Return whether a price is struck through, or that of a unit such as a litre."""
    kind = graph.text(one.get("priceType"), "@id", "name").lower()
    return "referenceQuantity" in one or any(word in kind for word in _OTHER_PRICES)


def _add_prices(own: ProductDeclaration, prices: list[Price], prop: str) -> None:
    """Add the lowest and the highest of the prices in the first currency, or in none.

    A price of nothing beside others is one that isn't known.
    """
    positive = [one for one in prices if one.amount > 0] or prices
    if not positive:
        return
    code = next((one.currency for one in positive if one.currency), "")
    same = [one for one in positive if one.currency in {code, ""}]
    lowest = min(same, key=lambda one: one.amount).lowest
    highest = max((one.highest for one in same), key=Decimal)
    own.add("price", lowest, prop)
    if Decimal(highest) > Decimal(lowest):
        own.add("highest_price", highest, prop)
    own.add("currency", code, prop)


def _read_rating(own: ProductDeclaration, graph: JsonLdGraph, value: Any) -> None:
    """Read an AggregateRating; one beyond its own best value is none."""
    for one in graph.values(value):
        if not isinstance(one, dict):
            continue
        rating, best = (_decimal(graph, one.get(key)) for key in ("ratingValue", "bestRating"))
        if not rating or (best and Decimal(rating) > Decimal(best)):
            continue
        own.add("rating", rating, "aggregateRating.ratingValue")
        own.add("best_rating", best, "aggregateRating.bestRating")
        for key in ("ratingCount", "reviewCount"):
            count = _decimal(graph, one.get(key))
            if count.isdigit() and int(count):
                own.add("rating_count", int(count), f"aggregateRating.{key}")
        return


def _of_metas(evidence: Evidence) -> Iterator[ProductDeclaration]:
    """Yield what metas declare, if they declare a price or name the page a product's."""
    prices = evidence.metas(*_META_PRICES)
    kinds = [text for _, _, text in evidence.metas("og:type")]
    if not prices and not any("product" in kind.lower() for kind in kinds):
        return
    row = prices[0][0] if prices else evidence.metas("og:type")[0][0]
    own = ProductDeclaration("meta", row, _META)
    currencies = [text for _, _, text in evidence.metas(*_META_CURRENCIES)]
    for _, source, text in prices[:1]:
        price = read_price(text, machine=True, places=places(evidence))
        if price is not None:
            own.values["price"] = price.lowest, source
            if price.highest != price.lowest:
                own.values["highest_price"] = price.highest, source
            code = next(filter(None, (currency_of(one.upper()) for one in currencies)), "")
            if code or price.currency:
                own.values["currency"] = code or price.currency, source
    readers = {"gtin": gtin, "availability": _availability}
    for name, metas in _METAS.items():
        for _, source, text in evidence.metas(*metas):
            if value := readers.get(name, str)(text)[:_LONGEST]:
                own.values.setdefault(name, (value, source))
    if own.values:
        yield own


def _availability(text: str) -> str:
    """Return schema.org's name of a state of the stock; "" for other texts."""
    return _AVAILABILITY.get(fold(text.rstrip("/").rpartition("/")[2]), "")


def _number(graph: JsonLdGraph, value: Any) -> str:
    """Return a number of an article, which may be a number of JSON."""
    return _first(
        str(one) if isinstance(one, int) and not isinstance(one, bool) else clean(one)
        for one in graph.values(value)
    )[:_LONGEST]


def _decimal(graph: JsonLdGraph, value: Any) -> str:
    """Return a number as a decimal string; "" for other values."""
    found = (read_price(one, machine=True) for one in graph.values(value))
    price = next((one for one in found if one is not None), None)
    if price is None:
        return ""
    whole, _, decimals = price.lowest.partition(".")
    return amount(f"{whole}.{decimals.rstrip('0')}".rstrip("."), machine=True)


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")
