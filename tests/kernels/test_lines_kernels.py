"""What is kept, and its lines."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.elements.shown_content import shown_rows
from chaffinch.kernels.codes import RUN_BLOCK, RUN_BOUNDARY, RUN_INLINE, RUN_PASSED, RUN_WORDS
from chaffinch.kernels.compiled import native as _native
from chaffinch.output import text
from chaffinch.output.text import kept_lines
from chaffinch.page import parse, tags
from chaffinch.verdict import Content, Verdict
from strategies import markup

LETTERS = st.sampled_from("ab  \n\n\t\x1c\x85\xa0é\u2003\u3000谷#¶\u200b𝒳\ud800")
TABLES = st.sampled_from(
    [
        "<table><tr><td>a b<td> c <tr><th>d<td><p>e<p>f<td>g</table>",
        "<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>",
        "<table><tr><td>a<td>b<br>c<td>d<td></table>",
        "<pre>\n a <b> b\n\n</b>  \n<i>c</i> </pre>d<textarea>\n e  f</textarea>",
        "<h2>a<a href=#b>#</a></h2><h3><a href=#>¶</a><a href=#c> § </a></h3>",
    ]
)
PAGES = st.lists(st.one_of(markup(max_size=15), TABLES), max_size=4).map("".join)


@st.composite
def contents(draw):
    """Return a content of random tags, of a text that may hold any character, kept anywhere."""
    page = parse(draw(PAGES))
    if draw(st.booleans()):
        size = len(page.text)
        page = replace(page, text=draw(st.text(LETTERS, min_size=size, max_size=size)))
    seed, share = draw(st.integers(0, 99)), draw(st.sampled_from([0.2, 0.5, 0.8, 1.0]))
    keep = np.random.default_rng(seed).random(len(page)) < share
    return Content(page, Verdict.empty(len(page)).with_keep(keep))


@given(content=contents())
def test_kept_lines(compared, content):
    with compared():
        kept_lines(content)


@given(
    texts=st.lists(st.text(LETTERS), max_size=5),
    cuts=st.lists(st.integers(0, 40), max_size=8),
)
def test_folded_texts(same, texts, cuts):
    text = "".join(texts)
    at = np.array(sorted(min(cut, len(text)) for cut in cuts), dtype=np.int32)
    same("folded_texts", text, at[:-1], at[1:])
    same("folded_texts", text, at[:1] * np.int32(0), at[-1:])


def test_stretches_that_lead_outside_are_refused():
    def folded(*spans):
        given = [np.array(span, dtype=np.int32) for span in spans]
        return _native.folded_texts(" a  b ", *given)

    assert folded([0, 2, 6], [6, 3, 6]) == ["a b", "", ""]
    for starts, stops in (([-1], [2]), ([3], [2]), ([0], [7]), ([0], [1, 2])):
        with pytest.raises(TypeError, match="folded_texts: "):
            folded(starts, stops)


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
        ("#text", True, "a b", 1),
        ("#text", True, "c\\", 6),
        ("b", True, "", 0),
        ("#text", True, "d", 0),
        ("#text", True, "", 0),
        ("#text", True, "é", 8),
        ("#text", True, "", 0),
    ]


def test_runs_that_do_not_fit_are_refused():
    rows, none = np.arange(2), np.zeros(0, np.int32)
    special, kinds = (np.zeros(0, np.int64), np.zeros(0, np.uint8)), np.ones(3, np.uint8)
    tag, ends, at = np.zeros(2, np.uint16), np.array([2, 2], np.int32), np.arange(3, dtype=np.int32)
    columns = tag, ends, ends, at, np.ones(2, bool), np.zeros(256, np.uint8)
    fitting = ["ab", rows, *special, kinds, none, *columns, np.zeros(4, "i")]
    assert _native.text_runs(*fitting)[0] == [(0, 0, 2, False, False, 2, "ab", 0)]
    for place, other in (
        (0, "a"), (1, rows + 1), (1, rows - 1), (1, rows[::-1].copy()), (1, np.arange(1)),
        (3, kinds), (5, ends), (6, tag[:1]), (7, at), (8, at), (9, ends), (9, -at),
        (10, np.ones(3, bool)), (11, kinds),
    ):  # fmt: skip
        with pytest.raises(TypeError, match="fit"):
            _native.text_runs(*fitting[:place], other, *fitting[place + 1 :])


def test_text_of_characters_of_each_size(compared):
    for letter in ("a", "é", "谷", "𝒳"):
        html = f"<p>{letter}  b<b>\n\xa0c</b><i>d</i> {letter}</p><pre>\n\n {letter} \n</pre>"
        page = parse(html)
        keep = ~page.inside(page.is_tag("i"))
        content = Content(page, Verdict.empty(len(page)).with_keep(keep))
        with compared():
            assert text.render(content) == f"{letter} b c {letter}\n {letter}"


def test_no_rows(compared):
    page = parse("")
    with compared():
        assert text.render(Content(page, Verdict.empty(len(page)))) == ""


COLUMNS = {
    "text_at": np.array([0, 0, 0, 1], dtype=np.int32),
    "tag": np.array([2, 4, 0], dtype=np.uint16),
    "line": np.array([0, 1, 1], dtype=np.int32),
    "end": np.array([3, 3, 3], dtype=np.int32),
    "parent": np.array([-1, 0, 1], dtype=np.int32),
    "kept": np.ones(3, dtype=bool),
    "above": np.ones(3, dtype=bool),
    "kinds": np.zeros(5, dtype=np.uint8),
    "first": np.zeros(3, dtype=np.int32),
    "last": np.zeros(3, dtype=np.int32),
    "verbatim": np.zeros(3, dtype=bool),
    "beside": np.zeros(3, dtype=bool),
}
"""What the kernel of lines takes behind the text."""


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("tag", [2, 5, 0]),
        ("text_at", [0, 0, 0, 2]),
        ("text_at", [0, 0, -1, 1]),
        ("text_at", [0, 0, 1, 0]),
        ("text_at", [0, 0, 1]),
        *((name, [0]) for name in COLUMNS if name != "kinds"),
    ],
)
def test_columns_that_lead_outside_are_refused(column, values):
    assert _native.kept_lines("a", *COLUMNS.values()) == ["a"]
    wrong = {**COLUMNS, column: np.array(values, dtype=COLUMNS[column].dtype)}
    with pytest.raises(TypeError, match="don't fit each other"):
        _native.kept_lines("a", *wrong.values())


@given(html=markup())
def test_held_tags(html):
    page = parse(html)
    names = [name for name in tags.NAMES if page.holds(name)]
    assert names == [tags.NAMES[code] for code in sorted(set(page.tag.tolist()))]


def test_tags_beyond_the_table_are_refused():
    codes = np.array([1, 3], dtype=np.uint16)
    assert _native.held_tags(codes, 4) == b"\0\1\0\1"
    for count in (3, 0, -1):
        with pytest.raises(TypeError, match="held_tags: "):
            _native.held_tags(codes, count)
    with pytest.raises(TypeError, match="arguments"):
        _native.held_tags()


def test_rows_of_different_lengths_are_refused():
    ints, codes = np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.uint16)
    rows, before = np.ones(3, dtype=bool), np.zeros(4, dtype=np.int64)
    end, one = np.arange(1, 4, dtype=np.int32), before[1:]
    good = [codes, ints - np.int32(1), end, before, rows, rows, rows, rows.view(np.uint8)]
    out = rows.copy(), rows.copy()
    assert _native.kept_and_between(*good, *out) == 0
    for at, wrong in ((1, ints), (1, ints[1:]), (2, end + np.int32(1)), (3, one), (6, rows[1:])):
        with pytest.raises(TypeError, match="kept_and_between: "):
            _native.kept_and_between(*good[:at], wrong, *good[at + 1 :], *out)
    with pytest.raises(TypeError, match="kept_lines: argument 1 "):
        _native.kept_lines(b"a", *COLUMNS.values())
