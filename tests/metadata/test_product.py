"""The product of a page: its fields, their sources, broken declarations; prices as written."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.metadata import read_metadata
from chaffinch.metadata.product import Price, amounts_in, read_price
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict
from tests.metadata.small_pages import linked, meta, read

BOX = {
    "@type": "Product",
    "name": "Nest box",
    "brand": {"@type": "Brand", "name": "Finch & Sons"},
    "sku": "NB-7",
    "gtin13": "4006381333931",
    "offers": {
        "@type": "Offer",
        "price": "19.90",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
    },
    "aggregateRating": {"ratingValue": "4,5", "reviewCount": "12", "bestRating": 5},
}
HEADING = "<h1>Nest box</h1>"
MICRODATA = """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Nest box</h1>
<span itemprop=brand>Finch &amp; Sons</span><meta itemprop=gtin13 content=4006381333931>
<div itemprop=offers itemscope itemtype="http://schema.org/Offer">
<span itemprop=price content=19.90>19,90 €</span><meta itemprop=priceCurrency content=EUR>
<link itemprop=availability href="http://schema.org/OutOfStock"></div>
<div itemprop=aggregateRating itemscope itemtype="http://schema.org/AggregateRating">
<span itemprop=ratingValue>4.5</span> of <span itemprop=bestRating>5</span>,
<span itemprop=ratingCount>12</span></div>
<div itemprop=review itemscope itemtype="http://schema.org/Review"><span itemprop=ratingValue>1</span></div>
<div itemprop=isRelatedTo itemscope itemtype="http://schema.org/Product"><b itemprop=name>Other</b>
<div itemprop=offers itemscope itemtype="http://schema.org/Offer"><b itemprop=price>1</b></div></div>
</div>"""  # noqa: E501  one element a line


def values(head="", body=HEADING, **options):
    found = read(head, body, **options).product
    return found and found.value.values()


def test_json_ld_gives_every_field_with_its_source():
    found = read(linked(BOX), HEADING).product
    assert found.value.values() == {
        "name": "Nest box",
        "price": "19.90",
        "currency": "EUR",
        "brand": "Finch & Sons",
        "sku": "NB-7",
        "gtin": "4006381333931",
        "availability": "InStock",
        "rating": "4.5",
        "rating_count": 12,
        "best_rating": "5",
    }
    assert found.value.price.source == "json-ld:Product.offers.price"
    assert found.value.brand.source == "json-ld:Product.brand"
    assert found.value.price.row > 0
    assert 0 < found.confidence <= 1


def test_microdata_gives_the_fields_of_its_own_item_alone():
    found = values(body=MICRODATA)
    assert found["price"] == "19.90"
    assert found["availability"] == "OutOfStock"
    assert (found["rating"], found["rating_count"], found["best_rating"]) == ("4.5", 12, "5")
    assert "highest_price" not in found
    assert found["brand"] == "Finch & Sons"


def test_metas_and_sources_that_agree():
    head = meta(
        **{"og:type": "product", "product:price:amount": "19.9", "product:price:currency": "EUR"}
    )
    alone = read(head).product.value
    assert (alone.price.value, alone.currency.value) == ("19.9", "EUR")
    both = read(head + linked(BOX), HEADING).product.value
    assert both.price.value == "19.90"
    assert both.price.agreeing == ("meta:product:price:amount",)
    assert both.price.confidence > alone.price.confidence


@pytest.mark.parametrize(
    ("offers", "price", "highest"),
    [
        ([{"price": 30}, {"price": "12.50"}, {"price": 20}], "12.50", "30"),
        ({"lowPrice": "12.50", "highPrice": "30", "@type": "AggregateOffer"}, "12.50", "30"),
        ({"offers": [{"price": 3}, {"price": 2}], "@type": "AggregateOffer"}, "2", "3"),
        ({"price": "1.299,00 €"}, "1299.00", None),
        ({"price": "5 - 7"}, "5", "7"),
        ([{"price": 0}, {"price": 7}], "7", None),
        ([{"price": 3}, {"price": 5, "priceCurrency": "EUR"}], "3", "5"),
        ({"price": 0}, "0", None),
        ([{"price": 3, "priceCurrency": "USD"}, {"price": 2, "priceCurrency": "EUR"}], "3", None),
        ({"priceSpecification": [{"price": 9, "priceType": "ListPrice"}, {"price": 8}]}, "8", None),
    ],
)
def test_several_offers_and_odd_prices(offers, price, highest):
    found = values(linked(BOX | {"offers": offers}))
    assert found["price"] == price
    assert found.get("highest_price") == highest


def test_the_visible_price_is_the_last_resort():
    body = f"{HEADING}<s>29,90 €</s><p>Now 19,90 € only</p><footer>5 € off</footer>"
    page = parse(body)
    keep = page.is_tag("p")
    other = {"score": keep.astype("float32"), "why": keep.astype("int8")}
    for kind, wanted in (("product", "19.90"), ("article", None)):
        content = Content(page, Verdict(keep, page_type=kind, **other))
        found = read_metadata(page, content).product
        assert (found and found.value.price.value) == wanted
    declared = values(linked({"@type": "Product", "name": "Nest box"}), body)
    assert (declared["price"], declared["currency"]) == ("19.90", "EUR")


@pytest.mark.parametrize(
    "broken",
    [
        '<script type="application/ld+json">{"@type": "Product", "offers": </script>',
        linked({"@type": "Product", "offers": [[[]]], "brand": 3, "aggregateRating": "good"}),
        linked({"@type": ["Product"], "offers": {"price": {"a": [1]}}, "gtin": [None, True, {}]}),
        linked({"@type": "Product", "sku": {"@id": "x"}, "offers": {"price": "on request"}}),
        linked({"@type": "Product", "aggregateRating": {"ratingValue": 9, "bestRating": 5}}),
        "<div itemscope itemtype=Product><b itemprop=price>",
    ],
)
def test_broken_declarations_give_nothing(broken):
    found = values(broken)
    assert not found or found.keys() <= {"name"}


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("1.299,00 €", Price("1299.00", "1299.00", "EUR")),
        ("US $5", Price("5", "5", "USD")),
        ("£1,299", Price("1299", "1299", "GBP")),
        ("1 299,50 zł", Price("1299.50", "1299.50", "PLN")),
        ("1 299 Kč", Price("1299", "1299", "CZK")),
        ("CHF 1'299.95", Price("1299.95", "1299.95", "CHF")),
        ("₹1,29,999.00", Price("129999.00", "129999.00", "INR")),
        ("12.99 – 19.99 EUR", Price("12.99", "19.99", "EUR")),
        ("$19.99 to $9.99", Price("9.99", "19.99", "USD")),
        ("9,-", Price("9", "9", "")),
        ("٢٥ AED", Price("25", "25", "AED")),
        ("0,50 €", Price("0.50", "0.50", "EUR")),
        ("0.125 KWD", Price("0.125", "0.125", "KWD")),
    ],
)
def test_texts(text, price):
    assert read_price(text) == price


@pytest.mark.parametrize(
    "value", [None, True, [], {}, "", "free", float("nan"), float("inf"), -3, "1" * 40, 1e300]
)
def test_what_is_no_price(value):
    assert read_price(value, machine=True) is None


@pytest.mark.parametrize(
    ("text", "places", "currency"),
    [
        ("$5", ("ca", "en"), "CAD"),
        ("$5", ("com", "en"), "USD"),
        ("¥500", ("com", "ja"), "JPY"),
        ("¥500", ("cn", "zh"), "CNY"),
        ("50 kr", ("se", "sv"), "SEK"),
        ("50 kr", ("com",), ""),
    ],
)
def test_symbols_of_several_currencies_are_read_by_place(text, places, currency):
    assert read_price(text, places=places).currency == currency


@given(st.text(max_size=300))
def test_any_text_gives_decimal_strings_or_nothing(text):
    found = read_price(text)
    assert found is None or re.fullmatch(r"\d+(\.\d+)?", found.lowest, re.ASCII)
    assert found is None or Decimal(found.lowest) <= Decimal(found.highest)


@given(st.integers(0, 99_999_999), st.integers(0, 99), st.sampled_from(["en", "de", "fr", "ch"]))
def test_an_amount_is_the_same_in_every_notation(whole, cents, way):
    group, mark = {"en": (",", "."), "de": (".", ","), "fr": (" ", ","), "ch": ("'", ".")}[way]
    written = f"{whole:,}".replace(",", group) + f"{mark}{cents:02}"
    assert Decimal(read_price(f"{written} €").lowest) == Decimal(f"{whole}.{cents:02}")
    assert Decimal(f"{whole}.{cents:02}") in set(amounts_in(f"Price {written} €"))
