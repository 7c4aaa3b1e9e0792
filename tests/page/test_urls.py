import re
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.page.urls import FETCHED, absolute, candidates
from time_growth import is_linear

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


CANDIDATE = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+([\d.]+[wxh](?:\s+\d+h)?))?\s*(?:,|$)")
"""What a candidate is, as one expression: it takes cubic time."""


@given(st.lists(st.sampled_from([*"a, \n", ",,", " 1x", " 2.5w", " 100w 5h", "3h", "b.jpg"])))
def test_candidates_are_what_one_expression_finds(parts):
    srcset = "".join(parts)
    wanted = [(one[1], one[2] or "") for one in CANDIDATE.finditer(srcset)]
    assert candidates(srcset, "") == [(absolute(url, "", FETCHED), mark) for url, mark in wanted]


@pytest.mark.parametrize(
    ("part", "end"),
    [(",", ""), (",", "a"), ("a", " b"), ("a,", " b"), ("a 1", ""), (" 1x", ""), ("a ", "")],
)
def test_candidates_take_linear_time(part, end):
    assert is_linear(
        lambda srcset: candidates(srcset, ""), lambda size: part * (size // len(part)) + end
    )


SEGMENTS = st.lists(st.sampled_from(["a", "b.html", "..", ".", "", "c;d", "e?f", "#g"]), max_size=8)


@given(st.integers(0, 3), SEGMENTS, st.sampled_from(["", "page.html", "page?x=/y/z"]))
def test_a_long_base_joins_as_a_short_one(folders, segments, name):
    base = f"https://farm.example/{'mill' * 70}/{'oats/' * folders}{name}"
    url = "/".join(segments)
    expected = urljoin(base, url) if url else ""
    assert absolute(url, base) == expected


def test_links_of_a_base_of_many_folders_climb_as_far_as_there_are():
    base = "https://farm.example/" + "a/" * 300
    assert absolute("../" * 299 + "b", base) == "https://farm.example/a/b"
    assert absolute("../" * 400 + "b", base) == "https://farm.example/b"
    assert absolute("x/../../b", base) == "https://farm.example/" + "a/" * 299 + "b"
