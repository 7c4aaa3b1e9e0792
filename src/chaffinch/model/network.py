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
from chaffinch.model import words
from chaffinch.model.claims import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats

POLICY_FLAGS: Final = ("headline", "byline", "captions", "comments")
"""What corpora disagree about; see `chaffinch.model.policy`."""

GATES: Final = 2
FIRST_STEPS: Final = (1, 3, 9)
LAST_STEPS: Final = (1,)
"""Dilations of the convolutions before and after the second look."""

PATH_SCALE: Final = 1 / 4
_FIXED: Final = np.float32(1 << 14)
"""Units of the fixed-point numbers in which names are summed over ancestors."""
_ONE_THREAD: Final = 1 << 18
"""Multiplications up to which OpenBLAS stays on one thread (65,536 times its threshold of 4)."""
_AT_ONCE: Final = 1 << 14
"""Blocks whose inputs are held at a time; pages of the corpora have fewer."""


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
        enter, numbers = weights.pop("enter.weight"), len(mean)
        weights["numbers.weight"] = np.ascontiguousarray(enter[:numbers] * scale[:, None])
        facts = len(enter) - len(POLICY_FLAGS) - len(FACTS)
        weights["names.weight"] = np.ascontiguousarray(enter[numbers:facts])
        weights["facts.weight"] = enter[facts:]
        weights["enter.bias"] = weights["enter.bias"] - mean @ weights["numbers.weight"]
        for name in ("name_vectors", "word_vectors"):
            nothing = np.zeros((1, weights[name].shape[1]), np.float32)
            weights[name] = np.concatenate([weights[name], nothing])
        return cls(weights)

    def __call__(self, found: Features, policy: Floats) -> Answer:
        """Return the answer for a page of at least one block; ``policy`` is float32[flags]."""
        w = self.weights
        count = len(found)
        every = np.ones((1, count), dtype=np.float32)
        h = _times(found.numbers, w["numbers.weight"])
        h += self._named(found)
        h += np.concatenate([policy, found.facts]) @ w["facts.weight"] + w["enter.bias"]
        _relu(h)
        gates = _sigmoid(_times(h, w["gate.weight"]) + w["gate.bias"])
        weight = np.concatenate([every, gates.T])
        pooled = (weight @ h) / (weight.sum(axis=1, keepdims=True) + 1)
        context = pooled.ravel() @ w["context.weight"] + (w["context.bias"] + w["second.bias"])
        h = _times(h, w["second.weight"])
        h += context
        _relu(h)
        for number, step in enumerate(FIRST_STEPS):
            h += self._convolved(h, f"first_convolutions.{number}", step)
        h += self._together(h, found)
        chosen = _sigmoid(_times(h, w["early.weight"]) + w["early.bias"])
        weight = np.concatenate([chosen.T, 1 - chosen.T])
        prototypes = ((weight @ h) / (weight.sum(axis=1, keepdims=True) + 1)).ravel()
        context = prototypes @ w["prototypes.weight"] + (w["prototypes.bias"] + w["third.bias"])
        more = _times(h, w["third.weight"])
        more += context
        h += _relu(more)
        for number, step in enumerate(LAST_STEPS):
            h += self._convolved(h, f"last_convolutions.{number}", step)
        kinds = prototypes @ w["kind.weight"] + w["kind.bias"]
        kinds = np.exp(kinds - kinds.max())
        kinds /= kinds.sum()
        logits = _times(h, w["leave.weight"])[:, 0] + w["leave.bias"]
        return Answer(_sigmoid(logits * (kinds @ w["cooling"])), kinds)

    def _named(self, found: Features) -> Floats:
        """Return float32[m, k]: what names and words add to the first layer."""
        matrix = self.weights["names.weight"]
        out = np.empty((len(found), matrix.shape[1]), dtype=np.float32)
        for some, inputs in self.names_and_words(found):
            _times(inputs, matrix, out[some])
        return out

    def names_and_words(self, found: Features) -> Iterator[tuple[slice, Floats]]:
        """Yield names near, names above, words, words of headings of some blocks at a time.

        Yields:
            Which blocks, and float32[of them, inputs].
        """
        w = self.weights
        page, above = found.blocks.page, found.above
        signs = w["tag_vectors"][page.tag[above.rows]]
        signs += self._name_vectors(found)[found.marks.of_row[above.rows]]
        paths = above.sums((signs.T * _FIXED).astype(np.int32))
        own_words = self._word_vectors(found)
        size = signs.shape[1]
        near, path = found.near.shape[1] * size, (found.near.shape[1] + 1) * size
        for some in _parts(len(found)):
            places = above.place[found.near[some]]
            count = len(places)
            out = np.empty((count, path + 3 * own_words.shape[1]), dtype=np.float32)
            out[:, :near] = signs[places].reshape(count, -1)
            np.multiply(
                paths[:, some].T, PATH_SCALE / _FIXED, out=out[:, near:path], casting="unsafe"
            )
            said = out[:, path:].reshape(count, 3, -1)
            said[:, 0] = own_words[some]
            said[:, 1] = own_words[found.heading[some]]
            said[:, 2] = own_words[found.section[some]]
            yield some, out

    def _name_vectors(self, found: Features) -> Floats:
        """Return float32[sets, e]: the vector of each set of names."""
        buckets, sizes = names.padded(found.marks.words)
        sums: Floats = self.weights["name_vectors"][buckets].sum(axis=0)
        sums /= np.sqrt(np.maximum(sizes, 1), dtype=np.float32)[:, None]
        return sums

    def _word_vectors(self, found: Features) -> Floats:
        """Return float32[m + 1, e]: the vector of each block's words; 0 at m."""
        vectors = self.weights["word_vectors"]
        out = np.zeros((len(found) + 1, vectors.shape[1]), dtype=np.float32)
        for some in _parts(len(found)):
            np.sum(vectors[found.words[:, some]], axis=0, out=out[some])
        amount = (found.words < words.NONE).sum(axis=0)
        out[:-1] /= np.sqrt(amount, dtype=np.float32)[:, None]
        return out

    def _convolved(self, h: Floats, name: str, step: int) -> Floats:
        """Return float32[m, e]: each block with those ``step`` before and after, mixed in."""
        before, own, after = self.weights[f"{name}.weight"].reshape(3, h.shape[1], -1)
        out = _times(h, own)
        out[step:] += _times(h[:-step], before)
        out[:-step] += _times(h[step:], after)
        out += self.weights[f"{name}.bias"]
        return _relu(out)

    def _together(self, h: Floats, found: Features) -> Floats:
        """Return float32[m, e]: what a block's group and container have in the mean, mixed in."""
        w = self.weights
        count = len(h)
        groups = found.groups
        seen = _times(h, w["pool.weight"])
        half = seen.shape[1] // 2
        sums = np.zeros((count + 1, 2 * half), dtype=np.float32)
        np.add.accumulate(seen[groups.order, :half], axis=0, out=sums[1:, :half])
        np.add.accumulate(seen[:, half:], axis=0, out=sums[1:, half:])
        of_groups = sums[groups.edges, :half]
        means = of_groups[1:] - of_groups[:-1]
        means /= np.diff(groups.edges)[:, None]
        around = sums[found.high, half:] - sums[found.low, half:]
        around /= (found.high - found.low)[:, None]
        matrix = w["together.weight"]
        out = _times(h, matrix[: -2 * half])
        out += _times(means, matrix[-2 * half : -half])[groups.of_block]
        out += _times(around, matrix[-half:])
        out += w["together.bias"]
        return _relu(out)


def _parts(count: int) -> Iterator[slice]:
    """Yield slices of ``count`` blocks: what is wide is made of some at a time."""
    for start in range(0, count, _AT_ONCE):
        yield slice(start, min(start + _AT_ONCE, count))


def _times(rows: Floats, matrix: Floats, out: Floats | None = None) -> Floats:
    """Return float32[m, k]: ``rows`` (m, n) times ``matrix`` (n, k), some rows at a time.

    It is written to ``out`` where that is given.

    Numpy's OpenBLAS wakes its threads for larger products. For a page's few hundred blocks that
    costs more than it saves, and many times more where all cores are busy.
    """
    at_once = max(_ONE_THREAD // matrix.size, 1)
    if out is None:
        out = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    for start in range(0, len(rows), at_once):
        np.matmul(rows[start : start + at_once], matrix, out=out[start : start + at_once])
    return out


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)


def _sigmoid(values: NDArray[np.float32]) -> Floats:
    """Return the logistic function, without overflow."""
    scores: Floats = np.tanh(np.float32(0.5) * values)
    scores += 1
    scores *= np.float32(0.5)
    return scores
