"""What is for the hand alone leaves headings, titles, listings; what only looks like it stays."""

import pytest

import chaffinch

PROSE = "<p>The chaffinch is a small bird, common in gardens and woods; it sings in spring.</p>" * 3
EDIT = "<a href='/w/index.php?title=X&amp;action=edit&amp;section=1'>{}</a>"

SOURCE = EDIT.format("Quelltext bearbeiten")


def extract(html, **options):
    page = f"<body><article><h1>Chaffinch</h1>{PROSE}{html}{PROSE}</article>"
    return chaffinch.extract(page, url="https://x.example/a", keep=["article"], **options)


def lines_between(html):
    return [line for line in extract(html).text.split("\n") if "chaffinch" not in line.lower()]


@pytest.mark.parametrize(
    "heading",
    [
        f"<h2>Range <i class=mw-editsection>[{EDIT.format('Bearbeiten')} | {SOURCE}]</i></h2>",
        f"<div><h2>Range</h2><span>[{EDIT.format('modifier')}]</span></div>",
        f"<h2>Range {EDIT.format('[править]')}</h2>",
        "<div><h2>Range</h2><a class=edit-icon>编辑</a><a class='edit-icon lock'>播报</a></div>",
        "<h2 id=range>Range<a href=#range>Link to this heading</a></h2>",
        "<h2>Range<a class=hash-link href=#range>\u200b</a></h2>",
        "<h2>Range <a class=copy-link href=#range>复制链接</a></h2>",
        "<h2>Range <button>Copy link</button></h2>",
        "<h2><a class=anchor href=#range>#</a>Range</h2>",
    ],
)
def test_headings_and_titles_are_bare(heading):
    found = extract(heading)
    assert lines_between(heading) == ["Range"]
    assert "\n## Range\n" in found.markdown()
    assert found.chunks()[-1].headings[-1] == "Range"
    title = heading.replace("h2", "h1")
    assert chaffinch.extract(f"<article>{title}{PROSE}</article>").title == "Range"


@pytest.mark.parametrize(
    "listing",
    [
        "<div><a class=copy href=#>复制代码</a><pre><code>pip install x</code></pre></div>",
        "<div><button class=copy-btn>Copy</button><pre><code>pip install x</code></pre></div>",
        "<pre><code>pip install x</code><span class=copy-button>复制</span></pre>",
    ],
)
def test_listings_have_no_buttons(listing):
    assert lines_between(listing) == ["pip install x"]


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<h2>See <a href=/other>Edit</a> and more</h2>", "See Edit and more"),
        ("<h2 id=a><a href=#a>The # sign</a></h2>", "The # sign"),
        ("<h3><button>How does it sing?</button></h3>", "How does it sing?"),
        ("<h2>Notes <a href=#fn1>one</a></h2>", "Notes one"),
        ("<p><span class=copy>Copy of a letter</span></p>", "Copy of a letter"),
        (f"<p>Please {EDIT.format('edit this page')} where it errs.</p>",
         "Please edit this page where it errs."),
    ],
)  # fmt: skip
def test_what_only_looks_like_it_stays(html, line):
    assert lines_between(html) == [line]


def test_many_marked_links_take_linear_time():
    html = "<div><h2>Range</h2>" + "<a class=edit href=/e>edit</a> " * 20_000 + "</div>"
    assert lines_between(html)[0] == "Range"


@pytest.mark.parametrize(
    "sign", ["\u200b", "&zwj;", "&shy;", "\ufeff \u2060", "<b>\u200d</b>\u200e"]
)
@pytest.mark.parametrize(
    "place", ["<p>{}</p>", "<ul><li>{}</ul>", "<h2>{}</h2>", "<div>{}<br>{}</div>"]
)
def test_lines_without_a_visible_character_are_left_out(sign, place):
    html = place.replace("{}", sign)
    found, without = extract(html), extract("")
    assert found.text == without.text
    assert found.markdown() == without.markdown()
    assert [one.text for one in found.chunks()] == [one.text for one in without.chunks()]


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<p>می\u200cرود</p>", "می\u200cرود"),
        ("<p>क्\u200dष</p>", "क्\u200dष"),
    ],
)
def test_joiners_that_a_script_needs_stay(html, line):
    assert lines_between(html) == [line]


def test_characters_that_show_nothing_leave_lines():
    assert lines_between("<p>an <b>\u200b</b>end\u2060!</p>") == ["an end!"]
