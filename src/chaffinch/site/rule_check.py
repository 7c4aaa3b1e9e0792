"""Rules checked on pages: which match nothing, match too much, or change nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.rule_set import RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import Page
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_TOO_MUCH: Final = 0.9
"""Share of a page's text in a rule beyond which it selects the whole page, not a part of it."""
_NAMED: Final = 3
"""Elements on a page beyond which a rule for a single thing selects too many."""
_LISTED: Final = frozenset({"content", "drop", "record", "image"})
_DECIDE: Final = frozenset({"content", "drop"})
_SELDOM: Final = 0.5
"""Least share of pages that a rule must match, relative to the share that it was learned from."""
_ENOUGH: Final = 5
"""Least number of pages from which too few matches are remarked."""


@dataclass(frozen=True)
class RuleCheck:
    """The effect of one rule on the pages that it is for.

    Attributes:
        template: name of the template; "" for a rule for all pages, and for pages that fit none.
        rule: the rule; None for a remark on the template.
        pages: pages of the template, or of the site, that were checked.
        matching: pages on which the rule matches anything.
        elements: mean number of elements where it does.
        share: mean share (0..1) of those pages' text that it selects.
        remark: what is wrong, in words; "" for nothing.
    """

    template: str
    rule: Rule | None
    pages: int
    matching: int
    elements: float
    share: float
    remark: str


@dataclass(frozen=True)
class _RuleEffect:
    """The effect of a rule on one page.

    Attributes:
        elements: elements that it selects.
        share: share (0..1) of the page's text in them.
        changed: share (0..1) of the text whose label it changes and no inner rule changes again.
    """

    elements: int
    share: float
    changed: float


def check_rules(site: SiteModel, pages: Iterable[Page]) -> list[RuleCheck]:
    """Apply all rules of ``site`` to ``pages`` and return the effect of each, by template.

    Raises:
        OptionError: the model replaces texts that weren't replaced in the source of a page.
    """
    pages_of: Counter[str] = Counter()
    seen: dict[tuple[str, int], list[_RuleEffect]] = {}
    of_site: list[list[_RuleEffect]] = [[] for _ in site.rules]
    rules = RuleSet(site.templates, site.rules)
    for page in pages:
        site.require_replaced(page)
        for effects, one in zip(of_site, _effects(site.rules, page), strict=True):
            effects.append(one)
        template = site.template_of(page)
        if template is None and (number := rules(page).template) >= 0:
            template = site.templates[number]
        pages_of[template.name if template else ""] += 1
        for number, one in enumerate(_effects(template.rules, page) if template else ()):
            seen.setdefault((template.name if template else "", number), []).append(one)
    out = [_checked(None, rule, seen_of) for rule, seen_of in zip(site.rules, of_site, strict=True)]
    out += [
        _checked(template, rule, seen.get((template.name, number), []))
        for template in site.templates
        if pages_of[template.name]
        for number, rule in enumerate(template.rules)
    ]
    out += [
        RuleCheck(template.name, None, 0, 0, 0.0, 0.0, "no page of it was given")
        for template in site.templates
        if not pages_of[template.name]
    ]
    if pages_of[""] and not site.rules:
        remark = "these pages fit no template"
        out.append(RuleCheck("", None, pages_of[""], 0, 0.0, 0.0, remark))
    return out


def _effects(rules: Sequence[Rule], page: Page) -> list[_RuleEffect]:
    """Return the effect of each rule on ``page``, applied in the order in which rules decide."""
    length = np.where(page.shown, page.own_length, 0)
    whole = max(int(length.sum()), 1)
    found = [rule.rows(page) for rule in rules]
    is_content = np.zeros(len(page), dtype=bool)
    decided_by = np.full(len(page), -1, dtype=np.int32)
    changed = np.zeros(len(page), dtype=bool)
    order = sorted(
        (rule.by_hand, row, number)
        for number, rule in enumerate(rules)
        if rule.kind in _DECIDE
        for row in found[number]
    )
    for _, row, number in order:
        inside = slice(row, page.end[row])
        keeps = rules[number].kind == "content"
        changed[inside] = is_content[inside] != keeps
        decided_by[inside], is_content[inside] = number, keeps
    out = []
    for number, rows in enumerate(found):
        selected = np.zeros(len(page), dtype=bool)
        selected[rows] = True
        share = length[page.inside(selected)].sum() / whole
        effective = length[(decided_by == number) & changed].sum() / whole
        count = len(rows) or len(page.selected_texts(rules[number].select))
        out.append(_RuleEffect(count, float(share), float(effective)))
    return out


def _checked(template: Template | None, rule: Rule, seen: list[_RuleEffect]) -> RuleCheck:
    """Return what a rule of a template, or None for one of all pages, did on the pages seen."""
    hits = [one for one in seen if one.elements]
    elements = float(np.mean([one.elements for one in hits])) if hits else 0.0
    share = float(np.mean([one.share for one in hits])) if hits else 0.0
    learned_from = template.pages if template is not None else 0
    remark = _remark(learned_from, rule, len(seen), hits)
    name = template.name if template is not None else ""
    return RuleCheck(name, rule, len(seen), len(hits), elements, share, remark)


def _remark(learned_from: int, rule: Rule, pages: int, hits: list[_RuleEffect]) -> str:
    """Return what is wrong with a rule that had ``hits`` on ``pages`` pages; "" for nothing.

    ``learned_from`` is the number of pages that its template was learned from.
    """
    if not hits:
        return "matches nothing"
    if too_much := _too_much(rule, hits):
        return too_much
    if rule.kind in _DECIDE and not any(one.changed for one in hits):
        return "changes nothing: other rules decide all that it selects"
    expected = 0.0 if rule.by_hand else rule.support / max(learned_from, 1)
    if pages >= _ENOUGH and len(hits) < _SELDOM * expected * pages:
        return f"matches on {len(hits) / pages:.0%} of the pages, learned from {expected:.0%}"
    return ""


def _too_much(rule: Rule, hits: list[_RuleEffect]) -> str:
    share = float(np.mean([one.share for one in hits]))
    elements = float(np.mean([one.elements for one in hits]))
    if rule.kind == "content" and share > _TOO_MUCH:
        return f"matches too much: {share:.0%} of the text"
    if rule.kind == "drop" and share > _TOO_MUCH:
        return f"drops nearly all: {share:.0%} of the text"
    if rule.kind not in _LISTED and elements > _NAMED:
        return f"matches too much: {elements:.0f} elements where one is meant"
    return ""
