"""Text features of any text."""

import json
from html import escape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.model import features, words
from chaffinch.model.words import DIGIT, LETTER, UNIT
from chaffinch.page import Page, parse
from chaffinch.page.attributes import AttributeColumns
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

LETTERS = st.sampled_from("aB1 .,!-é0\n\t") | st.sampled_from("鸟小가คا。、𠀀😀\ud800\u3000\u200b")
PIECES = st.lists(LETTERS, max_size=12).map("".join)
"""Text of any script, which numbers and marks run into; lone surrogates, too."""
LONG = "Finches " * 2000 + "." * 5000 + "1" * 5000
SENTENCE = "Its song is loud, and long"


def page_of(tags, pieces):
    """Return a page of one element for each tag; their texts are ``pieces``, as they are."""
    page = parse("<body>" + "".join(f"<{tag}>x</{tag}>" for tag in tags))
    rows = np.flatnonzero(page.tag == 0)
    pieces = (pieces * len(rows))[: len(rows)]
    lengths = np.zeros(len(page) + 1, dtype=np.int32)
    lengths[rows + 1] = [len(piece) for piece in pieces]
    text_at = np.cumsum(lengths, dtype=np.int32)
    return Page(
        page.tag,
        page.parent,
        page.depth,
        page.end,
        "".join(pieces),
        text_at,
        AttributeColumns.of_rows({}, len(page)),
    )


def columns_of(blocks):
    return np.empty((len(features.TEXT_NAMES), len(blocks)), np.float32)


def same_both_ways(page, compared):
    blocks = text_blocks(page)
    if not len(blocks):
        return None
    with compared():
        return features.read_text(blocks, columns_of(blocks))


@given(
    tags=st.lists(st.sampled_from("p div a span b td noscript".split()), min_size=1, max_size=12),
    pieces=st.lists(PIECES | st.text(max_size=12), min_size=1, max_size=12),
)
def test_any_text(compared, tags, pieces):
    same_both_ways(page_of(tags, pieces), compared)


@given(html=markup(), head=st.tuples(PIECES, PIECES, PIECES), text=st.lists(PIECES, max_size=6))
@example("<p>in on", ("In", "on in", "in on at"), ["in on at"])
def test_any_markup_and_head(compared, html, head, text):
    title, description, body = head
    said = [f"<p>{escape(piece)}<a href=x>{escape(piece)}</a>" for piece in (*text, title, body)]
    data = json.dumps({"@type": "Article", "articleBody": body})
    page = parse(
        f"<title>{escape(title)}</title><meta name=description content='{escape(description)}'>"
        f"<script type=application/ld+json>{data}</script>{html}{''.join(said)}"
    )
    same_both_ways(page, compared)


def with_body(body, html):
    data = json.dumps({"articleBody": body})
    return f"<script type=application/ld+json>{data}</script>{html}"


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{LONG}<p>{LONG}<p>b",
        f"<ul>{'<li>Share this' * 12}",
        "<p>one<noscript>two three</noscript><p>four",
        "<p>鸟<noscript>小</noscript>鸟<p>鸟鸟",
        with_body(SENTENCE, f"<p>{SENTENCE}<p>{SENTENCE} 鸟<span hidden>{SENTENCE}</span>"),
        with_body("!", "<p>a b"),
    ],
)
def test_pages_of_all_kinds(compared, html):
    assert same_both_ways(parse(html), compared) is not None


def test_a_quoted_body_is_found():
    page = parse(with_body(SENTENCE, f"<p>{SENTENCE}<p>loud"))
    blocks = text_blocks(page)
    columns = columns_of(blocks)
    features.read_text(blocks, columns)
    assert columns[features.TEXT_NAMES.index("body")].tolist() == [1, 0]


def test_only_letters_digits_and_units_have_hashes():
    kinds, hashes = words.kinds_table(), words.letter_hashes()
    wordy = (kinds >= LETTER) & (kinds <= DIGIT) | (kinds == UNIT)
    assert ((hashes > 0) == wordy).all()
    assert kinds.max() == UNIT


def _arguments(page):
    blocks = text_blocks(page)
    count = len(blocks)
    return {
        "texts": [page.text, "", "", ""],
        "tables": [words.kinds_table(), words.letter_hashes()],
        "written_before": page.written_before.copy(),
        "text_at": page.text_at.copy(),
        "in_link": page.in_link.copy(),
        "first": blocks.first.copy(),
        "last": blocks.last.copy(),
        "columns": np.empty((len(features.TEXT_NAMES), count), np.float32),
        "sums": np.empty((3, count), np.int32),
        "words": np.empty((10, count), np.uint16),
    }


def _call(arguments):
    _native.text_features(*arguments.pop("texts"), *arguments.pop("tables"), *arguments.values())


@given(data=st.data())
def test_blocks_that_do_not_lie_in_the_text_are_refused_or_read(data):
    """Whatever stands in the arrays, nothing is read outside them."""
    arguments = _arguments(parse("<p>one two<p>three <a href=x>four</a> five<p>six"))
    for name in ("written_before", "text_at", "first", "last"):
        column = arguments[name]
        for at in data.draw(st.lists(st.integers(0, len(column) - 1), max_size=2)):
            column[at] = data.draw(st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 40))
    try:
        _call(arguments)
    except TypeError as error:
        assert "don't fit" in str(error)  # noqa: PT017  either way is right


@pytest.mark.parametrize("name", ["written_before", "text_at", "last", "columns", "sums", "words"])
def test_arrays_of_other_lengths_are_refused(name):
    arguments = _arguments(parse("<p>one two<p>three"))
    arguments[name] = arguments[name][..., :-1].copy()
    with pytest.raises(TypeError, match="don't fit"):
        _call(arguments)


def test_no_str_no_features():
    arguments = _arguments(parse("<p>one two<p>three"))
    arguments["texts"][2] = None
    with pytest.raises(TypeError, match="str"):
        _call(arguments)
