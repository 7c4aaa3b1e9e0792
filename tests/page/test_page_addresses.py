"""Addresses made absolute on a page are those that each would be by itself, under any base."""

import pickle

import pytest

from chaffinch import Limits
from chaffinch.page import parse
from chaffinch.page.urls import FETCHED, LINKS, Addresses, absolute

WRITTEN = ["a", "../b", "/c d", "#e", "?f", "//g.example/h", "mailto:i@j.example", "javascript:k",
           "", None, "http://[", "a"]  # fmt: skip
BASES = ["", "https://a.example/b/c", f"https://a.example/{'b/' * 300}c?d"]


@pytest.mark.parametrize("base", BASES, ids=["none", "short", "long"])
def test_each_is_what_it_is_by_itself(base):
    found = Addresses(base)
    for _ in range(2):
        for schemes in (LINKS, FETCHED):
            for url in WRITTEN:
                assert found.find(url, schemes) == absolute(url, base, schemes)


def test_another_address_of_the_page_is_another_base():
    page = parse("<a href=b>c</a>", url=BASES[2])
    assert page.addresses.find("b") == absolute("b", BASES[2])
    assert page.with_url(BASES[1]).addresses.find("b") == "https://a.example/b/b"


@pytest.mark.parametrize(("links", "has_base"), [(4_000, True), (8_000, False)])
def test_a_base_is_one_as_long_as_its_links_can_repeat_it(links, has_base):
    base = f"https://a.example/{'b/' * 400}"
    page = parse(f"<base href='{base}'>" + "<a href=c>d</a>" * links)
    assert page.base == (base if has_base else "")
    assert page.addresses.find("c") == (f"{base}c" if has_base else "c")


def test_the_bound_of_a_repeated_base_is_a_limit():
    base = f"https://a.example/{'b/' * 200}"
    html = f"<base href='{base}'>" + "<a href=c>d</a>" * 10
    repeated = 11 * len(base)  # the href of the base itself is one, too
    assert parse(html, limits=Limits(max_repeated_base=repeated)).base == base
    few = parse(html, limits=Limits(max_repeated_base=repeated - 1))
    assert few.base == ""
    assert pickle.loads(pickle.dumps(few)).base == ""  # noqa: S301


def test_a_short_base_is_one_of_any_number_of_links():
    page = parse("<base href=https://a.example/b/>" + "<a href=c>d</a>" * 30_000)
    assert page.base == "https://a.example/b/"
