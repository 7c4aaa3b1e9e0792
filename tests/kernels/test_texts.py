"""What is read of texts: lengths, lines, runs, words, features."""

import json
import sys
from collections import Counter
from dataclasses import replace
from html import escape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.elements.shown_content import shown_rows
from chaffinch.kernels.codes import RUN_BLOCK, RUN_BOUNDARY, RUN_INLINE, RUN_PASSED, RUN_WORDS
from chaffinch.kernels.compiled import native as _native
from chaffinch.metadata.language import LanguageModel
from chaffinch.metadata.values import fold
from chaffinch.model import features, words
from chaffinch.model.words import DIGIT, LETTER, UNIT
from chaffinch.output.text import kept_lines
from chaffinch.page import Page, parse, tags
from chaffinch.page.attributes import AttributeColumns
from chaffinch.segment.densities import own_marks
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content, Verdict
from strategies import markup

SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200b\u2028\u3000"
TABLES = (
    np.array([0, 1, 2, 0, 0], np.uint8),
    np.array([0, 0, 0, 1, 0], bool),
    np.array([0, 0, 0, 0, 1], bool),
)
"""What five tags are: text, a block, a break, something invisible, a link."""
SPACED = st.text(max_size=8) | st.text(st.sampled_from(f"a字𝄞\ud800{SPACES}"), max_size=8)


def _leaves(count):
    """Return tags and ends of so many texts side by side."""
    return np.zeros(count, np.uint16), np.arange(1, count + 1, dtype=np.int32)


@pytest.mark.parametrize("last", [0xFF, 0xFFFF, sys.maxunicode])  # as each kind of string
def test_every_character(same, last):
    text = "".join(map(chr, range(last + 1)))
    text_at = np.arange(len(text) + 1, dtype=np.int32)
    before = same("text_columns", *_leaves(len(text)), text, text_at, *TABLES).before
    assert np.diff(before).tolist() == [not letter.isspace() for letter in text]


def _columns(rows):
    """Return what `text_columns` takes, of (text, tag, rows in it) by row."""
    texts, kinds, sizes = ([row[i] for row in rows] for i in range(3))
    text_at = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    end = [min(row + size, len(rows)) for row, size in enumerate(sizes)]
    return np.array(kinds, np.uint16), np.array(end, np.int32), "".join(texts), text_at


@given(
    rows=st.lists(st.tuples(SPACED | st.just(""), st.integers(0, 4), st.integers(1, 4))),
    start=st.data(),
)
def test_lengths(same, rows, start):
    tag, end, text, text_at = _columns(rows)
    shown = same("text_columns", tag, end, text, text_at, *TABLES).shown
    if rows:
        same("kept_bytes", text_at, shown, text, start.draw(st.integers(0, len(rows) - 1)))


MARKS = "，.é\u3000\uffff\0"
MARKED = st.text(max_size=8) | st.text(st.sampled_from(f"aé字𝄞\ud800{MARKS}"), max_size=8)
CASED = st.text(st.sampled_from("abABéÉßẞKſµ字谷İıΣςσ𐐀 "), max_size=8) | st.text(max_size=8)
WORDS = st.lists(st.text(st.sampled_from("abéß谷字"), min_size=2, max_size=3), max_size=32)


def offsets(texts):
    return np.cumsum([0, *map(len, texts)], dtype=np.int32)


@given(texts=st.lists(MARKED), marks=st.text(st.sampled_from(MARKS)), size=st.integers(257, 1000))
def test_characters(same, texts, marks, size):
    for counted in (np.arange(0x10001) > size, np.arange(size) < max(map(ord, marks), default=0)):
        same("characters", "".join(texts), offsets(texts), counted)


@given(texts=st.lists(CASED), words=WORDS, data=st.data())
@example(["AB", "b", "ab"], ["ab", "bb"], None)
@example([chr(0x4E1F) * 2], [chr(0x4E00 + i) * 2 for i in range(32)], None)
def test_words_held(same, texts, words, data):
    count = len(texts)
    several = st.lists(st.integers(-1, count - 1), min_size=count, max_size=count)
    names = np.array(data.draw(several) if data else range(count), dtype=np.int32)
    same("words_held", "".join(texts), words, offsets(texts), names)


def test_every_letter():
    """Lower case is that of Python for every letter but two, which never come to C."""
    letters = [chr(code) for code in range(sys.maxunicode + 1)]
    held = np.zeros(1, dtype=np.uint32)
    names = np.zeros(1, dtype=np.int32)
    for letter in letters:
        low = letter.lower()
        if low == letter and not letter.isupper():
            continue
        text = f"{letter}{letter}"
        at = np.array([0, len(text)], dtype=np.int32)
        if letter not in "İΣ":
            held[:] = 0
            _native.words_held(text, ((low * 2)[:2],), at, names, held)
            assert (len(low), held[0]) == (1, 1), hex(ord(letter))


@pytest.mark.parametrize("words", [("a",), (b"ab",), ("ab",) * 33, ["ab"]])
def test_words_are_checked(words):
    at, names = np.array([0, 3], np.int32), np.zeros(1, np.int32)
    with pytest.raises(TypeError, match="words_held"):
        _native.words_held("abc", words, at, names, names.copy())


TEXTS = st.text(st.sampled_from("aAb1 -_é\u0301ﬁ\u212a谷字\u309b\u3099ßİ𝄞"), max_size=6)
HAN = 0x4E00, 0x9FFF


@given(texts=st.lists(TEXTS | st.text(max_size=6), min_size=1), data=st.data())
@example(texts=["ab", "a b", "A-B", "ac", "abc", "a", "谷", "谷a"], data=None)
def test_no_text_that_says_the_key_is_left_out(same, texts, data):
    at = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    keys = [*map(fold, texts)] if data is None else [fold(data.draw(st.sampled_from(texts)))]
    for key in keys:
        may = same("texts_alike", "".join(texts), at[:-1], at[1:], key, *HAN)
        assert all(may[i] for i, text in enumerate(texts) if fold(text) == key)
        of_ascii = [i for i, text in enumerate(texts) if text.isascii()]
        assert [may[i] for i in of_ascii] == [fold(texts[i]) == key for i in of_ascii]


IN_LINES = st.sampled_from("ab  \n\n\t\x1c\x85\xa0é\u2003\u3000谷#¶\u200b𝒳\ud800")
OF_LINES = st.sampled_from(
    [
        "<table><tr><td>a b<td> c <tr><th>d<td><p>e<p>f<td>g</table>",
        "<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>",
        "<table><tr><td>a<td>b<br>c<td>d<td></table>",
        "<pre>\n a <b> b\n\n</b>  \n<i>c</i> </pre>d<textarea>\n e  f</textarea>",
        "<h2>a<a href=#b>#</a></h2><h3><a href=#>¶</a><a href=#c> § </a></h3>",
    ]
)
PAGES = st.lists(st.one_of(markup(max_size=15), OF_LINES), max_size=4).map("".join)


@st.composite
def contents(draw):
    """Return a content of random tags, of a text that may hold any character, kept anywhere."""
    page = parse(draw(PAGES))
    if draw(st.booleans()):
        size = len(page.text)
        page = replace(page, text=draw(st.text(IN_LINES, min_size=size, max_size=size)))
    seed, share = draw(st.integers(0, 99)), draw(st.sampled_from([0.2, 0.5, 0.8, 1.0]))
    keep = np.random.default_rng(seed).random(len(page)) < share
    return Content(page, Verdict.empty(len(page)).with_keep(keep))


@given(content=contents())
def test_kept_lines(compared, content):
    with compared():
        kept_lines(content)


@pytest.mark.parametrize("wide", ["", "字", "字𝄞"])  # as each kind of string
def test_marks_of_a_page(compared, wide):
    page = parse(f"<title>a, b.</title><p>One, two. {wide}，<b>x.</b><script>a.b</script>")
    with compared():
        marks = own_marks(page, ",.，")
    marked = {page.text_of(row): count for row, count in enumerate(marks.tolist()) if count}
    assert marked == {f"One, two. {wide}，": 3, "x.": 1}


@given(texts=st.lists(st.text(IN_LINES), max_size=5), cuts=st.lists(st.integers(0, 40), max_size=8))
def test_folded_texts(same, texts, cuts):
    text = "".join(texts)
    at = np.array(sorted(min(cut, len(text)) for cut in cuts), dtype=np.int32)
    same("folded_texts", text, at[:-1], at[1:])
    same("folded_texts", text, at[:1] * np.int32(0), at[-1:])


@given(content=contents())
def test_kept_and_between(compared, content):
    with compared():
        shown_rows(content.page, content.kept)


@given(content=contents(), data=st.data())
def test_text_runs(same, content, data):
    page = content.page
    rows = np.flatnonzero(content.kept)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    kinds = rng.choice([RUN_PASSED, RUN_INLINE, RUN_BOUNDARY, RUN_BLOCK], 200).astype(np.uint8)
    kinds[tags.TEXT] = RUN_WORDS
    some = data.draw(st.sets(st.sampled_from(np.flatnonzero(page.tag).tolist()), max_size=3))
    special = np.array(sorted(some), np.int64), np.full(len(some), 2, np.uint8)
    signs = (rng.integers(0, 3, 256) * 4).astype(np.uint8)
    columns = page.tag, page.end, page.line, page.text_at, page.written, signs
    cut, none = len(rows) // 2, np.zeros(0, np.int32)
    for parts in ([rows], [rows[:cut], rows[cut:]]):
        opened, found = none, []
        for part in parts:
            runs, still = same("text_runs", page.text, part, *special, kinds, opened, *columns)
            opened, found = np.array(still, np.int32), found + runs
        words = " ".join(words for *_, words, _ in found)
        of_rows = [row for row in rows.tolist() if not page.tag[row]]
        assert "".join(words.split()) == "".join("".join(map(page.text_of, of_rows)).split())


def test_white_space_behind_a_boundary_is_no_run(same):
    page = parse("<p> a\n b</p> <p>c\\ </p> <b><p>d</p> </b><p>é</p> ")
    kinds = np.full(200, RUN_BOUNDARY, np.uint8)
    kinds[[tags.TEXT, tags.CODES["b"]]] = RUN_WORDS, RUN_INLINE
    signs = np.zeros(256, np.uint8)
    signs[[ord("\\"), ord("é")]] = 4, 8
    none, nothing = np.zeros(0, np.int64), np.zeros(0, np.uint8)
    columns = page.tag, page.end, page.line, page.text_at, page.written, signs
    rows = np.flatnonzero(page.shown)
    opened = none.astype(np.int32)
    runs, _ = same("text_runs", page.text, rows, none, nothing, kinds, opened, *columns)
    assert [(page.name(row), parted, *known) for row, _, _, parted, _, _, *known in runs] == [
        ("#text", True, "a b", 1), ("#text", True, "c\\", 6), ("b", True, "", 0),
        ("#text", True, "d", 0), ("#text", True, "", 0), ("#text", True, "é", 8),
        ("#text", True, "", 0),
    ]  # fmt: skip


def test_tags_beyond_the_table_are_refused():
    codes = np.array([1, 3], dtype=np.uint16)
    assert _native.held_tags(codes, 4) == b"\0\1\0\1"
    for count in (3, 0, -1):
        with pytest.raises(TypeError, match="held_tags: "):
            _native.held_tags(codes, count)


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
    columns = page.tag, page.parent, page.depth, page.end, "".join(pieces), text_at
    return Page(*columns, AttributeColumns.of_rows({}, len(page)))


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


ROWS = np.array([0, 1] * 128, np.uint16)
OUTPUTS = np.array([state if state % 3 else -1 for state in range(256)], np.int32)


@given(
    data=st.binary(min_size=128, max_size=300), reach=st.sampled_from([1, 8, 9]),
    states=st.integers(2, 60),
)  # fmt: skip
def test_outputs_of_parts(same, data, reach, states):
    """Long data is walked in parts; where a state depends on more than some bytes, as one."""
    bits = np.arange(states * 256, dtype=np.uint32)
    moves = (bits // 256 * reach + bits) % states if reach > 1 else bits % 256 % states
    outputs = np.array([state if state % 3 else -1 for state in range(states)], np.int32)
    same("counted_outputs", moves, np.arange(states, dtype=np.uint16), outputs, data)


def test_states_that_there_are_not_beyond_the_first_part():
    rows, outputs, room = (
        np.zeros(256, np.uint16),
        np.full(256, -1, np.int32),
        np.zeros((3, 201), "i"),
    )
    given, data = np.arange(256, dtype=np.uint32), bytes(200) + b"\xff"
    assert _native.counted_outputs(given, rows, outputs, data, *room) == 0
    with pytest.raises(TypeError, match="don't fit"):
        _native.counted_outputs(given, rows[:255], outputs[:255], data, *room)


@given(data=st.binary(max_size=400), factor=st.sampled_from([1, 511, 513, 262_145, 8_421_504]))
def test_outputs_of_any_size_are_counted(same, data, factor):
    """They are sorted by some of their bits at a time."""
    moves, outputs = np.arange(256, dtype=np.uint32), np.arange(256, dtype=np.int32) * factor
    found, counts = same("counted_outputs", moves, np.zeros(256, np.uint16), outputs, data)
    expected = Counter(byte * factor for byte in data)
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == expected


@given(
    rows=st.lists(st.integers(0, 99), max_size=60), classes=st.integers(1, 40),
    seed=st.integers(0, 99), largest=st.sampled_from([1.0, 9.0, 65535.0]),
)  # fmt: skip
def test_sums_of_halves(same, rows, classes, seed, largest):
    random = np.random.default_rng(seed)
    table = random.normal(0, 100, (100, classes)).astype(np.float16)
    table[:, 0] = random.integers(0, 50, 100).astype(np.uint16).view(np.float16)  # subnormal
    weights = random.uniform(0, largest, len(rows)).astype(np.float32)
    same("half_sums", table.view(np.uint16), np.array(rows, np.int32), weights)


@pytest.fixture(scope="module")
def identifier():
    library = pytest.importorskip("py3langid.langid")
    return library.LanguageIdentifier.from_model_file(library.MODEL_FILE, norm_probs=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "The wheat is ground at night",
        "THE WHEAT IS GROUND",
        "Ngano husagwa usiku katika kinu cha mto",
        "Пшеницу мелют ночью",
        "\ud800 half of a pair",
        "e\u0301te\u0301 " * 200,
    ],
)
def test_the_language_is_that_of_the_library(identifier, text):
    assert LanguageModel.fits(identifier)
    code, probability = identifier.classify(text)
    assert LanguageModel(identifier).classify(text) == (code, pytest.approx(probability, abs=1e-5))
