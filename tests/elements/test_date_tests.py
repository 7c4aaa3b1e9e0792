"""The quick tests before a date is read: none of them keeps one from being read."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.elements import dates
from chaffinch.elements.dates import may_hold_date

PARTS = (
    "1 3. 12 04 25.04.24 1.2.19 1999 2019 20190304 2021-03-04 2021年3月4日 4/5/2014 March mar."
    " enero de of d' st th 3rd - / , : . | 10:23 14h05 PM Mon, Posted on by Copyright ２０１９"
    " Mai 19 20 201 20199 \n \t \u200b"
)
TEXTS = st.lists(st.sampled_from(PARTS.split(" ")), max_size=9)
SPACES = st.sampled_from(["", " ", "  ", "\u00a0"])
READ = vars(dates)["_both_ways"].__wrapped__
"""Reads a text both ways, and remembers nothing."""


@given(TEXTS, SPACES)
@example(["Mon,", "04", "Mar", "2019", "10:23:00"], " ")
@example(["4", "March", "2019"], " ")
@example(["1999"], " ")
def test_tests_miss_no_date(words, space):
    text = space.join(words)
    quick = READ(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dates, "_YEAR_ALONE", re.compile("(?!)"))
        patch.setattr(dates, "_DAY_NEAR_YEAR", re.compile(""))
        assert READ(text) == quick
    if not may_hold_date(text):
        assert quick == (None, None)


def test_signs_stand_in_a_part_of_a_text():
    assert may_hold_date("in 2019 and", 3)
    assert not may_hold_date("in 2019 and", 4)
    assert not may_hold_date("in 2019 and", 0, 6)
    assert not may_hold_date("on page 201, 19 of 20")
