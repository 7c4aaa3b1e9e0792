"""What a site model holds, in words, and what its rules do on pages: too much, or nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from chaffinch.kernels.arrays import marked
from chaffinch.metadata.sources import selected_rows
from chaffinch.page import Page
from chaffinch.site.evidence import WHOLE, group_words
from chaffinch.site.model import SiteModel, Template
from chaffinch.site.rules import RECORD, Rule, labels
from chaffinch.wording import counted


@dataclass(frozen=True, eq=False)
class SiteReport:
    """A report of a site model."""

    site: SiteModel

    def to_dict(self) -> dict[str, Any]:
        site = self.site
        return {
            "site": site.host,
            "learned": [asdict(one) for one in site.history],
            "title_boilerplate": list(site.title_boilerplate),
            "rules": [asdict(rule) for rule in site.rules],
            "templates": [
                {
                    **{key: getattr(one, key) for key in _FACTS},
                    "signs": list(one.signs),
                    "rules": [asdict(rule) for rule in one.rules],
                    "slots": 0 if one.whole is None else len(one.whole.slots),
                    "returning_texts": _returning(one),
                    "groups": [
                        {"name": name, "pages": of_group.pages}
                        for name, of_group in one.tables.items()
                        if name != WHOLE
                    ],
                }
                for one in site.templates
            ],
            "usage": site.usage.to_dict(),
            "findings": site.findings(),
        }

    def to_text(self) -> str:
        site = self.site
        times = ", ".join(
            f"{counted(one.pages, 'page')} on {one.date or 'no date'}" for one in site.history
        )
        learned = f", learned from {times}" if times else ""
        lines = [f"{site.host or 'site'}: {counted(len(site.templates), 'template')}{learned}"]
        if site.title_boilerplate:
            lines.append(f"  left out of titles: {'; '.join(site.title_boilerplate)}")
        if site.rules:
            lines += ["", "on all pages:", *_rule_lines(site.rules)]
        for template in site.templates:
            lines += ["", *_lines(template)]
        if found := site.findings():
            lines += ["", "changed since:", *(f"  {one}" for one in found)]
        return "\n".join(lines)


_FACTS: Final = ("name", "pages", "share", "page", "likeness", "kept")


def _returning(template: Template) -> int:
    """Return how many texts, numbers masked, stand on at least two of its pages."""
    return 0 if template.whole is None else int((template.whole.counts[1] > 1).sum())


def _lines(template: Template) -> list[str]:
    pages, texts = counted(template.pages, "page"), counted(_returning(template), "returning text")
    lines = [f"{template.name}: {pages} ({template.share:.0%} of the site)"]
    lines[0] += f", {template.kept:.0%} of the text is content, {texts}"
    if template.page:
        lines.append(f"  such as {template.page}")
    if not template.usable and not template.rules:
        lines.append("  too few pages: the page-level default answers")
    groups = ((name, one.pages) for name, one in template.tables.items() if name != WHOLE)
    if apart := [f"{group_words(name)} ({pages})" for name, pages in groups]:
        lines.append(f"  pages read apart: {'; '.join(apart)}")
    return lines + _rule_lines(template.rules)


def _rule_lines(rules: Sequence[Rule]) -> list[str]:
    width, lines = max((len(rule.kind) for rule in rules), default=0), []
    for rule in rules:
        origin = f"{counted(rule.support, 'page')}, {rule.confidence:.0%}"
        origin = "by hand" if rule.by_hand else origin
        lines.append(f"  {rule.kind:{width}}  {rule.select}  ({origin})")
        if rule.example:
            where = f" on {rule.example_page}" if rule.example_page else ""
            lines.append(f"  {'':{width}}    «{rule.example}»{where}")
    return lines


_TOO_MUCH: Final = 0.9
"""Share of a page's text in a rule beyond which it selects the whole page, not a part of it."""
_NAMED: Final = 3  # elements on a page beyond which a rule for a single thing selects too many
_LISTED: Final = frozenset({"content", "drop", "record", "image"})
_SELDOM: Final = 0.5
"""Least share of pages that a rule must match, relative to the share that it was learned from."""
_ENOUGH: Final = 5  # least number of pages from which too few matches are remarked


@dataclass(frozen=True)
class RuleCheck:
    """The effect of one rule on the pages that it is for."""

    template: str  # name of the template; "" for a rule for all pages, and for pages that fit none
    rule: Rule | None  # the rule; None for a remark on the template
    pages: int  # pages of the template, or of the site, that were checked
    matching: int  # pages on which the rule matches anything
    elements: float  # mean number of elements where it does
    share: float  # mean share (0..1) of those pages' text that it selects
    remark: str  # what is wrong, in words; "" for nothing


_Effect = tuple[int, float, float]
"""Of a rule on one page: the elements that it selects (of a field in one entry of a list), the
share (0..1) of the text in them, and that of the text that people's rules would label otherwise
without it."""


def check_rules(site: SiteModel, pages: Iterable[Page]) -> list[RuleCheck]:
    """Apply all rules of ``site`` to ``pages`` and return the effect of each, by template."""
    pages_of: Counter[str] = Counter()
    seen: dict[tuple[str, int], list[_Effect]] = defaultdict(list)
    for page in pages:
        template = site.template_of(page)
        entries = selected_rows(page, site.roles_by(template), RECORD)
        name, own = (template.name, template.rules) if template else ("", ())
        pages_of[name] += 1
        for place, rules in (("", site.rules), (name, own)):
            for number, one in enumerate(_effects(rules, page, entries)):
                seen[place, number].append(one)
    out = [_checked("", 0, rule, seen["", number]) for number, rule in enumerate(site.rules)]
    for template in sorted(site.templates, key=lambda one: not pages_of[one.name]):
        if not pages_of[template.name]:
            out.append(RuleCheck(template.name, None, 0, 0, 0.0, 0.0, "no page of it was given"))
            continue
        out += [
            _checked(template.name, template.pages, rule, seen[template.name, number])
            for number, rule in enumerate(template.rules)
        ]
    if pages_of[""] and not site.rules:
        remark = "these pages fit no template"
        out.append(RuleCheck("", None, pages_of[""], 0, 0.0, 0.0, remark))
    return out


def _effects(rules: Sequence[Rule], page: Page, entries: Iterable[int]) -> list[_Effect]:
    around = np.full(len(page), -1)
    for row in entries:
        around[row : page.end[row]] = row
    length = np.where(page.shown, page.own_length, 0)
    whole = max(int(length.sum()), 1)
    found = [rule.rows(page) for rule in rules]
    deciding = [one for one in zip(rules, found, strict=True) if one[0].decides and one[0].by_hand]
    told = labels(page, deciding)
    out = []
    for number, rows in enumerate(found):
        share = length[page.inside(marked(len(page), rows))].sum() / whole
        others = [one for one in deciding if one[0] is not rules[number]]
        effective = length[labels(page, others) != told].sum() / whole
        count = len(rows) or sum(bool(one.value) for one in page.selected(rules[number].select))
        if rows and rules[number].kind not in _LISTED:
            count = int(np.unique(around[rows], return_counts=True)[1].max())
        out.append((count, float(share), float(effective)))
    return out


def _checked(name: str, learned_from: int, rule: Rule, seen: list[_Effect]) -> RuleCheck:
    """Return what a rule did on the pages seen; its template was learned from so many pages."""
    hits = [one for one in seen if one[0]]
    elements, share = (float(np.mean([one[at] for one in hits])) if hits else 0.0 for at in (0, 1))
    expected = 0.0 if rule.by_hand else rule.support / max(learned_from, 1)
    decides = rule.decides and rule.by_hand  # a learned one votes
    remark = ""
    if not hits:
        remark = "matches nothing"
    elif decides and share > _TOO_MUCH:
        what = "matches too much" if rule.kind == "content" else "drops nearly all"
        remark = f"{what}: {share:.0%} of the text"
    elif rule.kind not in _LISTED and elements > _NAMED:
        remark = f"matches too much: {elements:.0f} elements where one is meant"
    elif decides and not any(changed for *_, changed in hits):
        remark = "changes nothing: other rules decide all that it selects"
    elif len(seen) >= _ENOUGH and len(hits) < _SELDOM * expected * len(seen):
        found = f"{len(hits) / len(seen):.0%} of the pages"
        remark = f"matches on {found}, learned from {expected:.0%}"
    return RuleCheck(name, rule, len(seen), len(hits), elements, share, remark)
