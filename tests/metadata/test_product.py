"""The product of a page: its fields, their sources, broken declarations; prices as written."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.metadata import read_metadata
from chaffinch.metadata.product import amounts_in, read_price
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict
from rows_of_cases import examples
from tests.metadata.small_pages import linked, meta, read

BOX = examples(__file__, "product box")
HEADING = "<h1>Nest box</h1>"


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


def test_the_visible_price_is_the_last_resort():
    shown = "<s>29 €</s><p>For AMD 9800X3D</p><p>Now 24 €</p><p>Aktionspreis 19,90 €"
    body = f"{HEADING}{shown}<footer>5 € off</footer>"
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
    ("shown", "wanted"),
    [
        ("<span class=price-was>€49.95</span> <span>€39.95</span>", "39.95"),
        ("<span class=tachado>$1,599.00 MXN</span><span>$1,299.00 MXN</span>", "1299.00"),
        ("<span class=prix-barre>49,95 €</span> <span>39,95 €</span> Livraison : 5,90 €", "39.95"),
        ("<span>通常価格</span><span>3,995円</span> 送料 550円", "3995"),
        ("39,95 € zzgl. Versand 4,90 €", "39.95"),
        ("<span>List Price: $49.95</span> <span>$39.95</span> <span>($0.70/oz)</span>", "39.95"),
        ("<span>Teraz 8,50 PLN</span><s>10,62 PLN</s><span>Dostawa od 4,90 zł</span>", "8.50"),
        ("<span>39,95€</span><span class=old>49,94€</span><span>3,40 €/mes</span>", "39.95"),
    ],
)
def test_a_line_may_show_old_prices_and_costs(shown, wanted):
    page = parse(f"{HEADING}<p>{shown}</p>")
    keep = page.is_tag("p")
    other = {"score": keep.astype("float32"), "why": keep.astype("int8")}
    content = Content(page, Verdict(keep, page_type="product", **other))
    assert read_metadata(page, content).product.value.price.value == wanted


@pytest.mark.parametrize(
    "value", [None, True, [], {}, "", "free", float("nan"), float("inf"), -3, "1" * 40, 1e300]
)
def test_what_is_no_price(value):
    assert read_price(value, machine=True) is None


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
