"""What a method can explain of its verdict on a text block, made when it is requested."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Contribution:
    """What one group of features, or one piece of evidence, adds to the score of a block.

    Attributes:
        group: its name, such as ``links``.
        log_odds: how much lower the block's log-odds are without it: positive is evidence of
            content, negative against.
        value: what the block has of it, in words, such as ``92 % of it in links``; "" for nothing.
    """

    group: str
    log_odds: float
    value: str = ""


@dataclass(frozen=True)
class RuleChange:
    """What one rule of the decision changed of a block.

    Attributes:
        rule: its name, as in `chaffinch.decision.rules.RULES`.
        effect: what the rule does, in one line.
        before, after: the block's score in 0..1 before and after the rule.
        keep: whether the block was kept after the rule, where that changed, or where the rule was
            the first to decide it; None elsewhere.
    """

    rule: str
    effect: str
    before: float
    after: float
    keep: bool | None = None


@dataclass(frozen=True)
class BlockExplanation:
    """Why a method kept or dropped a text block.

    Attributes:
        own_score: 0..1, the score before any rule; None where the method has no rules.
        rule: name of the rule that decided.
        effect: what that rule does, in one line.
        threshold: the score from which blocks were kept, 0..1; None where there is none.
        changes: what rules changed, in their order.
        contributions: what adds to ``own_score``, the strongest first.
        slot: the place of a site's template that the block stands in, or the selector of the site's
            rule; "" without a site model.
    """

    own_score: float | None = None
    rule: str = ""
    effect: str = ""
    threshold: float | None = None
    changes: tuple[RuleChange, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    slot: str = ""
