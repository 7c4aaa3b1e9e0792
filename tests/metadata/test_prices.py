"""Prices as written on pages: amounts, ranges and currencies."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.metadata.product import Price, amounts_in, read_price, visible_prices


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
    ("value", "lowest"),
    [(19.9, "19.9"), (1299, "1299"), ("1.299", "1.299"), ("1299.00", "1299.00"), (1e3, "1000.0")],
)
def test_values_for_machines_have_a_decimal_point(value, lowest):
    assert read_price(value, machine=True).lowest == lowest


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


def test_of_a_visible_line_amounts_with_a_currency_count():
    text = "Model 3000, 4.5 stars, now €1.299,00 (was 1.499,00 €)"
    assert [one.lowest for one in visible_prices(text)] == ["1299.00", "1499.00"]


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
