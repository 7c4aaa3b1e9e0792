"""Every kernel gives the bits of its oracle: on drawn arguments, and on what a page's trip asks."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ORACLES
from trips import meet_kernels, trip

from chaffinch import kernels
from chaffinch.elements.shown_content import shown_rows
from chaffinch.kernels.codes import TEXT_COLUMNS
from chaffinch.metadata.values import fold
from chaffinch.model import features
from chaffinch.model.head_signals import read_head_signals
from chaffinch.page import parse, tags
from chaffinch.page.attributes import Search
from chaffinch.page.flattening import LINE_KINDS
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content, Verdict
from rows_of_cases import examples
from strategies import markup

PARTS = examples(__file__, "kernels parts")
HTML = st.lists(st.sampled_from(PARTS), max_size=25).map("".join) | markup()
SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200b\u2028\u3000"
LETTERS = st.sampled_from(
    f"aAbB19 .,!-_é字谷𝄞ß\ud800ſİıΣς𐐀K\u0301ﬁ小가คا。、，#¶\u200b𝒳\uffff\0{SPACES}"
)
TEXT = st.text(LETTERS, max_size=8) | st.text(max_size=8)
BYTES = st.sampled_from(
    [b"<", b"a", b"<b ", b"<FONT", b"us", b"user", b"U", b"/@", b"none", b"{", b"}", b"~", b"\0",
     b"plain text of some thirty characters ", *(bytes([x]) for x in b" \n/>\"'=!1:\x1b")]
) | st.text(max_size=3).map(lambda text: text.encode("utf-8", "surrogatepass"))  # fmt: skip
SCORES = st.sampled_from([0.0, 0.02, 0.05, 0.25, 0.5, 0.51, 0.8, 1.0]) | st.floats(0, 1, width=32)
SIZES = st.integers(0, 9)
CHOSEN = tags.table("div p ul li table img".split())
FOUR_TAGS = (np.array([0, 1, 2, 0], np.uint8), np.array([0, 0, 0, 1], bool))
"""What four tags are: text, a block, a break, something invisible."""
HAN = 0x4E00, 0x9FFF


class Drawn:
    """A random page and random columns of it."""

    def __init__(self, data: st.DataObject) -> None:
        self.some = data.draw
        self.page = parse(self.some(HTML))

    def column(self, values: st.SearchStrategy[Any], count: int, dtype: Any) -> Any:
        return np.array(self.some(st.lists(values, min_size=count, max_size=count)), dtype=dtype)

    def marks(self, count: int | None = None) -> Any:
        return self.column(st.booleans(), len(self.page) if count is None else count, bool)

    def rows(self) -> Any:
        return np.flatnonzero(self.marks()).astype(np.int32)

    def bytes(self) -> bytes:
        return b"".join(self.some(st.lists(BYTES, max_size=30)))

    def texts(self) -> tuple[str, Any]:
        texts = self.some(st.lists(TEXT, max_size=8))
        return "".join(texts), offsets(texts)

    def edges(self, highest: int, count: int, dtype: Any) -> list[Any]:
        """Return firsts and lasts of ranges that don't meet."""
        edges = np.sort(self.column(st.integers(0, highest), 2 * count, dtype))
        return [edges[at::2].copy() for at in (0, 1)]

    def content(self) -> Content:
        """Return a page with any character in its text, kept anywhere."""
        page = self.page
        if self.some(st.booleans()):
            size = len(page.text)
            page = replace(page, text=self.some(st.text(LETTERS, min_size=size, max_size=size)))
        seed, share = self.some(st.integers(0, 99)), self.some(st.sampled_from([0.2, 0.8, 1.0]))
        keep = np.random.default_rng(seed).random(len(page)) < share
        return Content(page, Verdict.empty(len(page)).with_keep(keep))


def offsets(texts):
    return np.cumsum([0, *map(len, texts)], dtype=np.int32)


def characters(drawn):
    text, at = drawn.texts()
    marks = drawn.some(st.text(LETTERS, max_size=4))
    size = drawn.some(st.integers(257, 1000))
    for counted in (np.arange(0x10001) > size, np.arange(size) < max(map(ord, marks), default=0)):
        kernels.characters(text, at, counted)


def text_columns(drawn):
    row = st.tuples(TEXT | st.just(""), st.integers(0, 3), st.integers(1, 4))
    rows = drawn.some(st.lists(row))
    texts, kinds, sizes = ([row[i] for row in rows] for i in range(3))
    text, at = "".join(texts), offsets(texts)
    end = np.array([min(row + size, len(rows)) for row, size in enumerate(sizes)], np.int32)
    kernels.text_columns(np.array(kinds, np.uint16), end, text, at, *FOUR_TAGS)
    page = drawn.page
    lines = LINE_KINDS, tags.INVISIBLE
    kernels.text_columns(page.tag, page.end, page.text, page.text_at, *lines)


def total(drawn):
    kernels.total(drawn.page.end, drawn.marks())
    for kind in (np.int32, np.int64):
        limits = np.iinfo(kind).min, np.iinfo(kind).max
        kernels.total(drawn.page.end, drawn.column(st.integers(*limits), len(drawn.page), kind))


def sums_around(drawn):
    page = drawn.page
    given = page.parent, page.end, page.own_length, drawn.marks(), drawn.marks(), drawn.rows()
    kernels.sums_around(*given, drawn.some(st.integers(0, 40)))


def text_blocks_and_above(drawn):
    page = drawn.page
    of_rows = page.tag, page.parent, page.line, page.shown, page.written
    first, _, owner, *_ = kernels.text_blocks(*of_rows, page.own_length, page.in_link, tags.BLOCK)
    kernels.above(page.tag, page.parent, page.end, first)
    of_page, box = (page.tag, page.parent, page.length), tags.CODES["div"]
    kernels.outermost_boxes(*of_page, owner, box, drawn.some(st.integers(0, 4)))


def picks(drawn):
    page, blocks, rows = drawn.page, text_blocks(drawn.page), drawn.rows()
    count, marked, none = len(page), drawn.marks(), np.zeros(0, np.int32)
    start, stop = sorted(drawn.some(st.tuples(*[st.integers(0, count)] * 2)))
    for some in (marked, marked[:0]):
        kernels.rows_of(page.tag, CHOSEN, some, start, stop)
    kernels.touching(page.end, rows, blocks.first, blocks.last, drawn.marks(len(blocks)))
    of_row = drawn.column(st.integers(0, 2), count, np.int32)
    for some in (of_row, none):
        kernels.blocks_inside(page.tag, page.end, rows, CHOSEN, some, np.array([0, 1, 0], bool))
    if count:
        row = drawn.some(st.integers(0, count - 1))
        after, until = drawn.some(st.integers(-1, row)), drawn.some(st.integers(row, count))
        kernels.outermost_within(page.parent, page.end, row, after, until)


def tags_between(drawn):
    count = len(drawn.page) // 2
    stretches = *drawn.edges(len(drawn.page), count, np.int32), drawn.marks(count)
    kernels.tags_between(drawn.page.tag, CHOSEN, drawn.marks(), *stretches)


def common_values(drawn):
    count, ranges = drawn.some(st.integers(0, 40)), drawn.some(st.integers(0, 12))
    value = drawn.column(st.integers(0, 6), count, np.int64)
    weight = drawn.column(st.integers(0, 50), count, np.int32)
    cuts = drawn.some(st.lists(st.integers(0, ranges), max_size=4))
    bounds = np.array([0, *sorted(cuts), ranges], np.int64)
    share = drawn.some(st.sampled_from([0.0, 0.5, 0.9]))
    kernels.common_values(*drawn.edges(count, ranges, np.int64), bounds, value, weight, share)


def sums_of_scores(drawn):
    count = drawn.some(st.integers(0, 40))
    values, weights = (drawn.column(own, count, "f4") for own in (SCORES, st.integers(0, 500)))
    kernels.kept_sums(values, weights, drawn.marks(count))
    if count:
        beta = drawn.some(st.sampled_from([0.5, 1.0, 2.0]))
        found = kernels.best_threshold(values, weights, beta, 0.05)
        assert found == 0.05 or found in values
    number = drawn.column(st.integers(-1, max(count - 1, 0)), count, np.int32)
    for some in (values, values.astype(np.float64)):
        kernels.pulled_to_means(number, weights, some, drawn.some(st.sampled_from([0.7, 1.0])))


def texts_alike(drawn):
    texts = drawn.some(st.lists(TEXT | st.text("aAb1 -", max_size=4), min_size=1))
    at, key = offsets(texts), fold(drawn.some(st.sampled_from(texts)))
    may = kernels.texts_alike("".join(texts), at[:-1], at[1:], key, *HAN)
    assert all(may[i] for i, text in enumerate(texts) if fold(text) == key)
    of_ascii = [i for i, text in enumerate(texts) if text.isascii()]
    assert [may[i] for i in of_ascii] == [fold(texts[i]) == key for i in of_ascii]


def folded_texts(drawn):
    text, _ = drawn.texts()
    at = np.sort(drawn.column(st.integers(0, len(text)), 8, np.int32))
    kernels.folded_texts(text, at[:-1], at[1:])


def words_found(drawn):
    pieces = st.lists(st.sampled_from([*"Uu/@to-\nxKé", "us", "USER", "ser"]), max_size=6)
    classes = drawn.some(st.lists(pieces.map("".join), max_size=6))
    html = "".join(f"<p class='{name}' id=user>x</p>" for name in classes) + "<p title=us>y"
    columns = parse(html).own_attributes
    saying = st.sampled_from([b"us", b"user", b"user/", b"u\n", b"to", b"/@", b"ser-"])
    words = drawn.some(st.lists(saying, max_size=5))
    of_kind = bytes(drawn.column(st.integers(1, 3), len(words), np.uint8))
    said = np.array([1 << at // 2 for at in range(len(words))], dtype=np.uint64)
    kinds = bytes(drawn.column(st.integers(0, max(of_kind, default=0)), 3, np.uint8))
    given = columns.rows, columns.numbers, columns.ends, columns.values
    kernels.words_found(given, kinds, kernels.sought(tuple(words), of_kind, said))


def side_by_side(drawn):
    page, seed = drawn.page, drawn.some(st.integers(0, 99))
    kinds, letters = np.random.default_rng(seed).integers(0, 4, (2, 256), dtype=np.uint8)
    kinds[tags.TEXT] = 4
    tree = page.tag, page.parent, page.end
    kernels.side_by_side(tree, kinds, letters, (page.text, page.text_at))


SEARCHES = {
    name: Search(name, "main", "a b", "x\n") for name in ("id", "class", "href", "hidden", "none")
}


def attributes(drawn):
    page, among = drawn.page, drawn.marks()
    rows = drawn.rows()
    values = page.own_attributes.values_of(rows, "id", "class")
    own = [page.attributes(row) for row in rows.tolist()]
    assert values == [tuple(one.get(name) for name in ("id", "class")) for one in own]
    for name, search in SEARCHES.items():
        pairs = [(row, own[name] or "") for row, own in page.all_attributes() if name in own]
        assert page.having(name) == pairs
        assert page.having(name, among) == [(row, value) for row, value in pairs if among[row]]
        rows = page.values(name).rows
        expected: dict[str, list[int]] = {}
        for row, value in pairs:
            expected.setdefault(value, []).append(row)
        assert list(rows.items()) == list(expected.items())

        def tells(value):
            return any(word in f"{value.lower()}\n" for word in ("main", "a b", "x\n"))

        among_those = [row for row, value in pairs if tells(value)]
        assert search.where(page, tells) == among_those


VISITS: dict[str, Callable[[Drawn], object]] = {
    "is_plain": lambda drawn: kernels.is_plain(drawn.bytes()),
    "count_tags": lambda drawn: kernels.count_tags(drawn.bytes() * 50),
    "count_formatting": lambda drawn: kernels.count_formatting(drawn.bytes()),
    "count_separators": lambda drawn: kernels.count_separators(drawn.bytes(), drawn.some(SIZES)),
    "words_in": lambda drawn: kernels.words_in(
        drawn.bytes(),
        kernels.sought_in_texts(
            (b"use", b"user", *[b"zz%d" % at for at in range(drawn.some(SIZES) * 2)])
        ),
    ),
    "inside": lambda drawn: kernels.inside(drawn.page.end, drawn.marks()),
    "around": lambda drawn: kernels.around(drawn.page.end, drawn.marks()),
    "nearest": lambda drawn: kernels.nearest(drawn.page.parent, drawn.marks()),
    "total": total,
    "path_hashes": lambda drawn: kernels.path_hashes(
        drawn.page.symbols, drawn.page.depth, drawn.page.end
    ),
    "held_tags": lambda drawn: kernels.held_tags(drawn.page.tag, len(tags.NAMES)),
    "sums_around": sums_around,
    "text_columns": text_columns,
    "text_blocks above outermost_boxes": text_blocks_and_above,
    "rows_of touching blocks_inside outermost_within": picks,
    "side_by_side": side_by_side,
    "tags_between": tags_between,
    "numbered": lambda drawn: kernels.numbered(
        np.array(drawn.some(st.lists(st.sampled_from([0, 1, 2, 2**64 - 1]))), np.uint64)
    ),
    "common_values": common_values,
    "kept_sums best_threshold pulled_to_means": sums_of_scores,
    "characters": characters,
    "texts_alike": texts_alike,
    "folded_texts": folded_texts,
    "kept_and_between": lambda drawn: shown_rows((own := drawn.content()).page, own.kept),
    "words_found": words_found,
    "pairs having values_of": attributes,
}
"""Kernels → what calls them, all of them at least once in some examples."""


@pytest.mark.parametrize("names", VISITS)
def test_a_kernel_equals_its_oracle(compared, names):
    met = set()

    @settings(max_examples=60)
    @given(data=st.data())
    def visit(data):
        drawn = Drawn(data)
        with compared() as calls:
            VISITS[names](drawn)
        met.update(calls)

    visit()
    assert set(names.split()) <= met


def test_every_oracle_has_arguments():
    assert set(" ".join(VISITS).split()) | {"walk"} == set(ORACLES)


CARDS = "".join(
    f"<li class='card-{k}'><h3>{k}</h3><img><a href=x>more</a><time>today" for k in range(40)
)
RUN_ON = "Finches " * 2000 + "." * 5000 + "1" * 5000
SENTENCE = "Its song is loud, and long"
BODY = f'<script type=application/ld+json>{{"articleBody": "{SENTENCE}"}}</script>'


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<title>t</title>",
        "<p>&#xd800;",
        "<i>" * 600 + "a<br>b" + "</i>" * 300 + "c",
        "<div>" * 80 + "<p>a<p>b" + "</div>" * 40 + "<p>c",
        "<div>" * 600 + "a<hr>b",
        f"a<h1>b</h1><ul>{CARDS}</ul>",
        f"<p>{RUN_ON}<p>{RUN_ON}<p>b",
        f"<ul>{'<li>Share this' * 12}",
        "<p>one<noscript>two three</noscript><p>four",
        "<p>鸟<noscript>小</noscript>鸟<p>鸟鸟",
        f"{BODY}<p>{SENTENCE}<p>{SENTENCE} 鸟<span hidden>{SENTENCE}</span><p>loud",
        "".join(f"<p class='row c{number % 700}' id=n{number}>x" for number in range(999)),
    ],
    ids=range(13),
)
def test_odd_pages(compared, html):
    with compared():
        trip(html)


def test_pages_of_the_example_site(compared, example_site):
    with compared() as calls:
        meet_kernels(example_site)
    # The kernel of records has a test of its own: outputs ask for it.
    assert set(calls) == set(ORACLES) - {"common_values"}


@pytest.mark.parametrize("last", [0xFF, 0xFFFF, sys.maxunicode])  # as each kind of string
def test_every_character(same, last):
    text = "".join(map(chr, range(last + 1)))
    leaves = np.zeros(len(text), np.uint16), np.arange(1, len(text) + 1, dtype=np.int32)
    text_at = np.arange(len(text) + 1, dtype=np.int32)
    before = same("text_columns", *leaves, text, text_at, *FOUR_TAGS).before
    assert np.diff(before).tolist() == [not letter.isspace() for letter in text]


@pytest.mark.parametrize("before", [0, 1, 31, 32, 33])
def test_every_start_of_a_character(same, before):
    leads = (*range(0x7E, 0x82), *range(0xBE, 0xC4), *range(0xDE, 0x100))
    edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    for lead in leads:
        for second in edges:
            for rest in (b"", b"\x80", b"\xbf\x80", b"\xbf\xbf", b"\x80\x7f", b"\x80\x80a"):
                same("is_plain", b"a" * before + bytes([lead, second]) + rest)


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbfa", b"\xef\xbb", b"~{", b"~ ~", b"a~", "~{é".encode(), b"\x1b"]
)
def test_marks_and_shifts(same, data):
    same("is_plain", data)


def test_a_quoted_body_is_found():
    page = parse(f"{BODY}<p>{SENTENCE}<p>loud")
    blocks = text_blocks(page)
    columns = np.empty((len(TEXT_COLUMNS), len(blocks)), np.float32)
    features.read_text(blocks, read_head_signals(page), columns)
    assert columns[TEXT_COLUMNS.index("body")].tolist() == [1, 0]
