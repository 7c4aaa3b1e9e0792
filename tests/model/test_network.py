"""What is learned: the ensemble, what each input adds, page types, confidence."""

from __future__ import annotations

import io
import weakref
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import chaffinch
from chaffinch.errors import WeightsError
from chaffinch.methods import METHODS
from chaffinch.methods.learned import Learned
from chaffinch.model import attribution, block_scores
from chaffinch.model.attribution import GROUPS, PARTS
from chaffinch.model.block_scores import (
    PageTypeHead,
    block_means,
    head_inputs,
    score_blocks,
    shipped,
    shipped_head,
)
from chaffinch.model.features import NUMBERS, features
from chaffinch.model.method_confidence import (
    SIGNALS,
    MethodConfidence,
    expected_f1,
    shipped_confidences,
    site_confidence,
    verdict_signals,
)
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


PROSE = "The mill turns in the wind of the first morning after the long rain. " * 6
ARTICLE = f"<title>The mill</title><article><h1>The mill</h1>{f'<p>{PROSE}</p>' * 8}</article>"


def test_the_type_that_decides_is_shown():
    page = chaffinch.parse(ARTICLE)
    scores = score_blocks(page)
    head = shipped_head()
    found = scores.features
    inputs = head_inputs(scores.kinds, found.facts, block_means(found.numbers))
    assert inputs.dtype == np.float32
    assert inputs.shape == (len(head.weights),)
    kind = head.page_type(scores.kinds, found.facts, block_means(found.numbers))
    assert chaffinch.extract(page).page_type == scores.kind == kind == "article"


KINDS = {
    "birds": "article",
    "fields": "article",
    "mills": "article",
    "towns": "article",
    "manual": "documentation",
    "shop": "product",
    "index": "listing",
}
"""Section of the example sites → the type of its pages; a section's index is a list."""


def test_types_are_the_same_in_chinese_as_in_english(example_site):
    for row in example_site:
        section, _, rest = row["url"].partition("://")[2].partition("/")[2].partition("/")
        section = "index" if rest == "index.html" else section
        if section in KINDS:
            found = chaffinch.extract(row["html"].encode("latin-1"), url=row["url"])
            assert found.page_type == KINDS[section], row["url"]


def test_an_extract_does_not_hold_the_features():
    scores = score_blocks(chaffinch.parse(ARTICLE))
    numbers = weakref.ref(scores.features.numbers)
    verdict = Learned().verdict(scores)
    del scores
    assert numbers() is None
    assert verdict.page_type == "article"


def test_a_surer_network_moves_it():
    scores = score_blocks(chaffinch.parse(ARTICLE))
    head = shipped_head()
    for number, kind in enumerate(head.kinds):
        weights = np.zeros_like(head.weights)
        weights[: len(head.kinds)] = np.eye(len(head.kinds))
        plain = PageTypeHead(head.kinds, weights, np.zeros_like(head.bias))
        sure = np.full(len(head.kinds), 0.01, np.float32)
        sure[number] = 0.94
        found = scores.features
        assert plain.page_type(sure, found.facts, block_means(found.numbers)) == kind


def test_broken_weights_are_an_error():
    for broken in ([], {}, {"kinds": ["a"], "weights": [[1.0]], "bias": [0.0]}):
        with pytest.raises(WeightsError):
            PageTypeHead.of(broken)


RAIN = "The mill turns in the wind of the first morning after the long rain. " * 5
CLEAR = f"<nav><a href=/>Home</a></nav><article>{f'<p>{RAIN}</p>' * 8}</article>"
TORN = "<table>" + "".join(f"<tr><td><a href=/{n}>Link {n}</a><td>x{n}" for n in range(60)) + RAIN


def test_every_method_without_a_confidence_of_its_own_is_known():
    assert set(shipped_confidences()) == {*METHODS, "site rules"} - {"learned"}


@pytest.mark.parametrize("method", ["information_blocks", "block_density", "line_blocks"])
def test_a_clear_article_is_surer_than_a_torn_list(method):
    clear, torn = (chaffinch.extract(html, method=method) for html in (CLEAR, TORN))
    assert 0 <= (torn.confidence or 0) < clear.confidence <= 1
    assert clear.content.verdict.confidence is None


def test_site_models_have_one():
    pages = [CLEAR.replace("Home", f"Home {n}").replace("mill", f"mill {n}") for n in range(8)]
    site = chaffinch.Site.learn(pages)
    assert 0 < site.extract(pages[0]).confidence <= 1
    assert 0 < site.extract(pages[0], mode="rules").confidence <= 1


def test_a_site_model_in_full_is_as_sure_as_its_probabilities():
    confidences = [site_confidence(expected) for expected in np.linspace(0, 1, 11)]
    assert confidences == sorted(confidences)
    assert 0 < confidences[0] < confidences[-1] <= 1


def test_signals_are_finite_on_any_page():
    for html in ("", "x", CLEAR, TORN, "<p>" * 2000):
        content = chaffinch.extract(html, method="line_blocks").content
        found = verdict_signals(content)
        assert found.shape == (len(SIGNALS),)
        assert np.isfinite(found).all()
        assert expected_f1(content, "no such method") is None


def test_broken_weights_of_confidences_are_an_error():
    for broken in ({}, {"weights": [1.0], "curve": [[0], [1]]}, {"weights": "x", "curve": []}):
        with pytest.raises(WeightsError):
            MethodConfidence.of(broken)
