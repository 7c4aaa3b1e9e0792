"""A site model applied to one page: in full, by its rules, or by the page-level default.

Rules that aren't trusted on a page leave it to the full model, and that, where no template fits, to
the page-level default.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.deciding import settle
from chaffinch.methods import Learned
from chaffinch.model.block_scores import row_scores
from chaffinch.model.method_confidence import site_confidence
from chaffinch.model.weights import shipped
from chaffinch.result import Verdict
from chaffinch.site.block_evidence import BlockEvidence, shipped_weights
from chaffinch.site.inseparable_blocks import drop_inseparable
from chaffinch.site.joined_scores import ScoredPage
from chaffinch.site.modes import FALLBACK
from chaffinch.site.page_summary import PageSlots
from chaffinch.site.reasons import SiteReason
from chaffinch.site.rules import decided_by_hand, idle_fields, selected_by_hand
from chaffinch.site.site_notes import SiteNotes
from chaffinch.site.template_leaders import SAME_TEMPLATE
from chaffinch.site.usage import TemplateUse, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.decision.deciding import Decision
    from chaffinch.model.block_scores import BlockScores
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Reasons
    from chaffinch.segment.text_blocks import TextBlocks
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.rule_set import RuleSet
    from chaffinch.site.rules import Rule
    from chaffinch.site.selector_matching import Matches
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_EVERYWHERE: Final = 0.95
"""Share of a template's pages on which a text stands that nothing beside it makes content."""
_LEAST_KEPT: Final = 0.2
"""Least share of the page's text that rules must keep, relative to the mean over those of the
template; below it the rules count as failed."""
_MOST_SIGNS: Final = 0.9
"""Least share of a template's signs on a page for rules that nobody wrote by hand to be trusted;
chosen as those of `Template.in_doubt` were."""
_LOOSE: Final = 0.7
"""Likeness to the template below which it doesn't overrule what the page alone says is content,
unless its own pages are hardly more alike…"""
_USUAL: Final = 0.9
"""… which is so from this share of their mean likeness on…"""
_MOST_DROPPED: Final = 0.05
"""… where it would drop more than this share of it. On pages of 169 sites such a template is wrong
more often than right; sources left out in turn, 0.65 to 0.75 and 0.02 to 0.1 are alike
."""


def in_full(site: SiteModel, page: Page, usage: Usage, matches: Matches | None = None) -> Verdict:
    """Return the verdict of the page-level model and the template's slot statistics together.

    Of a template that has only rules written by hand, which is known by its signs, that of the
    page-level default and these rules. ``matches`` are those of the site's rules on the page, if
    they are at hand.
    """
    if not page.own_length.any():
        return Verdict.empty(len(page))
    own = PageSlots.of(page)
    number, alike = site.leaders.nearest(own.sketch)
    if number < 0 or alike < SAME_TEMPLATE or not site.templates[number].usable:
        return _without_template(site, page, alike, usage)
    template = site.templates[number]
    scored = ScoredPage.of(page, own)
    blocks, summary = scored.scores.features.blocks, scored.summary
    evidence = scored.evidence(site, number, matches)
    score = scored.joined(evidence)
    decision = settle(scored.draft(score, template=_of_template(evidence, len(score))))
    if alike < min(_LOOSE, _USUAL * template.likeness) and not template.decided_by_hand:
        dropped = _dropped_share(scored, decision)
        if dropped > _MOST_DROPPED:
            use = usage.of("")
            use.add(likeness=alike, known=0.0, kept=0.0, fell_back=True)
            because = (
                f"{template.name} is {alike:.2f} alike only and would drop {dropped:.0%} of it"
            )
            return _page_level(site, page, because, use, template=template, scores=scored.scores)
    why = _reasons(evidence, decision.keep[: len(summary)])
    keep, codes = _spread(blocks, decision, why)
    use = usage.of(template.name)
    _follow(page, (*site.rules, *template.rules), keep, codes, use)
    use.add(
        likeness=alike,
        known=_known_share(summary, evidence),
        kept=float(page.own_length[keep].sum() / max(page.own_length.sum(), 1)),
        fell_back=False,
    )
    notes = SiteNotes(mode="full", template=template.name, likeness=round(float(alike), 2))
    return Verdict(
        keep,
        row_scores(blocks, score),
        codes,
        confidence=site_confidence(decision.expected),
        notes=notes,
        weights=shipped().digest,
        roles=site.roles_by(template),
    )


def _without_template(site: SiteModel, page: Page, alike: float, usage: Usage) -> Verdict:
    """Return the verdict on a page that fits no learned template: the default's.

    Or that of the template written by hand whose signs it has. ``alike`` is its likeness to the
    nearest learned template.
    """
    by_hand, signs = site.rule_set.template_of(page)
    if by_hand >= 0 and not site.templates[by_hand].is_learned:
        return _by_hand(site, page, site.templates[by_hand], signs, usage)
    use = usage.of("")
    use.add(likeness=alike, known=0.0, kept=0.0, fell_back=True)
    because = f"no template fits (the nearest is {alike:.2f} alike)"
    return _page_level(site, page, because, use)


def _of_template(evidence: BlockEvidence, count: int) -> Mask:
    """Return bool[m]: blocks whose text stands on every page of the template, or nearly."""
    found = np.zeros(count, dtype=bool)
    returning = evidence.return_share(shipped_weights()) >= _EVERYWHERE
    found[: len(returning)] = returning & ~evidence.heading
    return found


def _dropped_share(scored: ScoredPage, decision: Decision) -> float:
    """Return the share (0..1) of what the page alone says is content that a decision drops."""
    units = scored.scores.features.units
    alone = settle(scored.draft(scored.scores.score)).keep
    return float(units[alone & ~decision.keep].sum() / max(float(units[alone].sum()), 1.0))


def _by_hand(
    site: SiteModel, page: Page, template: Template, signs: float, usage: Usage
) -> Verdict:
    """Return the verdict of the page-level default, changed by rules written by hand."""
    use = usage.of(template.name)
    verdict = _page_level(site, page, "", TemplateUse(), template=template)
    keep, codes = verdict.keep.copy(), verdict.why.copy()
    _follow(page, (*site.rules, *template.rules), keep, codes, use)
    kept = float(page.own_length[keep].sum() / max(page.own_length.sum(), 1))
    use.add(likeness=signs, known=0.0, kept=kept, fell_back=False)
    notes = SiteNotes(mode="full", template=template.name, likeness=round(float(signs), 2))
    return replace(verdict, keep=keep, why=codes, notes=notes)


def by_rules(site: SiteModel, rules: RuleSet, page: Page, usage: Usage) -> Verdict:
    """Return the verdict of the rules alone; ``rules`` are those of ``site``, compiled."""
    if not page.text or page.text.isspace():
        return Verdict.empty(len(page))
    matches = rules.matches(page)
    number, signs = rules.fitting(matches)
    if number < 0:
        use = usage.of("")
        use.add(likeness=signs, known=0.0, kept=0.0, fell_back=True)
        because = f"no template's signs are on the page ({signs:.0%} at most)"
        return _without_rules(site, page, because, use, matches)
    template = site.templates[number]
    if not rules.decides(number):
        use = usage.of("")
        use.add(likeness=signs, known=0.0, kept=0.0, fell_back=True)
        because = f"the rules of {template.name} don't say what is content"
        return _without_rules(site, page, because, use, matches)
    if template.doubt:  # whatever they find; how the page fits is counted by the full model
        return _because(template.doubt, in_full(site, page, usage, matches))
    found = rules.verdict(page, matches, number, signs)
    use = usage.of(template.name)
    kept = found.kept_share(page)
    because = _doubt(template, signs, kept)
    use.add(
        likeness=signs * template.likeness,
        known=template.known,
        kept=kept,
        fell_back=bool(because),
    )
    use.add_idle((*found.idle, *idle_fields(page, (*site.rules, *template.rules))))
    if because:
        return _without_rules(site, page, because, TemplateUse(), matches)
    drop_inseparable(page, found, lone_links=rules.drops_lone_links(number))
    notes = SiteNotes(mode="rules", template=template.name, likeness=round(float(signs), 2))
    score = found.keep.astype(np.float32)
    return Verdict(found.keep, score, found.why, notes=notes, roles=site.roles_by(template))


def _doubt(template: Template, signs: float, kept: float) -> str:
    """Return why the rules of a template without doubt aren't trusted on a page; "" if they are.

    Args:
        template: the template.
        signs: share (0..1) of its signs that the page matches.
        kept: share (0..1) of the page's text that its rules keep.
    """
    if kept < _LEAST_KEPT * template.kept:
        return f"the rules of {template.name} find {kept:.0%} of the text only"
    if template.decided_by_hand or not template.is_learned:
        return ""
    if signs < _MOST_SIGNS:
        return f"the page has {signs:.0%} of the signs of {template.name} only"
    return ""


def _without_rules(
    site: SiteModel, page: Page, because: str, use: TemplateUse, matches: Matches
) -> Verdict:
    """Return the verdict of the full model, with the reason why rules don't decide.

    Rules written by hand for all pages that select nothing are counted in ``use``.
    """
    counts = Usage()
    verdict = in_full(site, page, counts, matches)
    idle = {key for one in counts.by_template.values() for key in one.idle}
    use.add_idle(rule for rule in site.rules if rule.key in idle)
    return _because(because, verdict)


def _because(because: str, verdict: Verdict) -> Verdict:
    """Return a verdict of the full model with the reason why rules didn't decide before its own."""
    if not isinstance(verdict.notes, SiteNotes):
        return verdict
    further = verdict.notes.because
    why = f"{because}; {further}" if further else because
    return replace(verdict, notes=replace(verdict.notes, because=why))


def _page_level(  # noqa: PLR0913  the last two are keyword-only
    site: SiteModel,
    page: Page,
    because: str,
    use: TemplateUse,
    *,
    template: Template | None = None,
    scores: BlockScores | None = None,
) -> Verdict:
    """Return the verdict of the page-level default, with the reason for the fallback.

    The rules for all pages of the site have the last word here, too, and those of ``template``, if
    one is known, for fields. ``scores`` are those of the page's blocks, if they are at hand.
    """
    if not page.own_length.any():
        return Verdict.empty(len(page))
    verdict = Learned()(page) if scores is None else Learned().verdict(scores)
    why = np.where(verdict.keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    why[~(page.written & page.shown) & ~verdict.keep] = SiteReason.NO_TEXT
    keep = verdict.keep.copy()
    _follow(page, site.rules, keep, why, use)
    notes = SiteNotes(mode=FALLBACK, because=because)
    return replace(verdict, keep=keep, why=why, notes=notes, roles=site.roles_by(template))


def _follow(
    page: Page, rules: Sequence[Rule], keep: Mask, codes: Reasons, use: TemplateUse
) -> None:
    """Apply rules written by hand to the shown rows: ``keep`` and ``codes`` are changed.

    Those that select nothing are counted in ``use``.
    """
    selected = selected_by_hand(page, rules)
    use.add_idle(rule for rule, rows in selected if not rows)
    use.add_idle(idle_fields(page, rules))
    label = decided_by_hand(page, selected)
    for code, value in ((SiteReason.DROP_BY_HAND, False), (SiteReason.CONTENT_BY_HAND, True)):
        rows = (label == code) & page.shown
        keep[rows], codes[rows] = value, code


def _reasons(evidence: BlockEvidence, keep: Mask) -> Reasons:
    """Return int8[m], the code of `SiteReason` of each block."""
    weights = shipped_weights()
    returns = weights.returns * evidence.return_share(weights)
    dropped = np.where(returns > np.abs(evidence.own), SiteReason.RETURNS, SiteReason.UNLIKELY)
    kept = np.where(evidence.own < 0, SiteReason.BY_SLOT, SiteReason.LIKELY)
    return np.where(keep, kept, dropped).astype(np.int8)


def _spread(blocks: TextBlocks, decision: Decision, why: Reasons) -> tuple[Mask, Reasons]:
    """Return bool[n] and int8[n]: the rows that are kept, and the reason of each."""
    keep = decision.keep
    every = np.where(keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    every[: len(why)] = why
    rows, codes = blocks.spread(keep), blocks.spread(every)
    codes[decision.media] = SiteReason.BESIDE
    mask: Mask = rows | decision.media
    return mask, codes


def _known_share(summary: PageSummary, evidence: BlockEvidence) -> float:
    length: Floats = summary.length.astype(np.float32)
    return float(length[evidence.known > 0].sum() / max(length.sum(), 1))
