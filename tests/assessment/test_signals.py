"""Signals of a page: controls, phrases, what stands beside what, how the content ends, shells."""

import pytest

import chaffinch
from chaffinch.assessment.assessment import signals_of
from chaffinch.assessment.shell import is_shell

SENTENCE = "Hela dagen gick kvarnen i vinden efter regnet, och ingen kom förbi. "
PARAGRAPH = f"<p>{SENTENCE * 4}</p>"
HEAD = "<title>Kvarnen | Bladet</title><header><nav><a href=/a>Start</a></nav></header>"
LINE, BUTTON = "<p><b>Resten är för medlemmar</b></p>", "<p><a class=btn href=/m>Bli medlem</a></p>"
SIGN_UP = (
    "<form><label>Adress <input type=email></label> Läs resten av texten <button>Ja</button></form>"
)
TEASERS = "".join(
    f"<div class=item><h2><a href=/{n}>Regn</a></h2><p>{SENTENCE}</p></div>" for n in range(5)
)
WALL = "<div class=paywall>Läs resten som prenumerant <a href=/m>Bli medlem</a></div>"
FRAME = "<title>Kvarnen | Bladet</title><article><h1>Kvarnen</h1>"
START = f"{FRAME}<p>{SENTENCE * 4}<p>{SENTENCE * 4}"
OFFER = "<div class=x><h2>Resten är för medlemmar</h2><button>Bli medlem</button></div></article>"
POST = f"<div class=msg>{SENTENCE * 3}</div>"
FORM = "<form><input name=a><input type=password><button>Logga in</button></form>"
VALUE = "<form><input type=password><input type=submit value='Logga in'></form>"
SHELL = "<title>Kvarnen</title><section data-view=x></section><noscript>Slå på skript</noscript>"
PLAIN = f"<h1>Kvarnen</h1><p>{SENTENCE * 3}"
LONG = "A sentence of prose that stands in the source as it is served. " * 8
SCRIPT = "<script src=/app.js></script>"


def article(*parts):
    return f"{HEAD}<main><h1>Kvarnen</h1>{''.join(parts)}</main><footer>Allt om bladet</footer>"


def placed(place):
    return f"{HEAD}{place}<div>{TEASERS}</div><footer>Allt om bladet</footer>{SCRIPT}"


def signals(html):
    return {name: value for name, value, _ in signals_of(chaffinch.parse(html))}


def rows_of(html, name):
    return next(rows for one, _, rows in signals_of(chaffinch.parse(html)) if one == name)


@pytest.mark.parametrize(
    ("html", "without", "names"),
    [
        ("<form><input autocomplete=username></form>", PLAIN, "fields for a name or account"),
        ("<form><input name=login_key></form>", PLAIN, "fields for a name or account"),
        ("<form><input type=EMAIL></form>", PLAIN, "an address and no password"),
        ("<form><input type=hidden><input name=code></form>", PLAIN, "one field alone"),
        ("<p>x<button role=switch></button>", PLAIN, "toggles"),
        ("<p>x<input type=radio>", PLAIN, "toggles"),
        ("<p>x<input type=submit value=Go>", PLAIN, "buttons of any kind"),
        ("<input type=email><button>Gå in</button>", PLAIN, "buttons near an account's field"),
        ("<iframe src=/frame></iframe>", PLAIN, "frames"),
        ("<img src=/c.png><input name=c>", PLAIN, "a picture and one field"),
        ("<h1>Vänta</h1><p>Ref 8f2ab41c09d77e10", PLAIN, "a reference number"),
        ("<h1>Vänta</h1><p>192.0.2.7", PLAIN, "a reference number"),
        (f"<p>{SENTENCE * 3}<p>12,90 €", PLAIN, "prices behind the content"),
        ("<ul aria-busy=true></ul>", PLAIN, "busy elements"),
        (START + OFFER, START + "</article>", "box behind the content offers"),
        (
            START + OFFER,
            f"{START}</article><footer>Allt om bladet <a href=/om>Om oss</a></footer>",
            "box behind the content offers",
        ),
        (
            START + OFFER.replace("medlemmar", "medlemmar, 49,90 €"),
            START + OFFER,
            "box behind the content has a price",
        ),
        (
            f"<title>Logga in</title><h1>Logga in</h1>{FORM}",
            f"<title>Kvarnen</title><h1>Finns inte</h1>{FORM}",
            "a button repeats the heading, a password field",
        ),
        (
            f"<title>Logga in</title><h1>Logga in</h1>{VALUE}",
            PLAIN,
            "a button repeats the heading, a password field",
        ),
        (
            SHELL,
            START,
            (
                "empty elements that are marked, thin content"
                "|text for pages without scripts, thin content"
                "|the text lacks what the title names, thin content"
            ),
        ),
        (
            "<h1>Finns inte</h1><p>Tyvärr.</p><a href=/>Till början</a>",
            "<a href=/>Bladet</a><h1>Finns inte</h1><p>Tyvärr.</p>",
            "link to the start behind the heading, little content",
        ),
        *(
            (
                article(PARAGRAPH * 2, offer),
                article(PARAGRAPH * 2),
                "offer behind the main content|offer ends few paragraphs",
            )
            for offer in (LINE + BUTTON, SIGN_UP, f"<section>{LINE}{BUTTON}</section>")
        ),
        (
            article(PARAGRAPH * 2, LINE + BUTTON),
            article(PARAGRAPH * 2, LINE + BUTTON, PARAGRAPH * 9),
            "offer ends the content",
        ),
        (
            article(PARAGRAPH, f"<p>{SENTENCE * 2}och sedan …</p>"),
            article(PARAGRAPH * 2),
            "main content ends open",
        ),
        (
            article(PARAGRAPH, f"<p>{SENTENCE * 2}och sedan kom</p>"),
            article(PARAGRAPH, f"<p>{SENTENCE * 2}och sedan …</p>"),
            "main content ends in a sentence",
        ),
        (
            article(PARAGRAPH * 3, TEASERS),
            f"{HEAD}<div>{TEASERS}</div>",
            "content outside repeated elements",
        ),
        (
            placed("<main></main>"),
            placed(f"<main>{PARAGRAPH * 6}</main>"),
            (
                "empty elements declared as the content|elements declared as the content hold none"
                "|empty element beside the frame, thin content"
            ),
        ),
        (
            placed("<div class=story-body></div>"),
            placed(f"<div class=story-body>{PARAGRAPH * 6}</div>"),
            "empty elements named as the content|empty element beside the frame, thin content",
        ),
        (
            article("<div id=a></div>", TEASERS),
            article(PARAGRAPH),
            "empty elements between heading and content",
        ),
        (
            article(PARAGRAPH * 2, WALL, TEASERS),
            article(PARAGRAPH * 2, WALL, PARAGRAPH * 9),
            "content outside teasers ends at a wall|few paragraphs end at a wall",
        ),
        (
            article(PARAGRAPH * 2, WALL, TEASERS),
            article(PARAGRAPH * 2),
            "wall with a button right behind content",
        ),
    ],
)
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
    offered = rows_of(thread + OFFER, "box behind the content offers")
    assert [page.attribute(row, "class") for row in offered] == ["x"]


@pytest.mark.parametrize(
    "html",
    [
        f"<div id=root></div>{SCRIPT}",
        f"<div id=root>Loading…</div>{SCRIPT}",
        f"<nav><a href=/a>One</a></nav><app-root></app-root><footer>All rights</footer>{SCRIPT}",
        f"<noscript>You need to enable JavaScript to run this app.</noscript>{SCRIPT}",
        f"<script>build()</script><p>{'Short words here. ' * 3}</p>",
        f"<main></main><footer><p>{LONG}</p></footer>{SCRIPT}",
        f"<div role=main></div><footer><p>{LONG}</p></footer>{SCRIPT}",
        f'<div id=app></div><script type=application/json>{{"body": "{LONG}"}}</script>{SCRIPT}',
    ],
)
def test_shells(html):
    assert is_shell(chaffinch.parse(html))


@pytest.mark.parametrize(
    "html",
    [
        f"<div id=root></div><p>{LONG}</p>{SCRIPT}",
        f"<div id=root><p>{LONG}</p></div>{SCRIPT}",
        "<div id=root></div>",
        f"<p>{LONG}</p>",
        f"<div id=root></div><script type=application/ld+json>{{}}</script><p>{LONG}",
        "<ul>" + "<li><a href=/a>A link of a list of links</a>" * 80 + f"</ul>{SCRIPT}",
        f"<main><p>{LONG}</main><article></article>{SCRIPT}",
        "",
    ],
)
def test_pages_that_are_no_shells(html):
    assert not is_shell(chaffinch.parse(html))
