"""What is read of small pages and of texts, by tables of cases."""

import tomllib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from small_pages import meta, named, read

from chaffinch.elements.dates_in_text import day_of, parse_date, plausible
from chaffinch.metadata.names import has_label, split_names
from chaffinch.metadata.product import Price, price_now, read_price
from time_growth import is_linear

PAGES, TEXTS = (
    tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    for name in ("fields", "texts")
)
FAR = "<p>They had waited for the rain, and when it came it stayed.</p>" * 200
STORY = "<p>今年的雨水来得很早，麦子长得又高又密，农民们从早到晚都在田里忙着收割。</p>" * 6


def value(data, name):
    found = data.value(name)
    return "" if found is None else list(found) if isinstance(found, tuple) else found


@pytest.mark.parametrize("row", [row for rows in PAGES.values() for row in rows])
def test_fields_of_a_page(row):
    head, body, options, wanted = row
    for name, part in {"{far}": FAR, "{story}": STORY, "{story*4}": STORY * 4}.items():
        body = body.replace(name, part)
    data = read(head, body, **options)
    assert {name: value(data, name) for name in wanted} == wanted


def test_labels_at_the_start_of_a_line():
    labels = TEXTS["labels of bylines"]
    assert [one for one in labels if not has_label(one) or has_label(f"x {one}")] == []


def test_names_in_bylines():
    for text, names in TEXTS["names"]:
        assert split_names(text) == tuple(names), text


def test_prices_that_hold():
    for text, wanted in TEXTS["prices that hold"]:
        assert price_now(text) == wanted


def test_dates_in_text():
    for text, wanted in TEXTS["dates"]:
        found = parse_date(text)
        assert (found.isoformat() if found else "") == wanted, text
        assert found is None or plausible(found) == (day_of(found).year >= 1990)


def test_prices_in_text():
    for text, *wanted in TEXTS["prices"]:
        assert read_price(text) == Price(*wanted), text
    for text, places, currency in TEXTS["currencies by place"]:
        assert read_price(text, places=tuple(places)).currency == currency, text


def test_day_and_month_follow_language_and_country():
    body = "<h1>Harvest</h1><p class=date>04/05/2021</p>"
    assert read(body=body, lang="en-US").published.value == date(2021, 4, 5)
    assert read(body=body, lang="fr").published.value == date(2021, 5, 4)
    assert parse_date("4/5/2021", locale="en") == date(2021, 4, 5)
    assert parse_date("4/5/2021", locale="en-gb") == parse_date("4/5/2021") == date(2021, 5, 4)
    assert parse_date("4.5.2021", locale="en") == date(2021, 5, 4)


def test_a_day_to_come_is_no_publication():
    later = (datetime.now(UTC) + timedelta(days=30)).date()
    assert read(meta(**{"article:published_time": later.isoformat()})).published is None


@pytest.mark.parametrize("part", ["@", "a@", "(@", " and", "posted ", "By ", "a", ",", "记者 "])
def test_hostile_names_take_linear_time(part):
    def head(size):
        return named("author", part * (size // 32 // len(part)) + "!") * 32

    assert is_linear(lambda head: read(head).authors, head)
