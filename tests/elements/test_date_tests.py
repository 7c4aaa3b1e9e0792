"""The quick tests before a date is read: none of them keeps one from being read."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chaffinch.elements.dates_in_text import may_hold_date, parse_date

PARTS = (
    "1 3. 12 04 25.04.24 1.2.19 1999 2019 20190304 2021-03-04 2021年3月4日 4/5/2014 March mar."
    " enero de of d' st th 3rd - / , : . | 10:23 14h05 PM Mon, Posted on by Copyright ２０１９"
    " ٢٠١٩ ۱۴۰۲ خرداد 1402 令和6年 2月 15日 二〇二四年 113 年 พ.ย. 64 2564 tháng năm 17 '21"
    " Mai 19 20 201 20199 \n \t \u200b"
)
TEXTS = st.lists(st.sampled_from(PARTS.split(" ")), max_size=9)
SPACES = st.sampled_from(["", " ", "  ", "\u00a0"])


@settings(max_examples=120)
@given(TEXTS, SPACES)
@example(["Mon,", "04", "Mar", "2019", "10:23:00"], " ")
@example(["4", "March", "2019"], " ")
@example(["12", "خرداد", "1402"], " ")
@example(["1402", "1", "خرداد"], " ")
@example(["พ.ย.", "1", "March", "2564"], " ")
@example(["1999"], " ")
def test_tests_miss_no_date(words, space):
    text = space.join(words)
    if not may_hold_date(text) and not text.strip().isdigit():  # seconds from 1970, asked for apart
        assert parse_date(text) is None


@pytest.mark.parametrize("digits", [5, 24, 500, 5000])
@pytest.mark.parametrize(
    "text", ["12/31/{}. ", "{}/12/31", "{}年12月31日", "31 March {}", "令和{}年2月3日"]
)
def test_years_of_many_digits_are_no_dates(text, digits):
    assert parse_date(text.format("9" * digits)) is None
