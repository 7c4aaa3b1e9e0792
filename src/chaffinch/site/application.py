"""A site model applied to one page, in full or by its rules, or not at all where it doesn't fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import decide
from chaffinch.methods import Learned
from chaffinch.model.block_scores import row_scores, score_blocks
from chaffinch.result import Notes, Verdict
from chaffinch.site.block_evidence import Evidence, shipped_weights
from chaffinch.site.modes import FALLBACK
from chaffinch.site.page_summary import look_at
from chaffinch.site.reasons import Why
from chaffinch.site.rules import hand_painted
from chaffinch.site.template_clusters import LIKE

if TYPE_CHECKING:
    from chaffinch.decision.rules import Decision
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Reasons
    from chaffinch.segment.text_blocks import TextBlocks
    from chaffinch.site.by_rules import ByRules
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.template import Template
    from chaffinch.site.template_clusters import Leaders
    from chaffinch.site.usage import Usage

_TOO_LITTLE: Final = 0.2
"""Of the share of text kept on the template's pages: with less, rules are held to have failed."""


@dataclass(frozen=True, kw_only=True)
class SiteNotes(Notes):
    """How a site model judged a page.

    Attributes:
        mode: ``full``, ``rules``, or `FALLBACK` where it fits no template or the rules fail.
        template: name of the template that it fits; None where it fell back.
        likeness: to the template, 0..1: in ``full`` of the sketches, in ``rules`` the share of the
            template's signs that the page has; None where it fell back.
        because: why it fell back; None where it didn't.
    """

    mode: str
    template: str | None = None
    likeness: float | None = None
    because: str | None = None


def in_full(page: Page, templates: tuple[Template, ...], leaders: Leaders, usage: Usage) -> Verdict:
    """Return the verdict of page-level model and slots together."""
    if not page.own_length.any():
        return Verdict.empty(len(page))
    scores = score_blocks(page, Policy().as_inputs())
    own = look_at(page, scores.features.blocks.spread(scores.score))
    number, alike = leaders.nearest(own.sketch)
    if number < 0 or alike < LIKE or not templates[number].usable:
        usage.of("").add(likeness=alike, known=0.0, kept=0.0, fell_back=True)
        return _alone(page, f"no template fits (the nearest is {alike:.2f} alike)")
    template = templates[number]
    evidence = template.evidence(own)
    # Blocks beyond those that are remembered of a page keep what the page-level model says.
    score = scores.score.copy()
    score[: len(own)] = evidence.probability(shipped_weights())
    decision = decide(score, scores.features)
    why = _reasons(evidence, decision.keep[: len(own)])
    keep, codes = _spread(scores.features.blocks, decision, why)
    hand = hand_painted(page, template.rules)
    for code, value in ((Why.DROP_BY_HAND, False), (Why.CONTENT_BY_HAND, True)):
        rows = (hand == code) & page.shown
        keep[rows], codes[rows] = value, code
    usage.of(template.name).add(
        likeness=alike,
        known=_known_share(own, evidence),
        kept=float(page.own_length[keep].sum() / max(page.own_length.sum(), 1)),
        fell_back=False,
    )
    notes = SiteNotes(mode="full", template=template.name, likeness=round(float(alike), 2))
    return Verdict(keep, row_scores(scores.features.blocks, score), codes, notes=notes)


def by_rules(page: Page, templates: tuple[Template, ...], ruled: ByRules, usage: Usage) -> Verdict:
    """Return the verdict of the rules alone."""
    if not page.text or page.text.isspace():
        return Verdict.empty(len(page))
    found = ruled(page)
    if found.template < 0:
        usage.of("").add(likeness=found.signs, known=0.0, kept=0.0, fell_back=True)
        return _alone(page, f"no template's signs are on the page ({found.signs:.0%} at most)")
    template = templates[found.template]
    kept = found.kept_share(page)
    failed = kept < _TOO_LITTLE * template.kept
    usage.of(template.name).add(
        likeness=found.signs * template.likeness, known=template.known, kept=kept, fell_back=failed
    )
    if failed:
        return _alone(page, f"the rules of {template.name} find {kept:.0%} of the text only")
    notes = SiteNotes(mode="rules", template=template.name, likeness=round(float(found.signs), 2))
    return Verdict(found.keep, found.keep.astype(np.float32), found.why, notes=notes)


def _alone(page: Page, because: str) -> Verdict:
    """Return what the page-level default says, and why it had to."""
    if not page.own_length.any():
        return Verdict.empty(len(page))
    verdict = Learned()(page)
    why = np.where(verdict.keep, Why.ALONE_KEPT, Why.ALONE_DROPPED).astype(np.int8)
    why[~(page.written & page.shown) & ~verdict.keep] = Why.NO_TEXT
    notes = SiteNotes(mode=FALLBACK, because=because)
    return replace(verdict, why=why, notes=notes)


def _reasons(evidence: Evidence, keep: Mask) -> Reasons:
    """Return int8[m], codes of `Why`."""
    weights = shipped_weights()
    returns = weights.returns * evidence.return_share(weights)
    dropped = np.where(returns > np.abs(evidence.own), Why.RETURNS, Why.UNLIKELY)
    kept = np.where(evidence.own < 0, Why.BY_SLOT, Why.LIKELY)
    return np.where(keep, kept, dropped).astype(np.int8)


def _spread(blocks: TextBlocks, decision: Decision, why: Reasons) -> tuple[Mask, Reasons]:
    """Return bool[n] and int8[n]: the rows that are kept, and the reason of each."""
    keep = decision.keep
    every = np.where(keep, Why.ALONE_KEPT, Why.ALONE_DROPPED).astype(np.int8)
    every[: len(why)] = why
    rows, codes = blocks.spread(keep), blocks.spread(every)
    codes[decision.media] = Why.BESIDE
    mask: Mask = rows | decision.media
    return mask, codes


def _known_share(own: PageSummary, evidence: Evidence) -> float:
    length: Floats = own.length.astype(np.float32)
    return float(length[evidence.known > 0].sum() / max(length.sum(), 1))
