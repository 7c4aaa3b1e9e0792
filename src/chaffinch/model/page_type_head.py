"""The page type that is shown: a head over the network's, which hardly knows lists and manuals.

The network is trained on content and boilerplate; its page types are a side output, and of
listings and documentation it finds next to none. A multinomial logistic regression over the logs of
its probabilities, what the head declares, and the means of the blocks' features finds them better
(docs/model.md has both tables; ``python -m training.page_types`` fits it, domains left out). The
rules of the decision go by the network's probabilities as before, so that no text changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import WeightsError
from chaffinch.model.features import NUMBERS
from chaffinch.model.head_signals import FACTS
from chaffinch.saved_data import read_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats

_LEAST: Final = 1e-5  # probability


@dataclass(frozen=True, eq=False)
class PageTypeHead:
    """The weights of the head, the scaling of its inputs folded into them.

    Attributes:
        kinds: names of the page types, in the order of the network's.
        weights: float32[types + facts + numbers, types].
        bias: float32[types].
    """

    kinds: tuple[str, ...]
    weights: Floats
    bias: Floats

    @classmethod
    def of(cls, saved: Any) -> PageTypeHead:
        """Return the head of saved values.

        Raises:
            WeightsError: they are of something else, or of other features.
        """
        try:
            kinds = tuple(map(str, saved["kinds"]))
            weights, bias = (np.array(saved[name], np.float32) for name in ("weights", "bias"))
        except (LookupError, TypeError, ValueError) as error:
            raise WeightsError(f"not the weights of page types: {error}") from error
        count = len(kinds)
        if weights.shape != (count + len(FACTS) + len(NUMBERS), count) or bias.shape != (count,):
            raise WeightsError("not the weights of page types: of other features")
        return cls(kinds, weights, bias)

    def page_type(self, posterior: Floats, facts: Floats, means: Floats) -> str:
        """Return the likeliest page type; arguments are those of `head_inputs`."""
        logits = head_inputs(posterior, facts, means) @ self.weights
        logits += self.bias
        return self.kinds[int(logits.argmax())]


def block_means(numbers: Floats) -> NDArray[np.float32]:
    """Return float32[numbers]: the means of float32[m, numbers], features of m blocks, from 1."""
    means: NDArray[np.float32] = np.add.reduce(numbers, axis=0)
    means /= np.float32(len(numbers))
    return means


def head_inputs(posterior: Floats, facts: Floats, means: Floats) -> NDArray[np.float32]:
    """Return float32[types + facts + numbers]: what the head goes by.

    Args:
        posterior: float32[types] in 0..1, as `page_type_posterior` gives it.
        facts: float32[facts], what the page's head declares.
        means: float32[numbers], the `block_means` of the page's features.
    """
    logs = np.log(np.maximum(posterior, np.float32(_LEAST)))
    return np.concatenate((logs, facts, means), dtype=np.float32)


@cache
def shipped_head() -> PageTypeHead:
    """Return the head that comes with the package; read once a process."""
    file = resources.files(__package__).joinpath("page_types.json")
    return PageTypeHead.of(read_json(file.read_text(encoding="utf-8")))
