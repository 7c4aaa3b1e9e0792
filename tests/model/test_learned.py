"""The learned method: weights, decision, policies, and floors of quality on small samples."""

import io
import json
import os
from pathlib import Path

import numpy as np
import pytest

from chaffinch.errors import OptionError, SetupError, WeightsError
from chaffinch.evaluate.corpora import CORPORA_VARIABLE, read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods.learned import Learned
from chaffinch.model import block_scores
from chaffinch.output import text
from chaffinch.page import parse
from chaffinch.verdict import Content

ROOT = Path(__file__).parents[2]
PAGE = """<html><head><title>The chaffinch - Birds</title></head><body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/b">Birds</a></li>
<li><a href="/c">Contact</a></li></ul></nav>
<div class="article"><h1>The chaffinch</h1>
<p>The chaffinch is a small bird, common in Europe, and the male is brightly coloured. Its song is
loud, and it is heard from early spring on in gardens and woods.</p>
<p>It builds its nest in the fork of a tree, and the female lays four or five eggs, which hatch
after two weeks. <img src="nest.jpg" alt="A nest"> Both parents feed the young.</p>
<p>In autumn, chaffinches of the north fly south in great numbers, and spend the winter there.</p>
</div>
<div class="footer"><a href="/terms">Terms of use</a> <a href="/privacy">Privacy</a>
<p>Copyright 2026. All rights reserved.</p></div></body></html>"""


def kept_text(page, method):
    return text.render(Content(page, method(page)))


def test_a_page_with_text_is_never_left_empty():
    for html in ("a", "<a href=x>Home</a>", "<nav><ul><li>one<li>two</ul></nav>"):
        assert Learned()(parse(html)).keep.any()


def test_recall_keeps_no_less_than_precision():
    page = parse(PAGE)
    precise, balanced, whole = (
        Learned(favor=favor)(page).keep for favor in ("precision", "balanced", "recall")
    )
    assert (balanced >= precise).all()
    assert (whole >= balanced).all()


@pytest.mark.parametrize(
    "content", [b"", b"not a zip", b"PK\x03\x04 broken"], ids=["empty", "text", "broken zip"]
)
def test_a_broken_file_of_weights_is_an_error_of_setup(content):
    with pytest.raises(WeightsError) as caught:
        block_scores.load(io.BytesIO(content))
    assert isinstance(caught.value, SetupError)


def test_weights_of_ones_own_are_used(tmp_path):
    path = tmp_path / "own.npz"
    path.write_bytes(Path(block_scores.__file__).with_name("weights.npz").read_bytes())
    page = parse(PAGE)
    assert (Learned(weights=str(path))(page).keep == Learned()(page).keep).all()
    with pytest.raises(OptionError, match="path of a file"):
        Learned(weights=str(tmp_path / "none.npz"))
    path.write_bytes(b"broken")
    with pytest.raises(WeightsError):
        block_scores.load(path)


@pytest.mark.parametrize(
    "header",
    [{"kind": "other"}, {"kind": block_scores.KIND, "version": 99}, {"kind": block_scores.KIND}],
)
def test_weights_of_another_kind_or_version_are_refused(header):
    file = io.BytesIO()
    np.savez(file, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8))
    file.seek(0)
    with pytest.raises(WeightsError):
        block_scores.load(file)


FLOORS = {"readability": 0.92, "cleaneval": 0.91, "scrapinghub": 0.945}
"""Mean word F1 on 60 pages that no weights were trained on, a point below what was measured."""


@pytest.mark.parametrize("corpus", FLOORS)
def test_floor_of_quality(corpus, monkeypatch):
    root = Path(os.environ.get(CORPORA_VARIABLE) or ROOT.parent / "shared")
    if not (root / "corpora" / f"{corpus}.jsonl.xz").is_file():
        pytest.skip(f"NO CORPORA: {root} has no {corpus}; set {CORPORA_VARIABLE}")
    monkeypatch.setenv(CORPORA_VARIABLE, str(root))
    found = []
    for one in read_corpus(corpus, limit=60):
        output = kept_text(parse(one.html, url=one.url), Learned())
        found.append(word_score(tokenize(output), tokenize(one.gold_text or "")).f1)
    assert np.mean(found) >= FLOORS[corpus]


def test_the_file_of_weights_has_its_provenance():
    header = block_scores.shipped().header
    assert header["version"] == block_scores.VERSION
    assert header["corpora"]
    path = Path(block_scores.__file__).with_name("weights.npz")
    assert path.stat().st_size <= 3_000_000
