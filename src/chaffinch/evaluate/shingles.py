"""The shingle measure: four words in a row, for comparison with published figures on articles.

Source: scrapinghub's article-extraction-benchmark, its evaluation program. A shingle is four
words in a row, with case, and a word is a run of Unicode word characters (so a run of Chinese is
one word); a text of fewer than four words is one shingle. Counts of true positives, false
positives and false negatives are divided by their sum, so that every page weighs the same.
Precision is averaged over the pages with an output, recall over the pages with a gold text, and
F1 is the harmonic mean of the two averages: the F1 of a corpus isn't a mean of F1.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

SHINGLE_WORDS = 4
"""Words in a shingle; the source's own value."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class ShingleCounts:
    """Shares of true positives, false positives and false negatives of one page.

    They add up to 1, or are all 0 where neither output nor gold has a word.
    """

    true_positive: float
    false_positive: float
    false_negative: float

    @property
    def precision(self) -> float | None:
        """Share of the output's shingles that are gold, in 0..1; None where the output is empty."""
        extracted = self.true_positive + self.false_positive
        return self.true_positive / extracted if extracted else None

    @property
    def recall(self) -> float | None:
        """Share of the gold's shingles in the output, in 0..1; None where the gold is empty."""
        gold = self.true_positive + self.false_negative
        return self.true_positive / gold if gold else None

    @property
    def exact(self) -> bool:
        """Whether both texts have the same shingles: the source's accuracy is the mean of it."""
        return not self.false_positive and not self.false_negative


def shingle_counts(extracted: str, gold: str) -> ShingleCounts:
    """Compare the shingles of two texts as bags."""
    ours, theirs = _shingles(extracted), _shingles(gold)
    matched = (ours & theirs).total()
    extra, missed = ours.total() - matched, theirs.total() - matched
    whole = matched + extra + missed
    if not whole:
        return ShingleCounts(0.0, 0.0, 0.0)
    return ShingleCounts(matched / whole, extra / whole, missed / whole)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    if not words:
        return Counter()
    starts = range(max(1, len(words) - SHINGLE_WORDS + 1))
    return Counter(tuple(words[start : start + SHINGLE_WORDS]) for start in starts)
