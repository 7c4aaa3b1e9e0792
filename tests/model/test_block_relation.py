"""Relatedness of blocks: its range, its promises, CJK text, and pages without title or text."""

import numpy as np
import pytest
from hypothesis import given

from chaffinch import parse
from chaffinch.model.block_relation import BlockWords, text_relation
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

RYE = "Rye is a grass that is grown for its grain, and its flour makes a dark bread."
BREAD = "The flour of rye keeps bread moist; grain is milled before the bread is baked."
WEATHER = "Rain tonight with strong winds from west, tomorrow clouds over all counties."
HAN_RYE = "黑麦是一种谷物,农民种植黑麦,用黑麦面粉制作面包。"
HAN_BREAD = "黑麦面粉制作的面包颜色较深,谷物先要磨成面粉。"
HAN_WEATHER = "今晚有大雨,明天多云,西风五级,气温下降。"


def at(page, selector, values):
    """Return the value of the first text below an element."""
    return float(values[page.first(selector) + 1])


def words_of(page):
    blocks = text_blocks(page)
    return BlockWords(page, np.where(blocks.block >= 0, blocks.block, np.int32(-1)))


def three(title, main, near, far):
    return parse(f"<title>{title}</title><p id=main>{main}<p id=near>{near}<p id=far>{far}")


@pytest.mark.parametrize(
    ("title", "texts"),
    [
        ("Rye, its grain and flour", (RYE, BREAD, WEATHER)),
        ("黑麦和面包", (HAN_RYE, HAN_BREAD, HAN_WEATHER)),
    ],
)
def test_texts_about_the_same_are_related_more(title, texts):
    main, near, far = texts
    page = three(title, main * 2, near, far)
    for values in text_relation(page):
        assert at(page, "#near", values) > at(page, "#far", values) + 0.1
    _, to_main = text_relation(page)
    assert at(page, "#main", to_main) == pytest.approx(1)


@given(markup())
def test_it_is_symmetric_in_0_to_1_and_1_to_itself(html):
    words = words_of(parse(html))
    table = np.stack([words.related(number) for number in range(words.count)])
    assert table.shape == (words.count, words.count)
    assert table.min() >= 0
    assert table.max() <= 1
    assert table == pytest.approx(table.T)
    held = np.bincount(words.block, minlength=words.count) > 0
    assert np.diag(table)[held] == pytest.approx(1)
    assert not table[~held].any()


@pytest.mark.parametrize("html", ["", "<p>", "<title>Rye</title>", "<p>...</p><p>\0</p>"])
def test_pages_without_words(html):
    page = parse(html)
    for values in text_relation(page):
        assert values.shape == (len(page),)
        assert values.dtype == np.float32
        assert not values.any()
