"""The draft of a decision, which rules change one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page.arrays import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.decision.hidden_text import HiddenText
    from chaffinch.decision.policy import Policy
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Mask

ARTICLE: Final = "article"
THREAD: Final = "forum"
SURE: Final = 0.7
"""Least probability of a page type where a rule acts on pages of that type alone."""
_NOTHING: Final = frozen(np.zeros(0, dtype=bool))


def _nothing() -> Mask:
    return _NOTHING


@dataclass(slots=True, eq=False)
class Draft:
    """The decision as far as the rules that ran have brought it, for m blocks of n rows.

    Attributes:
        features: the features of the blocks.
        score: float[m] in 0..1, probability that each block is content.
        beta: weight of recall against precision.
        kind: the page's type.
        certainty: its probability in 0..1.
        policy: what counts as content; None for scores alone.
        keep: bool[m], the blocks that are kept; bool[0] before the choice.
        threshold: the score from which blocks were chosen, in 0..1.
        guessed: whether no block was likely, so that the likeliest part was chosen.
        media: bool[n], rows without text that are kept; bool[0] before their rule.
        template: bool[m], blocks that are known to be of the site's template, so that no other
            block speaks for them; bool[0] for none.
        hidden: what of the page a browser doesn't show; None before its rule.
    """

    features: Features
    score: NDArray[np.floating]
    beta: float = 1.0
    kind: str = ARTICLE
    certainty: float = 0.0
    policy: Policy | None = None
    keep: Mask = field(default_factory=_nothing)
    threshold: float = 1.0
    guessed: bool = False
    media: Mask = field(default_factory=_nothing)
    template: Mask = field(default_factory=_nothing)
    hidden: HiddenText | None = None


@dataclass(frozen=True)
class Rule:
    """One rule of the decision.

    Attributes:
        name: its name, that of the idea in the documentation.
        effect: what it does, in one line.
        run: the rule itself, which changes a draft.
    """

    name: str
    effect: str
    run: Callable[[Draft], None]
