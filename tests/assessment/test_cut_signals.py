"""How the main content ends, and whether the place of the content is empty."""

import pytest

import chaffinch
from chaffinch.assessment.assessment import signals_of

SENTENCE = "Hela dagen gick kvarnen i vinden efter regnet, och ingen kom förbi. "
PARAGRAPH = f"<p>{SENTENCE * 4}</p>"
HEAD = "<title>Kvarnen | Bladet</title><header><nav><a href=/a>Start</a></nav></header>"
LINE, BUTTON = "<p><b>Resten är för medlemmar</b></p>", "<p><a class=btn href=/m>Bli medlem</a></p>"
FORM = (
    "<form><label>Adress <input type=email></label> Läs resten av texten <button>Ja</button></form>"
)
TEASERS = "".join(
    f"<div class=item><h2><a href=/{n}>Regn</a></h2><p>{SENTENCE}</p></div>" for n in range(5)
)


def signals(html):
    return {name: value for name, value, _ in signals_of(chaffinch.parse(html))}


def article(*parts):
    return f"{HEAD}<main><h1>Kvarnen</h1>{''.join(parts)}</main><footer>Allt om bladet</footer>"


@pytest.mark.parametrize("offer", [LINE + BUTTON, FORM, f"<section>{LINE}{BUTTON}</section>"])
def test_an_offer_of_one_or_several_elements_ends_the_content(offer):
    walled, whole = signals(article(PARAGRAPH * 2, offer)), signals(article(PARAGRAPH * 2))
    for name in ("offer behind the main content", "offer ends few paragraphs"):
        assert walled[name] > 0 == whole[name]
    goes_on = signals(article(PARAGRAPH * 2, offer, PARAGRAPH * 9))
    assert goes_on["offer ends the content"] == 0


def test_how_the_last_sentence_ends():
    open_end = signals(article(PARAGRAPH, f"<p>{SENTENCE * 2}och sedan …</p>"))
    broken = signals(article(PARAGRAPH, f"<p>{SENTENCE * 2}och sedan kom</p>"))
    ended = signals(article(PARAGRAPH * 2))
    assert open_end["main content ends open"] > 0 == ended["main content ends open"]
    name = "main content ends in a sentence"
    assert broken[name] > 0 == ended[name] == open_end[name]


def test_teasers_are_content_in_repeated_elements():
    name = "content outside repeated elements"
    assert signals(f"{HEAD}<div>{TEASERS}</div>")[name] == 0
    assert signals(article(PARAGRAPH * 3, TEASERS))[name] > 0


@pytest.mark.parametrize("place", ["<main></main>", "<div class=story-body></div>"])
def test_an_empty_place_of_the_content_in_the_frame_of_a_site(place):
    html = (
        f"{HEAD}{place}<div>{TEASERS}</div><footer>Allt om bladet</footer><script src=/a></script>"
    )
    kind = "declared" if "main" in place else "named"
    found = signals(html)
    assert found[f"empty elements {kind} as the content"] > 0
    assert found[f"elements {kind} as the content hold none"] == 1
    assert found["empty element beside the frame, thin content"] > 0
    whole = signals(html.replace("></", f">{PARAGRAPH * 6}</", 3))
    assert whole["empty element beside the frame, thin content"] == 0


def test_what_stands_between_heading_and_content():
    close, far = signals(article(PARAGRAPH)), signals(article("<div id=a></div>", TEASERS))
    assert close["content next to the heading"] == 1 > far["content next to the heading"]
    assert far["empty elements between heading and content"] > 0


def test_a_wall_right_behind_content_and_teasers_behind_it():
    wall = "<div class=paywall>Läs resten som prenumerant <a href=/m>Bli medlem</a></div>"
    walled = signals(article(PARAGRAPH * 2, wall, TEASERS))
    assert walled["wall with a button right behind content"] == 1
    assert walled["content outside teasers ends at a wall"] == 1
    assert signals(article(PARAGRAPH * 2, wall, PARAGRAPH * 9))["few paragraphs end at a wall"] == 0
