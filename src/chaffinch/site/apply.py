"""A site model applied to one page, and why it keeps and drops each block.

Slots decide: the page-level model joined with what the template's pages together say. In mode
``rules`` the template's rules decide where they can be trusted on the page. Where no template fits,
the page-level default decides. What a person wrote has the last word everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision.boilerplate import links_alone
from chaffinch.decision.discussions import PAGE_TYPES_COMMENTS as OF_ONE_TEXT
from chaffinch.decision.discussions import in_comments
from chaffinch.decision.policy import Policy
from chaffinch.decision.policy_parts import kept_title
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
from chaffinch.page import Page, flattening, tags
from chaffinch.page.arrays import Floats, Mask, Reasons
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.evidence import LEAD_TYPES, BlockEvidence, shipped_weights
from chaffinch.site.model import FALLBACK, SiteModel, SiteNotes, Template
from chaffinch.site.rules import REASONS, Rule, Selected, SiteReason, labels, selecting
from chaffinch.site.sample import PageSlots, PageSummary, block_summary, with_masked_numbers
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
        return shipped().kinds[int(self.scores.kinds.argmax())]

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


def apply(site: SiteModel, page: Page, usage: Usage, mode: str = "") -> Verdict:
    """Return the verdict of a model in ``mode``, its own if not given; the use is counted."""
    if not page.text or page.text.isspace():
        return Verdict.empty(len(page))
    own = PageSlots.of(page)
    template, alike = site.fitting(page, own.sketch)
    doubt, failed = "", False
    if template is not None and (mode or site.mode) == "rules":
        doubt = _doubt(site, template, alike)
        if not doubt:
            selected = selecting(page, site.rules_for(template))
            keep, why = _by_rules(page, template, selected)
            # In bytes, since the folded lengths of rows would cost more time than the rules do.
            kept, written = kernels.kept_bytes(page.text_at, keep, page.text, max(page.body, 0))
            share = kept / max(written, 1)
            failed = share < _LEAST_KEPT * template.kept
            if not failed:
                usage.add(template.name, alike, template.known, share)
                notes = SiteNotes.of("rules", template, alike)
                _count_idle(site, page, template, selected, usage)
                roles = site.roles_by(template)
                return Verdict(keep, keep.astype(np.float32), why, notes=notes, roles=roles)
            doubt = f"the rules of {template.name} find {share:.0%} of the text only"
    if not page.own_length.any():
        return Verdict.empty(len(page))
    if template is None:
        because = f"no template fits (the nearest is {alike:.2f} alike)"
        verdict = _by_default(site, page, alike, usage, because)
    elif not template.usable:
        verdict = _beside_default(site, page, template, alike, usage)
    else:
        verdict = _by_slots(site, page, own, template, alike, usage, failed=failed)
    if not doubt or not isinstance(verdict.notes, SiteNotes):
        return verdict
    because = f"{doubt}; {verdict.notes.because}" if verdict.notes.because else doubt
    return replace(verdict, notes=replace(verdict.notes, because=because))


# By rules


def _doubt(site: SiteModel, template: Template, alike: float) -> str:
    """Return why a template's rules aren't trusted on a page so much alike; "" where they are."""
    if not any(rule.kind == "content" for rule in site.rules_for(template)):
        return f"the rules of {template.name} don't say what is content"
    if not template.decided_by_hand and _is_loose(template, alike):
        return template.doubt or f"the page is {alike:.2f} alike to {template.name} only"
    return template.doubt


def _is_loose(template: Template, alike: float) -> bool:
    return alike < min(_LOOSE, _USUAL * template.likeness) and not template.decided_by_hand


def _by_rules(page: Page, template: Template, selected: Selected) -> tuple[Mask, Reasons]:
    """Return bool[n] and int8[n]: what the rules alone keep of a page, and why."""
    why = labels(page, selected)
    why[why == 0] = SiteReason.OUTSIDE
    keep = (why == SiteReason.CONTENT_RULE) | (why == SiteReason.CONTENT_BY_HAND)
    keep &= page.shown
    returning = _returning(page, keep & (why == SiteReason.CONTENT_RULE), template)
    keep[returning], why[returning] = False, SiteReason.RETURNS
    _drop_inseparable(page, keep, why, lone_links=template.lone_links)
    return keep, why


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


_LEAST_LEFT: Final = 0.3
"""Share of the kept text that must be left: else links are the main content."""
_HEADLINES: Final = tags.table(["h1", "h2"])
_WORD: Final = 6.0
"""Characters of a word and the space after it, by which words are counted that a title leaves."""


def _drop_inseparable(page: Page, keep: Mask, why: Reasons, *, lone_links: bool) -> None:
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


# By slots


_EVERYWHERE: Final = 0.95
"""Share of a template's pages on which a text stands that nothing beside it makes content."""


def _by_slots(  # noqa: PLR0913, PLR0917  the parts of a use
    site: SiteModel,
    page: Page,
    own: PageSlots,
    template: Template,
    alike: float,
    usage: Usage,
    *,
    failed: bool,
) -> Verdict:
    """Return the verdict of the page-level model and the template's slot statistics together.

    ``failed`` is whether the template's rules found too little.
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
    if _is_loose(template, alike):
        units = scored.scores.features.units
        alone = settle(scored.draft(scored.scores.score)).keep
        lost = float(units[alone & ~decision.keep].sum() / max(float(units[alone].sum()), 1.0))
        if lost > _MOST_DROPPED:
            because = f"{template.name} is {alike:.2f} alike only and would drop {lost:.0%} of it"
            roles = site.roles_by(template)
            found = _by_default(site, page, alike, usage, because, scores=scored.scores)
            return replace(found, roles=roles)
    keep = blocks.spread(decision.keep) | decision.media
    codes = blocks.spread(_reasons(evidence, decision))
    codes[decision.media] = SiteReason.BESIDE
    _follow(site, page, template, keep, codes, usage)
    length = summary.length.astype(np.float32)
    known = float(length[evidence.known > 0].sum() / max(length.sum(), 1))
    usage.add(template.name, alike, known, _kept_share(page, keep), fell_back=failed)
    return Verdict(
        keep,
        row_scores(blocks, score),
        codes,
        confidence=site_confidence(decision.expected),
        notes=SiteNotes.of("full", template, alike),
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


# By the page-level default


def _by_default(  # noqa: PLR0913  the last is keyword-only
    site: SiteModel,
    page: Page,
    alike: float,
    usage: Usage,
    because: str,
    *,
    scores: BlockScores | None = None,
) -> Verdict:
    """Return the verdict of the default and the rules for all pages, with the reason for it.

    ``scores`` are those of the page's blocks, if they are at hand.
    """
    usage.add("", alike, 0.0, 0.0, fell_back=True)
    verdict = _with_rules(site, page, None, usage, scores)
    return replace(verdict, notes=SiteNotes(mode=FALLBACK, because=because))


def _beside_default(
    site: SiteModel, page: Page, template: Template, alike: float, usage: Usage
) -> Verdict:
    verdict = _with_rules(site, page, template, usage)
    usage.add(template.name, alike, 0.0, _kept_share(page, verdict.keep))
    return replace(verdict, notes=SiteNotes.of("full", template, alike))


def _with_rules(
    site: SiteModel,
    page: Page,
    template: Template | None,
    usage: Usage,
    scores: BlockScores | None = None,
) -> Verdict:
    verdict = Learned()(page) if scores is None else Learned().verdict(scores)
    why = np.where(verdict.keep, SiteReason.ALONE_KEPT, SiteReason.ALONE_DROPPED).astype(np.int8)
    why[~(page.written & page.shown) & ~verdict.keep] = SiteReason.NO_TEXT
    keep = verdict.keep.copy()
    _follow(site, page, template, keep, why, usage)
    return replace(verdict, keep=keep, why=why, roles=site.roles_by(template))


def _kept_share(page: Page, keep: Mask) -> float:
    return float(page.own_length[keep].sum() / max(page.own_length.sum(), 1))


def _follow(  # noqa: PLR0913, PLR0917  two columns are changed, and counts
    site: SiteModel,
    page: Page,
    template: Template | None,
    keep: Mask,
    why: Reasons,
    usage: Usage,
) -> None:
    """Apply rules written by hand to the shown rows: ``keep`` and ``why`` are changed."""
    selected = selecting(page, (rule for rule in site.rules_for(template) if rule.by_hand))
    told = labels(page, selected)
    for code, value in ((SiteReason.DROP_BY_HAND, False), (SiteReason.CONTENT_BY_HAND, True)):
        rows = (told == code) & page.shown
        keep[rows], why[rows] = value, code
    _count_idle(site, page, template, selected, usage)


def _count_idle(
    site: SiteModel, page: Page, template: Template | None, selected: Selected, usage: Usage
) -> None:
    """Count the rules written by hand that select nothing."""
    idle = [rule for rule, rows in selected if rule.by_hand and not rows]
    fields = (rule for rule in site.rules_for(template) if rule.by_hand and not rule.decides)
    idle += [rule for rule in fields if not page.selected(rule.select)]
    usage.add_idle("" if template is None else template.name, idle)


# Why


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
    kind = _RULES.get(SiteReason(code))
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
