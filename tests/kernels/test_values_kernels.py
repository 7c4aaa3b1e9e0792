"""What attributes say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.elements.formulas import _IMAGE_WORDS
from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse, tags
from chaffinch.page.attributes import Values
from strategies import markup

NAMES = ("id", "class", "href", "hidden", "style", "data-x", "src", "none")
ENDS = ("", "t", "te", "tex", "mat", "math", "ecodecogs", "cht=t", "谷tex", "ee_im", "formul", "F")
IMAGES = st.tuples(
    st.sampled_from(["img", "p"]),
    st.sampled_from(["src", "class", "alt"]),
    st.sampled_from(ENDS),
    st.sampled_from(ENDS),
).map(lambda told: "<{} {}='{}{}'>".format(*told))


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


@given(images=st.lists(IMAGES, max_size=5))
def test_images_of_formulas(compared, images):
    page = parse("".join(images))
    said = "\n".join(
        page.attribute(row, name) or ""
        for row in page.select("img").tolist()
        for name in ("class", "src")
    )
    code = tags.CODES["img"]
    with compared():
        found = page.own_attributes.contain(_IMAGE_WORDS, ("class", "src"), page.tag, code)
        page.own_attributes.contain(_IMAGE_WORDS, ("class", "alt"), page.tag, -1)
    assert found == any(stem in said for stem in _IMAGE_WORDS)


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
    words=st.lists(st.sampled_from(SAYINGS), max_size=5),
    more=st.sampled_from([0, 58]),
    folded=st.booleans(),
)
def test_words_found(same, classes, words, more, folded):
    html = "".join(f"<p class='{name}' id=user>x</p>" for name in classes)
    page = parse(html)
    columns = page.own_attributes
    given = columns.rows, columns.numbers, columns.ends, columns.values
    coded = tuple(word.encode() for word in words) + (b"zz",) * more
    for number in range(3):
        for tag in (page.tag[:0], page.tag):
            same("words_found", given, number, coded, folded, tag, tags.CODES["p"])


def ints(*values):
    return np.array(values, dtype=np.int32).tobytes()


COLUMNS = {
    "places": ints(0, 0),
    "numbers": ints(0, 1),
    "ends": ints(0, 2, 3),
    "values": b"abc",
}
ALL = np.zeros(0, np.uint16)
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


@pytest.mark.parametrize(("column", "wrong"), WRONG)
def test_words_found_checks_its_columns(column, wrong):
    found, rows, bits = _native.words_found, np.zeros(2, np.int32), np.zeros(2, np.uint64)
    for words, folded, which in (
        ((b"ab", b"b\n", b"c\n"), 1, [3]),
        ((b"ab", b"b\n"), 0, [1]),
        ((b"bc", b"a\n", b"b\n\n"), 1, []),
    ):
        assert found(*COLUMNS.values(), 0, words, folded, ALL, 0, rows, bits) == len(which)
        assert bits[: len(which)].tolist() == which
    with pytest.raises(TypeError, match="words_found"):
        found(*{**COLUMNS, column: wrong}.values(), 0, (b"ab",), 1, ALL, 0, rows, bits)


@pytest.mark.parametrize("words", [["ab"], ("ab",), (b"a",), (b"ab",) * 64])
def test_words_that_cannot_be_looked_for(words):
    rows, bits = np.zeros(2, np.int32), np.zeros(2, np.uint64)
    with pytest.raises(TypeError, match="words_in"):
        _native.words_in(b"abc", words)
    with pytest.raises(TypeError, match="words_found"):
        _native.words_found(*COLUMNS.values(), 0, words, 1, ALL, 0, rows, bits)
    for short in ((rows[:1], bits), (rows, bits[:1])):
        with pytest.raises(TypeError, match="words_found"):
            _native.words_found(*COLUMNS.values(), 0, (b"ab",), 1, ALL, 0, *short)


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
