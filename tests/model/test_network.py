"""What is learned: the ensemble, what each input adds, page types, confidence."""

import io
import weakref

import numpy as np
import pytest

import chaffinch
from chaffinch.errors import WeightsError
from chaffinch.methods import METHODS
from chaffinch.methods.learned import Learned
from chaffinch.model import attribution, block_scores
from chaffinch.model.attribution import GROUPS
from chaffinch.model.block_scores import score_blocks, shipped
from chaffinch.model.features import features
from chaffinch.model.method_confidence import shipped_confidences
from chaffinch.model.network import USUAL_FLAGS, Ensemble, Prediction
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


def test_the_second_network_of_a_file_is_checked_too():
    with np.load(io.BytesIO(_shipped())) as archive:
        arrays = {name: archive[name] for name in archive.files if name != "header"}
        header = dict(block_scores.shipped().header)
    networks = block_scores.split_networks({k: v for k, v in arrays.items() if k[:5] != "page_"})
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
            known = {KINDS[section]}
            if section == "index":  # of threads, and where the network is likely right of articles
                known |= {"forum"} if "/forum/" in row["url"] else set()
                known |= {"article"} if "//zh." in row["url"] else set()
            assert found.page_type in known, row["url"]


def test_an_extract_does_not_hold_the_features():
    scores = score_blocks(chaffinch.parse(ARTICLE))
    numbers = weakref.ref(scores.features.numbers)
    verdict = Learned().verdict(scores)
    del scores
    assert numbers() is None
    assert verdict.page_type == "article"


def test_a_head_of_other_types_is_an_error(tmp_path):
    file = tmp_path / "weights.npz"
    file.write_bytes(_shipped())
    block_scores.with_head(file, np.ones((3, 7), np.float32), np.ones(7, np.float32))
    with pytest.raises(WeightsError, match="page types"):
        block_scores.load(file)


RAIN = "The mill turns in the wind of the first morning after the long rain. " * 5
CLEAR = f"<nav><a href=/>Home</a></nav><article>{f'<p>{RAIN}</p>' * 8}</article>"
TORN = "<table>" + "".join(f"<tr><td><a href=/{n}>Link {n}</a><td>x{n}" for n in range(60)) + RAIN


def test_every_method_without_a_confidence_of_its_own_is_known():
    assert set(shipped_confidences()) == {*METHODS} - {"learned"}


@pytest.mark.parametrize("method", ["information_blocks", "block_density", "line_blocks"])
def test_a_clear_article_is_surer_than_a_torn_list(method):
    clear, torn = (chaffinch.extract(html, method=method) for html in (CLEAR, TORN))
    assert 0 <= (torn.confidence or 0) < clear.confidence <= 1
    assert clear.content.verdict.confidence is None
