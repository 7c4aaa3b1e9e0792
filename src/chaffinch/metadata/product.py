"""The product that a page is about, and prices as written: amounts as decimal strings, currencies.

The vocabulary is that of schema.org (Product, Offer, AggregateOffer, AggregateRating) and of Open
Graph. Pages use it loosely: whatever isn't of a form that can be read is passed over. What sources
declare is combined field by field; only where none of them gives a price is the first visible one
near the title taken. The price that a rule of a site model selects stands in place of all.

An amount may be grouped ("1,299.00", "1.299,00", "1 299", "1'299", "1,29,999"), a price a range
("12.99 – 19.99") and its currency a code or a symbol on either side ("US $5", "1.299,00 €").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from decimal import Decimal
from itertools import islice
from typing import Any, Final, NamedTuple

from chaffinch import kernels
from chaffinch.elements import Phrases, words_found
from chaffinch.lazy import lazy_module
from chaffinch.metadata.items import main_item
from chaffinch.metadata.json_ld import types_of
from chaffinch.metadata.sources import Evidence, value_by_rule, written
from chaffinch.metadata.values import (
    WORDS,
    FieldCandidate,
    FieldValue,
    choose_value,
    clean,
    fold,
    one_line,
    word_set,
)
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.selectors import Selected
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.wording import any_of

titles = lazy_module("chaffinch.metadata.titles")

_AMOUNT: Final = re.compile(r"\d++(?>(?:[.,'’]\d++|[ \u00a0\u202f]\d{3}(?!\d))*)")
_TURNS: Final = dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that turn the direction of writing, which stand between an amount and its currency."""
_TURNING: Final = re.compile(f"[{''.join(map(chr, _TURNS))}]")
_MARKS: Final = _TURNS | str.maketrans("٬٫，．", ",.,.")
_SPLIT_BY_SIGN: Final = re.compile(r"(?<=\d)\s?([€£])(\d\d)(?![\d.,]|\s?[€£])")
_RANGE: Final = re.compile(r"[-–—~～]|\bto\b|\bbis\b|\bà\b")
_WORD: Final = re.compile(r"[^\W\d_]++\.?+")
_SEPARATORS: Final = re.compile(r"[^\d.,]++")
_GROUP: Final = 3
_LONGEST_AMOUNT: Final = 15  # digits; longer ones are numbers of articles
_LONGEST: Final = 200  # characters of a text that is read as a price
_GLUED: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]{1,6}\Z")
_NUMBERED: Final = re.compile(WORDS["what ends numbers that are no prices"])
"""What ends the number of an article, a share, points, a count: 2 for £5."""
_NEAR: Final = 6  # characters between an amount and its currency

_CURRENCIES: Final[dict[str, Any]] = WORDS["currencies"]
_CODES: Final = frozenset(_CURRENCIES["codes"].split("|"))
_SYMBOLS: Final[dict[str, str]] = _CURRENCIES["symbols"]
_NAMES_OF_CURRENCIES: Final[dict[str, str]] = _CURRENCIES["names"]
_DASHED: Final = re.compile(r"[:.,][-–—]{1,2}(?!\s?\d)")  # 1 299:-, 2.490,-
_THREE_DECIMALS: Final = frozenset(_CURRENCIES["three_decimals"].split("|"))
_CENTS: Final = re.compile(r"\d\d")
_SCALES: Final[dict[str, int]] = _CURRENCIES["scales"]
_SCALED: Final = re.compile(
    rf"\s?({any_of(_SCALES)})(?:(?<=[^\W\da-zệа-я])\s?(\d[\d,]{{0,9}})(?![\d.])|(?![a-zа-я]))"
)
"""What stands behind a number of (ten) thousands, and the rest of the amount: 1万2,800, 125rb."""


class Price(NamedTuple):
    """A price, or a range of prices.

    Attributes:
        lowest: decimal string, such as ``1299.00``.
        highest: the same where it is no range.
        currency: ISO 4217 code; "" where none is given.
    """

    lowest: str
    highest: str
    currency: str = ""

    @property
    def amount(self) -> Decimal:
        return Decimal(self.lowest)


def read_price(
    value: object, *, machine: bool = False, places: tuple[str, ...] = ()
) -> Price | None:
    """Return the first price in a value, a text or a number of JSON; None where there is none.

    In one that was written for machines a single point is a decimal point; by ``places``, language
    and top-level domain of the page, "$" and "kr" are read.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        number, machine = Decimal(str(value)), True
        if not (number.is_finite() and 0 <= number < 10**_LONGEST_AMOUNT):
            return None
        value = f"{number:f}"
    if not isinstance(value, str):
        return None
    text = _digits(value[:_LONGEST])
    found = list(_AMOUNT.finditer(text))
    currency = _currency_of(text, places)
    amounts = [_amount_at(text, one, currency, machine=machine)[0] for one in found[:2]]
    if not amounts or not amounts[0]:
        return None
    first = amounts[0]
    if len(amounts) > 1 and amounts[1] and _RANGE.search(text, found[0].end(), found[1].start()):
        pair = sorted((first, amounts[1]), key=Decimal)
        return Price(pair[0], pair[1], currency)
    return Price(first, first, currency)


def visible_prices(text: str, places: tuple[str, ...] = ()) -> Iterator[Price]:
    """Yield the prices in a visible text whose currency stands beside them, in order."""
    text, end = _digits(text[:_LONGEST]), 0
    for found in _AMOUNT.finditer(text):
        if found.start() < end:
            continue
        before = text[max(found.start() - _NEAR, 0) : found.start()]
        plain, end = _amount_at(text, found)
        letters = _GLUED.search(before)
        if _NUMBERED.match(text, end) or (letters and not _currency_of(letters[0], places)):
            continue
        behind = text[end : end + _NEAR].partition(")")[0]
        currency = _currency_of(f"{before} {behind}", places)
        if currency in _THREE_DECIMALS:
            plain, _ = _amount_at(text, found, currency)
        if currency and plain:
            yield Price(plain, plain, currency)


def price_now(text: str) -> str:
    """Return of a text with a price that was and one that holds the latter, as it is written.

    Prices of a range, or of a whole and a month, stay as they are: "$29 $19" gives "$19".
    """
    prices = [one for one in PRICE.finditer(text[:_LONGEST]) if next(visible_prices(one[0]), None)]
    if len(prices) != _PAIR_OF_PRICES:
        return text
    between = text[prices[0].end() : prices[1].start()].strip()
    if between and _WAS.search(text) is None:
        return text
    lower = min(prices, key=lambda one: next(visible_prices(one[0])).amount)
    return lower[0]


def amounts_in(text: str) -> Iterator[Decimal]:
    """Yield the amounts that a text may mean, each by both readings of a single separator."""
    for found in _AMOUNT.finditer(_digits(text[:_LONGEST])):
        readings = (_amount(found[0], machine=machine) for machine in (False, True))
        yield from map(Decimal, filter(None, readings))


def _amount_at(
    text: str, found: re.Match[str], currency: str = "", *, machine: bool = False
) -> tuple[str, int]:
    """Return the amount that begins at a number in a text, and where it ends: 3.5万, 1万2,800."""
    plain = _amount(found[0], currency, machine=machine)
    scaled = _SCALED.match(text, found.end())
    if scaled is None or not plain:
        return plain, found.end()
    rest = int((scaled[2] or "0").replace(",", ""))
    whole = Decimal(plain) * _SCALES[scaled[1]] + rest
    return f"{whole.normalize():f}", scaled.end()


def _amount(digits: str, currency: str = "", *, machine: bool = False) -> str:
    """Return an amount with separators as a decimal string; "" for what is none.

    Some currencies have three decimals; of a ``machine`` a single point is always a decimal one.
    """
    parts = _SEPARATORS.sub("", digits)
    mark = parts[max(parts.rfind("."), parts.rfind(","))] if set(parts) & {".", ","} else ""
    whole, _, decimals = parts.rpartition(mark) if mark else (parts, "", "")
    grouped = (
        mark
        and len(decimals) == _GROUP
        and currency not in _THREE_DECIMALS
        and not (machine and mark == ".")
        and whole.strip("0.,") != ""
        and not set(whole) & ({".", ","} - {mark})
    )
    if grouped or (mark and mark in whole):
        whole, decimals = whole + decimals, ""
    whole = whole.replace(".", "").replace(",", "").lstrip("0") or "0"
    if len(whole) > _LONGEST_AMOUNT or len(decimals) > _LONGEST_AMOUNT:
        return ""
    return f"{whole}.{decimals}" if decimals else whole


def _currency_of(text: str, places: tuple[str, ...] = ()) -> str:
    """Return the ISO 4217 code of the first currency that a text names; "" for none."""
    words = _WORD.findall(text := text[:_LONGEST])
    code = next((key for word in words if (key := word.rstrip(".")) in _CODES), "")
    if not code and ("$" in text or "S/" in text or not text.isascii()):  # as each symbol
        bare = "".join(text.split())
        code = next((code for symbol, code in _SYMBOLS.items() if symbol in bare), "")
    code = code or next(filter(None, map(_NAMES_OF_CURRENCIES.get, map(str.lower, words))), "")
    code = code or "dashes" * bool(_DASHED.search(text))
    known = _CURRENCIES.get(code)  # of several countries
    return next((known[place] for place in (*places, "") if place in known), "") if known else code


def _digits(text: str) -> str:
    """Return a text with digits and their marks as those of ASCII, and 19€90 as 19,90€."""
    if text.isascii():
        return text
    text = _SPLIT_BY_SIGN.sub(r",\2\1", text.translate(_MARKS))
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


_PRODUCTS: Final = frozenset(
    "Product ProductGroup ProductModel IndividualProduct SomeProducts Book Vehicle Car".split()
)
"""Types of schema.org whose price, brand and rating are read."""
_GTINS: Final = ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "isbn", "ean", "upc")
_AVAILABILITY: Final[dict[str, str]] = {
    key: name for name, keys in WORDS["availability"].items() for key in keys.split("|")
}
_OTHER_PRICES: Final = ("list", "strike", "msrp", "srp", "regular", "minimumadvertised")
"""What names the type of a price that nobody pays."""
_STRUCK: Final = re.compile(WORDS["class names of old prices"], re.IGNORECASE)
"""Class names of a price that nobody pays, or of words: "Original price was: $15.00."."""
_STRIKING: Final = frozenset(("del", "s", "strike"))
_MOST_OFFERS: Final = 100
_JSON_LD, _MICRODATA, _META, _VISIBLE = 0.75, 0.7, 0.6, 0.3
"""Weights of the sources: see `chaffinch.metadata.values`."""
_METAS: Final[dict[str, str]] = WORDS["metas of products"]
_META_PRICES: Final[list[str]] = WORDS["metas of prices"].split("|")
_META_CURRENCIES: Final = [one.replace("amount", "currency") for one in _META_PRICES[:3]]
_UNITS: Final = any_of({*_SYMBOLS, *_NAMES_OF_CURRENCIES, *_CODES, ":-", ",-"} - {"r"})
_SIGN: Final = re.compile(
    rf"\d(?:[.,][-–—]{{1,2}})?\s{{0,9}}{_UNITS}|{_UNITS}\s{{0,9}}\d", re.IGNORECASE
)
"""An amount beside a currency; sought before more is done."""
_WRITTEN: Final = r"\d[\d.,'’]{0,14}(?:[ \u00a0\u202f]\d{3}(?!\d)){0,3}(?:[.,]\d{1,3})?"
PRICE: Final = re.compile(
    rf"{_UNITS}\s?{_WRITTEN}|(?<![\d.,'’]){_WRITTEN}\s?{_UNITS}", re.IGNORECASE
)
_WAS: Final = re.compile(
    rf"(?<![^\W_]){any_of(WORDS['old_prices'].split('|'))}(?![^\W_])", re.IGNORECASE
)
_WITHOUT_TAX: Final = any_of(WORDS["prices without taxes"].split("|"))
_UNTAXED: Final = re.compile(
    rf"(?<![^\W_]){_WITHOUT_TAX}\W{{0,3}}(?:{PRICE.pattern})"
    rf"|(?:{PRICE.pattern})\W{{0,3}}{_WITHOUT_TAX}(?![^\W_])",
    re.IGNORECASE,
)
"""A price to which taxes are added."""
_ELSE: Final = any_of(WORDS["amounts_of_else"].split("|"))
_EACH_MONTH: Final = any_of(WORDS["monthly prices"].split("|"))
_OF_UNIT: Final = re.compile(
    rf"(?<![^\W_]){_ELSE}\w*(?:\W{{1,3}}[^\W\d]{{1,5}})?\W{{0,3}}(?:{PRICE.pattern})"
    rf"|(?:{PRICE.pattern})\s?(?:/|pro|je|per|par|al|por|za|за|på)\s?(?:\d[\d.,]*\s?)?"
    r"(?:[km]?g|kilo|gramm|[cmd]?l|lit[er]{2}|oz|lb|m[²³23]?|кг|л)(?![^\W_])"
    rf"|(?:{PRICE.pattern})\s?{_EACH_MONTH}(?![^\W_])",
    re.IGNORECASE,
)
"""A price of a weight, a volume, a month: 2,60 € / 100 g; of a delivery, behind its name."""
_PAIR_OF_PRICES: Final = 2
_BEFORE: Final = r"\A\D*?(?:\d\d?\s(?=[^\W\d_]{3})\D*?)?(?<![a-zà-ÿа-яё])"
_OF_ELSE: Final = re.compile(
    rf"(?!\A\D*(?:in[ck]l|compris|込)){_BEFORE}{_ELSE}"
    rf"|\A\D{{0,9}}(?:\d\d?\s?[x×]\s?(?:d[ei]|of|à)?\s?(?:{_UNITS}\s?\d|\d[\d.,]*\s?{_UNITS})"
    rf"|\d[\d.,]*\s?{_UNITS}?\s?off\b)",
    re.IGNORECASE,
)
_OLD: Final = re.compile(
    rf"{_BEFORE}{any_of('|'.join((WORDS['old_prices'], WORDS['prices of units'])).split('|'))}"
    rf"|\A\D{{0,9}}{_AMOUNT.pattern}"
    rf"\s?{_UNITS}?\s?{_EACH_MONTH}(?![^\W_])",
    re.IGNORECASE,
)
_REDUCED: Final = re.compile(_BEFORE + any_of(WORDS["reduced_prices"].split("|")))
"""What stands before costs of a delivery, a part of the price or what is saved; before a price
that nobody pays, or behind one of each month; before one that is paid instead."""
_PAIR: Final = re.compile(
    rf"\A\D{{0,9}}(?:{_UNITS}\s?{_AMOUNT.pattern}\s+{_UNITS}\s?\d"
    rf"|{_AMOUNT.pattern}(?:\s?{_UNITS})?\s+{_AMOUNT.pattern}\s?{_UNITS})",
    re.IGNORECASE,
)
"""A price and nothing between it and the next: what it was, and what it is."""
_BASKET: Final[tuple[str, ...]] = tuple(WORDS["basket"].split("|"))
"""Texts of the control that puts a product into a basket, in lower case."""
_FORMS: Final = (str.lower, str.upper, str.capitalize, str.title)
_BASKETS: Final = Phrases({f(one).encode().lower().decode() for one in _BASKET for f in _FORMS})
"""The same as they are written, but for letters of ASCII, which are in lower case."""
_BUY: Final = word_set("buy")
"""Whole texts of a control by which a product is bought, in lower case."""
_LONGEST_BUY: Final = max(map(len, _BUY))
_CONTROLS: Final = tags.table(["button", "a"])
_BUTTON: Final = re.compile(r"bu?tt?n|buy|cart|basket", re.IGNORECASE)
_VALUES: Final = frozenset(("dd", "td"))  # what may have its label in a line of its own
_LONGEST_LABEL: Final = 20  # characters of such a label
_NAMED: Final = Search("class", *WORDS["class names of products"].split("|"))
"""Parts of class names of an element with a product's name in place of a heading."""
_MOST_BASKETS: Final = 2  # controls of one product, at the top and below
_FEWEST_BASKETS: Final = 6  # controls, and prices, of a shop's list of products
_MOST_BESIDE: Final = 1_500  # characters from the headline of a product to the control
_LITTLE_BESIDE: Final = 400  # the same, to one that says no more than "Buy"
_AMOUNTS: Final = frozenset({"price", "highest_price", "rating", "best_rating"})
_MAIN: Final = "name brand sku gtin availability rating rating_count best_rating".split()
"""Fields whose provenance is the product's where it has no price, the first one that is known."""


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
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: one.value for name, one in found.items() if one is not None}


@dataclass(frozen=True)
class ProductDeclaration:
    """What one source declares of the product."""

    source: str  # its name, such as ``json-ld:Product``
    row: int  # its row on the page
    weight: float  # 0..1, the chance that it is right where it stands alone
    # field of `Product` → (value, provenance)
    values: dict[str, tuple[str | int, str]] = field(default_factory=dict)
    # its descriptions, as the source has them
    descriptions: list[Any] = field(default_factory=list)

    def add(self, name: str, value: str | int, prop: str) -> None:
        """Add a value where it isn't empty and none is there."""
        if value != "":
            self.values.setdefault(name, (value, f"{self.source}.{prop}"))

    def add_price(self, price: Price, source: str) -> None:
        """Set a price, what is highest of a range, and its currency where it has one."""
        highest = price.highest if price.highest != price.lowest else ""
        named = {"price": price.lowest, "highest_price": highest, "currency": price.currency}
        self.values.update({name: (value, source) for name, value in named.items() if value})


def product(evidence: Evidence) -> FieldValue[Product] | None:
    declared = list(declared_products(evidence))
    page, places = evidence.page, _places(evidence.page, evidence.address)

    def read(one: Selected) -> Price | None:
        is_meta = one.row >= 0 and page.name(one.row) == "meta"
        return read_price(written(page, one), machine=is_meta, places=places)

    if (ruled := value_by_rule(evidence, "price", read)) is not None:
        # The currency of the others stays, for a price without one.
        for one in declared:
            for name in ("price", "highest_price"):
                one.values.pop(name, None)
        declared.insert(0, ProductDeclaration(ruled.source, ruled.row, ruled.confidence))
        declared[0].add_price(ruled.value, ruled.source)
    if not declared and evidence.page_type != "product":
        return None
    price = _chosen(declared, "price")
    if price is None and (seen := visible_price(evidence)) is not None:
        declared.append(seen)
        price = _chosen(declared, "price")
    amount = Decimal(price.value) if price else None
    priced = [one for one in declared if "price" in one.values]
    same = [one for one in priced if Decimal(str(one.values["price"][0])) == amount]
    found: dict[str, Any] = {one.name: _chosen(declared, one.name) for one in fields(Product)}
    found["price"] = price
    found["highest_price"] = _chosen(same, "highest_price")
    found["currency"] = _chosen(same, "currency") or found["currency"]
    best = (found[name] for name in ("price", *_MAIN, "highest_price", "currency"))
    main = next(filter(None, best), None)
    if main is None:
        return None
    agreeing = tuple(dict.fromkeys(one.source for one in declared if one.source != main.source))
    return FieldValue(Product(**found), main.source, main.row, main.confidence, agreeing)


def _chosen(declared: Iterable[ProductDeclaration], name: str) -> FieldValue[Any] | None:
    """Return the value of one field on which the sources agree best."""
    key = Decimal if name in _AMOUNTS else fold
    given = [(one, *one.values[name]) for one in declared if name in one.values]
    return choose_value(
        FieldCandidate(value, key(str(value)), source, one.row, one.weight)
        for one, value, source in given
    )


def declared_products(evidence: Evidence) -> Iterator[ProductDeclaration]:
    """Yield what each source declares of the page's own product; nothing of sources without any."""
    nodes = (n for n in evidence.nodes if not _PRODUCTS.isdisjoint(types_of(n.properties)))
    for node in evidence.main_of(nodes):
        own = ProductDeclaration(f"json-ld:{node.type}", node.row, _JSON_LD)
        _read_item(own, evidence, node.properties)
        yield own
    if (item := main_item(evidence, _PRODUCTS)) is not None:
        row, values = item
        own = ProductDeclaration(f"microdata:{types_of(values)[0]}", row, _MICRODATA)
        _read_item(own, evidence, values)
        if own.values:
            yield own
    yield from _of_metas(evidence)


def visible_price(evidence: Evidence) -> ProductDeclaration | None:
    """Return the first price with a currency in a line below the headline; None for none.

    One that nobody pays, in a line of its own, gives way to the next below the same heading, any
    other to one that a label calls reduced.
    """
    first: ProductDeclaration | None = None
    is_paid, before = False, ""  # whether the first is no old price; the line above
    start, of_page = evidence.headline_row, _places(evidence.page, evidence.address)
    is_above = any(row < start and _SIGN.search(line) for row, line in evidence.places.near)
    if is_above and not evidence.headings and (named := evidence.derived(titles.title)):
        start = named.row if 0 <= named.row < start else start
    for row, line in evidence.places.near:
        around = {*map(evidence.page.name, islice(evidence.page.ancestors(row), 3))}
        is_labelled = len(before) <= _LONGEST_LABEL and not _AMOUNT.search(before)
        label = before if is_labelled and not _VALUES.isdisjoint(around) else ""
        low, before = f"{label} {line}".lower(), "" if "h1" in around else line
        is_reduced = _REDUCED.match(low) is not None
        if row < start or (not is_reduced and (is_paid or _OF_ELSE.match(low))):
            continue
        text, is_old = _unstruck(evidence.page, row)
        prices = [*islice(visible_prices(_OF_UNIT.sub("", text), of_page), 2)]
        if not prices and (prices := [*islice(visible_prices(text, of_page), 1)]):
            is_old = True  # those of units only
        if not prices or evidence.places.in_boilerplate(row):
            continue
        # the label is of one that is struck through, where fewer are left
        left = len([*visible_prices(text)])
        is_old |= bool(_OLD.match(low)) and len([*visible_prices(line)]) <= left
        if _UNTAXED.search(low):
            prices, is_old = [max(prices, key=lambda one: one.amount)], len(prices) == 1
        if first and tags.HEADING.take(evidence.page.tag[first.row : row]).any():
            break
        lowest = min(prices, key=lambda one: one.amount)
        own = ProductDeclaration("line", row, _VISIBLE)
        own.add_price(lowest if is_old or _PAIR.match(text) else prices[0], "line")
        if is_reduced:
            return own
        is_paid = not (is_old and len(prices) == 1)
        first = own if is_paid else first or own
    return first


def _unstruck(page: Page, row: int) -> tuple[str, bool]:
    """Return a line of prices without those that are struck through, and whether one is named old.

    Two digits in an element of their own behind others are cents.
    """
    rows = ((page.tag[row:] == tags.TEXT) & (page.line[row:] == page.line[row])).nonzero()[0]
    line, is_old = "", False
    for one in (rows[:_MOST_OFFERS] + row).tolist():
        around = [*islice(page.ancestors(one), 4)]
        names = f"{page.attribute(around[0], 'class')} {page.attribute(around[0], 'style')}"
        if _STRIKING.isdisjoint(map(page.name, around)) and not _STRUCK.search(names):
            is_old |= "regular" in names.lower()
            text = page.text[page.text_at[one] : page.text_at[one + 1]]
            is_cents = _CENTS.fullmatch(text) and line.rstrip()[-1:].isdigit()
            line = f"{line.rstrip()},{text}" if is_cents else line + text
        else:
            line += " "
    return one_line(line), is_old


def sells(page: Page) -> bool:
    """Return whether a page shows a price beside the one control by which it is bought."""
    headings = page.is_tag("h1") if "h1" in page.tag_names else tags.HEADING.take(page.tag)
    if "h1" not in page.tag_names and len(named := _NAMED.candidates(page)):
        headings[named] |= page.end[named[0]] > named[-1]  # not those of many products
    first = next((row for row in headings.nonzero()[0].tolist() if page.length[row]), None)
    if first is None:
        return False
    head = int(page.text_at[first])
    stop = min(int(page.text_at.searchsorted(head + _MOST_BESIDE)), len(page))
    ends = page.text_at[first : stop + 1]
    texts = kernels.folded_texts(page.text, ends[:-1], ends[1:])
    values = (value.split() for row, value in page.having("value") if first < row < stop)
    text = _TURNING.sub("", " ".join(filter(None, (*texts, *map(" ".join, values)))))
    low = text.lower()
    controls = words_found(low.encode("utf-8", "surrogatepass"), _BASKET)
    near = _of_buying(page, first, stop)
    if not (controls or near) or _SIGN.search(text) is None:
        return False
    whole = page.text.lower()
    count, places = sum(map(whole.count, controls)), [*map(low.find, controls)]
    beside = len(one_line(whole[head : int(page.text_at[near[0]])])) if near else _MOST_BESIDE
    if beside <= _LITTLE_BESIDE:
        places.append(beside)
        count += len(_of_buying(page, first, len(page)))
    if not places or count > _MOST_BASKETS:
        return False
    at, of_page = min(places), _places(page, page.url or "")
    begins = range(max(at - _MOST_BESIDE // 2, 0), at + _LONGEST, _LONGEST // 2)
    parts = (text[begin : begin + _LONGEST] for begin in begins)
    return any(any(visible_prices(part, of_page)) for part in parts)


def _of_buying(page: Page, first: int, stop: int) -> list[int]:
    """Return the rows of the controls that say no more than that something is bought."""
    tag, length = page.tag[first:stop], page.length[first:stop]
    rows = (_CONTROLS.take(tag) & (length > 0) & (length <= _LONGEST_BUY)).nonzero()[0] + first
    named = [
        row
        for row in rows.tolist()
        if page.folded(row).lower() in _BUY
        and (
            page.name(row) == "button"
            or _BUTTON.search(f"{page.attribute(row, 'class')} {page.attribute(row, 'href')}")
        )
    ]
    values = page.having("value") if "input" in page.tag_names else ()
    return named + [row for row, value in values if first < row < stop and value.lower() in _BUY]


def sells_many(page: Page) -> bool:
    """Return whether a page shows many controls that put something into a basket, and prices."""
    known = words_found(page.text.encode("utf-8", "surrogatepass").lower(), _BASKETS)
    if not known:  # as on most pages, whose letters beyond ASCII take long to turn into small ones
        return False
    low = page.text.lower()
    baskets = sum(map(low.count, {*map(str.lower, known)}))
    if baskets < _FEWEST_BASKETS or _SIGN.search(page.text) is None:
        return False
    priced = (text for text in text_blocks(page).texts() if any(visible_prices(text)))
    return sum(1 for _ in islice(priced, _FEWEST_BASKETS)) == _FEWEST_BASKETS


def _places(page: Page, address: str) -> tuple[str, ...]:
    """Return the page's top-level domain and language, by which "$" and "kr" are read."""
    host = address.rpartition("//")[2].partition("/")[0]
    lang = page.head.lang.lower().replace("_", "-")
    region = lang.rpartition("-")[2] if "-" in lang else ""
    return tuple(filter(None, (host.rpartition(".")[2], region, lang.partition("-")[0])))


def gtin(text: str) -> str:
    """Return a Global Trade Item Number without separators; "" where its check digit is wrong.

    Source of the check: GS1 General Specifications, section 7.9.
    """
    digits = text.replace("-", "").replace(" ", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) in {8, 12, 13, 14}):
        return ""
    weighted = sum(int(c) * (3 if at % 2 else 1) for at, c in enumerate(reversed(digits)))
    return digits if weighted % 10 == 0 and digits.strip("0") else ""


def _read_item(own: ProductDeclaration, evidence: Evidence, item: dict[str, Any]) -> None:
    """Read a product of schema.org's vocabulary into ``own``."""
    text = evidence.text
    own.add("name", text(item.get("name"))[:_LONGEST], "name")
    own.descriptions.append(item.get("description"))
    for key in ("brand", "manufacturer"):
        own.add("brand", text(item.get(key), "name")[:_LONGEST], key)
    offers = list(_offers(evidence, item))
    _add_prices(own, [price for one in offers for price in _prices(evidence, one)])
    for one in offers:
        code = _currency_of(text(one.get("priceCurrency")).upper())
        own.add("currency", code, "offers.priceCurrency")
    stock = [_availability(text(one.get("availability"), "@id", "name")) for one in offers]
    known = "InStock" if "InStock" in stock else next(filter(None, stock), "")
    own.add("availability", known, "offers.availability")
    for one in (item, *offers):
        for key in ("sku", "productID"):
            own.add("sku", _number(evidence, one.get(key)), key)
        for key in _GTINS:
            own.add("gtin", gtin(_number(evidence, one.get(key))), key)
    _read_rating(own, evidence, item.get("aggregateRating"))


def _offers(evidence: Evidence, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the offers of a product, of its variants, and those within an aggregate."""
    waiting = [item.get("offers"), item.get("hasVariant")]
    count = 0
    while waiting and count < _MOST_OFFERS:
        for one in evidence.values(waiting.pop(0)):
            count += 1
            if not isinstance(one, dict) or count > _MOST_OFFERS:
                continue
            if _PRODUCTS.isdisjoint(types_of(one)):
                yield one
            waiting.append(one.get("offers"))


def _prices(evidence: Evidence, offer: dict[str, Any]) -> Iterator[Price]:
    code = evidence.text(offer.get("priceCurrency"))
    given = [(offer.get(key), code) for key in ("price", "lowPrice", "highPrice")]
    values = [(value, code) for one, code in given for value in evidence.values(one)]
    for one in () if values else evidence.values(offer.get("priceSpecification")):
        if isinstance(one, dict):
            kind = evidence.text(one.get("priceType"), "@id", "name").lower()
            if "referenceQuantity" in one or any(word in kind for word in _OTHER_PRICES):
                continue  # struck through, or of a unit such as a litre
            own = evidence.text(one.get("priceCurrency")) or code
            keys = ("price", "minPrice", "maxPrice")
            values += [(v, own) for key in keys for v in evidence.values(one.get(key))]
    for value, currency in values:
        price = read_price(value, machine=True, places=_places(evidence.page, evidence.address))
        if price is not None:
            yield price._replace(currency=_currency_of(currency.upper()) or price.currency)


def _add_prices(own: ProductDeclaration, prices: list[Price]) -> None:
    """Add the lowest and the highest of the prices in the first currency.

    A price of nothing beside others is one that isn't known.
    """
    known = [one for one in prices if one.amount > 0] or prices
    code = next((one.currency for one in known if one.currency), "")
    same = [one for one in known if one.currency in {code, ""}]
    if same:
        lowest = min(same, key=lambda one: one.amount).lowest
        highest = max((lowest, *(one.highest for one in same)), key=Decimal)
        own.add_price(Price(lowest, highest, code), f"{own.source}.offers.price")


def _read_rating(own: ProductDeclaration, evidence: Evidence, value: Any) -> None:
    """Read an AggregateRating; one beyond its own best value is none."""
    for one in evidence.values(value):
        if not isinstance(one, dict):
            continue
        rating, best = (_decimal(evidence, one.get(key)) for key in ("ratingValue", "bestRating"))
        if not rating or (best and Decimal(rating) > Decimal(best)):
            continue
        own.add("rating", rating, "aggregateRating.ratingValue")
        own.add("best_rating", best, "aggregateRating.bestRating")
        for key in ("ratingCount", "reviewCount"):
            count = _decimal(evidence, one.get(key))
            if count.isdigit() and int(count):
                own.add("rating_count", int(count), f"aggregateRating.{key}")
        return


def _of_metas(evidence: Evidence) -> Iterator[ProductDeclaration]:
    """Yield what metas declare, if they declare a price or name the page a product's."""
    prices = evidence.metas(*_META_PRICES)
    kinds = evidence.metas("og:type")
    if not prices and not any("product" in kind.lower() for _, _, kind in kinds):
        return
    own = ProductDeclaration("meta", (prices or kinds)[0][0], _META)
    currencies = [_currency_of(text.upper()) for _, _, text in evidence.metas(*_META_CURRENCIES)]
    for _, source, text in prices[:1]:
        price = read_price(text, machine=True, places=_places(evidence.page, evidence.address))
        if price is not None:
            code = next(filter(None, currencies), "") or price.currency
            own.add_price(price._replace(currency=code), source)
    readers = {"gtin": gtin, "availability": _availability}
    for name, metas in _METAS.items():
        for _, source, text in evidence.metas(*metas.split("|")):
            if value := readers.get(name, str)(text)[:_LONGEST]:
                own.values.setdefault(name, (value, source))
    if own.values:
        yield own


def _availability(text: str) -> str:
    """Return schema.org's name of a state of the stock; "" for other texts."""
    return _AVAILABILITY.get(fold(text.rstrip("/").rpartition("/")[2]), "")


def _number(evidence: Evidence, value: Any) -> str:
    """Return a number of an article, which may be a number of JSON."""
    texts = (str(one) if type(one) is int else clean(one) for one in evidence.values(value))
    return next(filter(None, texts), "")[:_LONGEST]


def _decimal(evidence: Evidence, value: Any) -> str:
    """Return a number as a decimal string; "" for other values."""
    found = (read_price(one, machine=True) for one in evidence.values(value))
    price = next(filter(None, found), None)
    return f"{price.amount.normalize():f}" if price else ""
