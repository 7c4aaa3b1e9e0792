"""Ranges of words that stand for the first time are those that a search from the start finds."""

from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.reading.words import RepeatedWords, folded, lower_words, words

WORDS = st.lists(st.sampled_from("ab"), min_size=2, max_size=90)


def first(words, low, high):
    return next(at for at in range(low + 1) if words[at : at + high - low] == words[low:high])


@given(WORDS, st.data())
def test_a_range_is_first_where_no_equal_one_begins_before(own, data):
    low = data.draw(st.integers(0, len(own) - 1))
    high = data.draw(st.integers(low + 1, len(own)))
    assert RepeatedWords(own).is_first(low, high) == (first(own, low, high) == low)


@given(WORDS, st.data())
def test_a_range_recurs_where_an_equal_one_begins_between(own, data):
    low, start = sorted(data.draw(st.integers(0, len(own) - 1)) for _ in "ab")
    stop = data.draw(st.integers(start + 1, len(own)))
    wanted = own[start:stop]
    found = any(own[at : at + len(wanted)] == wanted for at in range(low, start))
    assert RepeatedWords(own).recurs(low, start, stop) == found


def test_long_ranges_that_begin_alike_are_told_apart_by_what_follows():
    lead = ["a"] * 40
    own = [*lead, "b", *lead, "c", *lead, "b"]
    known = RepeatedWords(own)
    assert known.is_first(41, 82)
    assert not known.is_first(82, 123)


def test_a_long_range_that_begins_like_too_many_is_none_that_is_first():
    own = [*(["a"] * 32 + ["b"]) * 66, *["a"] * 32, "c"]
    known = RepeatedWords(own)
    assert not known.is_first(len(own) - 33, len(own))
    few = own[64 * 33 :]
    assert RepeatedWords(few).is_first(len(few) - 33, len(few))


@given(st.text(st.sampled_from("aB ß燕麦İ,._-1 \n"), max_size=30))
@example("")
@example("ẞß STRASSE straße")
def test_words_in_lower_case_are_those_that_are_found_one_by_one(text):
    text = folded(text)
    own, starts, ends = lower_words(text)
    found = words(text)
    assert own == [one[0].casefold() for one in found]
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [one.span() for one in found]
