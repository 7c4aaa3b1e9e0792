"""Links to edit a section of a wiki are in no output and no title; what only looks like them is."""

import numpy as np
import pytest

from chaffinch.elements import aids
from chaffinch.elements.aids import without_edit_links
from chaffinch.output import html, markdown, tei, text
from chaffinch.page import parse
from chaffinch.result import Content, Verdict

RENDERERS = {
    "text": text.render,
    "markdown": markdown.render,
    "html": html.render,
    "tei": tei.render,
}
LINK = "<a href=/w/index.php?action=edit&section=1>{}</a>"


def rendered(source, render):
    page = parse(source, url="https://example.org/wiki/m")
    return render(Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), bool))))


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
    source = form.format(LINK.format(words)) + "<p>最早的麦田。</p>"
    out = rendered(source, RENDERERS[name])
    assert words not in out
    assert "[" not in out
    assert "历史" in out


@pytest.mark.parametrize(
    "kept",
    [
        "<p>请<a href=/edit>编辑</a>本文。</p>",
        "<h2>编辑</h2>",
        "<h2><a href=/people>编辑部的故事</a></h2>",
        "<ul><li>[<a href=/e>编辑</a>]</li></ul>",
    ],
)
def test_other_words_stay(kept):
    assert "编辑" in rendered(f"<h1>麦田</h1>{kept}<p>正文。</p>", text.render)


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
    assert without_edit_links(heading) == wanted


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
