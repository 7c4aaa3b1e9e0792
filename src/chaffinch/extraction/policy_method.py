"""A method, and after it a policy: what counts as content has the last word over any method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chaffinch import kernels
from chaffinch.lazy import lazy_module
from chaffinch.method import MethodWrapper, require_verdict
from chaffinch.page import tags
from chaffinch.result import DROPPED_BY_POLICY, KEPT_BY_POLICY
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.decision import parts
    from chaffinch.decision.policy import Policy
    from chaffinch.explanation import BlockExplanation
    from chaffinch.page import Page
    from chaffinch.result import Verdict
else:
    parts = lazy_module("chaffinch.decision.parts")


@dataclass(frozen=True, eq=False)
class PolicyMethod(MethodWrapper):
    """A method whose verdicts a policy changes, where it has a value for a part.

    Methods that take a policy themselves need no such wrapper.
    """

    policy: Policy

    def __call__(self, page: Page) -> Verdict:
        """Return the method's verdict, with the parts of the policy kept or dropped.

        Rows without text that stand between two blocks which change, such as an image in a card, go
        with them.
        """
        verdict = require_verdict(self.method(page))
        blocks = text_blocks(page)
        before = verdict.keep[blocks.first]
        after = parts.apply_policy(blocks, before, self.policy)
        if (after == before).all():
            return verdict
        keep, why = verdict.keep.copy(), verdict.why.copy()
        for value, changed in ((True, after & ~before), (False, before & ~after)):
            edges = blocks.first, blocks.last, changed
            rows = blocks.spread(changed)
            rows |= kernels.tags_between(page.tag, tags.VOID, page.shown, *edges)
            keep[rows] = value
            why[rows] = len(self.reasons) - (2 if value else 1)
        return replace(verdict, keep=keep, why=why)

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        """Return what the method explains, and the policy where that decides."""
        found = self.method.explain(page)
        if found is None:
            return None
        own, why = len(self.method.reasons), self(page).why[text_blocks(page).first]
        return [
            replace(one, rule="policy", effect=self.reasons[code]) if code >= own else one
            for one, code in zip(found, why.tolist(), strict=True)
        ]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the method, and the policy's."""
        return (*self.method.reasons, KEPT_BY_POLICY, DROPPED_BY_POLICY)

    @property
    def headline(self) -> bool | None:
        """The policy for the headline."""
        return self.policy.headline
