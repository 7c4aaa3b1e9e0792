"""The network: from features of text blocks to the probability that each is content.

Embeddings of hashed names and words, a dense layer, page-wide context pooled through learned
gates, dilated convolutions over the sequence of blocks, pooling over blocks that hang alike and
over the nearest container, and a second look in which each block is compared with the mean of
what looked like content and of what did not. All in float32: with numpy here, by one compiled
function where there are kernels (`chaffinch.model.packed_network`: the sums in another order, each
probability the same within 2e-6); the same in PyTorch is in ``training/torch_network.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels import kernels
from chaffinch.model import name_hashes as names
from chaffinch.model import words
from chaffinch.model.head_signals import FACTS
from chaffinch.model.packed_network import Packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats

POLICY_FLAGS: Final = ("headline", "byline", "captions", "comments")
"""What corpora disagree about; see `chaffinch.decision.policy`."""

GATES: Final = 2
FIRST_STEPS: Final = (1, 3, 9)
LAST_STEPS: Final = (1,)
"""Dilations of the convolutions before and after the second look."""

_PADDING: Final = max(*FIRST_STEPS, *LAST_STEPS)
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
        for context, layer in (("context", "second"), ("prototypes", "third")):
            weights[f"{context}.bias"] = weights[f"{context}.bias"] + weights.pop(f"{layer}.bias")
        for name in ("gate.weight", "gate.bias", "early.weight", "early.bias", "cooling"):
            weights[name] = weights[name] * np.float32(0.5)  # as `_logistic_of_twice` takes it
        for name in ("name_vectors", "word_vectors"):
            nothing = np.zeros((1, weights[name].shape[1]), np.float32)
            weights[name] = np.concatenate([weights[name], nothing])
        return cls(weights)

    def __call__(self, found: Features, policy: Floats) -> Answer:
        """Return the answer for a page of at least one block; ``policy`` is float32[flags]."""
        facts = np.concatenate([policy, found.facts])
        if (compiled := kernels()) and hasattr(compiled, "network"):
            return Answer(*self.packed(compiled.network, found, facts))
        w = self.weights
        count = len(found)
        given = facts @ w["facts.weight"] + w["enter.bias"]
        h = _times(found.numbers, w["numbers.weight"])
        h += self._named(found)
        _relu(h, given)
        weight = np.ones((1 + GATES, count), dtype=np.float32)
        weight[1:] = _logistic_of_twice(_times(h, w["gate.weight"]), w["gate.bias"]).T
        context = _means(h, weight) @ w["context.weight"] + w["context.bias"]
        padded = np.zeros((count + 2 * _PADDING, len(context)), dtype=np.float32)
        h = _times(h, w["second.weight"], padded[_PADDING:-_PADDING])
        _relu(h, context)
        for number, step in enumerate(FIRST_STEPS):
            h += self._convolved(padded, f"first_convolutions.{number}", step)
        h += self._together(h, found)
        weight = np.empty((2, count), dtype=np.float32)
        weight[0] = _logistic_of_twice(_times(h, w["early.weight"]), w["early.bias"])[:, 0]
        np.subtract(1, weight[0], out=weight[1])
        prototypes = _means(h, weight)
        context = prototypes @ w["prototypes.weight"] + w["prototypes.bias"]
        h += _relu(_times(h, w["third.weight"]), context)
        for number, step in enumerate(LAST_STEPS):
            h += self._convolved(padded, f"last_convolutions.{number}", step)
        kinds = prototypes @ w["kind.weight"] + w["kind.bias"]
        kinds = np.exp(kinds - kinds.max())
        kinds /= kinds.sum()
        logits = _times(h, w["leave.weight"])[:, 0] + w["leave.bias"]
        logits *= kinds @ w["cooling"]
        return Answer(_logistic_of_twice(logits), kinds)

    @cached_property
    def packed(self) -> Packed:
        """The weights as the compiled kernel takes them."""
        return Packed.of(
            self.weights,
            steps=(FIRST_STEPS, LAST_STEPS),
            units=int(_FIXED),
            path_scale=PATH_SCALE,
        )

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
        signs = w["tag_vectors"].take(page.tag[above.rows], axis=0)
        signs += self._name_vectors(found).take(found.marks.of_row[above.rows], axis=0)
        fixed = np.empty(signs.T.shape, dtype=np.int32)
        paths = above.sums(np.multiply(signs.T, _FIXED, out=fixed, casting="unsafe"))
        own_words = self._word_vectors(found)
        size = signs.shape[1]
        near, path = found.near.shape[1] * size, (found.near.shape[1] + 1) * size
        for some in _parts(len(found)):
            places = above.place[found.near[some]]
            count = len(places)
            out = np.empty((count, path + 3 * own_words.shape[1]), dtype=np.float32)
            out[:, :near] = signs.take(places, axis=0).reshape(count, -1)
            np.multiply(
                paths[:, some].T, PATH_SCALE / _FIXED, out=out[:, near:path], casting="unsafe"
            )
            said = out[:, path:].reshape(count, 3, -1)
            said[:, 0] = own_words[some]
            said[:, 1] = own_words.take(found.heading[some], axis=0)
            said[:, 2] = own_words.take(found.section[some], axis=0)
            yield some, out

    def _name_vectors(self, found: Features) -> Floats:
        """Return float32[sets, e]: the vector of each set of names."""
        buckets = found.marks.buckets
        sizes = np.add.reduce(buckets < names.NONE, axis=0)
        sums: Floats = np.add.reduce(self.weights["name_vectors"].take(buckets, axis=0), axis=0)
        sums /= np.sqrt(np.maximum(sizes, 1), dtype=np.float32)[:, None]
        return sums

    def _word_vectors(self, found: Features) -> Floats:
        """Return float32[m + 1, e]: the vector of each block's words; 0 at m."""
        vectors = self.weights["word_vectors"]
        out = np.zeros((len(found) + 1, vectors.shape[1]), dtype=np.float32)
        for some in _parts(len(found)):
            np.add.reduce(vectors.take(found.words[:, some], axis=0), axis=0, out=out[some])
        amount = np.add.reduce(found.words < words.NONE, axis=0)
        out[:-1] /= np.sqrt(amount, dtype=np.float32)[:, None]
        return out

    def _convolved(self, padded: Floats, name: str, step: int) -> Floats:
        """Return float32[m, e]: each block with those ``step`` before and after, mixed in.

        ``padded`` has `_PADDING` rows of zeros before and after the m blocks.
        """
        matrix = self.weights[f"{name}.weight"]
        count = len(padded) - 2 * _PADDING
        out = np.empty((count, matrix.shape[1]), dtype=np.float32)
        for some in _parts(count):
            start, stop = some.start + _PADDING, some.stop + _PADDING
            three = [padded[start + by : stop + by] for by in (-step, 0, step)]
            _times(np.concatenate(three, axis=1), matrix, out[some])
        return _relu(out, self.weights[f"{name}.bias"])

    def _together(self, h: Floats, found: Features) -> Floats:
        """Return float32[m, e]: what a block's group and container have in the mean, mixed in."""
        w = self.weights
        count = len(h)
        groups = found.groups
        seen = _times(h, w["pool.weight"])
        half = seen.shape[1] // 2
        sums = np.zeros((count + 1, 2 * half))  # in float32 a long page's would be too coarse
        sums[1:] = seen
        sums[1:, :half] = seen.take(groups.order, axis=0)[:, :half]
        np.add.accumulate(sums, axis=0, out=sums)
        of_groups = sums.take(groups.edges, axis=0)[:, :half]
        means = (of_groups[1:] - of_groups[:-1]).astype(np.float32)
        means /= groups.sizes.astype(np.float32)[:, None]
        around = sums[:, half:].take(found.high, axis=0) - sums[:, half:].take(found.low, axis=0)
        around = around.astype(np.float32)
        around /= (found.high - found.low).astype(np.float32)[:, None]
        matrix = w["together.weight"]
        out = _times(h, matrix[: -2 * half])
        out += _times(means, matrix[-2 * half : -half]).take(groups.of_block, axis=0)
        out += _times(around, matrix[-half:])
        return _relu(out, w["together.bias"])


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
    if len(rows) <= at_once:
        return np.matmul(rows, matrix, out=out)
    for start in range(0, len(rows), at_once):
        np.matmul(rows[start : start + at_once], matrix, out=out[start : start + at_once])
    return out


def _relu(values: Floats, bias: Floats) -> Floats:
    """Return ``values`` + ``bias``, in place, 0 where that is negative."""
    values += bias
    return np.maximum(values, 0, out=values)


def _means(h: Floats, weight: Floats) -> Floats:
    """Return float32[k * e]: k weighted means of ``h`` (m, e) by ``weight`` (k, m), drawn to 0."""
    sums: Floats = weight @ h
    sums /= np.add.reduce(weight, axis=1, keepdims=True) + 1
    return sums.ravel()


def _logistic_of_twice(values: Floats, bias: Floats | float = 0) -> Floats:
    """Return the logistic function of 2 (``values`` + ``bias``), in place, without overflow."""
    values += bias
    np.tanh(values, out=values)
    values += 1
    values *= np.float32(0.5)
    return values
