from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.siblings.url_shapes import host_of, plain_url, url_numbers, url_shape

PLAIN = [
    ("http://Post.test:80/a#part", "http://post.test/a"),
    ("https://post.test:443", "https://post.test/"),
    ("http://Post.test./a", "http://post.test/a"),
    ("https://post.test.:443/", "https://post.test/"),
    ("http://post.test.:8080", "http://post.test:8080/"),
    ("http://post.test:/", "http://post.test/"),
    ("/a b?q=ü", "http://post.test/a%20b?q=%C3%BC"),
    ("../x/./y/../z", "http://post.test/x/z"),
    ("?page=2", "http://post.test/dir/?page=2"),
    ("http://a.test/?utm_source=x&id=3&gclid=y", "http://a.test/?id=3"),
    ("http://a.test/?PHPSESSID=0123456789abcdef&id=3", "http://a.test/?id=3"),
    ("http://a.test/b;jsessionid=AB12CD?id=3", "http://a.test/b?id=3"),
    ("http://a.test/?utm_source=x", "http://a.test/"),
    (" http://a.test/\n", "http://a.test/"),
]


@pytest.mark.parametrize(("url", "plain"), PLAIN)
def test_an_address_has_one_form(url, plain):
    assert plain_url(url, "http://post.test/dir/") == plain


@pytest.mark.parametrize(
    "url",
    [
        "", None, "javascript:void(0)", "mailto:a@b.test", "http://./",
        "file:///etc/passwd", "data:text/html,a",
        "ftp://a.test/", "http://u:p@a.test/", "http://[::bad", "java\tscript:alert(1)", "relative",
    ],
)  # fmt: skip
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


ALIKE = [
    ("http://a.test/news/2024/some-words-12.html", "http://a.test/news/2025/other-30771.html"),
    ("http://a.test/item?id=3&lang=en", "http://a.test/item?lang=de&id=77"),
    ("http://a.test/thread/12/", "http://a.test/thread/9999/"),
    ("http://a.test/20240131/story.html", "http://a.test/20251120/tale.html"),
    ("http://a.test/s/00af3c9d12/x", "http://a.test/s/77bb0011ee/y"),
    ("http://a.test/quickstart/", "http://a.test/some-longer-words/"),
    ("http://a.test/新闻/谷子-1.html", "http://a.test/新闻/%E7%A8%BB-2.html"),
]
UNLIKE = [
    ("http://a.test/news/1.html", "http://a.test/sport/1.html"),
    ("http://a.test/news/1.html", "http://b.test/news/1.html"),
    ("http://a.test/news/1.html", "http://a.test/news/1.php"),
    ("http://a.test/news/1.html", "http://a.test/news/about.html"),
    ("http://a.test/item?id=3", "http://a.test/item?id=3&page=2"),
    ("http://a.test/news/1/", "http://a.test/news/1"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_pages_of_a_kind_have_one_shape(one, other):
    assert url_shape(one) == url_shape(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_pages_of_two_kinds_have_two_shapes(one, other):
    assert url_shape(one) != url_shape(other)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("a.test:8080", "http://A.test:8080/x"),
        ("a.test:8080", "http://a.test.:8080"),
        *(("a.test", f"http://a.test{end}/x") for end in ("", ".", ":80", ".:80", ":", "..")),
        ("a.test", "https://a.test:443"),
        ("a.test:443", "http://a.test:443"),
        ("[::1]", "http://[::1]:80/"),
        ("[::1]:81", "http://[::1]:81/"),
        ("", "http://[bad"),
        ("", "/x"),
    ],
)
def test_a_host_has_one_name(host, url):
    assert host_of(url) == host
