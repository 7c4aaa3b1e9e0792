"""The network: from features of text blocks to the probability that each is content.

Embeddings of hashed names and words, a dense layer, page-wide context pooled through learned
gates, dilated convolutions over the sequence of blocks, pooling over blocks that hang alike and
over the nearest container, and a second look in which each block is compared with the mean of
what looked like content and of what did not. All in float32 with numpy; the same in PyTorch is in
``training/torch_network.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.model import marks as names
from chaffinch.model.ancestors import sums_above
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats

POLICY_FLAGS: Final = ("headline", "byline", "captions", "comments")
"""What corpora disagree about; see `chaffinch.model.policy`."""

GATES: Final = 2
FIRST_STEPS: Final = (1, 2, 4, 8)
LAST_STEPS: Final = (1,)
"""Dilations of the convolutions before and after the second look."""

PATH_SCALE: Final = np.float32(1 / 4)
_ONE_THREAD: Final = 1 << 18
"""Multiplications up to which OpenBLAS stays on one thread (65,536 times its threshold of 4)."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What the network says of one page.

    Attributes:
        score: float32[m] in 0..1, probability that each block is content.
        kinds: float32[types] in 0..1, probability of each page type.
    """

    score: Floats
    kinds: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """Weights by name, with the scaling of the numbers folded into the first layer."""

    weights: Mapping[str, Floats]

    @classmethod
    def of(cls, arrays: Mapping[str, Floats]) -> Network:
        """Return the network of the arrays that training exports."""
        weights = {
            name: np.ascontiguousarray(value.T if name.endswith("weight") else value, np.float32)
            for name, value in arrays.items()
        }
        mean, scale = weights.pop("mean"), weights.pop("scale")
        enter = weights["enter.weight"].copy()
        enter[: len(mean)] *= scale[:, None]
        weights["enter.bias"] = weights["enter.bias"] - mean @ enter[: len(mean)]
        weights["enter.weight"] = enter
        weights["name_vectors"] = np.concatenate(
            [weights["name_vectors"], np.zeros((1, weights["name_vectors"].shape[1]), np.float32)]
        )
        return cls(weights)

    def __call__(self, found: Features, policy: Floats) -> Answer:
        """Return the answer for a page of at least one block; ``policy`` is float32[flags]."""
        w = self.weights
        count = len(found)
        h = _relu(_times(self._given(found, policy), w["enter.weight"]) + w["enter.bias"])
        gates = _sigmoid(_times(h, w["gate.weight"]) + w["gate.bias"])
        pooled = np.concatenate(
            [
                h.sum(axis=0) / (count + 1),
                ((gates.T @ h) / (gates.sum(axis=0) + 1)[:, None]).ravel(),
            ]
        )
        context = pooled @ w["context.weight"] + (w["context.bias"] + w["second.bias"])
        h = _relu(_times(h, w["second.weight"]) + context)
        for number, step in enumerate(FIRST_STEPS):
            h += self._convolved(h, f"first_convolutions.{number}", step)
        h += _relu(_times(_together(h, found), w["together.weight"]) + w["together.bias"])
        chosen = _sigmoid(_times(h, w["early.weight"]) + w["early.bias"])
        amount = chosen.sum()
        content = (chosen.T @ h)[0]
        prototypes = np.concatenate(
            [content / (amount + 1), (h.sum(axis=0) - content) / (count - amount + 1)]
        )
        context = prototypes @ w["prototypes.weight"] + (w["prototypes.bias"] + w["third.bias"])
        h += _relu(_times(h, w["third.weight"]) + context)
        for number, step in enumerate(LAST_STEPS):
            h += self._convolved(h, f"last_convolutions.{number}", step)
        score = _sigmoid(_times(h, w["leave.weight"]) + w["leave.bias"])[:, 0]
        kinds = prototypes @ w["kind.weight"] + w["kind.bias"]
        kinds = np.exp(kinds - kinds.max())
        return Answer(score, kinds / kinds.sum())

    def _given(self, found: Features, policy: Floats) -> Floats:
        """Return float32[m, inputs]: numbers, names, words and policy side by side."""
        w = self.weights
        page, count = found.blocks.page, len(found)
        elements = np.flatnonzero((found.held > 0) & (page.tag != tags.TEXT))
        signs = w["tag_vectors"][page.tag[elements]]
        signs += self._name_vectors(found)[found.marks.of_row[elements]]
        place = np.zeros(len(page), dtype=np.int32)
        place[elements] = np.arange(len(elements))
        own_words = self._word_vectors(found)
        paths = sums_above(elements, page.end[elements], signs, found.blocks.first)
        paths *= PATH_SCALE
        return np.concatenate(
            [
                found.numbers,
                signs[place[found.near]].reshape(count, -1),
                paths,
                own_words[:count],
                own_words[found.heading],
                np.broadcast_to(policy, (count, len(policy))),
            ],
            axis=1,
            dtype=np.float32,
        )

    def _name_vectors(self, found: Features) -> Floats:
        """Return float32[sets, e]: the vector of each set of names."""
        vectors = self.weights["name_vectors"]
        items, sizes = names.flattened(found.marks.words)
        # An empty set is given the last bucket, whose vector is 0, since reduceat needs one.
        spot = np.maximum(sizes, 1)
        starts = np.cumsum(spot) - spot
        padded = np.full(int(spot.sum()), len(vectors) - 1, dtype=np.int32)
        padded[np.repeat(sizes > 0, spot)] = items
        sums = np.add.reduceat(vectors[padded], starts, axis=0)
        sums /= np.sqrt(spot, dtype=np.float32)[:, None]
        return sums

    def _word_vectors(self, found: Features) -> Floats:
        """Return float32[m + 1, e]: the vector of each block's words; 0 for none, and at m."""
        vectors = self.weights["word_vectors"]
        amount = np.bincount(found.words.text, minlength=len(found) + 1)
        out = np.zeros((len(found) + 1, vectors.shape[1]), dtype=np.float32)
        some = np.flatnonzero(amount)
        if len(some):
            starts = (np.cumsum(amount) - amount)[some]
            sums = np.add.reduceat(vectors[found.words.bucket], starts, axis=0)
            out[some] = sums / np.sqrt(amount[some], dtype=np.float32)[:, None]
        return out

    def _convolved(self, h: Floats, name: str, step: int) -> Floats:
        count, width = h.shape
        wide = np.empty((count, 3 * width), dtype=np.float32)
        wide[:step, :width] = 0
        wide[step:, :width] = h[:-step]
        wide[:, width : 2 * width] = h
        wide[:-step, 2 * width :] = h[step:]
        wide[-step:, 2 * width :] = 0
        out = _times(wide, self.weights[f"{name}.weight"])
        out += self.weights[f"{name}.bias"]
        return np.maximum(out, 0, out=out)


def _together(h: Floats, found: Features) -> Floats:
    """Return float32[m, 3e]: h, its mean over like blocks, its mean over the container."""
    count, width = h.shape
    order = np.argsort(found.group, kind="stable")
    sizes = np.bincount(found.group)
    starts = np.cumsum(sizes) - sizes
    means = np.add.reduceat(h[order], starts, axis=0) / sizes[:, None].astype(np.float32)
    prefix = np.zeros((count + 1, width), dtype=np.float32)
    np.cumsum(h, axis=0, out=prefix[1:])
    amount = (found.high - found.low).astype(np.float32)[:, None]
    around = (prefix[found.high] - prefix[found.low]) / amount
    return np.concatenate([h, means[found.group], around], axis=1)


def _times(rows: Floats, matrix: Floats) -> Floats:
    """Return float32[m, k]: ``rows`` (m, n) times ``matrix`` (n, k), some rows at a time.

    Numpy's OpenBLAS wakes its threads for larger products. For a page's few hundred blocks that
    costs more than it saves, and many times more where all cores are busy.
    """
    at_once = max(_ONE_THREAD // matrix.size, 1)
    whole = len(rows) - len(rows) % at_once
    out = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    parts = rows[:whole].reshape(-1, at_once, rows.shape[1])
    np.matmul(parts, matrix, out=out[:whole].reshape(-1, at_once, matrix.shape[1]))
    np.matmul(rows[whole:], matrix, out=out[whole:])
    return out


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)


def _sigmoid(values: NDArray[np.float32]) -> Floats:
    """Return the logistic function, without overflow."""
    scores: Floats = np.tanh(np.float32(0.5) * values)
    scores += 1
    scores *= np.float32(0.5)
    return scores
