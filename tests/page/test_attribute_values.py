"""The values of an attribute against a plain look through the rows."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.page.attribute_values import Values
from strategies import markup

WORDS = st.text(st.sampled_from("aAb\nİß "), max_size=4)
VALUES = st.dictionaries(WORDS, st.lists(st.integers(0, 99), min_size=1, max_size=3, unique=True))


@given(markup(), st.sampled_from(["id", "class", "href", "style"]))
def test_each_row_with_the_attribute_has_one_value(html, name):
    page = parse(html)
    told = page.values(name).rows
    pairs = sorted((row, value) for value, rows in told.items() for row in rows)
    assert pairs == page.having(name)
    assert page.values(name) is page.values(name)


@given(VALUES, st.lists(st.sampled_from(["a", "ba", "ss", "i̇", " "]), max_size=3))
def test_words_are_found_whatever_their_case(rows, words):
    values = Values(rows)
    expected = [value for value in rows if any(word in value.lower() for word in words)]
    assert values.containing(*words) == expected


@pytest.mark.parametrize("pattern", [r"\n/u", r"[\n/]us?er", r"x"])
def test_patterns_see_the_start_of_each_value(pattern):
    rows = {"/User": [4], "a/user": [2, 9], "": [3], "/u": [7]}
    found = Values(rows).matching(re.compile(pattern))
    assert found == [value for value in rows if re.search(pattern, "\n" + value.lower())]


def test_rows_stand_in_order_and_are_read_once():
    values = Values({"b post": [5, 8], "Post a": [1, 9], "none": [2]})
    asked = []
    assert values.rows_where(lambda value: not asked.append(value), "post", "st") == [1, 5, 8, 9]
    assert asked == ["b post", "Post a"]


def test_only_of_marked_rows(plainly):
    html = "<p class=a>x<b class>y</b></p><p id=q class=c><i>z</i>"
    page = parse(html)
    with plainly():
        for one in (page, parse(html)):  # attributes in columns, in dicts
            bold, paragraphs = one.is_tag("b"), one.is_tag("p")
            assert one.having("class", paragraphs) == [
                (row, one.attribute(row, "class")) for row in paragraphs.nonzero()[0].tolist()
            ]
            assert [value for _, value in one.having("class", bold)] == [""]
            assert one.having("id", bold) == one.having("lang", bold) == []
            assert one.has("class").tolist() == (bold | paragraphs).tolist()
            assert not one.has("lang").any()
