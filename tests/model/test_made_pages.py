"""Pages made for training: states of pages, texts in other scripts."""

import re

import pytest

from chaffinch.assessment.assessment import STATES
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from training import page_states
from training.transcribed import CORPORA, transcribed


def test_made_pages_are_of_every_state_by_each_generator():
    made = list(page_states.made_up())
    pairs = {(one.generator, one.state) for one in made if one.generator != "sites"}
    assert len(pairs) == 9 * len(STATES)
    assert {one.state for one in made if one.generator == "sites"} == {
        "content", "error_page", "login",
    }  # fmt: skip
    for one in made[::500]:
        assert one.state not in {"content", "paywall"} or len(parse(one.html).text) > 30


HTML = """<!doctype html><html><head><title>Nests of finches</title>
<meta name="description" content="Where finches nest"><meta name=viewport content="width=device">
<script type="application/ld+json">{"@type": "Article", "headline": "Nests of finches"}</script>
<script>var word = "Home";</script></head><body class="home"><nav><a href="/home">Home</a></nav>
<p>The nest, 7 cm wide, is built &amp; lined. By whom?<p title="left as it is">By the hen.</body>"""
GOLD = "The nest, 7 cm wide, is built & lined. By whom?\nBy the hen."
LATIN = re.compile(r"[A-Za-z]")


def page(number):
    return LabelledPage(
        corpus=CORPORA[0], id=str(number), html=HTML.encode(), url=None, gold_text=GOLD
    )


@pytest.mark.parametrize("number", range(8))
def test_the_text_is_written_anew_and_nothing_else(number):
    copy = transcribed(page(number))
    before, after = parse(HTML), parse(copy.html)
    assert (before.tag == after.tag).all()
    assert (before.parent == after.parent).all()
    assert dict(before.all_attributes()).keys() == dict(after.all_attributes()).keys()
    assert after.attribute(int(after.is_tag("p").nonzero()[0][1]), "title") == "left as it is"
    assert 'var word = "Home"' in copy.html.decode()
    assert "width=device" in copy.html.decode()
    assert not LATIN.search(after.text)
    assert "7" in after.text
    for said in (after.head.title, after.head.first_meta("description")):
        assert said
        assert not LATIN.search(str(said))
    [(_, node)] = after.head.json_ld
    assert node["headline"] == after.head.title
    assert node["@type"] == "Article"


@pytest.mark.parametrize("number", range(8))
def test_the_gold_is_still_the_text_of_its_blocks(number):
    copy = transcribed(page(number))
    texts = [text.strip() for text in text_blocks(parse(copy.html)).texts()]
    assert texts[1:] == copy.gold_text.split("\n")
