"""UrlSimilarity of addresses, worked out by hand, and the choice of a reference page."""

import tomllib
from pathlib import Path

import pytest

from chaffinch import parse
from chaffinch.siblings.sibling_links import UrlSimilarity, choose_references, url_similarity

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))

HOST = "http://site.test"


def choose_reference(target, candidates):
    return choose_references(target, candidates, most=1)[0]


@pytest.mark.parametrize(("one", "other", "path", "query"), TABLE["likeness"])
def test_similarity(one, other, path, query):
    expected = UrlSimilarity(path, query)
    assert url_similarity(HOST + one, HOST + other) == expected
    assert url_similarity(HOST + other, HOST + one) == expected


def page(path, html="<p>text"):
    url = HOST + path if path else None
    return parse(f"<title>of {path}</title>{html}<p>{path}", url=url)


OWN = page("/a/b/1.html?id=1", "<div><p>text</p></div>")


def test_layout_decides_among_equals():
    candidates = [page("/a/b/2.html"), page("/a/b/3.html", "<div><p>more</p></div>")]
    choice = choose_reference(OWN, candidates)
    assert choice.index == 1
    assert "2 candidates; layout 1.00" in choice.reason


def test_further_parts_and_other_hosts_are_left_out():
    part, foreign = page("/a/b/1.html?id=1&page=2"), parse("<p>x", url="http://else.test/a/b/")
    assert choose_reference(OWN, [OWN, part, foreign, page("/")]).index == 3
    assert not choose_reference(OWN, [])
    assert "no candidates" in choose_reference(OWN, []).reason
    assert "further part" in choose_reference(OWN, [OWN, part]).reason
    assert "host" in choose_reference(OWN, [foreign]).reason


def test_unknown_addresses_are_compared_by_layout_and_come_last():
    unknown = page("", "<div><p>text</p></div>")
    assert choose_reference(OWN, [unknown, page("/x/y/z")]).index == 1
    choice = choose_reference(OWN, [unknown])
    assert choice.index == 0
    assert "unknown" in choice.reason
