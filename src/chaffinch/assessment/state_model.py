"""The probability of each state of a page: a small network over its signals.

A multinomial logistic regression with a few rectified units beside it, which find combinations: the
mean of the log-odds of three such networks, which are one network with the units of all.
Around a page the network is linear, so that each signal has a contribution, as in a regression.

Model card. Made by ``python -m training.page_states``, from made-up pages (nine generators, and
real pages with one part replaced, ``training/state_pages``) and from labelled pages of the corpora
that may be trained on, which are content but for a handful. How well it does with each generator,
each language and each site left out stands in docs/assessment.md. The weights are data,
``weights.json``: signals by name, their means and scales, and the weights. Probabilities are those
of the made-up mixture: real pages in other states than content are too few here to calibrate them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.errors import WeightsError
from chaffinch.saved_data import read_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

State = Literal[
    "content",
    "shell",
    "block_page",
    "login",
    "paywall",
    "consent_wall",
    "error_page",
    "empty",
    "parked",
]
STATES: Final[tuple[State, ...]] = get_args(State)
"""What a page can be; the order is that of `StateModel.weights`."""

ARRAYS: Final = ("mean", "scale", "weights", "bias", "hidden", "hidden_bias", "outer")
"""Names of the arrays of a `StateModel`, as its file has them."""

_EMPTY: Final = STATES.index("empty")
_MOST_EMPTY: Final = float(np.log1p(60))
"""Logarithm of the characters outside links that an empty page may have, at most."""
_IMPOSSIBLE: Final = 30.0  # log-odds

_FARTHEST: Final = 6.0
"""Scales from the mean beyond which a signal counts no more."""


@dataclass(frozen=True, eq=False)
class StateModel:
    """The weights.

    Attributes:
        signals: names of the signals, in the order of `signals_of`.
        mean: float64[k], of each signal over the pages of the training.
        scale: float64[k], their standard deviations, above 0.
        weights: float64[k, states], from signals to states.
        bias: float64[states].
        hidden: float64[k, units], from signals to units.
        hidden_bias: float64[units].
        outer: float64[units, states], from units to states.
    """

    signals: tuple[str, ...]
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: NDArray[np.float64]
    hidden: NDArray[np.float64]
    hidden_bias: NDArray[np.float64]
    outer: NDArray[np.float64]

    @classmethod
    def of(cls, saved: Any) -> StateModel:
        """Return the model of saved values.

        Raises:
            WeightsError: they aren't those of a model with these states.
        """
        try:
            names, states = tuple(map(str, saved["signals"])), tuple(saved["states"])
            arrays = [np.array(saved[one], float) for one in ARRAYS]
        except (LookupError, TypeError, ValueError) as error:
            raise WeightsError(f"not a usable file of weights: {error}") from error
        if "text outside links" not in names:
            raise WeightsError("not a usable file of weights: a signal is missing")
        count, units = len(names), arrays[ARRAYS.index("hidden_bias")].size
        kinds = len(STATES)
        shapes = [
            (count,),
            (count,),
            (count, kinds),
            (kinds,),
            (count, units),
            (units,),
            (units, kinds),
        ]
        if states != STATES or [one.shape for one in arrays] != shapes:
            raise WeightsError("not a usable file of weights: of other states or shapes")
        return cls(names, *arrays)

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values of signals, float64[…, k], as the weights take them."""
        return np.clip((values - self.mean) / self.scale, -_FARTHEST, _FARTHEST)

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[…, states], summing to 1, for values of signals, float64[…, k]."""
        inputs = self.scaled(values)
        units = np.maximum(inputs @ self.hidden + self.hidden_bias, 0)
        logits = inputs @ self.weights + units @ self.outer + self.bias
        logits[..., _EMPTY] -= _IMPOSSIBLE * (values[..., self._text] > _MOST_EMPTY)
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=-1, keepdims=True))

    @cached_property
    def _text(self) -> int:
        """Place of the signal that is the logarithm of the page's text outside links."""
        return self.signals.index("text outside links")

    def contributions(
        self, values: NDArray[np.float64], state: int, other: int
    ) -> NDArray[np.float64]:
        """Return float64[k]: log-odds that each signal gives ``state`` against ``other``.

        By the units that are active on this page.
        """
        inputs = self.scaled(values)
        is_active = inputs @ self.hidden + self.hidden_bias > 0
        towards = self.weights[:, state] - self.weights[:, other]
        towards += self.hidden @ (is_active * (self.outer[:, state] - self.outer[:, other]))
        return np.asarray(inputs * towards)


@cache
def shipped_model() -> StateModel:
    """Return the model that comes with the package; read once a process."""
    text = resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    return StateModel.of(read_json(text))


def require_signals(model: StateModel, names: Sequence[str]) -> None:
    """Check that a model is of these signals.

    Raises:
        WeightsError: it is of others.
    """
    if model.signals != tuple(names):
        raise WeightsError("the weights of the assessment are of other signals than this release's")
