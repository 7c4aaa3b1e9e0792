"""The ensemble: others are asked in doubt alone, and a file holds as many as were put into it."""

import io
from itertools import pairwise

import numpy as np
import pytest

from chaffinch.decision.policy import Policy
from chaffinch.errors import WeightsError
from chaffinch.model import weights
from chaffinch.model.ensemble import DOUBT, Ensemble, doubt
from chaffinch.model.features import features
from chaffinch.model.network import Answer
from chaffinch.page import parse

PAGE = parse("<nav><a href=/>Home</a></nav><h1>Finches</h1><p>The chaffinch is a small bird.</p>")


class Said:
    """A network that says the same of every block, and counts how often it is asked."""

    def __init__(self, score, kinds):
        self.score, self.kinds, self.asked = score, kinds, 0

    def __call__(self, found, _policy):
        self.asked += 1
        return Answer(
            np.full(len(found), self.score, dtype=np.float32),
            np.array(self.kinds, dtype=np.float32),
        )


def ask(*networks):
    return Ensemble(networks)(features(PAGE), Policy().signs())


def test_others_are_asked_in_doubt_and_the_mean_counts():
    first, second = Said(0.5, [1, 0]), Said(1.0, [0.5, 0.5])
    answer = ask(first, second)
    assert (first.asked, second.asked) == (1, 1)
    np.testing.assert_allclose(answer.score, 0.75)
    np.testing.assert_allclose(answer.kinds, [0.75, 0.25])
    assert answer.score.dtype == answer.kinds.dtype == np.float32


def test_one_that_is_sure_is_enough():
    first, second = Said(0.99, [1, 0]), Said(0.0, [0, 1])
    answer = ask(first, second)
    assert (first.asked, second.asked) == (1, 0)
    np.testing.assert_allclose(answer.score, 0.99)


def test_one_alone_is_never_in_doubt():
    np.testing.assert_allclose(ask(Said(0.5, [1])).score, 0.5)


def test_doubt_grows_towards_the_middle_and_is_near_nothing_at_the_ends():
    units = np.array([3, 1], dtype=np.float32)
    scores = [np.array([p, 0], dtype=np.float32) for p in (1, 0.9, 0.7, 0.5)]
    doubts = [doubt(score, units) for score in scores]
    assert doubts[0] == pytest.approx(0)
    assert all(low < high for low, high in pairwise(doubts))
    assert doubts[1] == pytest.approx(0.3 / 2.7, rel=1e-5)
    assert doubts[1] < DOUBT < doubts[2]
    assert doubt(np.zeros(2, dtype=np.float32), units) == 0


def test_a_file_holds_several_networks_in_their_order():
    networks = [{"mean": [number], "a.weight": [number, 0]} for number in range(12)]
    assert weights.apart(weights.together(networks)) == networks
    assert weights.apart(networks[0]) == networks[:1]


def test_the_second_network_of_a_file_is_checked_too():
    with np.load(io.BytesIO(_shipped())) as archive:
        arrays = {name: archive[name] for name in archive.files if name != "header"}
        header = dict(weights.shipped().header)
    networks = weights.apart(arrays)
    broken = {**networks[0], "mean": np.zeros(3, dtype=np.float32)}
    file = io.BytesIO()
    weights.save(file, weights.together([networks[0], broken]), header)
    file.seek(0)
    with pytest.raises(WeightsError, match="weights for 3 features"):
        weights.load(file)


def test_an_ensemble_of_the_same_network_says_what_it_says():
    found, signs = features(PAGE), Policy().signs()
    (one, *_) = weights.shipped().network.networks
    alone, three = one(found, signs), Ensemble((one, one, one))(found, signs)
    np.testing.assert_allclose(three.score, alone.score, rtol=1e-6)
    np.testing.assert_allclose(three.kinds, alone.kinds, rtol=1e-6)


def _shipped():
    from importlib import resources  # noqa: PLC0415  one test needs it

    return resources.files("chaffinch.model").joinpath("weights.npz").read_bytes()
