"""A site model applied to one page: in full, by its rules, or by the page-level default.

Rules that aren't trusted on a page leave it to the full model, and that, where no template fits, to
the page-level default. And why each block is kept or dropped: its slot's evidence, or a rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision.boilerplate import links_alone
from chaffinch.decision.discussions import PAGE_TYPES_COMMENTS as OF_ONE_TEXT
from chaffinch.decision.discussions import in_comments
from chaffinch.decision.parts import kept_title
from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import Decision, Draft, settle, trace
from chaffinch.methods import Learned
from chaffinch.model.block_scores import (
    BlockScores,
    block_means,
    row_scores,
    score_blocks,
    shipped,
    shipped_head,
)
from chaffinch.model.method_confidence import site_confidence
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Floats, Mask, Reasons
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.evidence import LEAD_TYPES, BlockEvidence, shipped_weights
from chaffinch.site.model import FALLBACK, SAME_TEMPLATE, SiteModel, SiteNotes, Template
from chaffinch.site.rules import (
    REASONS,
    Matches,
    Rule,
    SiteReason,
    decided_by_hand,
    idle_fields,
    labels_by_hand,
    selected_by_hand,
)
from chaffinch.site.sample import PageSlots, PageSummary, block_summary
from chaffinch.site.slots import path_of
from chaffinch.site.usage import Usage
from chaffinch.verdict import BlockExplanation, Contribution, Verdict

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
    def of(cls, page: Page, own: PageSlots | None = None) -> "ScoredPage":
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
        kept = rules[number].votes(rules.matches(blocks.page) if matches is None else matches)
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

    def draft(self, score: Floats) -> Draft:
        """Return the draft of the decision by ``score``, float32[m], before which no rule ran."""
        return Draft(
            self.scores.features,
            score,
            kind=self.kind,
            certainty=float(self.scores.kinds.max()),
            policy=_DEFAULT_POLICY,
        )


_EVERYWHERE: Final = 0.95
"""Share of a template's pages on which a text stands that nothing beside it makes content."""
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
        by_hand, signs = site.rule_set.fitting(site.rule_set.matches(page))
        if by_hand >= 0 and not site.templates[by_hand].pages:
            return _by_hand(site, page, site.templates[by_hand], signs, usage)
        usage.add("", alike, 0.0, 0.0, fell_back=True)
        because = f"no template fits (the nearest is {alike:.2f} alike)"
        return _page_level(site, page, because, usage)
    template = site.templates[number]
    scored = ScoredPage.of(page, own)
    blocks, summary = scored.scores.features.blocks, scored.summary
    evidence = scored.evidence(site, number, matches)
    score = scored.joined(evidence)
    draft = scored.draft(score)
    returning = evidence.return_share(shipped_weights()) >= _EVERYWHERE
    draft.template = np.zeros(len(score), dtype=bool)
    draft.template[: len(returning)] = returning & ~evidence.heading
    decision = settle(draft)
    if alike < min(_LOOSE, _USUAL * template.likeness) and not template.decided_by_hand:
        units = scored.scores.features.units
        alone = settle(scored.draft(scored.scores.score)).keep
        lost = float(units[alone & ~decision.keep].sum() / max(float(units[alone].sum()), 1.0))
        if lost > _MOST_DROPPED:
            usage.add("", alike, 0.0, 0.0, fell_back=True)
            because = f"{template.name} is {alike:.2f} alike only and would drop {lost:.0%} of it"
            return _page_level(site, page, because, usage, template=template, scores=scored.scores)
    keep = blocks.spread(decision.keep) | decision.media
    codes = blocks.spread(_reasons(evidence, decision))
    codes[decision.media] = SiteReason.BESIDE
    _follow(page, site.rules_for(template), keep, codes, usage, template.name)
    length = summary.length.astype(np.float32)
    known = float(length[evidence.known > 0].sum() / max(length.sum(), 1))
    usage.add(template.name, alike, known, _kept_share(page, keep))
    return Verdict(
        keep,
        row_scores(blocks, score),
        codes,
        confidence=site_confidence(decision.expected),
        notes=SiteNotes(mode="full", template=template.name, likeness=round(float(alike), 2)),
        weights=shipped().digest,
        roles=site.roles_by(template),
    )


def _reasons(evidence: BlockEvidence, decision: Decision) -> Reasons:
    """Return int8[m], the code of `SiteReason` of each block."""
    weights, keep = shipped_weights(), decision.keep
    returns = weights.returns * evidence.return_share(weights)
    dropped = np.where(returns > np.abs(evidence.own), SiteReason.RETURNS, SiteReason.UNLIKELY)
    kept = np.where(evidence.own < 0, SiteReason.BY_SLOT, SiteReason.LIKELY)
    codes = np.where(keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    codes[: len(kept)] = np.where(keep[: len(kept)], kept, dropped)
    return codes


def _kept_share(page: Page, keep: Mask) -> float:
    return float(page.own_length[keep].sum() / max(page.own_length.sum(), 1))


def _by_hand(
    site: SiteModel, page: Page, template: Template, signs: float, usage: Usage
) -> Verdict:
    """Return the verdict on a page of a template whose rules people alone wrote."""
    verdict = _page_level(site, page, "", Usage(), template=template)
    keep, codes = verdict.keep.copy(), verdict.why.copy()
    _follow(page, site.rules_for(template), keep, codes, usage, template.name)
    usage.add(template.name, signs, 0.0, _kept_share(page, keep))
    notes = SiteNotes(mode="full", template=template.name, likeness=round(float(signs), 2))
    return replace(verdict, keep=keep, why=codes, notes=notes)


def _page_level(  # noqa: PLR0913  the last two are keyword-only
    site: SiteModel,
    page: Page,
    because: str,
    usage: Usage,
    *,
    template: Template | None = None,
    scores: BlockScores | None = None,
) -> Verdict:
    """Return the verdict of the page-level default, with the reason for the fallback.

    The rules for all pages of the site have the last word here, too, and those of ``template``, if
    one is known, for fields. ``scores`` are those of the page's blocks, if they are at hand.
    """
    verdict = Learned()(page) if scores is None else Learned().verdict(scores)
    why = np.where(verdict.keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    why[~(page.written & page.shown) & ~verdict.keep] = SiteReason.NO_TEXT
    keep = verdict.keep.copy()
    _follow(page, site.rules, keep, why, usage, "")
    notes = SiteNotes(mode=FALLBACK, because=because)
    return replace(verdict, keep=keep, why=why, notes=notes, roles=site.roles_by(template))


def _follow(  # noqa: PLR0913, PLR0917  two columns are changed, and counts
    page: Page, rules: Sequence[Rule], keep: Mask, codes: Reasons, usage: Usage, name: str
) -> None:
    """Apply rules written by hand to the shown rows: ``keep`` and ``codes`` are changed.

    Those that select nothing are counted in ``usage``, by the ``name`` of the template.
    """
    selected = selected_by_hand(page, rules)
    usage.add_idle(name, (rule for rule, rows in selected if not rows))
    usage.add_idle(name, idle_fields(page, rules))
    label = decided_by_hand(page, selected)
    for code, value in ((SiteReason.DROP_BY_HAND, False), (SiteReason.CONTENT_BY_HAND, True)):
        rows = (label == code) & page.shown
        keep[rows], codes[rows] = value, code


_LEAST_KEPT: Final = 0.2
"""Least share of the page's text that rules must keep, relative to the mean over those of the
template; below it the rules count as failed."""
_MOST_SIGNS: Final = 0.9
"""Least share of a template's signs on a page for rules that nobody wrote by hand to be trusted;
chosen as the bounds of `Template.doubt` were."""


def by_rules(site: SiteModel, page: Page, usage: Usage) -> Verdict:
    """Return the verdict of the rules alone; that of the full model where they aren't trusted."""
    if not page.text or page.text.isspace():
        return Verdict.empty(len(page))
    rules = site.rule_set
    matches = rules.matches(page)
    number, signs = rules.fitting(matches)
    if number < 0 or not rules[number].deciding:
        because = f"no template's signs are on the page ({signs:.0%} at most)"
        if number >= 0:
            because = f"the rules of {site.templates[number].name} don't say what is content"
        usage.add("", signs, 0.0, 0.0, fell_back=True)
        counts = Usage()
        verdict = in_full(site, page, counts, matches)
        idle = {key for one in counts.by_template.values() for key in one}
        usage.add_idle("", (rule for rule in site.rules if f"idle {rule.key}" in idle))
        return _because(because, verdict)
    template, own = site.templates[number], rules[number]
    if template.doubt:  # whatever they find; how the page fits is counted by the full model
        return _because(template.doubt, in_full(site, page, usage, matches))
    keep, why = own.verdict(matches)
    # In bytes, since the folded lengths of rows would cost more time than the rules do.
    kept, written = kernels.kept_bytes(page.text_at, keep, page.text, max(page.body, 0))
    share, because = kept / max(written, 1), ""
    if share < _LEAST_KEPT * template.kept:
        because = f"the rules of {template.name} find {share:.0%} of the text only"
    elif template.pages and not template.decided_by_hand and signs < _MOST_SIGNS:
        because = f"the page has {signs:.0%} of the signs of {template.name} only"
    alike = signs * template.likeness
    usage.add(template.name, alike, template.known, share, fell_back=bool(because))
    usage.add_idle(
        template.name, (*own.idle(matches), *idle_fields(page, site.rules_for(template)))
    )
    if because:
        return _because(because, in_full(site, page, Usage(), matches))
    drop_inseparable(page, keep, why, lone_links=own.lone_links)
    notes = SiteNotes(mode="rules", template=template.name, likeness=round(float(signs), 2))
    roles = site.roles_by(template)
    return Verdict(keep, keep.astype(np.float32), why, notes=notes, roles=roles)


def _because(because: str, verdict: Verdict) -> Verdict:
    """Return a verdict that says, too, why the rules didn't decide."""
    if not isinstance(verdict.notes, SiteNotes):
        return verdict
    further = verdict.notes.because
    why = f"{because}; {further}" if further else because
    return replace(verdict, notes=replace(verdict.notes, because=why))


_LEAST_LEFT: Final = 0.3
"""Share of the kept text that must be left: else links are the main content."""
_HEADLINES: Final = tags.table(["h1", "h2"])
_WORD: Final = 6.0
"""Characters of a word and the space after it, by which words are counted that a title leaves."""


def drop_inseparable(page: Page, keep: Mask, why: Reasons, *, lone_links: bool) -> None:
    """Drop the page's title and, with ``lone_links``, such links from what learned rules keep.

    ``keep`` and ``why`` are changed; what a person's rules keep stays.
    """
    if not lone_links and not (keep & _HEADLINES.take(page.tag)).any():
        return
    blocks = text_blocks(page)

    def drop(dropped: Mask | None, code: SiteReason) -> None:
        if dropped is not None:
            rows = blocks.spread(dropped) & (why == SiteReason.CONTENT_RULE)
            keep[rows], why[rows] = False, code

    if lone_links:
        kept = keep[blocks.first]
        links, length = kept & links_alone(blocks), blocks.length.astype(np.int64)
        if length[kept & ~links].sum() >= _LEAST_LEFT * length[kept].sum():
            drop(links, SiteReason.LONE_LINK)
    words = (blocks.length / _WORD).astype(np.float32)
    drop(kept_title(blocks, words, keep[blocks.first]), SiteReason.TITLE)


_RULES: Final = {
    SiteReason.RETURNS: "returning text",
    SiteReason.DROP_RULE: "drop",
    SiteReason.CONTENT_RULE: "content",
    SiteReason.DROP_BY_HAND: "drop",
    SiteReason.CONTENT_BY_HAND: "content",
}
"""Reason → the kind of the site's rule that has it."""


def explanations(site: SiteModel, page: Page) -> Sequence[BlockExplanation]:
    """Return why each text block of ``page`` is kept or dropped by ``site``; no use is counted."""
    first = text_blocks(page).first.tolist()
    if not first:
        return ()
    verdict = (by_rules if site.mode == "rules" else in_full)(site, page, Usage())
    notes, template = verdict.notes, None
    if isinstance(notes, SiteNotes) and notes.mode != FALLBACK:
        (template,) = (one for one in site.templates if one.name == notes.template)
    rules = site.rules_for(template)
    if isinstance(notes, SiteNotes) and notes.mode == "rules":
        return [_of_rule(page, rules, row, int(verdict.why[row])) for row in first]
    if template is not None and template.pages:
        learned = _of_slots(site, page, template)
    else:
        learned = Learned().explain(page)
    labels = labels_by_hand(page, rules)
    return [
        _of_rule(page, rules, row, int(labels[row])) if labels[row] else one
        for row, one in zip(first, learned, strict=True)
    ]


def _of_slots(site: SiteModel, page: Page, template: Template) -> Sequence[BlockExplanation]:
    scored = ScoredPage.of(page)
    blocks = scored.scores.features.blocks
    evidence = scored.evidence(site, site.templates.index(template))
    added = _contributions(evidence)
    added += [()] * (len(blocks) - len(added))
    slots = [path_of(page, row) for row in blocks.owner.tolist()]
    return trace(scored.draft(scored.joined(evidence))).explanations(added, slots)


def _contributions(evidence: BlockEvidence) -> list[tuple[Contribution, ...]]:
    """Return what the evidence adds to the log-odds of each block, the strongest first."""
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


def _of_rule(page: Page, rules: Sequence[Rule], row: int, code: int) -> BlockExplanation:
    """Return the explanation of a block that a rule of the site decided, or that none matches."""
    kind = _RULES.get(SiteReason(code))
    if kind is None:
        return BlockExplanation()
    by_hand = code in {SiteReason.DROP_BY_HAND, SiteReason.CONTENT_BY_HAND}
    deepest, select = -1, ""
    for rule in rules:
        if rule.kind != kind or rule.by_hand != by_hand:
            continue
        around = [at for at in rule.rows(page) if at <= row < page.end[at]]
        if around and max(around) >= deepest:
            deepest, select = max(around), rule.select
    return BlockExplanation(rule=f"the site's rule «{kind}»", effect=REASONS[code], slot=select)
