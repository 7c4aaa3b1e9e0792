"""The title heads the outputs that have headings: once, and nowhere else in them."""

import json

import numpy as np
import pytest

import chaffinch
from chaffinch import Verdict

TEXT = "Rye is a grass, grown for its grain, and the chaffinch takes some of it. " * 9
TITLE = "<title>Rye and the finch - Grain Post</title>"


def keep_all(page):
    rows = len(page)
    return Verdict(np.ones(rows, bool), np.ones(rows, np.float32), np.zeros(rows, np.int8))


@pytest.mark.parametrize(
    "head", ["<h1>Rye and the finch</h1>", "<h1>Rye <br>and the finch</h1>", ""]
)
@pytest.mark.parametrize("method", ["auto", "block_density", keep_all])
def test_outputs_with_headings_begin_with_it_and_have_it_once(head, method):
    found = chaffinch.extract(f"{TITLE}<article>{head}<p>{TEXT}</article>", method=method)
    assert found.title == "Rye and the finch"
    assert found.markdown().startswith("# Rye and the finch\n\n")
    assert found.markdown().count("finch\n") == 1
    assert found.html().startswith("<h1>Rye and the finch</h1>\n")
    assert found.html().count("<h1>") == 1
    first, *others = found.chunks(max_length=200)
    assert first.text.startswith("Rye and the finch\n")
    assert not any("Rye and the finch" in one.text for one in others)
    for chunk in (first, *others):
        assert chunk.title == chunk.headings[0] == "Rye and the finch"
    assert found.to_dict()["markdown"] == found.markdown()


def test_a_headline_that_is_asked_for_is_in_the_text_with_or_without_a_row():
    for head in ("<h1>Rye and the finch</h1>", ""):
        page = f"{TITLE}<article>{head}<p>{TEXT}</article>"
        found = chaffinch.extract(page, policy={"headline": True})
        assert found.text.startswith("Rye and the finch\nRye is")
        assert found.markdown().count("Rye and the finch") == 1
        block = found.blocks[0]
        assert (block.rows is None) == (not head)
        assert found.text[block.start : block.end] == "Rye and the finch"
        assert "".join(found.text[b.start : b.end] for b in found.blocks).count("is a grass") == 9


def test_a_headline_that_is_refused_is_nowhere():
    page = f"{TITLE}<article><h1>Rye and the finch</h1><p>{TEXT}</article>"
    found = chaffinch.extract(page, method=keep_all, policy={"headline": False})
    outputs = (found.text, found.markdown(), found.html(), found.chunks()[0].text)
    assert not any("Rye and the finch" in output for output in outputs)


@pytest.mark.parametrize("row", [0, 40])
def test_a_title_of_the_page_heads_content_of_its_data(row):
    about = {"@type": "Article", "headline": "Rye and the finch", "articleBody": TEXT * 4}
    script = f"<script type=application/ld+json>{json.dumps(about)}</script>"
    page = f"{'<meta name=a content=b>' * row}{TITLE}{script}<div id=app><h1>Loading</h1></div>"
    found = chaffinch.extract(page)
    assert found.given is not None
    assert found.markdown().startswith("# Rye and the finch\n\nRye is a grass")
