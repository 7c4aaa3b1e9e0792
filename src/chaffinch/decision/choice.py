"""The choice of the blocks to keep: the threshold with the highest expected F measure.

Where blocks are independent, the expected F measure of a choice is near the ratio of expected
sums, and the best choice keeps every block over a threshold that is F* / (1 + beta^2), F* being
the best value itself (Lipton, Elkan and Naryanaswamy 2014, «Optimal thresholding of classifiers to
maximize F1 measure», theorem 1): the threshold is one half on a page of certain scores, lower on a
page of uncertain ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch import kernels

if TYPE_CHECKING:
    from chaffinch.page.arrays import Floats, Mask, Rows

LOWEST: Final = 0.05
"""The lowest threshold; on a page with no block above it the likeliest part is kept."""


class Choice(NamedTuple):
    """Which of m blocks are kept by their scores.

    Attributes:
        keep: bool[m].
        threshold: the score from which blocks are kept, in 0..1.
        guessed: whether no block reached `LOWEST`, so that the likeliest part is kept.
    """

    keep: Mask
    threshold: float
    guessed: bool


def choose(score: Floats, units: Floats, group: Rows, *, beta: float = 1.0) -> Choice:
    """Return the choice with the highest expected F measure.

    Args:
        score: float32[m], probability that each block is content; m is at least 1.
        units: float32[m], words of each block.
        group: int32[m], number of the group of similar blocks that each belongs to.
        beta: weight of recall against precision.
    """
    threshold = kernels.best_threshold(score, units, beta, LOWEST)
    keep = score >= threshold
    guessed = threshold == LOWEST and not keep.any()
    if guessed:
        keep = _likeliest_group(score, units, group)
    return Choice(keep, threshold, guessed)


def expected_f1(score: Floats, units: Floats, keep: Mask) -> float:
    """Return the expected F1 of keeping the blocks ``keep``, in 0..1, not calibrated.

    Args:
        score: float32[m], probability that each block is content.
        units: float32[m], words of each block.
        keep: bool[m].
    """
    likely, kept, taken = kernels.kept_sums(score, units, keep)
    return 2 * kept / (taken + likely + 1e-9)


def _likeliest_group(score: Floats, units: Floats, group: Rows) -> Mask:
    """Return bool[m]: the group of similar blocks with the most expected content."""
    mask: Mask = group == np.argmax(np.bincount(group, weights=score * units))
    return mask
