"""What stands beside what: a box behind the content, a form by its heading, empty elements."""

import pytest

import chaffinch
from chaffinch.assessment.assessment import signals_of

SENTENCE = "Hela dagen gick kvarnen i vinden efter regnet, och ingen kom förbi. "
START = (
    f"<title>Kvarnen | Bladet</title><article><h1>Kvarnen</h1><p>{SENTENCE * 4}<p>{SENTENCE * 4}"
)
OFFER = "<div class=x><h2>Resten är för medlemmar</h2><button>Bli medlem</button></div></article>"
POST = f"<div class=msg>{SENTENCE * 3}</div>"
FORM = "<form><input name=a><input type=password><button>Logga in</button></form>"
LINKS = "<ul>" + "<li><a href=/x>Regnet kom</a>" * 6 + "</ul>"


def signals(html):
    return {name: value for name, value, _ in signals_of(chaffinch.parse(html))}


def test_a_box_with_a_button_behind_the_content_offers():
    assert signals(START + OFFER)["box behind the content offers"] > 0
    assert signals(START + "</article>")["box behind the content offers"] == 0
    in_footer = f"{START}</article><footer>Allt om bladet <a href=/om>Om oss</a></footer>"
    assert signals(in_footer)["box behind the content offers"] == 0


def test_elements_like_the_ones_before_are_passed_by():
    thread = f"<title>Kvarnen</title><article><h1>Kvarnen</h1>{POST * 2}<div class=msg>Kort…</div>"
    offered = next(
        rows
        for name, _, rows in signals_of(chaffinch.parse(thread + OFFER))
        if name == "box behind the content offers"
    )
    page = chaffinch.parse(thread + OFFER)
    assert [page.attribute(row, "class") for row in offered] == ["x"]


def test_a_price_in_the_box():
    priced = OFFER.replace("medlemmar", "medlemmar, 49,90 €")
    assert signals(START + priced)["box behind the content has a price"] > 0
    assert signals(START + OFFER)["box behind the content has a price"] == 0


@pytest.mark.parametrize("heading", ["<h1>Logga in</h1>", "<div class=head>Logga in</div>"])
def test_a_form_next_to_what_the_title_names(heading):
    name = "password field next to the heading, little content"
    login = f"<title>Logga in - Bladet</title>{heading}"
    beside = signals(f"{login}<p>Kort</p>{LINKS}<h4>Regn</h4>{FORM}")[name]
    assert signals(login + FORM)[name] > 2 * beside


def test_a_button_repeats_the_heading():
    name = "a button repeats the heading, a password field"
    assert signals(f"<title>Logga in</title><h1>Logga in</h1>{FORM}")[name] > 0
    assert signals(f"<title>Kvarnen</title><h1>Finns inte</h1>{FORM}")[name] == 0
    value = "<form><input type=password><input type=submit value='Logga in'></form>"
    assert signals(f"<title>Logga in</title><h1>Logga in</h1>{value}")[name] > 0


def test_what_waits_to_be_filled():
    names = (
        "empty elements that are marked, thin content",
        "text for pages without scripts, thin content",
        "the text lacks what the title names, thin content",
    )
    shell = (
        "<title>Kvarnen</title><section data-view=x></section><noscript>Slå på skript</noscript>"
    )
    assert all(signals(shell)[name] > 0 for name in names)
    assert all(signals(START)[name] == 0 for name in names)
    assert signals("<ul aria-busy=true></ul>")["busy elements"] > 0


def test_a_link_to_the_start():
    name = "link to the start behind the heading, little content"
    assert signals("<h1>Finns inte</h1><p>Tyvärr.</p><a href=/>Till början</a>")[name] > 0
    assert signals("<a href=/>Bladet</a><h1>Finns inte</h1><p>Tyvärr.</p>")[name] == 0
