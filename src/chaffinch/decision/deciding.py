"""The decision that the rules come to: from the scores of the text blocks to what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chaffinch.decision.choice import expected_f1
from chaffinch.decision.rules import RULES, run

if TYPE_CHECKING:
    from chaffinch.decision.draft import Draft
    from chaffinch.page.arrays import Mask


@dataclass(eq=False)  # a frozen one sets each field by a call
class Decision:
    """What is kept of a page of m blocks and n rows.

    Attributes:
        keep: bool[m], the blocks that are kept.
        media: bool[n], rows without text that are kept with them.
        hidden: bool[n], rows of kept blocks that aren't shown, and not kept; None for none.
        expected: expected F1 of the kept blocks in 0..1, not calibrated.
        guessed: whether no block was likely, so that the likeliest part was chosen.
    """

    keep: Mask
    media: Mask
    expected: float
    guessed: bool
    hidden: Mask | None = None


def settle(draft: Draft) -> Decision:
    """Return the decision that all rules come to from ``draft``, before which none ran."""
    score = draft.score
    run(RULES, draft)
    expected = expected_f1(score, draft.features.units, draft.keep)
    hidden = None if draft.hidden is None else draft.hidden.rows
    return Decision(draft.keep, draft.media, expected, draft.guessed, hidden)
