"""The decision that the rules come to: from the scores of the text blocks to what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chaffinch.decision.choice import expected_f1
from chaffinch.decision.draft import ARTICLE, Draft
from chaffinch.decision.rules import RULES, run

if TYPE_CHECKING:
    from chaffinch.decision.policy import Policy
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats, Mask


@dataclass(frozen=True, eq=False)
class Decision:
    """What is kept of a page of m blocks and n rows.

    Attributes:
        keep: bool[m], the blocks that are kept.
        media: bool[n], rows without text that are kept with them.
        expected: expected F1 of the kept blocks in 0..1, not calibrated.
        guessed: whether no block was likely, so that the likeliest part was chosen.
    """

    keep: Mask
    media: Mask
    expected: float
    guessed: bool


def decide(  # noqa: PLR0913  options are keyword-only
    score: Floats,
    features: Features,
    *,
    beta: float = 1.0,
    kind: str = ARTICLE,
    certainty: float = 0.0,
    policy: Policy | None = None,
) -> Decision:
    """Return the decision that the rules come to.

    Args:
        score: float32[m], probability that each block is content.
        features: the features of the page's m blocks, at least one.
        beta: weight of recall against precision.
        kind: the page's type. The posts of a thread quote one another and may be items of a list;
            links alone may be the main content of pages other than articles and services.
        certainty: probability of that type in 0..1.
        policy: what counts as content; None leaves data tables and parts found by structure to
            their scores.
    """
    return settle(Draft(features, score, beta, kind, certainty, policy))


def settle(draft: Draft) -> Decision:
    """Return the decision that all rules come to from ``draft``, before which none ran."""
    score = draft.score
    run(RULES, draft)
    expected = expected_f1(score, draft.features.units, draft.keep)
    return Decision(draft.keep, draft.media, expected, draft.guessed)
