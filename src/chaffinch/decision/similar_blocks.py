"""Similar blocks have similar scores: each moves towards the mean of its group.

Blocks are similar that stand in elements with the same tags and names (`Groups` of
`chaffinch.model.tree_features`):
the paragraphs of a text, the entries of a menu.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch import kernels

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Numbers
    from chaffinch.page.arrays import Floats, Rows

PULL: Final = 0.7
"""The part of the way to the mean of its group that a score moves. Chosen on two folds of the
training corpora (`python -m training.decoding`)."""


def pulled_to_group_means(score: Floats, units: Floats, group: Rows) -> Numbers:
    """Return float64[m]: the scores, each moved by `PULL` of the way to its group's mean by words.

    Args:
        score: float32[m], probability that each block is content.
        units: float32[m], words of each block.
        group: int32[m], number of each block's group, below m.
    """
    return kernels.pulled_to_means(group, units, score, PULL)
