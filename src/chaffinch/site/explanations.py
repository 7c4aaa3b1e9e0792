"""Why a site model kept or dropped each text block: its slot's evidence, or a rule's selector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.decision.trace import trace
from chaffinch.explanation import BlockExplanation, Contribution
from chaffinch.methods import Learned
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.application import by_rules, in_full
from chaffinch.site.block_evidence import shipped_weights
from chaffinch.site.heat_map import path_of
from chaffinch.site.joined_scores import ScoredPage
from chaffinch.site.modes import FALLBACK
from chaffinch.site.reasons import REASONS, SiteReason
from chaffinch.site.rules import labels_by_hand
from chaffinch.site.site_notes import SiteNotes
from chaffinch.site.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from chaffinch.page import Page
    from chaffinch.result import Verdict
    from chaffinch.site.block_evidence import BlockEvidence
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

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
        return _by_hand(page, site.rules, Learned().explain(page))
    (template,) = (one for one in site.templates if one.name == notes.template)
    every = (*site.rules, *template.rules)
    if notes.mode == "rules":
        return _of_rules(page, verdict, every)
    learned = _of_slots(site, page, template) if template.is_learned else Learned().explain(page)
    return _by_hand(page, every, learned)


def _of_slots(site: SiteModel, page: Page, template: Template) -> list[BlockExplanation]:
    """Return the explanations of the full mode, rules written by hand left out."""
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


def _by_hand(
    page: Page, rules: Sequence[Rule], found: Sequence[BlockExplanation]
) -> list[BlockExplanation]:
    """Return ``found`` with the rules written by hand in the place of what they override."""
    labels = labels_by_hand(page, rules)
    first = text_blocks(page).first.tolist()
    return [
        _of_rule(page, rules, row, int(labels[row]), by_hand=True) if labels[row] else one
        for row, one in zip(first, found, strict=True)
    ]


def _of_rules(page: Page, verdict: Verdict, rules: Sequence[Rule]) -> list[BlockExplanation]:
    """Return the explanations of the mode in which rules alone decide."""
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
