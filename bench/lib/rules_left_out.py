"""The decision without one of its rules, to measure what the rule is worth."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chaffinch.decision import rules

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def rule_left_out(name: str) -> Iterator[None]:
    """Extract without the rule of `chaffinch.decision.rules.RULES` of that name meanwhile."""
    every = rules.RULES  # read first: the module runs when something of it is
    names = vars(sys.modules[rules.__name__])  # of the module that runs them
    fewer = tuple(rule for rule in every if rule.name != name)
    if len(fewer) == len(every):
        raise ValueError(f"no rule is called {name}")
    names["RULES"] = fewer
    try:
        yield
    finally:
        names["RULES"] = every
