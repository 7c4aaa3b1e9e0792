"""A page's blocks as the page-level model scores them, joined with a template's evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.draft import Draft
from chaffinch.decision.policy import Policy
from chaffinch.decision.reader_comments import PAGE_TYPES as OF_ONE_TEXT
from chaffinch.decision.reader_comments import in_comments
from chaffinch.model.block_scores import score_blocks
from chaffinch.model.page_type_head import block_means, shipped_head
from chaffinch.model.weights import shipped
from chaffinch.site.block_evidence import shipped_weights
from chaffinch.site.lead_places import PAGE_TYPES as LEAD_TYPES
from chaffinch.site.page_summary import block_summary

if TYPE_CHECKING:
    from chaffinch.model.block_scores import BlockScores
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.site.block_evidence import BlockEvidence
    from chaffinch.site.page_summary import PageSlots, PageSummary
    from chaffinch.site.selector_matching import Matches
    from chaffinch.site.site_model import SiteModel

_DEFAULT_POLICY: Final = Policy()
_EVEN: Final = 0.5
"""Probability from which a block is likelier content than not."""
_SEVERAL: Final = 3
"""Raised blocks from which posts of a discussion are looked for: that takes time."""


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
    def of(cls, page: Page, own: PageSlots | None = None) -> ScoredPage:
        """Return the scores of ``page``, which must have at least one block.

        ``own`` are its slots, if they are at hand.
        """
        scores = score_blocks(page)
        found = scores.features
        of_rows = found.blocks.spread(scores.score)
        kind = shipped_head().page_type(scores.kinds, found.facts, block_means(found.numbers))
        return cls(scores, block_summary(page, of_rows, own, kind=kind))

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

        Blocks beyond the summary keep the score of the page-level model, and so do reader comments
        on a page of one text where the evidence would raise them to content: the model keeps them
        on some pages, and what their place has in common says nothing for them.
        """
        alone = self.scores.score
        score = alone.copy()
        score[: len(self.summary)] = evidence.probability(shipped_weights())
        raised = (score >= _EVEN) & (alone < _EVEN)
        if self.kind in OF_ONE_TEXT and np.count_nonzero(raised) >= _SEVERAL:
            raised &= in_comments(self.scores.features.blocks, score >= _EVEN)
            score[raised] = alone[raised]
        return score

    def draft(self, score: Floats, *, template: Mask | None = None) -> Draft:
        """Return the draft of the decision by ``score``, float32[m], before which no rule ran.

        ``template`` is bool[m], the blocks that every page of the site has; None for none.
        """
        draft = Draft(
            self.scores.features,
            score,
            kind=self.kind,
            certainty=float(self.scores.kinds.max()),
            policy=_DEFAULT_POLICY,
        )
        if template is not None:
            draft.template = template
        return draft
