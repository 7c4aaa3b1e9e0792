"""Precision, recall and F1 of words: content's share of the output, the output's share of content.

Source: the metric of WCXB (Foley 2026, «WCXB: A Multi-Type Web Content Extraction Benchmark»,
and the evaluation program published with its data): bags of words with counts, averaged over
pages. Tokens are those of :mod:`chaffinch.evaluate.tokens`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Score:
    """Precision, recall and their harmonic mean, each in 0..1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, matched: float, extracted: float, gold: float) -> Score:
        """Return the score for ``matched`` of ``extracted`` and ``gold`` units.

        Nothing extracted where nothing was to be found is a perfect score; nothing extracted
        where something was, and something extracted where nothing was, score 0.
        """
        if not extracted and not gold:
            return cls(1.0, 1.0, 1.0)
        if not matched:
            return cls(0.0, 0.0, 0.0)
        return cls(matched / extracted, matched / gold, 2 * matched / (extracted + gold))


def word_score(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Compare two token lists as bags (with counts, without order).

    Returns:
        The score of one page; a corpus' figure is the mean over its pages of each part, so
        the mean F1 isn't the harmonic mean of the two other means.
    """
    matched = (Counter(extracted) & Counter(gold)).total()
    return Score.of(matched, len(extracted), len(gold))
