import numpy as np
import pytest

import chaffinch
from chaffinch.errors import WeightsError
from chaffinch.methods import METHODS
from chaffinch.model.method_confidence import (
    SIGNALS,
    MethodConfidence,
    expected_f1,
    shipped_confidences,
    site_confidence,
    verdict_signals,
)

PROSE = "The mill turns in the wind of the first morning after the long rain. " * 5
CLEAR = f"<nav><a href=/>Home</a></nav><article>{f'<p>{PROSE}</p>' * 8}</article>"
TORN = "<table>" + "".join(f"<tr><td><a href=/{n}>Link {n}</a><td>x{n}" for n in range(60)) + PROSE


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


def test_broken_weights_are_an_error():
    for broken in ({}, {"weights": [1.0], "curve": [[0], [1]]}, {"weights": "x", "curve": []}):
        with pytest.raises(WeightsError):
            MethodConfidence.of(broken)
