"""Aids of readers leave headings, titles, listings and lines; what only looks like them stays."""

import numpy as np
import pytest

import chaffinch
from chaffinch.elements import aids
from chaffinch.output import html, markdown, tei, text
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict

URL = "https://example.org/manual"
PROSE = "<p>The chaffinch is a small bird, common in gardens and woods; it sings in spring.</p>" * 3
EDIT = "<a href='/w/index.php?title=X&amp;action=edit&amp;section=1'>{}</a>"
SOURCE = EDIT.format("Quelltext bearbeiten")
RENDERERS = {
    "text": text.render,
    "markdown": markdown.render,
    "html": html.render,
    "tei": tei.render,
}


def rendered(source, render=text.render):
    page = parse(source, url=URL)
    return render(Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), bool))))


def extract(inner):
    page = f"<body><article><h1>Chaffinch</h1>{PROSE}{inner}{PROSE}</article>"
    return chaffinch.extract(page, url="https://x.example/a", keep=["article"])


def lines_between(inner):
    return [line for line in extract(inner).text.split("\n") if "chaffinch" not in line.lower()]


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("words", ["编辑", "編輯", "編集", "edit"])
@pytest.mark.parametrize(
    "form",
    [
        "<h2>历史<span class=mw-editsection>[{}]</span></h2>",
        "<h2><span>历史</span><span>[</span>{}<span>]</span></h2>",
        "<h2><b>历史</b>[{}]</h2>",
        "<div><h2>历史</h2><span class=mw-editsection><span>[</span>{}<span>]</span></span></div>",
        "<h2>历史<span class=edit><i>[{0}</i> | {0}]</span></h2>",
    ],
)
def test_edit_links_are_left_out(name, words, form):
    out = rendered(form.format(EDIT.format(words)) + "<p>最早的麦田。</p>", RENDERERS[name])
    assert words not in out
    assert "[" not in out
    assert "历史" in out


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("href", ["#seeds", f"{URL}#seeds"])
@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗", "<b>🔗\ufe0e</b>", "\uf0c1"])
def test_signs_are_left_out(name, href, sign):
    link = f'<a class=any href="{href}" title="Link to this place">{sign}</a>'
    plain = rendered("<h2 id=seeds>Seeds</h2><p>Of birds.</p>", RENDERERS[name])
    for heading in (f"Seeds{link}", f"{link} Seeds", f"Seeds <span>{link}</span>"):
        source = f"<h2 id=seeds>{heading}</h2><p>Of birds.</p>"
        assert rendered(source, RENDERERS[name]) == plain


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
    ("kept", "line"),
    [
        ("<p>请<a href=/edit>编辑</a>本文。</p>", "请编辑本文。"),
        ("<h2>编辑</h2>", "编辑"),
        ("<h2><a href=/people>编辑部的故事</a></h2>", "编辑部的故事"),
        ("<ul><li>[<a href=/e>编辑</a>]</li></ul>", "[编辑]"),
        ("<p>Of <a href=#a>1</a> birds.</p>", "Of 1 birds."),
        ("<p>Of <a href=/law#a>§</a> birds.</p>", "Of § birds."),
        ("<p>Of <a href=#>#</a> birds.</p>", "Of # birds."),
        ("<p>Of <b>¶</b> § 5 birds.</p>", "Of ¶ § 5 birds."),
        ("<h2>See <a href=/other>Edit</a> and more</h2>", "See Edit and more"),
        ("<h2 id=a><a href=#a>The # sign</a></h2>", "The # sign"),
        ("<h3><button>How does it sing?</button></h3>", "How does it sing?"),
        ("<h2>Notes <a href=#fn1>one</a></h2>", "Notes one"),
        ("<p><span class=copy>Copy of a letter</span></p>", "Copy of a letter"),
        (f"<p>Please {EDIT.format('edit this page')} where it errs.</p>",
         "Please edit this page where it errs."),
        ("<p>می\u200cرود</p>", "می\u200cرود"),
        ("<p>क्\u200dष</p>", "क्\u200dष"),
    ],
)  # fmt: skip
def test_what_only_looks_like_it_stays(kept, line):
    assert lines_between(kept) == [line]


def test_a_heading_of_markdown_does_not_link_to_itself():
    for href in ("#a", f"{URL}#a"):
        source = f'<h2 id=a><a href="{href}">Seeds <b>of</b> birds</a></h2><p><a href=#a>up</a>'
        written = rendered(source, markdown.render)
        assert written.startswith("## Seeds of birds\n")
        assert f"[up]({URL}#a)" in written
    assert "## [Seeds](" in rendered("<h2><a href=/seeds#a>Seeds</a></h2>", markdown.render)


@pytest.mark.parametrize(
    ("heading", "wanted"),
    [
        ("历史[编辑]", "历史"),
        ("历史 [编辑 | 编辑源代码]", "历史"),
        ("History [edit]", "History"),
        ("历史[1]", "历史[1]"),
        ("[编辑]", ""),
        ("编辑", "编辑"),
    ],
)
def test_headings_without_edit_links(heading, wanted):
    assert aids.without_edit_links(heading) == wanted


@pytest.mark.parametrize(
    "source",
    [
        "<h2>历史<b><i><a href=/e><s>x</s></a></i></b></h2><p>最早的麦田。",
        "<h2>历史 <span class=j-edit><b><i><a href=/e>改</a></i></b></span></h2><p>最早的麦田。",
        "<h2>历史 <span class=j-EDIT><b><a href=/e>改</a></b></span></h2><p>最早的麦田。",
        "<h2>历史 <a href=/w?do=edit>改</a></h2><p>最早的麦田。",
        "<h2>历史 <a href=/w><b> Edit </b></a></h2><p>最早的麦田。",
        "<h2>历史 <a href=/w></a></h2><p class=j-edit>最早的 <a href=/w?do=edit>麦田</a>。",
    ],
)
def test_the_look_near_links_passes_over_none(source, monkeypatch):
    page = parse(source)
    found = aids.reading_aids(page, np.ones(len(page), bool))
    monkeypatch.setattr(aids, "_may_edit", lambda *_: True)
    assert aids.reading_aids(page, np.ones(len(page), bool)) == found


def test_many_marked_links_take_linear_time():
    inner = "<div><h2>Range</h2>" + "<a class=edit href=/e>edit</a> " * 20_000 + "</div>"
    assert lines_between(inner)[0] == "Range"


@pytest.mark.parametrize(
    "sign", ["\u200b", "&zwj;", "&shy;", "\ufeff \u2060", "<b>\u200d</b>\u200e"]
)
@pytest.mark.parametrize(
    "place", ["<p>{}</p>", "<ul><li>{}</ul>", "<h2>{}</h2>", "<div>{}<br>{}</div>"]
)
def test_lines_without_a_visible_character_are_left_out(sign, place):
    found, without = extract(place.replace("{}", sign)), extract("")
    assert found.text == without.text
    assert found.markdown() == without.markdown()
    assert [one.text for one in found.chunks()] == [one.text for one in without.chunks()]
