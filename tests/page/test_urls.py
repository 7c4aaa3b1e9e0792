import pytest

from chaffinch.page.urls import FETCHED, absolute, candidates

BASE = "https://example.org/d/p.html?q"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("a.html", "https://example.org/d/a.html"),
        ("//e.org/x", "https://e.org/x"),
        ("#f", "https://example.org/d/p.html?q#f"),
        (" \n/a b\t ", "https://example.org/a%20b"),
        ("/é/中?x=“", "https://example.org/é/中?x=“"),
        ('/"<>`\\', "https://example.org/%22%3C%3E%60%5C"),
        ("MAILTO:a@b.org", "MAILTO:a@b.org"),
        ("tel:+1", "tel:+1"),
        ("java\tscript:x", ""),
        ("\x01javascript:x", ""),
        ("data:text/html,x", ""),
        ("file:///etc/passwd", ""),
        ("http://[x", "http://[x"),
        ("//[x", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_absolute(url, expected):
    assert absolute(url, BASE) == expected


def test_without_a_base_it_stays_relative():
    assert absolute("a/b", "") == "a/b"


def test_an_unsafe_base_makes_no_address():
    assert absolute("x", "javascript:y/") == "x"
    assert absolute("mailto:a@b.org", BASE, FETCHED) == ""


def test_candidates():
    assert candidates("a.png, b.png 2x,c,d.png 640w, javascript:x 3x , data:x 1x", BASE) == [
        ("https://example.org/d/a.png", ""),
        ("https://example.org/d/b.png", "2x"),
        ("https://example.org/d/c,d.png", "640w"),
    ]
    assert candidates(None, BASE) == []
