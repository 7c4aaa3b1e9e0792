import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import OptionError, estimate_tokens
from chaffinch.reading.tokens import _AT_ONCE, FEATURES, estimates, weights

KNOWN = {
    "The chaffinch eats grain.\n": 6,
    "Der Buchfink frisst Getreide im Winter.\n": 9,
    "苍头燕雀吃谷物。\n": 9,
    "Зяблик ест зерно зимой.\n": 10,
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n": 17,
}
"""Text → its tokens by o200k_base."""


@pytest.mark.parametrize("text", KNOWN)
def test_near_the_tokenizer(text):
    assert abs(estimate_tokens(text * 20) / (20 * KNOWN[text]) - 1) < 0.35


@given(st.lists(st.text(max_size=30), max_size=6))
def test_adds_up_over_lines(lines):
    pieces = [f"{line.replace(chr(13), '')}\n" for line in lines if line.strip()]
    pieces = [one.lstrip("\n") for one in pieces]
    whole = estimates(["".join(pieces)]).sum()
    assert whole <= estimates(pieces).sum() + 1e-9


def test_weights_are_never_negative():
    assert weights().shape == (len(FEATURES),)
    assert (weights() >= 0).all()


def test_long_texts_are_counted_piece_by_piece():
    text = "grain " * (_AT_ONCE // 3)
    assert np.isclose(
        estimates([text]).sum(),
        estimates(["grain " * 1000]).sum() * _AT_ONCE // 3 / 1000,
        rtol=0.01,
    )
    assert estimates([]).shape == (0,)
    assert estimate_tokens("") == 0


def test_surrogates_and_controls_count():
    assert estimate_tokens("\ud800\0\u200b𝒳") > 0


def test_only_text_has_tokens():
    with pytest.raises(OptionError):
        estimate_tokens(b"grain")
