import weakref

import numpy as np
import pytest

import chaffinch
from chaffinch.errors import WeightsError
from chaffinch.methods.learned import Learned
from chaffinch.model.block_scores import (
    PageTypeHead,
    block_means,
    head_inputs,
    score_blocks,
    shipped_head,
)

PROSE = "The mill turns in the wind of the first morning after the long rain. " * 6
ARTICLE = f"<title>The mill</title><article><h1>The mill</h1>{f'<p>{PROSE}</p>' * 8}</article>"


def test_the_verdict_has_its_type_and_the_rules_have_the_networks():
    page = chaffinch.parse(ARTICLE)
    scores = score_blocks(page)
    head = shipped_head()
    found = scores.features
    inputs = head_inputs(scores.kinds, found.facts, block_means(found.numbers))
    assert inputs.dtype == np.float32
    assert inputs.shape == (len(head.weights),)
    kind = head.page_type(scores.kinds, found.facts, block_means(found.numbers))
    assert chaffinch.extract(page).page_type == kind
    assert chaffinch.extract(page).page_type == "article"


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
