"""VIPS: each division rule on a page of its own, separators, structure, and the example site."""

from dataclasses import replace

import numpy as np
import pytest

from chaffinch.errors import OptionError
from chaffinch.layout.estimated_boxes import looks
from chaffinch.page import layout_columns, parse
from chaffinch.segment.vips import Vips
from chaffinch.segment.vips.blocks import Extraction, decide

TALL = '<img width="1000" height="4000">'  # makes what stands beside it small


def decided(html, settings=None):
    page = parse(html)
    return page, decide(page, looks(page), settings or Vips())


def rule_of(html, selector, settings=None):
    page, decisions = decided(html, settings)
    row = page.first(selector)
    return int(decisions.rule[row]), bool(decisions.divide[row]), int(decisions.doc[row])


def round_of(html, selector):
    """What a round makes of the first element that the selector matches."""
    page, decisions = decided(html)
    extraction = Extraction(page, looks(page), decisions)
    blocks = extraction.round((page.first(selector),))
    return page, [(page.name(block.roots[0]), block.rule, block.doc) for block in blocks]


def heads(segmentation):
    return [segmentation.text(int(block)).split("\n")[0] for block in segmentation.leaves]


# The rules


def test_rule_1_cuts_what_shows_nothing():
    html = "<body><div id=a><span></span></div><p>text</p>"
    assert rule_of(html, "#a")[0] == 1
    page = parse(html)
    segmentation = Vips()(page)
    # The paragraph is the only child left, so that it takes the page's place.
    assert segmentation.block[page.first("#a")] == segmentation.block[page.first("p")] == 0
    two = parse(html + "<p>more")
    assert Vips(pdoc=10)(two).block[two.first("#a")] == -1


def test_rule_3_divides_the_root_of_a_block():
    html = f"<div>{TALL}<div id=a>text<ul><li>x<li>y</ul></div></div>"
    assert rule_of(html, "#a")[:2] == (9, False)
    assert round_of(html, "#a")[1] == [("#text", 4, 10), ("ul", 11, 8)]


@pytest.mark.parametrize(
    ("inner", "doc"),
    [("a <i>b</i> <a href=x>c <em>d</em></a>", 10), ("a <b>b</b>", 9), ("a <big>b</big>", 9)],
)
def test_rule_4_keeps_text(inner, doc):
    assert rule_of(f"<p>{inner}</p>", "p") == (4, False, doc)


def test_rule_5_divides_at_line_breaks_in_paragraphs_and_inline_nodes():
    assert rule_of("<p>a<br>b</p>", "p")[:2] == (5, True)
    assert rule_of("<p>a<img>b</p>", "p")[:2] == (5, True)
    assert rule_of("<span>a<div>b</div></span>", "span")[:2] == (5, True)
    assert rule_of("<div>a<br>b</div>", "div")[0] != 5
    _, blocks = round_of("<p>a <i>b</i><br><b>c</b> d</p>", "p")
    assert blocks == [("#text", 4, 10), ("b", 4, 9)]


def test_rule_6_divides_at_hr():
    assert rule_of("<div><p>a</p><hr><p>b</p></div>", "div")[:2] == (6, True)
    assert rule_of("<div><p>a</p><p>b</p></div>", "div")[0] == 13


@pytest.mark.parametrize(("tag", "doc"), [("div", 6), ("blockquote", 7), ("li", 8)])
def test_rule_9_keeps_small_nodes_that_hold_text(tag, doc):
    html = f"<div>{TALL}<{tag} id=a>text<p>b</p></{tag}></div>"
    assert rule_of(html, "#a") == (9, False, doc)
    assert rule_of(f"<div><{tag} id=a>text<p>b</p></{tag}></div>", "#a")[0] == 13


# What the parts make together


def test_the_heaviest_separator_is_the_top_of_the_structure():
    page = parse("<div><p>a</p><p>b</p><hr><p>c</p><p>d</p></div>")
    segmentation = Vips(pdoc=10)(page)
    assert segmentation.parent.tolist()[:3] == [-1, 0, 0]
    inner = sorted(segmentation.text(int(block)) for block in (1, 2))
    assert inner == ["a\nb", "c\nd"]
    by_parent = dict(
        zip(
            segmentation.separators.parent.tolist(),
            segmentation.separators.weight.tolist(),
            strict=True,
        )
    )
    assert by_parent[0] > by_parent[1] == by_parent[2]
    assert segmentation.doc[0] == 9 - by_parent[0]
    assert segmentation.doc[1] == 9 - by_parent[1]


def test_what_a_browser_hides_is_in_no_block():
    page = parse("<div><p>a</p><p>b</p><div><p id=x>c</p><p>d</p></div></div>")
    columns = np.full((len(page), len(layout_columns.COLUMNS)), np.nan, dtype=np.float32)
    for place, row in enumerate([r for r in range(len(page)) if page.name(r) == "#text"]):
        box = (0, 100 * place, 500, 20)
        for at in (row, int(page.parent[row])):
            columns[at, : layout_columns.FONT_SIZE] = box
    columns[page.first("#x") :, layout_columns.VISIBLE] = 0
    segmentation = Vips(pdoc=10)(replace(page, layout=columns))
    assert heads(segmentation) == ["a", "b"]
    # The divisions around them have no box; they are as big as what they hold.
    assert segmentation.rectangle[0].tolist() == [0, 0, 500, 120]


def test_the_parts_of_an_article_page_end_in_different_blocks(example_site):
    articles = [row for row in example_site if row["template"] == "article"]
    assert articles
    for row in articles:
        page = parse(row["html"].encode("latin-1"))
        segmentation = Vips()(page)
        found = [
            set(segmentation.block[start : page.end[start]].tolist()) - {-1}
            for start in (page.first(selector) for selector in PARTS[row["lang"]])
        ]
        assert all(found), row["url"]
        assert len(set().union(*found)) == sum(map(len, found)), row["url"]


PARTS = {
    "en": (".main-nav", "article", ".column-side", "footer"),
    "zh": (".menu", ".art-body", ".right", ".bottom"),
}


def test_settings_are_checked():
    with pytest.raises(OptionError, match="pdoc"):
        Vips(pdoc=0)
    with pytest.raises(OptionError, match="doc_sizes"):
        Vips(doc_sizes=(0.1, 0.2))
    with pytest.raises(OptionError, match="distances"):
        Vips(distances=(2, 1))
    with pytest.raises(OptionError, match="font_ratio"):
        Vips(font_ratio=1)
