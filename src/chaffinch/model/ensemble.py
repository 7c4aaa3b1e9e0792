"""An ensemble of networks, of which most pages need one.

Networks trained alike from different seeds make different errors, and the mean of their outputs is
better than each of them: Lakshminarayanan, Pritzel and Blundell 2017, «Simple and Scalable
Predictive Uncertainty Estimation using Deep Ensembles», section 2.4. Departure: the others are
evaluated only where the first is uncertain, for they change little elsewhere; for most articles the
first is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.model.network import Prediction

if TYPE_CHECKING:
    from chaffinch.model.features import Features
    from chaffinch.model.network import Network
    from chaffinch.page.arrays import Floats

UNCERTAIN: Final = 0.25
"""The `uncertainty` from which all networks are evaluated. Chosen on held-out folds of the training
corpora (EXPERIMENTS.md)."""


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
    wrong = float(units @ np.minimum(score, 1 - score))
    return wrong / (float(units @ score) + 1e-9)


def _mean(rows: list[Floats]) -> Floats:
    mean: Floats = np.mean(rows, axis=0, dtype=np.float32)
    return mean
