"""The fit of the assessment's networks: Adam on batches in which signals are hidden or silenced."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.assessment import STATES, StateModel

Floats = NDArray[np.float32]


_UNITS: Final = 32
_PASSES: Final = 24
_BATCH: Final = 256
_RATE: Final = 0.003
_RIDGE: Final = 1e-3
_NETWORKS: Final = 3
"""Networks that are fitted from other beginnings, and whose log-odds are averaged."""
_HIDDEN: Final = 0.3
"""Share of single signals that are hidden: what they are in the mean."""
_SILENCED: Final = ("phrase", "named as", "status: ")
"""Parts of the names of signals that are silenced together: phrases, class names, the status."""
_SILENT: Final = 0.1
"""Share of pages on which each of these groups is silent, as on a page in a language without
phrases, or with hashed class names."""
_CONSTANT: Final = 1e-6
_MOMENTS: Final = 0.9, 0.999
_TINY: Final = 1e-8


def fitted(
    names: tuple[str, ...],
    values: NDArray[np.float64],
    state: NDArray[np.int64],
    weight: NDArray[np.float32],
) -> StateModel:
    """Return the networks fitted to pages, as one: their hidden units stand side by side.

    Args:
        names: of the k signals.
        values: float64[p, k], signals.
        state: int[p], index into `STATES`.
        weight: float32[p], 1 in the mean.
    """
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale = np.where(scale > _CONSTANT, scale, 1.0)
    begun = _begun(np.random.default_rng(0), len(names))
    blank = StateModel(names, mean, scale, *(one.astype(float) for one in begun))
    inputs = blank.scaled(values).astype(np.float32)
    nothing = blank.scaled(np.zeros(len(names))).astype(np.float32)
    every = [_network(names, inputs, nothing, state, weight, seed) for seed in range(_NETWORKS)]
    weights, bias, hidden, hidden_bias, outer = zip(*every, strict=True)
    parts = (
        np.mean(weights, axis=0),
        np.mean(bias, axis=0),
        np.concatenate(hidden, axis=1),
        np.concatenate(hidden_bias),
        np.concatenate(outer) / _NETWORKS,
    )
    return StateModel(names, mean, scale, *(one.astype(float) for one in parts))


def _network(  # noqa: PLR0913, PLR0917  what a fit needs
    names: tuple[str, ...],
    inputs: Floats,
    nothing: Floats,
    state: NDArray[np.int64],
    weight: Floats,
    seed: int,
) -> list[Floats]:
    """Return weights, bias, hidden, hidden_bias, outer of one network.

    Args:
        names: of the k signals.
        inputs: float32[p, k], signals as the weights take them.
        nothing: float32[k], those of a page without anything.
        state: int[p], index into `STATES`.
        weight: float32[p], 1 in the mean.
        seed: of its beginning and of what is hidden.
    """
    dice = np.random.default_rng(seed)
    parts = _begun(dice, len(names))
    silent = [np.flatnonzero([word in one for one in names]) for word in _SILENCED]
    moments = [np.zeros_like(one) for one in parts], [np.zeros_like(one) for one in parts]
    steps, order = _PASSES * (len(state) // _BATCH), np.zeros(0, dtype=np.int64)
    for step in range(1, steps + 1):
        if len(order) < _BATCH:
            order = dice.permutation(len(state))
        some, order = order[:_BATCH], order[_BATCH:]
        shown = inputs[some] * (dice.random((_BATCH, len(names)), dtype=np.float32) > _HIDDEN)
        for columns in silent:
            rows = dice.random(_BATCH) < _SILENT
            shown[np.ix_(np.flatnonzero(rows), columns)] = nothing[columns]
        slopes = _slopes(parts, shown, state[some], weight[some])
        _move(parts, slopes, moments, step, _RATE * (1 - step / (steps + 1)))
    return parts


def _begun(dice: np.random.Generator, count: int) -> list[Floats]:
    """Return weights, bias, hidden, hidden_bias, outer of `StateModel` before the fit."""
    kinds = len(STATES)
    hidden = dice.standard_normal((count, _UNITS)) / np.sqrt(count)
    outer = dice.standard_normal((_UNITS, kinds)) / 10
    shapes = np.zeros((count, kinds)), np.zeros(kinds), hidden, np.zeros(_UNITS), outer
    return [one.astype(np.float32) for one in shapes]


def _slopes(
    parts: list[Floats], shown: Floats, state: NDArray[np.int64], weight: Floats
) -> list[Floats]:
    """Return the gradient of the weighted cross entropy, and of the ridge, by part."""
    weights, bias, hidden, hidden_bias, outer = parts
    units = np.maximum(shown @ hidden + hidden_bias, 0)
    logits = shown @ weights + units @ outer + bias
    wrong = np.exp(logits - logits.max(axis=1, keepdims=True))
    wrong /= wrong.sum(axis=1, keepdims=True)
    wrong[np.arange(len(state)), state] -= 1
    wrong *= weight[:, None] / np.float32(len(state))
    back = (wrong @ outer.T) * (units > 0)
    ridge = np.float32(_RIDGE)
    return [
        shown.T @ wrong + ridge * weights,
        wrong.sum(axis=0),
        shown.T @ back + ridge * hidden,
        back.sum(axis=0),
        units.T @ wrong + ridge * outer,
    ]


def _move(
    parts: list[Floats],
    slopes: list[Floats],
    moments: tuple[list[Floats], list[Floats]],
    step: int,
    pace: float,
) -> None:
    """Move the parts against their slopes, by Adam."""
    fast, slow = _MOMENTS
    for part, slope, first, second in zip(parts, slopes, *moments, strict=True):
        np.add(first, (1 - fast) * (slope - first), out=first)
        np.add(second, (1 - slow) * (slope**2 - second), out=second)
        mean, spread = first / (1 - fast**step), np.sqrt(second / (1 - slow**step))
        np.subtract(part, pace * mean / (spread + _TINY), out=part, casting="same_kind")
