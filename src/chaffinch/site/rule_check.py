"""Rules tried on pages: which match nothing, which match too much, which are never heard."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.by_rules import ByRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import Page
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_TOO_MUCH: Final = 0.9
"""Share of a page's text in a rule beyond which it finds the page, not a part of it."""
_NAMED: Final = 3
"""Elements beyond which what should name one thing names many."""
_LISTED: Final = frozenset({"content", "drop", "record", "image"})
_DECIDE: Final = frozenset({"content", "drop"})
_SELDOM: Final = 0.5
"""Of the share of pages that a rule was learned from: matching on less of them is remarked."""
_ENOUGH: Final = 5
"""Pages from which that is said."""


@dataclass(frozen=True)
class Checked:
    """What one rule did on the pages of its template.

    Attributes:
        template: name of the template; "" for pages that fit none.
        rule: the rule; None for a remark on the template.
        pages: pages of the template that were tried.
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
class _Tried:
    """What a rule did on one page: ``alone`` is the text that it decides and no other would so."""

    elements: int
    share: float
    alone: float


def check_rules(site: SiteModel, pages: Iterable[Page]) -> list[Checked]:
    """Try all rules of ``site`` on ``pages`` and return what each did, by template."""
    tried: Counter[str] = Counter()
    seen: dict[tuple[str, int], list[_Tried]] = {}
    ruled = ByRules(site.templates)
    for page in pages:
        template = site.template_of(page)
        if template is None and (number := ruled(page).template) >= 0:
            template = site.templates[number]
        tried[template.name if template else ""] += 1
        for number, one in enumerate(_tried(template.rules, page) if template else ()):
            seen.setdefault((template.name if template else "", number), []).append(one)
    out = [
        _checked(template, rule, seen.get((template.name, number), []))
        for template in site.templates
        if tried[template.name]
        for number, rule in enumerate(template.rules)
    ]
    out += [
        Checked(template.name, None, 0, 0, 0.0, 0.0, "no page of it was given")
        for template in site.templates
        if not tried[template.name]
    ]
    if tried[""]:
        remark = "these pages fit no template"
        out.append(Checked("", None, tried[""], 0, 0.0, 0.0, remark))
    return out


def _tried(rules: Sequence[Rule], page: Page) -> list[_Tried]:
    """Return what each rule does on ``page``, painted in the order in which rules decide."""
    length = np.where(page.shown, page.own_length, 0)
    whole = max(int(length.sum()), 1)
    found = [page.select(rule.select).tolist() for rule in rules]
    label = np.zeros(len(page), dtype=bool)
    painter = np.full(len(page), -1, dtype=np.int32)
    changed = np.zeros(len(page), dtype=bool)
    order = sorted(
        (rule.by_hand, row, number)
        for number, rule in enumerate(rules)
        if rule.kind in _DECIDE
        for row in found[number]
    )
    for _, row, number in order:
        inside = slice(row, page.end[row])
        is_content = rules[number].kind == "content"
        changed[inside] = label[inside] != is_content
        painter[inside], label[inside] = number, is_content
    out = []
    for number, rows in enumerate(found):
        marked = np.zeros(len(page), dtype=bool)
        marked[rows] = True
        share = length[page.inside(marked)].sum() / whole
        alone = length[(painter == number) & changed].sum() / whole
        out.append(_Tried(len(rows), float(share), float(alone)))
    return out


def _checked(template: Template, rule: Rule, seen: list[_Tried]) -> Checked:
    hits = [one for one in seen if one.elements]
    elements = float(np.mean([one.elements for one in hits])) if hits else 0.0
    share = float(np.mean([one.share for one in hits])) if hits else 0.0
    remark = _remark(template, rule, len(seen), hits)
    return Checked(template.name, rule, len(seen), len(hits), elements, share, remark)


def _remark(template: Template, rule: Rule, pages: int, hits: list[_Tried]) -> str:
    """Return what is wrong with a rule that was tried on so many pages and matched on some."""
    if not hits:
        return "matches nothing"
    if too_much := _too_much(rule, hits):
        return too_much
    if rule.kind in _DECIDE and not any(one.alone for one in hits):
        return "changes nothing: other rules decide all that it selects"
    expected = 0.0 if rule.by_hand else rule.support / max(template.pages, 1)
    if pages >= _ENOUGH and len(hits) < _SELDOM * expected * pages:
        return f"matches on {len(hits) / pages:.0%} of the pages, learned from {expected:.0%}"
    return ""


def _too_much(rule: Rule, hits: list[_Tried]) -> str:
    share = float(np.mean([one.share for one in hits]))
    elements = float(np.mean([one.elements for one in hits]))
    if rule.kind == "content" and share > _TOO_MUCH:
        return f"matches too much: {share:.0%} of the text"
    if rule.kind == "drop" and share > _TOO_MUCH:
        return f"drops nearly all: {share:.0%} of the text"
    if rule.kind not in _LISTED and elements > _NAMED:
        return f"matches too much: {elements:.0f} elements where one is meant"
    return ""
