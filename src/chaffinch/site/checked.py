"""Rules tried on pages: which match nothing, which match too much, which are never heard."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.page import Page
    from chaffinch.site.learning import Template
    from chaffinch.site.rules import Rule
    from chaffinch.site.site import Site

_TOO_MUCH: Final = 0.9
"""Share of a page's text in a content rule beyond which it finds the page, not its content."""
_NAMED: Final = 3
"""Elements beyond which what should name one thing names many."""
_LISTED: Final = frozenset({"content", "drop", "record", "image"})


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


def check_rules(site: Site, pages: Iterable[Page]) -> list[Checked]:
    """Try all rules of ``site`` on ``pages`` and return what each did, by template."""
    tried: Counter[str] = Counter()
    seen: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for page in pages:
        template = site.template_of(page)
        tried[template.name if template else ""] += 1
        if template is None:
            continue
        for number, rule in enumerate(template.rules):
            rows = page.select(rule.select)
            marked = np.zeros(len(page), dtype=bool)
            marked[rows] = True
            text = page.own_length[page.inside(marked)].sum() / max(page.own_length.sum(), 1)
            seen.setdefault((template.name, number), []).append((len(rows), float(text)))
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


def _checked(template: Template, rule: Rule, seen: list[tuple[int, float]]) -> Checked:
    hits = [(count, share) for count, share in seen if count]
    elements = float(np.mean([count for count, _ in hits])) if hits else 0.0
    share = float(np.mean([one for _, one in hits])) if hits else 0.0
    if not hits:
        remark = "matches nothing"
    elif rule.kind == "content" and share > _TOO_MUCH:
        remark = f"matches too much: {share:.0%} of the text"
    elif rule.kind not in _LISTED and elements > _NAMED:
        remark = f"matches too much: {elements:.0f} elements where one is meant"
    elif rule.kind == "drop" and share > _TOO_MUCH:
        remark = f"drops nearly all: {share:.0%} of the text"
    else:
        remark = ""
    return Checked(template.name, rule, len(seen), len(hits), elements, share, remark)
