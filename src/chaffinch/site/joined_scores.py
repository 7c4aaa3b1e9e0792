"""A page's blocks as the page-level model scores them, joined with a template's evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.draft import Draft
from chaffinch.decision.policy import Policy
from chaffinch.model.block_scores import score_blocks
from chaffinch.model.weights import shipped
from chaffinch.site.block_evidence import shipped_weights
from chaffinch.site.lead_places import PAGE_TYPES as LEAD_TYPES
from chaffinch.site.page_summary import block_summary

if TYPE_CHECKING:
    from chaffinch.model.block_scores import BlockScores
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats
    from chaffinch.site.block_evidence import BlockEvidence
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.selector_matching import Matches
    from chaffinch.site.site_model import SiteModel

_DEFAULT_POLICY: Final = Policy()


@dataclass(frozen=True, eq=False)
class ScoredPage:
    """A page's blocks as the page-level model scores them, and their summary.

    Attributes:
        scores: of the m blocks.
        summary: of the first blocks, at most `MOST_BLOCKS`.
    """

    scores: BlockScores
    summary: PageSummary

    @classmethod
    def of(cls, page: Page) -> ScoredPage:
        """Return the scores of ``page``, which must have at least one block."""
        scores = score_blocks(page)
        return cls(scores, block_summary(page, scores.features.blocks.spread(scores.score)))

    @property
    def kind(self) -> str:
        """The page's likeliest type."""
        return shipped().kinds[int(self.scores.kinds.argmax())]

    def evidence(
        self, site: SiteModel, number: int, matches: Matches | None = None
    ) -> BlockEvidence:
        """Return the evidence of a site's template, by its number, for the summary's blocks.

        ``matches`` are those of the site's rules on the page, if they are at hand.
        """
        blocks, rules = self.scores.features.blocks, site.rule_set
        kept = rules.votes(number, rules.matches(blocks.page) if matches is None else matches)
        votes = None
        if kept is not None:
            votes = np.where(kept[blocks.first[: len(self.summary)]], 1.0, -1.0).astype(np.float32)
        evidence = site.templates[number].evidence(self.summary, votes)
        if self.kind in LEAD_TYPES:
            return evidence
        return replace(evidence, leads=np.zeros(len(self.summary)))

    def joined(self, evidence: BlockEvidence) -> Floats:
        """Return float32[m] in 0..1: the blocks' probabilities, joined with the evidence.

        Blocks beyond the summary keep the score of the page-level model.
        """
        score = self.scores.score.copy()
        score[: len(self.summary)] = evidence.probability(shipped_weights())
        return score

    def draft(self, score: Floats) -> Draft:
        """Return the draft of the decision by ``score``, float32[m], before which no rule ran."""
        return Draft(
            self.scores.features,
            score,
            kind=self.kind,
            certainty=float(self.scores.kinds.max()),
            policy=_DEFAULT_POLICY,
        )
