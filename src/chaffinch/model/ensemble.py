"""Several networks that differ in their luck, of which most pages need one.

Networks fitted alike from other seeds err apart, and the mean of what they say is better than each
of them: Lakshminarayanan, Pritzel and Blundell 2017, «Simple and Scalable Predictive Uncertainty
Estimation using Deep Ensembles», section 2.4. Departure: the others are asked only where the first
is in doubt, which is where they change anything; most articles it reads alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.model.network import Answer

if TYPE_CHECKING:
    from chaffinch.model.features import Features
    from chaffinch.model.network import Network
    from chaffinch.page.arrays import Floats

DOUBT: Final = 0.25
"""Words that are expected to be decided wrongly, a word of expected content, from which all
networks are asked. Chosen on held-out folds of the training corpora (EXPERIMENTS.md)."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """One network or more.

    Attributes:
        networks: the networks; the first is asked of every page.
    """

    networks: tuple[Network, ...]

    def __call__(self, found: Features, policy: Floats) -> Answer:
        """Return the answer for a page of at least one block; ``policy`` is float32[flags]."""
        answer = self.networks[0](found, policy)
        if len(self.networks) == 1 or doubt(answer.score, found.units) < DOUBT:
            return answer
        answers = [answer, *(network(found, policy) for network in self.networks[1:])]
        return Answer(_mean([one.score for one in answers]), _mean([one.kinds for one in answers]))


def doubt(score: Floats, units: Floats) -> float:
    """Return how many words are expected to be decided wrongly, a word of expected content.

    Args:
        score: float32[m] in 0..1, probability that each block is content.
        units: float32[m], words of each block.
    """
    wrong = float(units @ np.minimum(score, 1 - score))
    return wrong / (float(units @ score) + 1e-9)


def _mean(rows: list[Floats]) -> Floats:
    mean: Floats = np.mean(rows, axis=0, dtype=np.float32)
    return mean
