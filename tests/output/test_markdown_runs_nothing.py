"""Markdown read by CommonMark with raw HTML allowed: no element, no address but those written."""

import html
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from output_pages import content_of, faults

from chaffinch.output import markdown, markdown_text
from rows_of_cases import examples

READER = MarkdownIt("commonmark", {"html": True, "maxNesting": 2000})
READER.enable(["table", "strikethrough"])
READER.validateLink = lambda _: True  # what it would refuse is to be seen
TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code table thead tbody tr th td a img em strong s"
    " br hr sub sup".split()
)
ATTRIBUTES = frozenset("href src alt title start class style".split())
URL = "https://example.org/d/p.html"


def found_in(source):
    return faults(READER.render(source), TAGS, ATTRIBUTES)


def written(page):
    return markdown.render(content_of(page, url=URL))


IMAGE = "<img src=x onerror=alert(1)>"
TABLE, TEXTS = (
    tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    for name in ("vectors", "texts")
)
PLACES, VECTORS = TABLE["places"], TABLE["texts"]


def put(place, text):
    """Return a place of a page with text in it; nothing is markup in a script."""
    own = text.replace("</", "< /") if place == "script" else html.escape(text)
    return PLACES[place].replace("{}", own.replace("\r", "&#13;"))


@pytest.mark.parametrize("vector", VECTORS)
def test_vectors_run_nowhere(vector):
    code = f"<p>and <code>{html.escape(IMAGE)}</code></p>"
    for place in PLACES:
        source = written(put(place, VECTORS[vector]) + code)
        assert not found_in(source), source


def test_the_renderer_would_run_them():
    assert found_in(IMAGE) == ["<img onerror>"]
    assert found_in("[a](javascript:x)") == ["<a href='javascript:x'>"]
    assert found_in("> ```\n<b onclick=x>") == ["<b>", "<b onclick>"]


PIECES = examples(__file__, "markdown runs nothing pieces")
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
places = st.tuples(st.sampled_from(sorted(PLACES)), texts).map(lambda own: put(*own))


@settings(max_examples=120)
@given(st.lists(places, min_size=1, max_size=4).map("".join))
def test_no_text_in_any_place_runs(page):
    source = written(page)
    assert not found_in(source), source


@settings(max_examples=120)
@given(texts, texts, st.booleans())
def test_no_tex_in_a_line_runs(tex, after, in_link):
    own = markdown_text.formula(tex, display=False, in_link=in_link)
    line = f"a [{own}](https://e.org/) `{after.replace('`', '')}`" if in_link else f"a {own} b"
    assert not found_in(line.replace("\n", " ").replace("\r", " ")), line


@pytest.mark.parametrize(("tex", "meant"), TEXTS["tex"])
def test_tex_means_the_same(tex, meant):
    assert markdown_text.formula(tex, display=False, in_link=False) == meant
