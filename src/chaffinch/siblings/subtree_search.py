"""The search for the subtrees of a page in its siblings, one sibling after the other.

After same-layer-similarity, section 3; `chaffinch.methods.sibling_subtrees` chooses what is
searched for.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page_work import checked
from chaffinch.siblings.subtree_matching import (
    MatchThresholds,
    StepBudget,
    SubtreeIndex,
    SubtreePattern,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.siblings.node_strings import NodeString


class SubtreeReason(IntEnum):
    """The steps that decide; see `SiblingSubtrees.reasons`."""

    OUTSIDE = 0
    CONTENT = 1
    EXACT = 2
    SIMILAR = 3
    SCRIPTS = 4
    PICTURES = 5


class SubtreeSearch:
    """Which subtrees of a page have been found so far; k subtrees.

    Attributes:
        why: int8[k], codes of `SubtreeReason`; those not found yet are CONTENT.
        found: int8[k], match in the sibling searched last: EXACT, SIMILAR or 0.
    """

    def __init__(
        self, string: NodeString, roots: NDArray[np.int64], betas: NDArray[np.float64]
    ) -> None:
        self.string = string
        self.betas = betas
        self.budget = StepBudget()
        self.nodes = np.searchsorted(string.row, roots)
        self.stops = string.end[self.nodes]
        self.lengths = string.length_before[self.stops] - string.length_before[self.nodes]
        self.why = np.full(len(roots), SubtreeReason.CONTENT, dtype=np.int8)
        self.found = np.zeros(len(roots), dtype=np.int8)
        self.times = np.zeros(len(roots), dtype=np.int32)
        self.known = np.zeros(len(roots), dtype=np.int64)

    def search_in(self, index: SubtreeIndex, alpha: float, max_moves: int) -> None:
        """Search a sibling for the subtrees not found yet."""
        left = np.flatnonzero(self.why == SubtreeReason.CONTENT)
        nodes, lengths = self.nodes[left], self.lengths[left]
        exact = index.exact(self.string, nodes)
        known = index.known_length(self.string, nodes)
        self.known[left] = np.maximum(self.known[left], known)
        self.found[:] = 0
        self.found[left[exact]] = SubtreeReason.EXACT
        possible = ~exact & (known >= self.betas[left] * lengths)
        for subtree in checked(left[possible].tolist(), every=64):
            pattern = SubtreePattern(
                self.string, int(self.nodes[subtree]), int(self.stops[subtree])
            )
            terms = MatchThresholds(alpha, float(self.betas[subtree]), max_moves)
            if index.matches(pattern, terms, self.budget):
                self.found[subtree] = SubtreeReason.SIMILAR

    def count(self, least: int) -> None:
        """Count what was found; what was found in ``least`` siblings is noise."""
        self.times += self.found > 0
        done = (self.times >= least) & (self.found > 0)
        self.why[done] = self.found[done]

    def score(self) -> NDArray[np.float32]:
        """Return float32[k] in 0..1, as `SiblingSubtrees` has it."""
        share = 1 - self.known / np.maximum(self.lengths, 1)
        return np.where(self.why == SubtreeReason.CONTENT, share, 0).astype(np.float32)
