"""What each group of the network's inputs adds to the score of each block: explanations, on demand.

Leave one out: the network is run once more for each group, without it, and the difference of the
blocks' log-odds is what the group adds (occlusion, as in Zeiler and Fergus 2014, «Visualizing and
Understanding Convolutional Networks», section 4.2, of groups of features in place of patches). A
group is left out of the first layer, for all blocks of the page at once: numbers have their mean of
the training pages, names and words are those of none. So it holds what a group does by way of the
other blocks, too; the groups' sums needn't be the whole, as inputs act together.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.explanation import Contribution
from chaffinch.model.feature_groups import GROUPS, PARTS
from chaffinch.model.features import NUMBERS
from chaffinch.model.network import POLICY_FLAGS, USUAL_FLAGS, Ensemble, Network

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.feature_groups import FeatureGroup
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats

LEAST: Final = 0.05
"""Log-odds below which a contribution isn't worth a word."""
_EDGE: Final = 1e-6  # bounds probabilities, so that log-odds stay within about 14
_ROWS_OF_NAMES: Final = (2, 2, 1, 1, 2)
"""Vectors of names, then of words, that each of `PARTS` has."""


def contributions(ensemble: Ensemble, found: Features) -> list[tuple[Contribution, ...]]:
    """Return what adds to the score of each of m blocks, the strongest first.

    Groups that add less than `LEAST` are left out.
    """
    added = attributions(ensemble, found)
    out = []
    for block in range(len(found)):
        of_block = added[:, block]
        order = np.argsort(-np.abs(of_block), kind="stable")
        out.append(
            tuple(
                Contribution(
                    GROUPS[number].name,
                    round(float(of_block[number]), 3),
                    GROUPS[number].value(found, block),
                )
                for number in order.tolist()
                if abs(of_block[number]) >= LEAST
            )
        )
    return out


def attributions(ensemble: Ensemble, found: Features) -> NDArray[np.float64]:
    """Return float64[groups, m]: the log-odds that each of `GROUPS` adds to each block.

    Takes the time of one prediction for each group, about 15 times that of a score.
    """
    used = Ensemble.whole(ensemble.used(found, USUAL_FLAGS))
    whole = _log_odds(used(found, USUAL_FLAGS).score)
    return np.stack(
        [whole - _log_odds(without(used, group)(found, USUAL_FLAGS).score) for group in GROUPS]
    )


def without(ensemble: Ensemble, group: FeatureGroup) -> Ensemble:
    """Return the networks without a group of inputs, all of which are always evaluated."""
    return Ensemble.whole(tuple(_without(network, group) for network in ensemble.networks))


@lru_cache(maxsize=128)
def _without(network: Network, group: FeatureGroup) -> Network:
    """Return a network whose first layer doesn't see a group of its inputs."""
    weights = dict(network.weights)
    columns = [NUMBERS.index(name) for name in group.numbers]
    if columns:
        numbers = weights["numbers.weight"].copy()
        weights["enter.bias"] = weights["enter.bias"] + weights["mean"][columns] @ numbers[columns]
        numbers[columns] = 0
        weights["numbers.weight"] = numbers
    if group.parts:
        names = weights["names.weight"].copy()
        for part in group.parts:
            names[rows_of(part, weights["name_vectors"], weights["word_vectors"])] = 0
        weights["names.weight"] = names
    if group.head:
        facts = weights["facts.weight"].copy()
        facts[len(POLICY_FLAGS) :] = 0
        weights["facts.weight"] = facts
    made = Network(weights)
    # The vectors, most of the weights, are shared.
    vars(made)["packed"] = replace(made.packed, vectors=network.packed.vectors)
    return made


def rows_of(part: str, of_names: Floats, of_words: Floats) -> slice:
    """Return the rows of ``names.weight`` that a part of `PARTS` has."""
    size = {True: of_words.shape[1], False: of_names.shape[1]}
    lengths = [
        count * size["words" in name] for name, count in zip(PARTS, _ROWS_OF_NAMES, strict=True)
    ]
    number = PARTS.index(part)
    return slice(sum(lengths[:number]), sum(lengths[: number + 1]))


def _log_odds(score: Floats) -> NDArray[np.float64]:
    inner = np.clip(score.astype(np.float64), _EDGE, 1 - _EDGE)
    odds: NDArray[np.float64] = np.log(inner / (1 - inner))
    return odds
