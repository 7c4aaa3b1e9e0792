from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.reading import words as alignment

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


@pytest.mark.parametrize("most", [1, 3])
def test_long_sequences_are_cut_at_items_that_occur_once(most, monkeypatch):
    monkeypatch.setattr(alignment, "_MOST", most)
    old = ["x", "a", "x", "b", "x", "c"]
    new = ["a", "y", "x", "b", "y", "c", "z"]
    assert [old[one] for one, _ in alignment.matched(old, new)] == ["a", "x", "b", "c"]
    assert alignment.matched(["x"] * 9, ["y", *["x"] * 9, "y"]) == []


@given(ITEMS, ITEMS)
def test_pairs_ascend_however_long(old, new):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_MOST", 2)
        pairs = alignment.matched(old, new)
    assert all(old[one] == new[other] for one, other in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


def test_a_million_items():
    old = list(range(300_000))
    new = old[:1000] + [-1] * 5000 + old[1000:200_000] + old[250_000:]
    assert len(alignment.matched(old, new)) == 250_000
