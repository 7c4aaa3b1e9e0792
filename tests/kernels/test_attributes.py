"""What attributes and the names in them say."""

from html import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels
from chaffinch.elements.hidden import FOLDED_WORDS
from chaffinch.kernels.compiled import native as _native
from chaffinch.model import name_hashes
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
    pieces=st.lists(st.sampled_from([b"a", b"{", b"}", b"none", b"no", b":"]), max_size=30),
    words=st.sampled_from([(), (b"none",), (b"none", b"a:")]),
)
def test_parts_with(same, pieces, words):
    same("parts_with", b"".join(pieces), words)


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
    same("words_found", given, bytes(kinds), kernels.sought(coded, of_kind, said))


IN_NAMES = "abzABZ019-_: \t\x0b\x1c\xa0éſK٣字\ud800"
NAMES_OF_ELEMENTS = (
    *("post-12", "post-3", "articleBody", "HTMLBody", "ABc", "tab", "TabPanel", "navigation"),
    *("collapſe", "accordion", "True", "true", "0", "007", "main", " MAIN ", "x" * 2_000),
)
VALUES = (
    st.none()
    | st.sampled_from(NAMES_OF_ELEMENTS)
    | st.lists(st.sampled_from(NAMES_OF_ELEMENTS), max_size=14).map(" ".join)
    | st.text(st.sampled_from(IN_NAMES), max_size=12)
)
STYLES = st.lists(
    st.sampled_from(
        ["display", "DİSPLAY", "Visibility", ":", " ", "\t", "\xa0", "none", "NoNe", "hidden", ";"]
    ),
    max_size=6,
).map("".join)
PAIRS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("class", "id", "role", "itemprop", "aria-hidden"), VALUES),
        "hidden": st.none(),
        "style": st.none() | STYLES,
        "title": VALUES,
    },
)


def page_of(elements):
    """Return a page of divs with these attributes."""
    html = ""
    for pairs in elements:
        own = (f" {n}" if v is None else f' {n}="{escape(v)}"' for n, v in pairs.items())
        html += f"<div{''.join(own)}>text</div>"
    return parse(html.encode("utf-8", "replace"))


def all_of(page):
    return np.ones(len(page), dtype=bool)


@given(elements=st.lists(PAIRS, max_size=12), data=st.data())
def test_marks(compared, elements, data):
    page = page_of(elements)
    size = len(page)
    wanted = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    for some in (wanted, all_of(page)):
        with compared():
            name_hashes.read_name_hashes(page, some)


def test_many_sets_and_many_rows(compared):
    page = page_of([{"class": f"row c{number % 700}", "id": f"n{number}"} for number in range(999)])
    with compared():
        found = name_hashes.read_name_hashes(page, all_of(page))
    assert len(found.sets) == 1_000


def test_sets_are_a_sequence():
    page = page_of([{"class": "a"}, {"role": None}, {"id": ""}])
    sets = name_hashes.read_name_hashes(page, all_of(page)).sets
    expected = [(None, None), ("a", None), (None, None, None, None), (None, "")]
    assert list(sets) == expected
    assert [sets[-1], sets[1:], len(sets)] == [expected[-1], expected[1:], len(expected)]


@pytest.mark.parametrize("stems", [["tab"], ("ta",), ("tàb",), (b"tab",), ("tab",) * 17, "tab"])
def test_stems_are_checked(monkeypatch, stems):
    monkeypatch.setattr(name_hashes, "FOLDED_WORDS", stems)
    page = page_of([{"class": "a"}])
    with pytest.raises(TypeError, match="read_names"):
        name_hashes.read_name_hashes(page, np.ones(len(page), dtype=bool))


def test_errors_of_python_come_through(monkeypatch):
    def fails(_):
        raise KeyError("é")

    for name, pairs in (("_packed", {"class": "é"}), ("_style_hides", {"style": "é"})):
        page = page_of([pairs])
        with monkeypatch.context() as patch:
            patch.setattr(name_hashes, name, fails)
            with pytest.raises(KeyError):
                name_hashes.read_name_hashes(page, np.ones(len(page), dtype=bool))


def test_each_stem_is_found(compared):
    elements = [{"class": f"a{stem.upper()}"} for stem in FOLDED_WORDS] + [{"class": "none"}]
    page = page_of(elements)
    with compared():
        read = name_hashes.read_name_hashes(page, all_of(page))
        purposeful = [names for _, names in read.purposeful]
    assert [names[0] for names in purposeful] == [pairs["class"] for pairs in elements[:-1]]


@pytest.mark.parametrize("words", [["ab"], ("ab",), (b"a",), (b"ab",) * 64])
def test_words_that_cannot_be_looked_for(words):
    with pytest.raises(TypeError, match="words_in"):
        _native.words_in(b"abc", words)
