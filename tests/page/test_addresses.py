"""Addresses made absolute on a page are those that each would be by itself, under any base."""

import pytest

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
