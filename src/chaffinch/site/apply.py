"""A site model applied to one page, and why it keeps and drops each block.

Slots decide: the page-level model joined with what the template's pages together say. In mode
``rules`` the template's rules decide where they can be trusted on the page. Where no template fits,
the page-level default decides. What a person wrote has the last word everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision.discussions import in_comments
from chaffinch.decision.draft import OF_ONE_TEXT, Draft
from chaffinch.decision.policy import Policy
from chaffinch.decision.policy_parts import kept_title
from chaffinch.decision.rules import settle, trace
from chaffinch.kernels.arrays import Floats, Mask, Reasons
from chaffinch.methods import Learned
from chaffinch.model.block_scores import BlockScores, row_scores, score_blocks, shipped
from chaffinch.model.method_confidence import site_confidence
from chaffinch.page import Page, flattening, tags
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.evidence import LEAD_TYPES, BlockEvidence, shipped_weights
from chaffinch.site.model import FALLBACK, SiteModel, SiteNotes, Template
from chaffinch.site.rules import REASONS, Rule, Selected, SiteReason, Usage, labels, selecting
from chaffinch.site.sample import PageSlots, PageSummary, block_summary, with_masked_numbers
from chaffinch.site.slots import path_of
from chaffinch.verdict import BlockExplanation, Contribution, Verdict

_EVEN: Final = 0.5
"""Probability from which a block is likelier content than not."""
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


_LOOSE: Final = 0.7
"""Likeness to the template below which its rules aren't trusted, and it doesn't overrule what the
page alone says is content, unless its own pages are hardly more alike…"""
_USUAL: Final = 0.9
"""… which is so from this share of their mean likeness on…"""
_MOST_DROPPED: Final = 0.05
"""… where it would drop more than this share of it. On pages of 169 sites such a template is wrong
more often than right; sources left out in turn, 0.65 to 0.75 and 0.02 to 0.1 are alike
"""
_LEAST_KEPT: Final = 0.2
"""Least share of the page's text that rules must keep, relative to the mean over those of the
template; below it they count as failed."""
_EVERYWHERE: Final = 0.95
"""Share of a template's pages on which a text stands that nothing beside it makes content."""


def apply(site: SiteModel, page: Page, usage: Usage, mode: str = "") -> Verdict:
    """Return the verdict of a model in ``mode``, its own if not given; the use is counted."""
    if not page.text or page.text.isspace():
        return Verdict.empty(len(page))
    own = PageSlots.of(page)
    use = _Use(site, page, own, *site.fitting(page, own.sketch), usage)
    doubt, failed = "", False
    if use.template is not None and (mode or site.mode) == "rules":
        doubt = use.doubt(use.template)
        found = None if doubt else use.by_rules(use.template)
        if isinstance(found, Verdict):
            return found
        doubt, failed = doubt or found or "", not doubt
    if not page.own_length.any():
        return Verdict.empty(len(page))
    if use.template is None:
        verdict = use.by_default(f"no template fits (the nearest is {use.alike:.2f} alike)")
    elif not use.template.usable:
        verdict = use.beside_default(use.template)
    else:
        verdict = use.by_slots(use.template, failed=failed)
    if not doubt or not isinstance(verdict.notes, SiteNotes):
        return verdict
    because = f"{doubt}; {verdict.notes.because}" if verdict.notes.because else doubt
    return replace(verdict, notes=replace(verdict.notes, because=because))


@dataclass(frozen=True, eq=False)
class _Use:
    """A page that a model is applied to, the template that it fits, and how well, 0..1."""

    site: SiteModel
    page: Page
    own: PageSlots
    template: Template | None
    alike: float
    usage: Usage

    def is_loose(self, template: Template) -> bool:
        bound = min(_LOOSE, _USUAL * template.likeness)
        return self.alike < bound and not template.decided_by_hand

    def doubt(self, template: Template) -> str:
        """Return why the template's rules aren't trusted on the page; "" where they are."""
        if not any(rule.kind == "content" for rule in self.site.rules_for(template)):
            return f"the rules of {template.name} don't say what is content"
        if template.doubt or not self.is_loose(template):
            return template.doubt
        return f"the page is {self.alike:.2f} alike to {template.name} only"

    def by_rules(self, template: Template) -> Verdict | str:
        """Return the verdict of the rules alone; why they fail where they keep too little."""
        page = self.page
        selected = selecting(page, self.site.rules_for(template))
        why = labels(page, selected)
        why[why == 0] = SiteReason.OUTSIDE
        keep = (why == SiteReason.CONTENT_RULE) | (why == SiteReason.CONTENT_BY_HAND)
        keep &= page.shown
        returning = _returning(page, keep & (why == SiteReason.CONTENT_RULE), template)
        keep[returning], why[returning] = False, SiteReason.RETURNS
        # In bytes, since the folded lengths of rows would cost more time than the rules do.
        kept, written = kernels.kept_bytes(page.text_at, keep, page.text, max(page.body, 0))
        share = kept / max(written, 1)
        if share < _LEAST_KEPT * template.kept:
            return f"the rules of {template.name} find {share:.0%} of the text only"
        _drop_title(page, keep, why)
        self.usage.add(template.name, self.alike, template.known, share)
        self.count_idle(template, selected)
        notes, roles = SiteNotes.of("rules", template, self.alike), self.site.roles_by(template)
        return Verdict(keep, keep.astype(np.float32), why, notes=notes, roles=roles)

    def by_slots(self, template: Template, *, failed: bool) -> Verdict:
        """Return the verdict of the page-level model and the template's statistics together.

        ``failed`` is whether the template's rules found too little.
        """
        page, scored = self.page, ScoredPage.of(self.page, self.own)
        blocks, summary = scored.scores.features.blocks, scored.summary
        evidence = scored.evidence(template)
        score = scored.joined(evidence)
        draft = scored.draft(score)
        returning = evidence.return_share(shipped_weights()) >= _EVERYWHERE
        draft.template = np.zeros(len(score), dtype=bool)
        draft.template[: len(returning)] = returning & ~evidence.heading
        decision = settle(draft)
        if self.is_loose(template):
            units = scored.scores.features.units
            alone = settle(scored.draft(scored.scores.score)).keep
            lost = float(units[alone & ~decision.keep].sum() / max(float(units[alone].sum()), 1.0))
            if lost > _MOST_DROPPED:
                fits = f"{template.name} is {self.alike:.2f} alike only"
                found = self.by_default(f"{fits} and would drop {lost:.0%} of it", scored.scores)
                return replace(found, roles=self.site.roles_by(template))
        keep = blocks.spread(decision.keep) | decision.media
        why = blocks.spread(_reasons(evidence, decision))
        why[decision.media] = SiteReason.BESIDE
        self.follow(template, keep, why)
        length = summary.length.astype(np.float32)
        known = float(length[evidence.known > 0].sum() / max(length.sum(), 1))
        share = _kept_share(page, keep)
        self.usage.add(template.name, self.alike, known, share, fell_back=failed)
        return Verdict(
            keep,
            row_scores(blocks, score),
            why,
            confidence=site_confidence(decision.expected),
            notes=SiteNotes.of("full", template, self.alike),
            weights=shipped().digest,
            roles=self.site.roles_by(template),
        )

    def by_default(self, because: str, scores: BlockScores | None = None) -> Verdict:
        """Return the verdict of the page-level default and the rules for all pages.

        ``scores`` are those of the page's blocks, if they are at hand.
        """
        self.usage.add("", self.alike, 0.0, 0.0, fell_back=True)
        verdict = self.with_rules(None, scores)
        return replace(verdict, notes=SiteNotes(mode=FALLBACK, because=because))

    def beside_default(self, template: Template) -> Verdict:
        """Return the verdict of the default and of rules that people alone wrote."""
        verdict = self.with_rules(template)
        self.usage.add(template.name, self.alike, 0.0, _kept_share(self.page, verdict.keep))
        return replace(verdict, notes=SiteNotes.of("full", template, self.alike))

    def with_rules(self, template: Template | None, scores: BlockScores | None = None) -> Verdict:
        page = self.page
        verdict = Learned()(page) if scores is None else Learned().verdict(scores)
        keep = verdict.keep.copy()
        why = np.where(keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
        why[~(page.written & page.shown) & ~keep] = SiteReason.NO_TEXT
        self.follow(template, keep, why)
        return replace(verdict, keep=keep, why=why, roles=self.site.roles_by(template))

    def follow(self, template: Template | None, keep: Mask, why: Reasons) -> None:
        """Apply rules written by hand to the shown rows: ``keep`` and ``why`` are changed."""
        page, rules = self.page, self.site.rules_for(template)
        selected = selecting(page, (rule for rule in rules if rule.by_hand))
        told = labels(page, selected)
        for code, value in ((SiteReason.DROP_BY_HAND, False), (SiteReason.CONTENT_BY_HAND, True)):
            rows = (told == code) & page.shown
            keep[rows], why[rows] = value, code
        self.count_idle(template, selected)

    def count_idle(self, template: Template | None, selected: Selected) -> None:
        """Count the rules written by hand that select nothing."""
        idle = [rule for rule, rows in selected if rule.by_hand and not rows]
        rules = (rule for rule in self.site.rules_for(template) if rule.by_hand)
        idle += [r for r in rules if not r.decides and not self.page.selected(r.select)]
        self.usage.add_idle("" if template is None else template.name, idle)


def _kept_share(page: Page, keep: Mask) -> float:
    return float(page.own_length[keep].sum() / max(page.own_length.sum(), 1))


_SLACK: Final = 3
"""A line longer than this many times the longest returning text, in bytes, isn't hashed."""


def _returning(page: Page, keep: Mask, template: Template) -> list[int]:
    """Return the text rows of ``keep`` whose line is a returning text that the template drops."""
    rows = np.flatnonzero(keep & (page.tag == tags.TEXT))
    if not len(rows) or not len(template.dropped):
        return []
    inner = np.flatnonzero(np.diff(page.line[rows])) + 1
    starts, stops = np.append(0, inner), np.append(inner, len(rows))
    begin, finish = page.text_at[rows[starts]], page.text_at[rows[stops - 1] + 1]
    # A line that exceeds the bound by white space alone doesn't occur in practice.
    short = np.flatnonzero(finish - begin <= _SLACK * (template.longest + 1))
    spans = zip(short.tolist(), begin[short].tolist(), finish[short].tolist(), strict=True)
    folded = {number: " ".join(page.text[a:b].split()) for number, a, b in spans}
    written = {number: text for number, text in folded.items() if text}
    hashes = flattening.hash_strings(with_masked_numbers([*written.values()])).astype(np.uint32)
    found = np.isin(hashes, template.dropped).tolist()
    lines = [number for number, is_noise in zip(written, found, strict=True) if is_noise]
    return [row for line in lines for row in rows[starts[line] : stops[line]].tolist()]


_HEADLINES: Final = tags.table(["h1", "h2"])
_WORD: Final = 6.0
"""Characters of a word and the space after it, by which words are counted that a title leaves."""


def _drop_title(page: Page, keep: Mask, why: Reasons) -> None:
    """Drop the page's title from what learned rules keep; ``keep`` and ``why`` are changed."""
    if not (keep & _HEADLINES.take(page.tag)).any():
        return
    blocks = text_blocks(page)
    words = (blocks.length / _WORD).astype(np.float32)
    if (title := kept_title(blocks, words, keep[blocks.first])) is not None:
        rows = blocks.spread(title) & (why == SiteReason.CONTENT_RULE)
        keep[rows], why[rows] = False, SiteReason.TITLE


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


_RULES: Final[Mapping[int, str]] = {
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
    verdict = apply(site, page, Usage())
    notes, template = verdict.notes, None
    if isinstance(notes, SiteNotes) and notes.mode != FALLBACK:
        (template,) = (one for one in site.templates if one.name == notes.template)
    rules = site.rules_for(template)
    if isinstance(notes, SiteNotes) and notes.mode == "rules":
        return [_of_rule(page, rules, row, int(verdict.why[row])) for row in first]
    if template is not None and template.usable:
        learned = _of_slots(page, template)
    else:
        learned = Learned().explain(page)
    told = labels(page, selecting(page, (rule for rule in rules if rule.by_hand)))
    return [
        _of_rule(page, rules, row, int(told[row])) if told[row] else one
        for row, one in zip(first, learned, strict=True)
    ]


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


def _of_rule(page: Page, rules: Sequence[Rule], row: int, code: int) -> BlockExplanation:
    """Return the explanation of a block that a rule of the site decided, or that none matches."""
    kind = _RULES.get(code)
    if kind is None:
        return BlockExplanation()
    by_hand = code in {SiteReason.DROP_BY_HAND, SiteReason.CONTENT_BY_HAND}
    deepest, select = -1, ""
    for rule in rules:
        if rule.kind == kind and rule.by_hand == by_hand:
            around = [at for at in rule.rows(page) if at <= row < page.end[at]]
            if around and max(around) >= deepest:
                deepest, select = max(around), rule.select
    return BlockExplanation(rule=f"the site's rule «{kind}»", effect=REASONS[code], slot=select)
