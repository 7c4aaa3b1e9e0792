"""Counts of a site model's use, and drift: their departure from the pages it was learned from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from chaffinch.saved_data import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chaffinch.site.rules import Rule
    from chaffinch.site.template import Template

_ENOUGH: Final = 5
"""Least pages from which a change is reported."""
_UNKNOWN_SHARE: Final = 0.25
"""Share of pages that a rule is expected on where nobody knows on how many it was when written."""
_SUMS: Final = ("pages", "likeness", "known", "kept", "fallbacks")
_IDLE: Final = "idle "
_FEWER: Final = 0.2
"""Difference of shares beyond which it counts as a change."""


@dataclass
class TemplateUse:
    """Counts of the pages of one template, or of those that fit none.

    Attributes:
        pages: pages that it was applied to.
        likeness, known, kept: sums over those pages of the values that a `Template` has means of.
        fallbacks: pages that the page-level default was used for.
        idle: rule written by hand, as "kind selector" → pages on which it selected nothing.
    """

    pages: int = 0
    likeness: float = 0.0
    known: float = 0.0
    kept: float = 0.0
    fallbacks: int = 0
    idle: dict[str, int] = field(default_factory=dict)

    def add(self, *, likeness: float, known: float, kept: float, fell_back: bool) -> None:
        """Count one page."""
        self.pages += 1
        self.likeness += likeness
        self.known += known
        self.kept += kept
        self.fallbacks += fell_back

    def add_idle(self, rules: Iterable[Rule]) -> None:
        """Count rules that select nothing on a page."""
        for rule in rules:
            self.idle[rule.key] = self.idle.get(rule.key, 0) + 1

    def to_dict(self) -> dict[str, float]:
        """Return the counts by name, those of idle rules as ``idle kind selector``."""
        plain = {name: value for name, value in vars(self).items() if name != "idle"}
        return plain | {f"{_IDLE}{rule}": count for rule, count in sorted(self.idle.items())}

    def mean(self, name: str) -> float:
        """Return the mean of one of the sums; 0 of no page."""
        total: float = getattr(self, name)
        return total / self.pages if self.pages else 0.0


@dataclass
class Usage:
    """Counts of use by the name of the template; "" for pages that fit none."""

    by_template: dict[str, TemplateUse] = field(default_factory=dict)
    other_hosts: dict[str, int] = field(default_factory=dict)
    """Pages of hosts that aren't the model's; not saved."""

    def of(self, name: str) -> TemplateUse:
        """Return the counts of a template, added if absent."""
        return self.by_template.setdefault(name, TemplateUse())

    @property
    def pages(self) -> int:
        """Pages that the model was applied to."""
        return sum(counts.pages for counts in self.by_template.values())

    def merge(self, other: Usage) -> Usage:
        """Return the counts of both, as of two processes."""
        out = Usage()
        for usage in (self, other):
            for name, counts in usage.by_template.items():
                mine = out.of(name)
                for key in _SUMS:
                    setattr(mine, key, getattr(mine, key) + getattr(counts, key))
                mine.idle = dict(Counter(mine.idle) + Counter(counts.idle))
        return out

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain values for JSON."""
        return {name: counts.to_dict() for name, counts in sorted(self.by_template.items())}

    @classmethod
    def from_dict(cls, values: Mapping[str, Mapping[str, Any]]) -> Usage:
        """Return the counts that `to_dict` gave.

        Raises:
            ValueError: one is no number from 0 on.
            TypeError: an unknown count, or no counts at all.
        """
        for counts in values.values():
            for key, value in counts.items():
                if not isinstance(value, int | float) or not 0 <= value <= LARGEST:
                    raise ValueError(f"{key} must be a number from 0 on, not {value!r}")
        return cls({name: _use(counts) for name, counts in values.items()})


def _idle_findings(here: str, rules: Iterable[Rule], uses: Sequence[TemplateUse]) -> list[str]:
    """Return a line for each rule written by hand that selected nothing where it was tried."""
    pages = sum(use.pages for use in uses)
    return [
        f"{here}: the rule by hand {rule.key} selects nothing on any of {pages} pages"
        for rule in rules
        if rule.by_hand
        and pages * (rule.share or _UNKNOWN_SHARE) >= _ENOUGH
        and sum(use.idle.get(rule.key, 0) for use in uses) == pages
    ]


def _use(counts: Mapping[str, Any]) -> TemplateUse:
    """Return counts that `TemplateUse.to_dict` gave."""
    idle = {key.removeprefix(_IDLE): n for key, n in counts.items() if key.startswith(_IDLE)}
    plain = {key: n for key, n in counts.items() if not key.startswith(_IDLE)}
    return TemplateUse(**plain, idle=idle)


def findings(usage: Usage, templates: Sequence[Template], rules: Sequence[Rule] = ()) -> list[str]:
    """Return what has changed since the templates were learned, in words; [] for nothing.

    Templates applied to fewer than 5 pages are left out; so are rules written by hand that had too
    few pages to be expected on 5. ``rules`` are those of all pages.
    """
    every = list(usage.by_template.values())
    out = _idle_findings("all pages", rules, every)
    for template in templates:
        own = usage.by_template.get(template.name)
        out += _idle_findings(f"template {template.name}", template.rules, [own] if own else [])
    lost = usage.by_template.get("", TemplateUse())
    if usage.pages >= _ENOUGH and lost.pages > _FEWER * usage.pages:
        out.append(
            f"{lost.pages} of {usage.pages} pages fit no template: the site was rebuilt, or they "
            "are of another one"
        )
    for template in templates:
        counts = usage.by_template.get(template.name, TemplateUse())
        if counts.pages < _ENOUGH:
            continue
        here = f"template {template.name}"
        alike, known, kept = (counts.mean(name) for name in ("likeness", "known", "kept"))
        if alike < template.likeness - _FEWER:
            out.append(
                f"{here}: pages are built less alike, {alike:.2f} against {template.likeness:.2f}"
            )
        if known < template.known - _FEWER:
            out.append(
                f"{here}: {1 - known:.0%} of the text stands in new places, against "
                f"{1 - template.known:.0%}"
            )
        if abs(kept - template.kept) > _FEWER:
            out.append(f"{here}: {kept:.0%} of the text is kept, against {template.kept:.0%}")
        if counts.fallbacks > _FEWER * counts.pages:
            out.append(
                f"{here}: the rules found too little on {counts.fallbacks} of {counts.pages} pages"
            )
    return out
