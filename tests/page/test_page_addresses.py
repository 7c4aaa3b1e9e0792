"""Addresses: made absolute, as each would be by itself, under any base."""

import pickle
import re
import tomllib
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import Limits
from chaffinch.page import parse
from chaffinch.page.urls import FETCHED, absolute, candidates

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))


@pytest.mark.parametrize(("links", "has_base"), [(4_000, True), (8_000, False)])
def test_a_base_is_one_as_long_as_its_links_can_repeat_it(links, has_base):
    base = f"https://a.example/{'b/' * 400}"
    page = parse(f"<base href='{base}'>" + "<a href=c>d</a>" * links)
    assert page.base == (base if has_base else "")
    assert page.addresses.find("c") == (f"{base}c" if has_base else "c")


BASE = "https://example.org/d/p.html?q"


@pytest.mark.parametrize(("url", "expected"), [*TABLE["absolute"], (None, "")])
def test_absolute(url, expected):
    assert absolute(url, BASE) == expected


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


SEGMENTS = st.lists(st.sampled_from(["a", "b.html", "..", ".", "", "c;d", "e?f", "#g"]), max_size=8)


@given(st.integers(0, 3), SEGMENTS, st.sampled_from(["", "page.html", "page?x=/y/z"]))
def test_a_long_base_joins_as_a_short_one(folders, segments, name):
    base = f"https://farm.example/{'mill' * 70}/{'oats/' * folders}{name}"
    url = "/".join(segments)
    expected = urljoin(base, url) if url else ""
    assert absolute(url, base) == expected


def test_the_bound_of_a_repeated_base_is_a_limit():
    base = f"https://a.example/{'b/' * 200}"
    html = f"<base href='{base}'>" + "<a href=c>d</a>" * 10
    repeated = 11 * len(base)  # the href of the base itself is one, too
    assert parse(html, limits=Limits(max_repeated_base=repeated)).base == base
    few = parse(html, limits=Limits(max_repeated_base=repeated - 1))
    assert few.base == ""
    assert pickle.loads(pickle.dumps(few)).base == ""  # noqa: S301


def test_a_base_longer_than_its_limit_is_left_out_of_account():
    html = "<base href='/{}/'><p><a href=rye>oats</a>"
    url = "https://farm.example/mill"
    limits = Limits(max_base=60)
    short, long = (
        parse(html.format("a"), url=url, limits=limits),
        parse(html.format("a" * 60), url=url, limits=limits),
    )
    assert short.base == "https://farm.example/a/"
    assert long.base == url
    assert parse(html.format("a" * 60), url=url).base == f"https://farm.example/{'a' * 60}/"
    assert parse("<p>a", url="https://farm.example/" + "a" * 60, limits=limits).base == ""
