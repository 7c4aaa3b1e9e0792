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
    """

    networks: tuple[Network, ...]

    def __call__(self, features: Features, policy: Floats) -> Prediction:
        """Return the prediction for a page of at least one block; ``policy`` is float32[flags]."""
        first, *others = self.networks
        prediction = first(features, policy)
        if not others or uncertainty(prediction.score, features.units) < UNCERTAIN:
            return prediction
        every = [prediction, *(network(features, policy) for network in others)]
        return Prediction(_mean([one.score for one in every]), _mean([one.kinds for one in every]))


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
