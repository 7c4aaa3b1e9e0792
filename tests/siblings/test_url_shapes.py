import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.siblings.url_shapes import host_of, plain_url, url_numbers, url_shape

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))


@pytest.mark.parametrize(("url", "plain"), TABLE["one form"])
def test_an_address_has_one_form(url, plain):
    assert plain_url(url, "http://post.test/dir/") == plain


@pytest.mark.parametrize("url", [*TABLE["no page"], None])  # fmt: skip
def test_what_is_no_page_has_none(url):
    assert plain_url(url) == ""


def test_keys_that_choose_a_page_stay():
    for url in ("http://a.test/?sid=4711", "http://a.test/?id=1&page=2", "http://a.test/?s=finch"):
        assert plain_url(url) == url


@given(st.text())
def test_the_one_form_is_a_fixed_point(url):
    plain = plain_url(url, "http://post.test/dir/")
    assert plain_url(plain) == plain
    assert plain.isascii()
    url_shape(url)
    url_numbers(url)


@pytest.mark.parametrize(("one", "other"), TABLE["one shape"])
def test_pages_of_a_kind_have_one_shape(one, other):
    assert url_shape(one) == url_shape(other)


@pytest.mark.parametrize(("one", "other"), TABLE["two shapes"])
def test_pages_of_two_kinds_have_two_shapes(one, other):
    assert url_shape(one) != url_shape(other)


@pytest.mark.parametrize(("host", "url"), TABLE["hosts"])
def test_a_host_has_one_name(host, url):
    assert host_of(url) == host


def test_numbers_place_a_page_in_time():
    assert url_numbers("http://a.test/ferry-7/2025-11-20?page=3") == (20251120, 7, 3)
