"""Counts of a site model's use, and what they say against what it was learned from: drift."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.site.template import Template

_ENOUGH: Final = 5
"""Uses from which a change is spoken of."""
_FEWER: Final = 0.2
"""How much a share may fall or rise before it counts as a change."""


@dataclass
class TemplateUse:
    """What happened to the pages of one template, or to those that fit none.

    Attributes:
        pages: pages that it was used on.
        likeness, known, kept: sums over those pages of the values that a `Template` has means of.
        fallbacks: pages for which the page-level default had to answer.
    """

    pages: int = 0
    likeness: float = 0.0
    known: float = 0.0
    kept: float = 0.0
    fallbacks: int = 0

    def add(self, *, likeness: float, known: float, kept: float, fell_back: bool) -> None:
        """Count one page."""
        self.pages += 1
        self.likeness += likeness
        self.known += known
        self.kept += kept
        self.fallbacks += fell_back

    def mean(self, name: str) -> float:
        """Return the mean of one of the sums; 0 of no page."""
        total: float = getattr(self, name)
        return total / self.pages if self.pages else 0.0


@dataclass
class Usage:
    """Tallies by the name of the template; "" for pages that fit none."""

    tallies: dict[str, TemplateUse] = field(default_factory=dict)

    def of(self, name: str) -> TemplateUse:
        """Return the tally of a template, made if it wasn't there."""
        return self.tallies.setdefault(name, TemplateUse())

    @property
    def pages(self) -> int:
        """Pages that the model was used on."""
        return sum(tally.pages for tally in self.tallies.values())

    def merge(self, other: Usage) -> Usage:
        """Return the counts of both, as of two processes."""
        out = Usage()
        for usage in (self, other):
            for name, tally in usage.tallies.items():
                mine = out.of(name)
                for key, value in vars(tally).items():
                    setattr(mine, key, getattr(mine, key) + value)
        return out

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain values."""
        return {name: dict(vars(tally)) for name, tally in sorted(self.tallies.items())}

    @classmethod
    def from_dict(cls, values: Mapping[str, Mapping[str, Any]]) -> Usage:
        """Return the counts that `to_dict` gave."""
        return cls({name: TemplateUse(**tally) for name, tally in values.items()})


def findings(usage: Usage, templates: Sequence[Template]) -> list[str]:
    """Return what has changed since the templates were learned, in words; [] for nothing.

    Nothing is said of fewer than 5 uses.
    """
    out = []
    lost = usage.tallies.get("", TemplateUse())
    if usage.pages >= _ENOUGH and lost.pages > _FEWER * usage.pages:
        out.append(
            f"{lost.pages} of {usage.pages} pages fit no template: the site was rebuilt, or they "
            "are of another one"
        )
    for template in templates:
        tally = usage.tallies.get(template.name, TemplateUse())
        if tally.pages < _ENOUGH:
            continue
        here = f"template {template.name}"
        alike, known, kept = (tally.mean(name) for name in ("likeness", "known", "kept"))
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
        if tally.fallbacks > _FEWER * tally.pages:
            out.append(
                f"{here}: the rules found too little on {tally.fallbacks} of {tally.pages} pages"
            )
    return out
