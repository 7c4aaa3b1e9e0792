"""Signals of a page: controls, phrases, what stands beside what, how the content ends, shells."""

import tomllib
from pathlib import Path

import pytest

import chaffinch
from chaffinch.assessment.page_signals import signals_of
from chaffinch.assessment.shell import is_shell

TABLE = tomllib.loads(Path(__file__).with_name("signals.toml").read_text("utf-8"))

SENTENCE = "Hela dagen gick kvarnen i vinden efter regnet, och ingen kom förbi. "
OFFER = "<div class=x><h2>Resten är för medlemmar</h2><button>Bli medlem</button></div></article>"
POST = f"<div class=msg>{SENTENCE * 3}</div>"


def signals(html):
    return {name: value for name, value, _ in signals_of(chaffinch.parse(html))}


def rows_of(html, name):
    return next(rows for one, _, rows in signals_of(chaffinch.parse(html)) if one == name)


@pytest.mark.parametrize(("html", "without", "names"), TABLE["signals"])
def test_what_a_page_has_and_another_lacks(html, without, names):
    given, lacking = signals(html), signals(without)
    for name in names.split("|"):
        assert given[name] > 0, name
        assert lacking[name] < 0.2, name


def test_signals_name_their_rows():
    html = "<form><input type=email><input type=password></form>"
    (row,) = rows_of(html, "fields for an address")
    assert chaffinch.parse(html).attribute(row, "type") == "email"
    thread = f"<title>Kvarnen</title><article><h1>Kvarnen</h1>{POST * 2}<div class=msg>Kort…</div>"
    page = chaffinch.parse(thread + OFFER)  # elements like the ones before are passed by
    offered = rows_of(thread + OFFER, "box behind the main content offers")
    assert [page.attribute(row, "class") for row in offered] == ["x"]


@pytest.mark.parametrize("html", TABLE["shells"])
def test_shells(html):
    assert is_shell(chaffinch.parse(html))


@pytest.mark.parametrize("html", TABLE["no shells"])
def test_pages_that_are_no_shells(html):
    assert not is_shell(chaffinch.parse(html))
