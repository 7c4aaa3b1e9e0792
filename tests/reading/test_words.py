"""Words: their folding, what two texts have in common, ranges that repeat, tokens."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch import estimate_tokens
from chaffinch.reading import words as alignment
from chaffinch.reading.tokens import estimates
from chaffinch.reading.words import RepeatedWords, folded, lower_words, words

ITEMS = st.lists(st.integers(0, 6), max_size=14)


def longest(old, new):
    row = [0] * (len(new) + 1)
    for one in old:
        before = row[:]
        for at, other in enumerate(new):
            row[at + 1] = before[at] + 1 if one == other else max(row[at], before[at + 1])
    return row[-1]


@given(ITEMS, ITEMS)
def test_as_many_pairs_as_there_can_be(old, new):
    pairs = alignment.matched(old, new)
    assert all(old[one] == new[other] for one, other in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    assert len(pairs) == longest(old, new)


# Ranges

WORDS = st.lists(st.sampled_from("ab"), min_size=2, max_size=90)


def first(words, low, high):
    return next(at for at in range(low + 1) if words[at : at + high - low] == words[low:high])


@given(WORDS, st.data())
def test_a_range_is_first_where_no_equal_one_begins_before(own, data):
    low = data.draw(st.integers(0, len(own) - 1))
    high = data.draw(st.integers(low + 1, min(low + 32, len(own))))
    assert RepeatedWords(own).is_first(low, high) == (first(own, low, high) == low)


@given(WORDS, st.data())
def test_a_range_recurs_where_an_equal_one_begins_between(own, data):
    low, start = sorted(data.draw(st.integers(0, len(own) - 1)) for _ in "ab")
    stop = data.draw(st.integers(start + 1, len(own)))
    wanted = own[start:stop]
    found = any(own[at : at + len(wanted)] == wanted for at in range(low, start))
    assert RepeatedWords(own).recurs(low, start, stop) == found


@given(st.text(st.sampled_from("aB ß燕麦İ,._-1 \n"), max_size=30))
@example("")
@example("ẞß STRASSE straße")
def test_words_in_lower_case_are_those_that_are_found_one_by_one(text):
    text = folded(text)
    own, starts, ends = lower_words(text)
    found = words(text)
    assert own == [one[0].casefold() for one in found]
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [one.span() for one in found]


# Tokens

KNOWN = {
    "The chaffinch eats grain.\n": 6,
    "Der Buchfink frisst Getreide im Winter.\n": 9,
    "苍头燕雀吃谷物。\n": 9,
    "Зяблик ест зерно зимой.\n": 10,
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n": 17,
}
"""Text → its tokens by o200k_base."""


@pytest.mark.parametrize("text", KNOWN)
def test_near_the_tokenizer(text):
    assert abs(estimate_tokens(text * 20) / (20 * KNOWN[text]) - 1) < 0.35


@given(st.lists(st.text(max_size=30), max_size=6))
def test_adds_up_over_lines(lines):
    pieces = [f"{line.replace(chr(13), '')}\n" for line in lines if line.strip()]
    pieces = [one.lstrip("\n") for one in pieces]
    whole = estimates(["".join(pieces)]).sum()
    assert whole <= estimates(pieces).sum() + 1e-9
