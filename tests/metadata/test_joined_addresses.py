"""Addresses that fields give, absolute on the page's own."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.metadata.sources import Evidence
from chaffinch.metadata.values import clean
from chaffinch.page import parse
from chaffinch.page.urls import join_urls

BASES = ("", "http://a.example/b/c", "https://a.example", "//h/x", "ftp://a/b", "data:x")
WHOLE = st.text("ab.-1/%&=;?#@:!~é ", max_size=12)


@given(base=st.sampled_from(BASES), scheme=st.sampled_from(("http://", "https://")), rest=WHOLE)
@example(base=BASES[1], scheme="http://", rest="a.example/b/../c")
@example(base=BASES[1], scheme="http://", rest="a.example/b;?")
def test_a_whole_address_is_what_it_is_joined(base, scheme, rest):
    """It isn't joined where joining would leave it as it is."""
    page = parse("<p>x", url=base)
    href = scheme + rest
    expected = join_urls(page.base, href.strip())
    expected = "" if " " in expected else clean(expected)
    assert Evidence(page).absolute(f" {href}\n") == expected


@pytest.mark.parametrize("href", ["http://b.example/c", "c"])
def test_nothing_is_joined_to_a_broken_address(href):
    assert Evidence(parse("<p>x", url="http://[")).absolute(href) == ""
