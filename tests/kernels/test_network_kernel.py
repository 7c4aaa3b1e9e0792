"""The network, in every width that the machine has."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from chaffinch import kernels
from chaffinch.kernels.compiled import native as _native
from chaffinch.model import block_scores
from chaffinch.model.block_scores import shipped
from chaffinch.model.features import features
from chaffinch.model.network import Network
from chaffinch.page import parse
from strategies import markup

WIDTHS = (0, 1, 2)
"""Any machine's, AVX2 and AVX-512; where there is less, that."""
POLICY = np.array([-1, 0, 1, 0], dtype=np.float32)
ONE = "<p>One."


def assert_same(network, found, most=2e-6):
    """Compare all widths with each other."""
    answers = [kernels.network(*arguments_of(network, found, width)) for width in WIDTHS]
    usual = network(found, POLICY)
    for score, kinds in answers:
        assert score.dtype == kinds.dtype == np.float32
        assert np.abs(score - usual.score).max() < most
        assert np.abs(kinds - usual.kinds).max() < most


def arguments_of(network, found, widest=2):
    """Return what the kernel is called with."""
    arguments = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "network", lambda *given: (arguments.extend(given), given)[1][:2])
        network(found, POLICY, widest)
    return arguments


@settings(max_examples=60)
@given(html=markup())
def test_random_pages(html):
    page = parse(ONE + html)
    for network in shipped().network.networks:
        assert_same(network, features(page))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 63, 64, 65, 300, 5000])
def test_any_number_of_blocks(count):
    rows = "".join(
        f"<div class='n{i % 7} x-{i % 3}'><p>Word {i % 11}</p></div>" for i in range(count)
    )
    found = features(parse(f"<main>{rows}</main>"))
    assert len(found) == count
    assert_same(shipped().network.networks[0], found)


@pytest.mark.parametrize(
    ("unit", "size"),
    [
        ("<p>a</p></iframe></p><marquee >", 60_000),
        ("<menu><li>\u00ad<h4\t hom='-1'>3 hours ag", 20_000),
        ("<td><table><tr><th scope=row>1. oa", 60_000),
    ],
)
def test_shares_that_are_small_in_every_block(unit, size):
    """Found by fuzzing: 4e-5 apart, since what a share leaves of 1 had no digits left."""
    found = features(parse(unit * (size // len(unit))))
    for network in shipped().network.networks:
        assert_same(network, found)


def test_probabilities_are_right_to_the_last_places():
    found = features(parse(ONE))
    weights = Path(block_scores.__file__).with_name("weights.npz")
    with np.load(weights) as archive:
        every = {name: archive[name] for name in archive.files if name != "header"}
    zeros = {
        name: np.zeros_like(one) for name, one in block_scores.split_networks(every)[0].items()
    }
    ones = {name: zeros[name] + 1 for name in ("scale", "cooling")}
    network = Network.of(zeros | ones)
    layers = network.packed[3]
    bias = len(layers) - 8  # that of the last layer, padded
    for logit in np.linspace(-100, 100, 2001, dtype=np.float32):
        layers[bias] = logit
        exact = 1 / (1 + np.exp(-np.float64(logit)))
        for width in WIDTHS:
            score, kinds = network(found, POLICY, width)
            assert abs(score[0] - exact) <= max(exact * 3e-7, 1e-37)
            assert np.abs(kinds - 1 / len(kinds)).max() < 1e-7


def arguments_in_c(html):
    """Return what C is called with: room for what it writes, too."""
    found = features(parse(html))
    network = shipped().network.networks[0]
    weights, facts, blocks, groups, widest = arguments_of(network, found)
    room = np.empty(len(found), np.float32), np.empty(weights[0][5], np.float32)
    return [*weights, facts, *blocks, groups, *room, widest]


@pytest.mark.parametrize("sizes", [[0] * 8, [-1] * 8, [2**40] * 8, [40, 8, 8, 2, 12, 7, 12]])
def test_sizes_that_cannot_be_are_refused(sizes):
    arguments = arguments_in_c(ONE)
    arguments[0] = np.array(sizes)
    with pytest.raises(TypeError):
        _native.network(*arguments)
