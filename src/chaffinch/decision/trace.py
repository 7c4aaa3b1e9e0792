"""The decision rule by rule: which rule changed the score of a block, and which decided its fate.

Made for explanations alone: `deciding.settle` runs the same rules without a record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.decision.rules import RULES, run
from chaffinch.explanation import BlockExplanation, RuleChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.decision.draft import Draft, Rule
    from chaffinch.explanation import Contribution
    from chaffinch.page.arrays import Floats


@dataclass(frozen=True, eq=False)
class Trace:
    """What r rules did to m blocks, one after the other.

    Attributes:
        rules: the rules, in their order.
        scores: float32[r + 1, m] in 0..1, the scores before the first rule and after each.
        keeps: bool[r + 1, m], the blocks kept likewise; none before the choice.
        choice: number of the rule that chose first what is kept.
        threshold: the score from which it did, 0..1.
        guessed: whether no block was likely, so that the likeliest part was chosen.
    """

    rules: tuple[Rule, ...]
    scores: Floats
    keeps: NDArray[np.bool_]
    choice: int
    threshold: float
    guessed: bool

    def deciding(self) -> NDArray[np.intp]:
        """Return intp[m]: the rule that decided each block.

        It is the last one that kept or dropped it; where none did after the choice, the last one
        that moved its score over the threshold, or under it; else the choice.
        """
        out = np.full(self.keeps.shape[1], self.choice, dtype=np.intp)
        chosen = self.keeps[self.choice + 1]
        if not self.guessed:
            over = self.scores[: self.choice + 1] >= np.float32(self.threshold)
            for number in range(self.choice):
                moved = (over[number] != over[number + 1]) & (over[number + 1] == chosen)
                out[moved & (over[-1] == chosen)] = number
            out[over[0] == chosen] = self.choice
        for number in range(self.choice + 1, len(self.rules)):
            out[self.keeps[number] != self.keeps[number + 1]] = number
        return out

    def explanations(
        self, contributions: Sequence[tuple[Contribution, ...]], slots: Sequence[str] = ()
    ) -> list[BlockExplanation]:
        """Return the explanation of each of m blocks.

        Args:
            contributions: what adds to the score of each, m of them.
            slots: the place of each in a site's template, m of them; none without a site model.
        """
        return [
            BlockExplanation(
                own_score=float(self.scores[0, block]),
                rule=self.rules[rule].name,
                effect=self.rules[rule].effect,
                threshold=self.threshold,
                changes=self._changes(block),
                contributions=contributions[block],
                slot=slots[block] if slots else "",
            )
            for block, rule in enumerate(self.deciding().tolist())
        ]

    def _changes(self, block: int) -> tuple[RuleChange, ...]:
        scores, keeps = self.scores[:, block].tolist(), self.keeps[:, block].tolist()
        return tuple(
            RuleChange(
                rule.name,
                rule.effect,
                scores[number],
                scores[number + 1],
                keeps[number + 1] if is_choice or keeps[number] != keeps[number + 1] else None,
            )
            for number, rule in enumerate(self.rules)
            if (is_choice := number == self.choice)
            or scores[number] != scores[number + 1]
            or keeps[number] != keeps[number + 1]
        )


def trace(draft: Draft) -> Trace:
    """Run all rules on ``draft``, before which none ran, and return what each of them did."""
    count = len(draft.score)
    scores = np.empty((len(RULES) + 1, count), dtype=np.float32)
    keeps = np.zeros((len(RULES) + 1, count), dtype=bool)
    scores[0] = draft.score
    choice = -1
    for number, rule in enumerate(RULES):
        run([rule], draft)
        scores[number + 1] = draft.score
        if len(draft.keep):
            keeps[number + 1] = draft.keep
            choice = number if choice < 0 else choice
    return Trace(RULES, scores, keeps, choice, draft.threshold, draft.guessed)
