"""Names of elements."""

import dataclasses
from html import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.elements.hidden import FOLDED_WORDS
from chaffinch.kernels.compiled import native as _native
from chaffinch.model import name_hashes

LETTERS = "abzABZ019-_: \t\x0b\x1c\xa0éſK٣字\ud800"
WORDS = (
    *("post-12", "post-3", "articleBody", "HTMLBody", "ABc", "tab", "TabPanel", "navigation"),
    *("collapſe", "accordion", "True", "true", "0", "007", "main", " MAIN ", "x" * 2_000),
)
VALUES = (
    st.none()
    | st.sampled_from(WORDS)
    | st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
    | st.text(st.sampled_from(LETTERS), max_size=12)
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
    tags = [
        "".join(
            f" {name}" if value is None else f' {name}="{escape(value)}"'
            for name, value in pairs.items()
        )
        for pairs in elements
    ]
    page = parse("".join(f"<div{tag}>text</div>" for tag in tags).encode("utf-8", "replace"))
    assert page.own_attributes is not None
    return page


def all_of(page):
    return np.ones(len(page), dtype=bool)


def read_in_c(columns, wanted):
    """Return what C does."""
    kinds = np.array([name_hashes._KIND_OF.get(n, 0) for n in columns.number_of], np.uint8)  # noqa: SLF001
    room = np.empty((2, len(wanted)), dtype=np.int32)
    further = FOLDED_WORDS, name_hashes._packed, name_hashes._style_hides  # noqa: SLF001
    return _native.read_names(*columns.for_kernels, kinds, wanted, *room, *further)


@given(elements=st.lists(PAIRS, max_size=12), data=st.data())
def test_marks(compared, elements, data):
    page = page_of(elements)
    size = len(page)
    wanted = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    for some in (wanted, all_of(page)):
        with compared():
            name_hashes.read_name_hashes(page, some)


@given(name=st.text(st.sampled_from("aZz09-_ "), max_size=30))
def test_words_of_a_name(compared, name):
    page = page_of([{"class": name, "role": name}, {"id": name, "itemprop": name}])
    with compared():
        name_hashes.read_name_hashes(page, all_of(page))


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


def test_names_without_columns():
    page = parse("<div></div>")
    assert page.own_attributes is not None
    found = name_hashes.read_name_hashes(page, np.zeros(len(page), dtype=bool))
    assert not found.of_row.any()
    assert found.matching(lambda _: True) is None


@pytest.mark.parametrize(
    "change",
    [
        {"starts": b""},
        {"starts": np.full(8, 9, np.int32).tobytes()},
        {"starts": np.full(8, -1, np.int32).tobytes()},
        {"numbers": np.array([7, 0], np.int32).tobytes()},
        {"numbers": np.array([-1, 0], np.int32).tobytes()},
        {"ends": np.array([0, 9, 9], np.int32).tobytes()},
        {"ends": np.array([2, 1, 1], np.int32).tobytes()},
        {"ends": np.array([-2, 1, 1], np.int32).tobytes()},
        {"valueless": b"\0"},
        {"numbers": b"\0"},
        {"values": b""},
    ],
)
def test_columns_are_checked(change):
    columns = page_of([{"class": "a"}, {"class": "b"}]).own_attributes
    broken = dataclasses.replace(columns, **change)
    with pytest.raises(TypeError, match="read_names"):
        read_in_c(broken, np.ones(7, dtype=bool))


@pytest.mark.parametrize("stems", [["tab"], ("ta",), ("tàb",), (b"tab",), ("tab",) * 17, "tab"])
def test_stems_are_checked(monkeypatch, stems):
    monkeypatch.setattr(name_hashes, "_STEMS", stems)
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
