"""The model of py3langid, applied to a text: its results, without its loop over bytes.

The library counts features by an automaton whose states it walks in Python, which takes longer than
all else of a page's metadata. Here kernels walk them and sum the scores of what was found, feature
by feature; in the library the order of a sum is that of a matrix product.
"""

from __future__ import annotations

import math
import unicodedata
from typing import Any, Final

import numpy as np

from chaffinch import kernels

_NEEDED: Final = ("nb_classes", "nb_pc", "nb_ptc", "tk_nextmove", "tk_output", "tk_row")


class LanguageModel:
    """A naive Bayes model over features of bytes.

    Args:
        identifier: a ``LanguageIdentifier`` of py3langid, whose arrays are shared.
    """

    def __init__(self, identifier: Any) -> None:
        self._classes: list[str] = list(identifier.nb_classes)
        self._prior = np.asarray(identifier.nb_pc)
        self._table = np.asarray(identifier.nb_ptc, dtype=np.float16).view(np.uint16)
        self._moves = np.asarray(identifier.tk_nextmove, dtype=np.uint32)
        self._rows = np.asarray(identifier.tk_row, dtype=np.uint16)
        self._outputs = np.array(identifier.tk_output, dtype=np.int32)
        first = {name: at for at, name in reversed(list(enumerate(self._classes)))}
        self._again = [
            (first[name], at) for at, name in enumerate(self._classes) if first[name] != at
        ]

    @staticmethod
    def fits(identifier: Any) -> bool:
        """Return whether an identifier has what is read here; other releases may not."""
        return all(hasattr(identifier, name) for name in _NEEDED)

    def classify(self, text: str) -> tuple[str, float]:
        """Return the language of a text and its probability, 0..1."""
        text = text.lower() if text.isupper() else text
        text = text if text.isascii() else unicodedata.normalize("NFC", text)
        data = text.encode("utf-8", "surrogatepass")
        scores = self._scores(data)
        scores *= 1.0 / math.sqrt(len(data) or 1)
        scores -= np.maximum.reduce(scores)
        np.exp(scores, out=scores)
        scores /= np.add.reduce(scores)
        for one, again in self._again:  # a language that stands there twice
            scores[one] += scores[again]
            scores[again] = 0.0
        best = int(scores.argmax())
        return self._classes[best], float(scores[best])

    def _scores(self, data: bytes) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return float32[c]: the logarithm of each language's probability, up to a constant."""
        found, counts = kernels.counted_outputs(self._moves, self._rows, self._outputs, data)
        if not len(found):
            return np.zeros(len(self._classes), dtype=np.float32)
        weights = np.log1p(counts.astype(np.float32))
        scores: np.ndarray[Any, np.dtype[np.float32]] = kernels.half_sums(
            self._table, found, weights
        )
        scores += self._prior
        return scores
