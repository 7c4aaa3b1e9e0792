import pytest

import chaffinch
from chaffinch.assessment.assessment import signals_of
from chaffinch.assessment.page_signals import PHRASES

SENTENCE = "Hela dagen gick kvarnen i vinden efter regnet, och ingen kom förbi. "


def signals(html):
    return {name: value for name, value, _ in signals_of(chaffinch.parse(html))}


def rows_of(html, name):
    return next(rows for one, _, rows in signals_of(chaffinch.parse(html)) if one == name)


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<form><input autocomplete=username></form>", "fields for a name or account"),
        ("<form><input name=login_key></form>", "fields for a name or account"),
        ("<form><input type=EMAIL></form>", "an address and no password"),
        ("<form><input type=hidden><input name=code></form>", "one field alone"),
        ("<p>x<button role=switch></button>", "toggles"),
        ("<p>x<input type=radio>", "toggles"),
        ("<p>x<input type=submit value=Go>", "buttons of any kind"),
        ("<input type=email><button>Gå in</button>", "buttons near an account's field"),
        ("<iframe src=/frame></iframe>", "frames"),
        ("<img src=/c.png><input name=c>", "a picture and one field"),
        ("<h1>Vänta</h1><p>Ref 8f2ab41c09d77e10", "a reference number"),
        ("<h1>Vänta</h1><p>192.0.2.7", "a reference number"),
        (f"<p>{SENTENCE * 3}<p>12,90 €", "prices behind the content"),
    ],
)
def test_what_walls_and_forms_have(html, name):
    assert signals(html)[name] > 0
    assert signals(f"<h1>Kvarnen</h1><p>{SENTENCE * 3}")[name] == 0


def test_a_signal_names_its_rows():
    html = "<form><input type=email><input type=password></form>"
    page = chaffinch.parse(html)
    (row,) = rows_of(html, "fields for an address")
    assert page.attribute(row, "type") == "email"


def test_teasers_are_thin_content_and_an_article_is_not():
    article = "".join(f"<p>{SENTENCE * 4}" for _ in range(6))
    teasers = "".join(
        f"<div><h3><a href=/{n}>Kvarn {n}</a></h3><p>{SENTENCE * 4}</div>" for n in range(6)
    )
    frame = "<title>Kvarnen</title><h1>Kvarnen</h1>"
    assert signals(f"{frame}{article}")["thinness"] < 0.2
    assert signals(f"{frame}{teasers}")["thinness"] > 0.5


def test_phrases_are_in_lower_case_and_none_is_empty():
    for phrases in PHRASES.values():
        assert all(one and one == one.lower() for one in phrases)
        assert len(set(phrases)) == len(phrases)
