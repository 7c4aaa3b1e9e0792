"""A site model applied to one page: in full, by its rules, or by the page-level default.

Rules that aren't trusted on a page leave it to the full model, and that, where no template fits, to
the page-level default. And why each block is kept or dropped: its slot's evidence, or a rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

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
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.site.evidence import LEAD_TYPES, BlockEvidence, shipped_weights
from chaffinch.site.model import (
    FALLBACK,
    SAME_TEMPLATE,
    RuleSet,
    RuleVerdict,
    SiteModel,
    SiteNotes,
    Template,
    TemplateUse,
    Usage,
)
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


_LEAST_LEFT: Final = 0.3
"""Share of the kept text that must be left: else links are the main content."""
_HEADLINES: Final = tags.table(["h1", "h2"])
_WORD: Final = 6.0
"""Characters of a word and the space after it, by which words are counted that a title leaves."""


def drop_inseparable(page: Page, found: RuleVerdict, *, lone_links: bool) -> None:
    """Drop the page's title and, with ``lone_links``, such links from what learned rules keep.

    ``found`` is changed; what a person's rules keep stays.
    """
    if not lone_links and not (found.keep & _HEADLINES.take(page.tag)).any():
        return
    blocks = text_blocks(page)
    if lone_links:
        links = _kept_lone_links(blocks, found.keep[blocks.first])
        _drop(blocks, found, links, SiteReason.LONE_LINK)
    words = (blocks.length / _WORD).astype(np.float32)
    _drop(blocks, found, kept_title(blocks, words, found.keep[blocks.first]), SiteReason.TITLE)


def _drop(blocks: TextBlocks, found: RuleVerdict, dropped: Mask | None, code: SiteReason) -> None:
    if dropped is not None:
        rows = blocks.spread(dropped) & (found.why == SiteReason.CONTENT_RULE)
        found.keep[rows], found.why[rows] = False, code


def _kept_lone_links(blocks: TextBlocks, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks that are lone links; None for none, or where little is left."""
    mask = keep & links_alone(blocks)
    if not mask.any():
        return None
    left = blocks.length[keep & ~mask].sum(dtype=np.int64)
    return mask if left >= _LEAST_LEFT * blocks.length[keep].sum(dtype=np.int64) else None


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
    by_hand, signs = site.rule_set.fitting(site.rule_set.matches(page))
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
    found = rules.verdict(matches, number, signs)
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


_RULES: Final = {
    SiteReason.RETURNS: "returning text",
    SiteReason.DROP_RULE: "drop",
    SiteReason.CONTENT_RULE: "content",
    SiteReason.DROP_BY_HAND: "drop",
    SiteReason.CONTENT_BY_HAND: "content",
}
"""Reason → the kind of the site's rule that has it."""


def explanations(site: SiteModel, page: Page) -> Sequence[BlockExplanation]:
    """Return why each text block of ``page`` is kept or dropped by ``site``; no use is counted.

    Args:
        site: the model.
        page: the page.
    """
    if not len(text_blocks(page)):
        return ()
    if site.mode == "rules":
        verdict = by_rules(site, site.rule_set, page, Usage())
    else:
        verdict = in_full(site, page, Usage())
    notes = verdict.notes
    if not isinstance(notes, SiteNotes) or notes.mode == FALLBACK:
        return _by_hand_explanations(page, site.rules, Learned().explain(page))
    (template,) = (one for one in site.templates if one.name == notes.template)
    every = (*site.rules, *template.rules)
    if notes.mode == "rules":
        return _of_rules(page, verdict, every)
    learned = _of_slots(site, page, template) if template.is_learned else Learned().explain(page)
    return _by_hand_explanations(page, every, learned)


def _of_slots(site: SiteModel, page: Page, template: Template) -> list[BlockExplanation]:
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
    own, slot, returns, links, leads, rules = (
        column / weights.temperature
        for column in (
            weights.own * evidence.own,
            weights.slot * evidence.slot,
            -weights.returns * share,
            -weights.links * evidence.links,
            weights.leads * evidence.leads,
            weights.rules * evidence.counted_votes,
        )
    )
    out = []
    for block in range(len(share)):
        count = evidence.known[block]
        pieces = (
            Contribution("the page alone", _rounded(own[block])),
            Contribution(
                "its slot",
                _rounded(slot[block]),
                f"of {count:.0f} blocks there" if count else "unknown to the template",
            ),
            Contribution(
                "returning text", _rounded(returns[block]), f"on {share[block]:.0%} of the pages"
            ),
            Contribution(
                "links of its slot",
                _rounded(links[block]),
                f"{evidence.links[block]:.0%} of its slot's text in links",
            ),
            Contribution(
                "the place of a lead", _rounded(leads[block]), "one text a page, new on each"
            ),
            Contribution("the template's rules", _rounded(rules[block])),
        )
        found = (one for one in pieces if one.log_odds)
        out.append(tuple(sorted(found, key=lambda one: -abs(one.log_odds))))
    return out


def _rounded(value: np.floating) -> float:
    return round(float(value), 3)


def _by_hand_explanations(
    page: Page, rules: Sequence[Rule], found: Sequence[BlockExplanation]
) -> list[BlockExplanation]:
    labels = labels_by_hand(page, rules)
    first = text_blocks(page).first.tolist()
    return [
        _of_rule(page, rules, row, int(labels[row]), by_hand=True) if labels[row] else one
        for row, one in zip(first, found, strict=True)
    ]


def _of_rules(page: Page, verdict: Verdict, rules: Sequence[Rule]) -> list[BlockExplanation]:
    first = text_blocks(page).first.tolist()
    return [_of_rule(page, rules, row, int(verdict.why[row])) for row in first]


def _of_rule(
    page: Page, rules: Sequence[Rule], row: int, code: int, *, by_hand: bool = False
) -> BlockExplanation:
    """Return the explanation of a block that a rule of the site decided, or that none matches."""
    kind = _RULES.get(SiteReason(code))
    if kind is None:
        return BlockExplanation()
    wanted = by_hand or code in {SiteReason.DROP_BY_HAND, SiteReason.CONTENT_BY_HAND}
    deepest, select = -1, ""
    for rule in rules:
        if rule.kind != kind or rule.by_hand != wanted:
            continue
        around = [at for at in rule.rows(page) if at <= row < page.end[at]]
        if around and max(around) >= deepest:
            deepest, select = max(around), rule.select
    return BlockExplanation(rule=f"the site's rule «{kind}»", effect=REASONS[code], slot=select)
