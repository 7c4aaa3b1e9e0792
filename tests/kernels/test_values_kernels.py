"""What attributes say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse
from chaffinch.page.attributes import Values
from strategies import markup

NAMES = ("id", "class", "href", "hidden", "style", "data-x", "src", "none")


@given(html=markup())
def test_rows_by_value(compared, html):
    page = parse(html)
    for name in NAMES:
        with compared():
            rows = page.values(name).rows
        expected: dict[str, list[int]] = {}
        for row, own in page.all_attributes():
            if name in own:
                expected.setdefault(own[name] or "", []).append(row)
        assert list(rows.items()) == list(expected.items())


@given(html=markup(), data=st.data())
def test_having(compared, html, data):
    page = parse(html)
    among = np.array(data.draw(st.lists(st.booleans(), min_size=len(page), max_size=len(page))))
    among = among.astype(bool)
    for name in NAMES:
        pairs = [(r, own[name] or "") for r, own in page.all_attributes() if name in own]
        with compared():
            assert page.having(name) == pairs
            assert page.having(name, among) == [(r, value) for r, value in pairs if among[r]]


@given(
    values=st.lists(st.text("\nabAB é谷", max_size=6), unique=True, max_size=8),
    words=st.lists(st.text("ab é谷", min_size=1, max_size=3), max_size=4),
)
def test_values_that_hold_words(values, words):
    known = Values({value: [row] for row, value in enumerate(values)})
    holding = [value for value in values if any(word in value.lower() for word in words)]
    assert known.containing(*words) == holding


SAYINGS = ("us", "user", "user/", "u\n", "to", "/@", "ser-")
PIECES = st.sampled_from([*"Uu/@to-\nx\u212a\xe9", "us", "USER", "ser"])


@given(hrefs=st.lists(st.lists(PIECES, max_size=6).map("".join), max_size=6))
def test_rows_that_tell(compared, hrefs):
    html = "".join(f"<a href='{href}' id=user>x</a><p>" for href in hrefs)

    def tells(href):
        return not href.isascii() or any(word in f"{href.lower()}\n" for word in SAYINGS)

    page = parse(html)
    expected = [row for row, href in page.having("href") if tells(href)]
    with compared():
        assert page.rows_where("href", tells, *SAYINGS) == expected
    assert page.rows_where("href", lambda href: "x" in href, "us", "to") == [
        row
        for row, href in page.having("href")
        if "x" in href and (not href.isascii() or "us" in href.lower() or "to" in href.lower())
    ]
    assert page.rows_where("none", tells, *SAYINGS) == []
    page.values("href")
    assert page.rows_where("href", tells, *SAYINGS) == expected


@given(
    text=st.lists(
        st.sampled_from([b"us", b"er", b"U", b"/@", b"\xc3\xa9", b" " * 15]), max_size=30
    ),
    words=st.lists(st.sampled_from([b"us", b"user", b"/@/", b"rU"]), max_size=3),
    more=st.sampled_from([0, 12]),
)
def test_words_in(same, text, words, more):
    words = (*words, *[b"zz%d" % number for number in range(more)])
    found = same("words_in", b"".join(text), words)
    assert found == sum(1 << at for at, word in enumerate(words) if word in b"".join(text))


@given(
    classes=st.lists(st.lists(PIECES, max_size=6).map("".join), max_size=6),
    words=st.lists(st.tuples(st.sampled_from(SAYINGS), st.integers(1, 3)), max_size=5),
    kinds=st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
def test_words_found(same, classes, words, kinds):
    html = "".join(f"<p class='{name}' id=user>x</p>" for name in classes) + "<p title=us>y"
    columns = parse(html).own_attributes
    given = columns.rows, columns.numbers, columns.ends, columns.values
    coded, of_kind = tuple(word.encode() for word, _ in words), bytes(kind for _, kind in words)
    said = np.array([1 << at // 2 for at in range(len(words))], dtype=np.uint64)
    same("words_found", given, bytes(kinds), coded, of_kind, said)


def ints(*values):
    return np.array(values, dtype=np.int32).tobytes()


COLUMNS = {
    "places": ints(0, 0),
    "numbers": ints(0, 1),
    "ends": ints(0, 2, 3),
    "values": b"abc",
}
WRONG = [
    ("places", ints(0)),
    ("numbers", ints(0)),
    ("numbers", b"abc"),
    ("ends", ints(0, 2)),
    ("ends", ints(0, 4, 3)),
    ("ends", ints(-1, 2, 3)),
    ("ends", ints(3, 2, 3)),
    ("values", b"a"),
]


def sought(*words):
    return (
        bytes([1, 2]),
        words,
        bytes([1]) * len(words),
        1 << np.arange(len(words), dtype=np.uint64),
    )


@pytest.mark.parametrize(("column", "wrong"), WRONG)
def test_words_found_checks_its_columns(column, wrong):
    found, rows, bits = _native.words_found, np.zeros(2, np.int32), np.zeros(2, np.uint64)
    for words, which in (((b"ab", b"b\n", b"c\n"), [3]), ((b"bc", b"a\n", b"b\n\n"), [])):
        assert found(*COLUMNS.values(), *sought(*words), rows, bits) == len(which)
        assert bits[: len(which)].tolist() == which
    with pytest.raises(TypeError, match="words_found"):
        found(*{**COLUMNS, column: wrong}.values(), *sought(b"ab"), rows, bits)


@pytest.mark.parametrize("words", [["ab"], ("ab",), (b"a",), (b"ab",) * 64])
def test_words_that_cannot_be_looked_for(words):
    rows, bits = np.zeros(2, np.int32), np.zeros(2, np.uint64)
    with pytest.raises(TypeError, match="words_in"):
        _native.words_in(b"abc", words)
    kinds, _, of_kind, said = sought(*words)
    if len(words) == 1:
        with pytest.raises(TypeError, match="words_found"):
            _native.words_found(*COLUMNS.values(), kinds, words, of_kind, said, rows, bits)
    for wrong in ((b"\1", of_kind, said), (kinds, b"\0", said), (kinds, b"\1", said[:0])):
        with pytest.raises(TypeError, match="words_found"):
            _native.words_found(*COLUMNS.values(), wrong[0], (b"ab",), *wrong[1:], rows, bits)
    for short in ((rows[:1], bits), (rows, bits[:1])):
        with pytest.raises(TypeError, match="words_found"):
            _native.words_found(*COLUMNS.values(), *sought(b"ab"), *short)


@pytest.mark.parametrize(("column", "wrong"), [*WRONG, ("places", ints(-1, 0))])
def test_having_checks_its_columns(column, wrong):
    having, all_rows = _native.having, np.array([True])
    assert having(*COLUMNS.values(), bytes(2), b"", 0) == ([0], ["ab"])
    assert having(*COLUMNS.values(), b"\1\0", all_rows, 0) == ([0], [None])
    assert having(*COLUMNS.values(), bytes(2), ~all_rows, 1) == ([], [])
    columns = {**COLUMNS, column: wrong}
    for valueless, among in ((bytes(2), b""), (bytes(1), b"")):
        with pytest.raises(TypeError, match="having"):
            having(*columns.values(), valueless, among, 0)
    with pytest.raises(TypeError, match="having"):
        having(*{**COLUMNS, "places": ints(1, 1)}.values(), bytes(2), all_rows, 0)
