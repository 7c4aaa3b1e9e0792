"""What opens by a click, or stands in several boxes, is content where it is the content."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chaffinch
from chaffinch.decision.scores import raised_in_widgets
from chaffinch.elements.hidden import parts_by_widget
from chaffinch.model.name_hashes import read_name_hashes
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from folded_pages import MAKERS, made
from strategies import markup

MARK = re.compile(r"(?:grain|chaff)\d+x")
OUTPUTS = {
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown(),
    "html": lambda found: found.html(),
    "tei": lambda found: found.tei(),
    "json": lambda found: found.to_dict()["text"],
    "chunks": lambda found: "\n".join(chunk.text for chunk in found.chunks()),
}


@pytest.mark.parametrize("name", MAKERS)
def test_content_is_kept_and_noise_dropped_in_every_output(name):
    html, texts = made(name)
    found = chaffinch.extract(html)
    grain = [mark for mark in MARK.findall(html) if mark in texts.kept]
    for output, render in OUTPUTS.items():
        assert MARK.findall(render(found)) == grain, output
    assert set(texts.dropped) <= set(MARK.findall(found.noise))


def every_name(page):
    return read_name_hashes(page, np.ones(len(page), dtype=bool))


def scored(html, score):
    """Return the scores of a page's blocks after folds, all words counted; by first word."""
    page = parse(html)
    blocks = text_blocks(page)
    units = blocks.length.astype(np.float32)
    before = np.array([score[blocks.text(n)] for n in range(len(blocks))], dtype=np.float32)
    after = raised_in_widgets(before, units, blocks, every_name(page))
    return {blocks.text(n): round(float(after[n]), 2) for n in range(len(blocks))}


def widgets(page):
    """Return the number of the widget that each row stands in; -1 for none."""
    found = np.full(len(page), -1, dtype=np.int32)
    for number, rows in enumerate(parts_by_widget(page)):
        for row in rows:
            found[row : int(page.end[row])] = number
    return found


def test_a_widget_raises_its_lowest_to_its_mean_and_lowers_none():
    html = "<p>o</p><div><div role=tabpanel>a</div><div role=tabpanel hidden>b</div></div>"
    assert scored(html, {"o": 0.1, "a": 0.9, "b": 0.3}) == {"o": 0.1, "a": 0.9, "b": 0.6}


def test_panels_that_are_never_closed_are_layout():
    html = "<div class=tab-pane>a</div><div class=tab-pane>b</div>"
    assert scored(html, {"a": 0.9, "b": 0.3}) == {"a": 0.9, "b": 0.3}


@pytest.mark.parametrize(
    ("html", "together"),
    [
        ("<details>a</details><details open>b</details>", True),
        ("<div><details>a</details></div><div><details>b</details></div>", True),
        ("<div class=tab-pane>a</div><div class='tab-pane hidden'>b</div>", True),
        ("<details>a</details><p>b", False),
        ("<div hidden>a</div><div hidden>b</div>", False),
    ],
)
def test_what_is_one_widget(html, together):
    page = parse(f"<section>{html}</section>")
    of = {page.text_of(row): widgets(page)[row] for row in np.flatnonzero(page.written).tolist()}
    assert (of["a"] == of["b"] >= 0) == together


@settings(max_examples=80)
@given(markup(), st.integers(0, 2**16))
def test_any_page(source, seed):
    page = parse(source)
    blocks = text_blocks(page)
    widget = widgets(page)
    score = np.random.default_rng(seed).random(len(blocks)).astype(np.float32)
    units = np.maximum(blocks.length, 0).astype(np.float32)
    after = raised_in_widgets(score, units, blocks, every_name(page))
    assert (after >= score).all()
    assert (after <= 1).all()
    outside = widget[blocks.first] < 0
    assert np.array_equal(after[outside], score[outside])
