"""What groups of features add: zero where they are removed, and each input in one group."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.model import attribution
from chaffinch.model.attribution import GROUPS, PARTS
from chaffinch.model.block_scores import shipped
from chaffinch.model.features import NUMBERS, features
from chaffinch.model.network import USUAL_FLAGS, Ensemble


@pytest.fixture(scope="module")
def found(example_site):
    row = next(row for row in example_site if row["template"] == "article")
    return features(parse(row["html"].encode("latin-1"), url=row["url"]))


def test_each_input_of_the_network_is_in_one_group():
    assert Counter(name for group in GROUPS for name in group.numbers) == Counter(NUMBERS)
    assert Counter(part for group in GROUPS for part in group.parts) == Counter(PARTS)
    assert sum(group.head for group in GROUPS) == 1
    assert len({group.name for group in GROUPS}) == len(GROUPS)


@pytest.mark.parametrize("number", range(len(GROUPS)), ids=[group.name for group in GROUPS])
def test_a_group_that_was_removed_adds_nothing(found, number):
    whole = shipped().network
    before = attribution.attributions(whole, found)
    removed = attribution.without(whole, GROUPS[number])
    after = attribution.attributions(removed, found)
    assert (after[number] == 0).all()
    assert np.abs(before[number]).max() > 0
    assert np.abs(after).max() > 0


def test_the_sum_of_removals_is_the_difference_of_scores(found):
    network = shipped().network
    added = attribution.attributions(network, found)
    used = Ensemble.whole(network.used(found, USUAL_FLAGS))
    score = used(found, USUAL_FLAGS).score.astype(np.float64)
    for number, group in enumerate(GROUPS):
        other = attribution.without(used, group)(found, USUAL_FLAGS).score.astype(np.float64)
        odds = np.log(score / (1 - score)) - np.log(other / (1 - other))
        assert added[number] == pytest.approx(odds, abs=1e-3)


def test_contributions_are_sorted_and_in_words(found):
    every = attribution.contributions(shipped().network, found)
    assert len(every) == len(found)
    for some in every:
        strength = [abs(one.log_odds) for one in some]
        assert strength == sorted(strength, reverse=True)
        assert all(one.value for one in some)
        assert min(strength) >= attribution.LEAST
