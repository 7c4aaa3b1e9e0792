"""A site model applied to one page, and why it keeps and drops each block.

Slots decide: the page-level model joined with what the template's pages together say. Where no
template fits, the page-level default decides. What a person wrote has the last word everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from chaffinch.decision.discussions import in_comments
from chaffinch.decision.draft import OF_ONE_TEXT, Draft
from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import settle, trace
from chaffinch.kernels.arrays import Floats, Mask, Reasons
from chaffinch.methods import Learned
from chaffinch.model.block_scores import BlockScores, row_scores, score_blocks, shipped
from chaffinch.model.method_confidence import site_confidence
from chaffinch.page import Page
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.evidence import LEAD_TYPES, BlockEvidence, shipped_weights
from chaffinch.site.model import SiteModel, SiteNotes, Template
from chaffinch.site.rules import REASONS, Rule, SiteReason, Usage, deciders, labels, selecting
from chaffinch.site.sample import PageSlots, PageSummary, block_summary
from chaffinch.site.slots import path_of
from chaffinch.verdict import BlockExplanation, Contribution, Verdict

_EVEN: Final = 0.5  # probability from which a block is likelier content than not
_SEVERAL: Final = 3
"""Raised blocks from which posts of a discussion are looked for: that takes time."""


@dataclass(frozen=True, eq=False)
class ScoredPage:
    """A page's blocks as the page-level model scores them, and their summary."""

    scores: BlockScores  # of the m blocks
    summary: PageSummary  # of the first blocks, at most `MOST_BLOCKS`

    @classmethod
    def of(cls, page: Page, own: PageSlots | None = None) -> "ScoredPage":
        """Return the scores of ``page``, which must have at least one block.

        ``own`` are its slots, if they are at hand.
        """
        scores = score_blocks(page)
        found = scores.features
        of_rows = found.blocks.spread(scores.score)
        return cls(scores, block_summary(page, of_rows, own, kind=scores.kind))

    def evidence(self, template: Template) -> BlockEvidence:
        """Return what a template's tables and learned rules say of the summary's blocks."""
        blocks = self.scores.features.blocks
        learned = [rule for rule in template.rules if not rule.by_hand]
        votes = None
        if any(rule.kind == "content" for rule in learned):
            kept = labels(blocks.page, selecting(blocks.page, learned)) == SiteReason.CONTENT_RULE
            first = blocks.first[: len(self.summary)]
            votes = np.where(kept[first], 1.0, -1.0).astype(np.float32)
        evidence = template.evidence(self.summary, votes)
        if self.scores.kind in LEAD_TYPES:
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
        if self.scores.kind in OF_ONE_TEXT and np.count_nonzero(raised) >= _SEVERAL:
            raised &= in_comments(self.scores.features.blocks, score >= _EVEN)
            score[raised] = alone[raised]
        return score

    def draft(self, score: Floats) -> Draft:
        """Return the draft of the decision by ``score``, float32[m], before which no rule ran."""
        return Draft(
            self.scores.features,
            score,
            kind=self.scores.kind,
            certainty=float(self.scores.kinds.max()),
            policy=Policy(),
        )


_EVERYWHERE: Final = 0.95
"""Share of a template's pages on which a text stands that nothing beside it makes content."""


def apply(site: SiteModel, page: Page, usage: Usage) -> Verdict:
    """Return the verdict of a model; the use is counted."""
    if not page.own_length.any():
        return Verdict.empty(len(page))
    own = PageSlots.of(page)
    template, alike = site.fitting(page, own.sketch)
    if template is not None and template.usable:
        verdict, known = _by_slots(page, template, own)
    else:
        verdict, known = _by_default(page), 0.0
    keep, why, share = verdict.keep.copy(), verdict.why.copy(), 0.0
    idle = _follow(page, [rule for rule in site.rules_for(template) if rule.by_hand], keep, why)
    if template is not None:
        notes = SiteNotes.of(template, alike)
        share = float(page.own_length[keep].sum() / max(page.own_length.sum(), 1))
    elif site.templates:
        notes = SiteNotes(because=f"no template fits (the nearest is {alike:.2f} alike)")
    elif site.rules:
        notes = SiteNotes(because="the model has no template")
    else:
        notes = SiteNotes(because="there is no model of its host")
    usage.add_idle(notes.template or "", idle)
    usage.add(notes.template or "", alike, known, share)
    return replace(verdict, keep=keep, why=why, roles=site.roles_by(template), notes=notes)


def _by_slots(page: Page, template: Template, own: PageSlots) -> tuple[Verdict, float]:
    """Return the verdict of the page-level model and the template's statistics together.

    And the share (0..1) of the text in slots that the template knows.
    """
    scored = ScoredPage.of(page, own)
    blocks, summary = scored.scores.features.blocks, scored.summary
    evidence = scored.evidence(template)
    score = scored.joined(evidence)
    draft = scored.draft(score)
    returning = evidence.return_share(shipped_weights()) >= _EVERYWHERE
    draft.template = np.zeros(len(score), dtype=bool)
    draft.template[: len(returning)] = returning & ~evidence.heading
    decision = settle(draft)
    why = blocks.spread(_reasons(evidence, decision))
    why[decision.media] = SiteReason.BESIDE
    verdict = Verdict(
        blocks.spread(decision.keep) | decision.media,
        row_scores(blocks, score),
        why,
        page_type=Learned().page_type(scored.scores),
        confidence=site_confidence(decision.expected),
        weights=shipped().digest,
    )
    length = summary.length.astype(np.float32)
    return verdict, float(length[evidence.known > 0].sum() / max(length.sum(), 1))


def _by_default(page: Page) -> Verdict:
    verdict = Learned()(page)
    why = np.where(verdict.keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    why[~(page.written & page.shown) & ~verdict.keep] = SiteReason.NO_TEXT
    return replace(verdict, why=why)


def _follow(page: Page, rules: Sequence[Rule], keep: Mask, why: Reasons) -> list[Rule]:
    """Apply rules written by hand to the shown rows: ``keep`` and ``why`` are changed.

    Returns:
        Those that select nothing.
    """
    selected = selecting(page, rules)
    told = labels(page, selected)
    for code, value in ((SiteReason.DROP_BY_HAND, False), (SiteReason.CONTENT_BY_HAND, True)):
        rows = (told == code) & page.shown
        keep[rows], why[rows] = value, code
    idle = [rule for rule, found in selected if not found]
    return idle + [r for r in rules if not r.decides and not page.selected(r.select)]


def _reasons(evidence: BlockEvidence, decision: Draft) -> Reasons:
    """Return int8[m], the code of `SiteReason` of each block."""
    weights, keep = shipped_weights(), decision.keep
    returns = weights.returns * evidence.return_share(weights)
    dropped = np.where(returns > np.abs(evidence.own), SiteReason.RETURNS, SiteReason.UNLIKELY)
    kept = np.where(evidence.own < 0, SiteReason.BY_SLOT, SiteReason.LIKELY)
    codes = np.where(keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    codes[: len(kept)] = np.where(keep[: len(kept)], kept, dropped)
    return codes


# Why


def explanations(site: SiteModel, page: Page) -> Sequence[BlockExplanation]:
    """Return why each text block of ``page`` is kept or dropped by ``site``; no use is counted."""
    first = text_blocks(page).first
    if not len(first):
        return ()
    template = site.template_of(page)
    rules = site.rules_for(template)
    if template is not None and template.usable:
        learned = _of_slots(page, template)
    else:
        learned = Learned().explain(page)
    by_hand = selecting(page, (rule for rule in rules if rule.by_hand))
    decided = deciders(page, by_hand)[first].tolist()
    return [
        one if number < 0 else _of_rule(by_hand[number][0])
        for number, one in zip(decided, learned, strict=True)
    ]


def _of_rule(rule: Rule) -> BlockExplanation:
    named = f"the site's rule «{rule.kind}»"
    return BlockExplanation(rule=named, effect=REASONS[rule.reason], slot=rule.select)


def _of_slots(page: Page, template: Template) -> Sequence[BlockExplanation]:
    scored = ScoredPage.of(page)
    blocks = scored.scores.features.blocks
    evidence = scored.evidence(template)
    added = _contributions(evidence)
    added += [()] * (len(blocks) - len(added))
    slots = [path_of(page, row) for row in blocks.owner.tolist()]
    return trace(scored.draft(scored.joined(evidence))).explanations(added, slots)


def _contributions(evidence: BlockEvidence) -> list[tuple[Contribution, ...]]:
    weights = shipped_weights()
    share = evidence.return_share(weights)
    columns = (
        ("the page alone", weights.own * evidence.own),
        ("its slot", weights.slot * evidence.slot),
        ("returning text", -weights.returns * share),
        ("links of its slot", -weights.links * evidence.links),
        ("the place of a lead", weights.leads * evidence.leads),
        ("the template's rules", weights.rules * evidence.counted_votes),
    )
    out = []
    for block in range(len(share)):
        count = evidence.known[block]
        remarks = {
            "its slot": f"of {count:.0f} blocks there" if count else "unknown to the template",
            "returning text": f"on {share[block]:.0%} of the pages",
            "links of its slot": f"{evidence.links[block]:.0%} of its slot's text in links",
            "the place of a lead": "one text a page, new on each",
        }
        pieces = (
            Contribution(
                name, round(float(column[block] / weights.temperature), 3), remarks.get(name, "")
            )
            for name, column in columns
        )
        found = (one for one in pieces if one.log_odds)
        out.append(tuple(sorted(found, key=lambda one: -abs(one.log_odds))))
    return out
