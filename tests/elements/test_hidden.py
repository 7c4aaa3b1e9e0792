import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from chaffinch.elements.hidden import folded, hidden
from chaffinch.page import layout_columns, parse
from strategies import markup

TABLE = tomllib.loads(Path(__file__).with_name("hidden.toml").read_text("utf-8"))

TEXT = "<p>Long enough a text that what is marked here is never most of what the page holds.</p>"


def rows_of(mark, html):
    page = parse(f"{TEXT}{html}")
    return mark(page)[page.select("#x")].tolist()


@pytest.mark.parametrize("mark", TABLE["hide"])  # fmt: skip
def test_marks_that_hide(mark):
    assert rows_of(hidden, f"<div {mark}><p id=x>some hidden words</p></div>") == [True]
    assert rows_of(hidden, f"<div {mark}></div><p id=x>some hidden words</p>") == [False]


@pytest.mark.parametrize("mark", TABLE["show"])  # fmt: skip
def test_marks_that_do_not(mark):
    assert rows_of(hidden, f"<div {mark}><p id=x>word</p></div>") == [False]


def test_words_for_screen_readers_that_stand_for_signs_stay():
    assert rows_of(hidden, "<p>2 <span id=x class=sr-only>hours</span></p>") == [False]
    cell = "<table><tr><td><i></i><span id=x class=sr-only>Included in the plan</span></table>"
    assert rows_of(hidden, cell) == [False]
    assert rows_of(hidden, "<p>2 <span id=x class=sr-only>hours and more</span></p>") == [True]


def test_what_most_of_the_text_stands_in_waits_for_a_script():
    page = parse(f"<body style='visibility:hidden'>{TEXT}<p hidden>a</p>")
    assert hidden(page)[page.select("p")].tolist() == [False, True]


@pytest.mark.parametrize("html", TABLE["fold"])
def test_what_opens_by_a_click_is_folded_and_not_hidden(html):
    assert rows_of(folded, html) == [True]
    assert rows_of(hidden, html) == [False]


@settings(max_examples=60)
@given(markup())
def test_subtrees_whole(source):
    page = parse(source)
    for mask in (hidden(page), folded(page)):
        assert mask.dtype == bool
        assert len(mask) == len(page)
        assert np.array_equal(mask, page.inside(mask))


def rendered(html, unseen):
    """A page as if a browser had rendered it: what matches ``unseen`` isn't visible."""
    page = parse(html)
    columns = np.full((len(page), len(layout_columns.COLUMNS)), np.nan, dtype=np.float32)
    mask = np.zeros(len(page), dtype=bool)
    mask[page.select(unseen)] = True
    columns[:, layout_columns.VISIBLE] = ~page.inside(mask)
    return replace(page, layout=columns)


def test_on_a_rendered_page_the_browser_decides_what_is_hidden():
    page = rendered(f"{TEXT}<p id=x>word</p><p hidden id=y>shown after all</p>", "#x")
    assert hidden(page)[page.select("p")].tolist() == [False, True, False]
    assert not folded(page).any()


def test_on_a_rendered_page_what_opens_by_a_click_is_folded():
    html = (
        f"{TEXT}<details><summary>s</summary><p id=a>a</p></details>"
        "<div class=accordion><div class=x><p id=b>b</p></div></div>"
        "<div class=menu><div class=tab-pane><p id=c>c</p></div></div>"
    )
    page = rendered(html, "#a, .x, .menu")
    rows = page.select("#a, #b, #c")
    assert folded(page)[rows].tolist() == [True, True, False]
    assert hidden(page)[rows].tolist() == [False, False, True]
