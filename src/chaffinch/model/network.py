"""The network: from features of text blocks to the probability that each is content.

Embeddings of hashed names and words, a dense layer, page-wide context pooled through learned
gates, dilated convolutions over the sequence of blocks, pooling over groups of similar blocks and
over the nearest container, and prototypes: each block is compared with the means of the blocks that
an early output scores as content and as boilerplate: all in float32, by one kernel, which takes the
weights packed; the same in PyTorch is in ``training/torch_network.py``.

Networks trained alike from different seeds make different errors, and the mean of their outputs is
better than each of them: Lakshminarayanan, Pritzel and Blundell 2017, «Simple and Scalable
Predictive Uncertainty Estimation using Deep Ensembles», section 2.4. Departure: the others are
evaluated only where the first is uncertain, for they change little elsewhere; for most articles the
first is enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.kernels.arrays import Floats, frozen
from chaffinch.kernels.codes import NAME_WORDS, NETWORK_PADDED
from chaffinch.model.features import Features
from chaffinch.model.head_signals import FACTS

_LINE: Final = 16
"""Floats in a line of the processor's cache, at which the weights begin."""
_WIDEST: Final = 2
"""The widest vectors that the kernel may use: AVX-512."""


def _up(size: int) -> int:
    """Return the next multiple of `NETWORK_PADDED`."""
    return -(-size // NETWORK_PADDED) * NETWORK_PADDED


def _padded(array: Floats) -> Floats:
    """Return the array with zeros at the end of its rows up to a multiple of `NETWORK_PADDED`."""
    rows = np.atleast_2d(array)
    if rows.shape[1] % NETWORK_PADDED == 0:
        return rows
    padded = np.zeros((len(rows), _up(rows.shape[1])), dtype=np.float32)
    padded[:, : rows.shape[1]] = rows
    return padded


def _stretched(matrix: Floats, size: int) -> Floats:
    """Return the matrix with zeros after each ``size`` rows up to a multiple of the padding."""
    parts = matrix.reshape(-1, size, matrix.shape[1])
    out = np.zeros((len(parts), _up(size), matrix.shape[1]), dtype=np.float32)
    out[:, :size] = parts
    return out.reshape(-1, matrix.shape[1])


def _aligned(parts: list[Floats]) -> Floats:
    """Return all parts in one array that begins with a line of the cache."""
    size = sum(map(len, parts))
    room: Floats = np.empty(size + _LINE, dtype=np.float32)
    start = -(room.ctypes.data // room.itemsize) % _LINE
    aligned: Floats = room[start : start + size]
    np.concatenate(parts, out=aligned)
    return aligned


POLICY_FLAGS: Final = ("headline", "byline", "captions", "comments")
"""Parts that some corpora label as content and others don't: 1 with them, -1 without, 0 for either.

Set to 1 or -1 they move all scores of a page a little, and no part for sure: so what a caller wants
is a matter of rules (`chaffinch.decision.policy_parts`), and the network always gets `USUAL_FLAGS`.
"""
USUAL_FLAGS: Final = frozen(np.array([-1, 0, 0, 0], dtype=np.float32))
"""The headline apart, which has a place of its own, by most labels of similar pages."""

GATES: Final = 2
FIRST_STEPS: Final = (1, 3, 9)
LAST_STEPS: Final = (1,)
"""Dilations of the convolutions before and after the prototypes."""


def _convolutions(name: str, steps: Sequence[int]) -> list[str]:
    return [f"{name}.{at}.{part}" for at in range(len(steps)) for part in ("weight", "bias")]


_LAYERS: Final = (
    *("facts.weight", "enter.bias", "numbers.weight", "names.weight"),
    *("gate.weight", "gate.bias", "context.weight", "context.bias", "second.weight"),
    *_convolutions("first_convolutions", FIRST_STEPS),
    *("pool.weight", "together.weight", "together.bias", "early.weight", "early.bias"),
    *("prototypes.weight", "prototypes.bias", "third.weight"),
    *_convolutions("last_convolutions", LAST_STEPS),
    *("kind.weight", "kind.bias", "cooling", "leave.weight", "leave.bias"),
)
"""Names of the layers' arrays in the order in which the kernel finds them."""


PATH_SCALE: Final = 1 / 4
_FIXED: Final = np.float32(1 << 14)
"""Units of the fixed-point numbers in which names are summed over ancestors."""

UNCERTAIN: Final = 0.25
"""The `uncertainty` from which all networks are evaluated. Chosen on held-out folds of the training
corpora (EXPERIMENTS.md)."""


class Prediction(NamedTuple):
    """The output of a network for one page.

    Attributes:
        score: float32[m] in 0..1, probability that each block is content.
        kinds: float32[types] in 0..1, probability of each page type.
    """

    score: Floats
    kinds: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """Weights by name, with the scaling of the numbers folded into the first layer.

    Their ``mean``, float32[numbers], is that of the training pages: what a number without any
    influence would be.
    """

    weights: Mapping[str, Floats]

    @classmethod
    def of(cls, arrays: Mapping[str, Floats]) -> Network:
        """Return the network whose arrays training exported."""
        weights = {
            name: np.ascontiguousarray(value.T if name.endswith("weight") else value, np.float32)
            for name, value in arrays.items()
        }
        mean, scale = weights["mean"], weights.pop("scale")
        enter, numbers = weights.pop("enter.weight"), len(mean)
        weights["numbers.weight"] = np.ascontiguousarray(enter[:numbers] * scale[:, None])
        facts = len(enter) - len(POLICY_FLAGS) - len(FACTS)
        weights["names.weight"] = np.ascontiguousarray(enter[numbers:facts])
        weights["facts.weight"] = enter[facts:]
        weights["enter.bias"] = weights["enter.bias"] - mean @ weights["numbers.weight"]
        for context, layer in (("context", "second"), ("prototypes", "third")):
            weights[f"{context}.bias"] = weights[f"{context}.bias"] + weights.pop(f"{layer}.bias")
        for name in ("gate.weight", "gate.bias", "early.weight", "early.bias", "cooling"):
            weights[name] = weights[name] * np.float32(0.5)  # as the kernel takes it: tanh
        for name in ("name_vectors", "word_vectors"):
            nothing = np.zeros((1, weights[name].shape[1]), np.float32)
            weights[name] = np.concatenate([weights[name], nothing])
        return cls(weights)

    def __call__(self, found: Features, policy: Floats, widest: int = _WIDEST) -> Prediction:
        """Return the prediction for a page of at least one block.

        Args:
            found: the features of its blocks.
            policy: float32[flags].
            widest: the widest vectors that may be used: 0 any machine's, 1 AVX2, 2 AVX-512.
        """
        page, names, above = found.blocks.page, found.names, found.above
        blocks = (
            np.ascontiguousarray(found.numbers.T),
            *(page.tag, names.of_row, above.place, above.rows, above.up, above.over),
            *(np.ascontiguousarray(names.buckets.T), found.near, found.words),
            *(found.heading, found.section, found.low, found.high, found.group),
        )
        facts = np.concatenate([policy, found.facts])
        return Prediction(*kernels.network(self.packed, facts, blocks, found.groups, widest))

    @cached_property
    def packed(self) -> tuple[NDArray[Any], ...]:
        """The weights as the kernel takes them, seven arrays.

        int64[8]: width, of vectors of names, of words; gates, size of pools, page types; words of a
        set of names, units of fixed-point numbers. int64[…] twice, the dilations. float32[…], all
        layers in the order of ``Weights`` in ``kernels/native/network.h``. float32[…, e] each, the
        vectors of tags, names and words. Rows are padded with zeros.
        """
        weights, units = self.weights, int(_FIXED)
        names, words = weights["name_vectors"].shape[1], weights["word_vectors"].shape[1]
        path = len(weights["names.weight"]) - 3 * words
        near, phrases = np.split(weights["names.weight"].copy(), [path])
        near[-names:] *= PATH_SCALE / units
        stretched = [_stretched(near, names), _stretched(phrases, words)]
        arrays = {**weights, "names.weight": np.concatenate(stretched)}
        sizes = [
            *(len(weights["enter.bias"]), _up(names), _up(words), len(weights["gate.bias"])),
            *(weights["pool.weight"].shape[1] // 2, len(weights["cooling"]), NAME_WORDS, units),
        ]
        return (
            *map(np.array, (sizes, FIRST_STEPS, LAST_STEPS)),
            _aligned([_padded(arrays[name]).ravel() for name in _LAYERS]),
            *(_padded(weights[f"{kind}_vectors"]) for kind in ("tag", "name", "word")),
        )


@dataclass(frozen=True, eq=False)
class Ensemble:
    """One network or more.

    Attributes:
        networks: the networks; the first is evaluated for every page.
        uncertain: the `uncertainty` from which all of them are; 0 for every page.
    """

    networks: tuple[Network, ...]
    uncertain: float = UNCERTAIN

    @classmethod
    def whole(cls, networks: tuple[Network, ...]) -> Ensemble:
        """Return the ensemble of networks that are all evaluated for every page."""
        return cls(networks, 0.0)

    def __call__(self, features: Features, policy: Floats) -> Prediction:
        """Return the prediction for a page of at least one block; ``policy`` is float32[flags]."""
        prediction = self.networks[0](features, policy)
        others = self._further(prediction, features)
        if not others:
            return prediction
        every = [prediction, *(network(features, policy) for network in others)]
        return Prediction(_mean([one.score for one in every]), _mean([one.kinds for one in every]))

    def used(self, features: Features, policy: Floats) -> tuple[Network, ...]:
        """Return the networks that are evaluated for a page; arguments are those of a call."""
        first = self.networks[0](features, policy)
        return (self.networks[0], *self._further(first, features))

    def _further(self, first: Prediction, features: Features) -> tuple[Network, ...]:
        """Return the networks that are evaluated after the first, given its prediction."""
        if len(self.networks) == 1 or uncertainty(first.score, features.units) < self.uncertain:
            return ()
        return self.networks[1:]


def uncertainty(score: Floats, units: Floats) -> float:
    """Return the expected number of wrongly classified words per word of expected content.

    Args:
        score: float32[m] in 0..1, probability that each block is content.
        units: float32[m], words of each block.
    """
    content, found, chosen = kernels.kept_sums(score, units, score > 1 / 2)
    missed, wrong = content - found, chosen - found
    return (missed + wrong) / (content + 1e-9)


def _mean(rows: list[Floats]) -> Floats:
    mean = rows[0].copy()
    for row in rows[1:]:
        mean += row
    mean /= np.float32(len(rows))
    return mean
