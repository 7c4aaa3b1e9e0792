"""The decision on scored blocks, for tests of its rules."""

from typing import Any

from chaffinch.decision.rules import Decision, Draft, settle
from chaffinch.model.features import Features
from chaffinch.page.arrays import Floats


def decide(score: Floats, features: Features, **options: Any) -> Decision:
    """Return the decision by scores, float32[m]; options are fields of `Draft`."""
    return settle(Draft(features, score, **options))
