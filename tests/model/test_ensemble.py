"""The ensemble: all networks run on uncertain pages alone, and a file holds any number of them."""

import io
from itertools import pairwise

import numpy as np
import pytest

from chaffinch.errors import WeightsError
from chaffinch.model import block_scores
from chaffinch.model.features import features
from chaffinch.model.network import UNCERTAIN, USUAL_FLAGS, Ensemble, Prediction, uncertainty
from chaffinch.page import parse

PAGE = parse("<nav><a href=/>Home</a></nav><h1>Finches</h1><p>The chaffinch is a small bird.</p>")


class Constant:
    """A network with the same output for every block, which counts its calls."""

    def __init__(self, score, kinds):
        self.score, self.kinds, self.calls = score, kinds, 0

    def __call__(self, found, _policy):
        self.calls += 1
        return Prediction(
            np.full(len(found), self.score, dtype=np.float32),
            np.array(self.kinds, dtype=np.float32),
        )


def predicted(*networks):
    return Ensemble(networks)(features(PAGE), USUAL_FLAGS)


def test_all_run_on_an_uncertain_page_and_the_mean_counts():
    first, second = Constant(0.5, [1, 0]), Constant(1.0, [0.5, 0.5])
    answer = predicted(first, second)
    assert (first.calls, second.calls) == (1, 1)
    np.testing.assert_allclose(answer.score, 0.75)
    np.testing.assert_allclose(answer.kinds, [0.75, 0.25])
    assert answer.score.dtype == answer.kinds.dtype == np.float32


def test_one_that_is_certain_is_enough():
    first, second = Constant(0.99, [1, 0]), Constant(0.0, [0, 1])
    answer = predicted(first, second)
    assert (first.calls, second.calls) == (1, 0)
    np.testing.assert_allclose(answer.score, 0.99)


def test_uncertainty_grows_towards_the_middle_and_is_near_nothing_at_the_ends():
    units = np.array([3, 1], dtype=np.float32)
    scores = [np.array([p, 0], dtype=np.float32) for p in (1, 0.9, 0.7, 0.5)]
    measured = [uncertainty(score, units) for score in scores]
    assert measured[0] == pytest.approx(0)
    assert all(low < high for low, high in pairwise(measured))
    assert measured[1] == pytest.approx(0.3 / 2.7, rel=1e-5)
    assert measured[1] < UNCERTAIN < measured[2]
    assert uncertainty(np.zeros(2, dtype=np.float32), units) == 0


def test_the_second_network_of_a_file_is_checked_too():
    with np.load(io.BytesIO(_shipped())) as archive:
        arrays = {name: archive[name] for name in archive.files if name != "header"}
        header = dict(block_scores.shipped().header)
    networks = block_scores.split_networks(arrays)
    broken = {**networks[0], "mean": np.zeros(3, dtype=np.float32)}
    file = io.BytesIO()
    block_scores.save(file, block_scores.join_networks([networks[0], broken]), header)
    file.seek(0)
    with pytest.raises(WeightsError, match="weights for 3 features"):
        block_scores.load(file)


def _shipped():
    from importlib import resources  # noqa: PLC0415  one test needs it

    return resources.files("chaffinch.model").joinpath("weights.npz").read_bytes()
