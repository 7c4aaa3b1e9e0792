"""Training: labels fit the blocks, and PyTorch and numpy agree on what the network says."""

import numpy as np
import pytest

from elsewhere import ELSEWHERE

WHY = f"{ELSEWHERE} (uv sync --group training)"
torch = pytest.importorskip("torch", reason=WHY)
pytest.importorskip("rapidfuzz", reason=WHY)
pytest.importorskip("tldextract", reason=WHY)


from chaffinch.evaluate.corpora import LabelledPage  # noqa: E402
from chaffinch.model.features import features  # noqa: E402
from chaffinch.model.network import Network  # noqa: E402
from chaffinch.page import parse  # noqa: E402
from chaffinch.segment.text_blocks import text_blocks  # noqa: E402
from training.dataset import (  # noqa: E402
    PAGE_TYPES,
    Dataset,
    DatasetMaker,
    registrable,
    usable,
)
from training.fit import (  # noqa: E402
    Recipe,
    fit,
    scores,
    word_f1,
)
from training.labels import label_blocks  # noqa: E402
from training.torch_network import Network as TorchNetwork  # noqa: E402
from training.torch_network import Shape  # noqa: E402

BODY = "<p>The chaffinch is a small bird.</p><p>Its song is loud, and its nest is small.</p>"
HTML = f"""<html><head><title>Finches of Europe</title></head><body>
<ul class="menu"><li><a href="/">Home</a><li><a href="/b">Small birds</a></ul>
<article class="post"><h1>Finches of Europe</h1>{BODY}</article>
<div id=more><h2>More</h2><a href=x>Where bullfinches winter</a></div></body></html>"""
GOLD = "The chaffinch is a small bird.\nIts song is loud, and its nest is small."


def labelled(number, html=HTML):
    return LabelledPage(
        corpus="made",
        id=str(number),
        html=html.encode(),
        url=f"https://www.site{number}.co.uk/page",
        page_type="article",
        gold_text=GOLD,
    )


@pytest.fixture(scope="module")
def dataset():
    maker = DatasetMaker({"site1.co.uk"})
    for number in range(6):
        maker.add(labelled(number, HTML.replace("menu", f"menu-{number} x")))
    return maker.dataset()


def test_labels_are_the_blocks_of_the_gold():
    labels = label_blocks(text_blocks(parse(HTML)), GOLD)
    assert labels.share.tolist() == [0, 0, 0, 1, 1, 0, 0]
    assert labels.bound == 1


def test_held_out_domains_are_never_trained_on(dataset):
    assert registrable(labelled(1)) == "site1.co.uk"
    assert dataset.held.tolist() == [False, True, False, False, False, False]
    assert usable(dataset).tolist() == [True, False, True, True, True, True]


def test_a_dataset_is_the_same_after_a_round_trip(dataset, tmp_path):
    dataset.save(tmp_path / "pages.npz")
    again = Dataset.load(tmp_path / "pages.npz")
    assert again.domain.tolist() == dataset.domain.tolist()
    assert all((again.arrays[name] == dataset.arrays[name]).all() for name in dataset.arrays)


def test_numpy_and_torch_give_the_same(dataset):
    torch.manual_seed(1)
    ours = TorchNetwork(Shape(dataset.arrays["numbers"].shape[1], len(PAGE_TYPES)), dropout=0.1)
    ours.mean.normal_()
    ours.scale.uniform_(0.5, 2)
    theirs = Network.of(ours.eval().arrays())
    policy = np.array([-1, 0, 1, 0], dtype=np.float32)
    for number, answer in enumerate(scores(ours, dataset, np.arange(6), policy=policy)):
        page = parse(labelled(number, HTML.replace("menu", f"menu-{number} x")).html)
        found = theirs(features(page), policy)
        assert answer.std() > 0.001
        assert np.abs(found.score - answer).max() < 1e-3


def test_fitting_learns_what_it_is_shown(dataset):
    recipe = Recipe(epochs=12, rows=20, average=0.9)
    pages = np.flatnonzero(usable(dataset))
    network = fit(dataset, pages, recipe, report=lambda _: None)
    assert word_f1(dataset, pages, scores(network, dataset, pages)).min() > 0.9
