"""Counts of a model's use, and the drift that they show."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from chaffinch.site.rules import Rule
from chaffinch.storage import LARGEST

_ENOUGH: Final = 5
"""Least pages from which a change is reported."""
_UNKNOWN_SHARE: Final = 0.25
"""Share of pages that a rule is expected on where nobody knows on how many it was when written."""
_FEWER: Final = 0.2
"""Difference of shares beyond which it counts as a change."""
_SUMS: Final = ("pages", "likeness", "known", "kept", "fallbacks")
_IDLE: Final = "idle "


@dataclass
class Usage:
    """Counts of use.

    Attributes:
        by_template: name of the template, "" for pages that fit none → ``pages``; the sums of
            their ``likeness``, ``known`` and ``kept``, of which a `Template` has the means;
            ``fallbacks``, pages that the page-level default was used for; and, of each rule by hand
            that selected nothing on some, on how many, as ``idle kind selector``.
        other_hosts: pages of hosts that aren't the model's; they aren't saved.
    """

    by_template: dict[str, defaultdict[str, float]] = field(default_factory=dict)
    other_hosts: Counter[str] = field(default_factory=Counter)

    def _of(self, name: str) -> defaultdict[str, float]:
        return self.by_template.setdefault(name, defaultdict(int))

    def add(
        self, name: str, likeness: float, known: float, kept: float, *, fell_back: bool = False
    ) -> None:
        counts = self._of(name)
        for key, value in zip(_SUMS, (1, likeness, known, kept, int(fell_back)), strict=True):
            counts[key] += value

    def add_idle(self, name: str, rules: Iterable[Rule]) -> None:
        """Count rules by hand that select nothing on a page of a template."""
        for rule in rules:
            self._of(name)[_IDLE + rule.key] += 1

    @property
    def pages(self) -> int:
        return int(sum(counts["pages"] for counts in self.by_template.values()))

    def merge(self, other: "Usage") -> "Usage":
        """Return the counts of both, as of two processes."""
        out = Usage()
        for usage in (self, other):
            for name, counts in usage.by_template.items():
                for key, value in counts.items():
                    out._of(name)[key] += value
        return out

    def to_dict(self) -> dict[str, dict[str, float]]:
        return {name: dict(counts) for name, counts in sorted(self.by_template.items())}

    @classmethod
    def from_dict(cls, values: Mapping[str, Mapping[str, Any]]) -> Self:
        """Return the counts that `to_dict` gave."""
        for counts in values.values():
            for key, value in counts.items():
                if not isinstance(value, int | float) or not 0 <= value <= LARGEST:
                    raise ValueError(f"{key} must be a number from 0 on, not {value!r}")
                if key not in _SUMS and not key.startswith(_IDLE):
                    raise ValueError(f"unknown count {key!r}")
        return cls({name: defaultdict(int, counts) for name, counts in values.items()})


def findings(usage: Usage, templates: Sequence[Any], rules: Sequence[Rule] = ()) -> list[str]:
    """Return what has changed since the templates were learned, in words; [] for nothing.

    Templates applied to fewer than 5 pages are left out; so are rules written by hand that had too
    few pages to be expected on 5. ``rules`` are those of all pages, ``templates`` of `Template`.
    """
    nothing: defaultdict[str, float] = defaultdict(int)
    uses = usage.by_template
    out = _idle_findings("all pages", rules, list(uses.values()))
    for one in templates:
        own = [uses[one.name]] if one.name in uses else []
        out += _idle_findings(f"template {one.name}", one.rules, own)
    lost = int(uses.get("", nothing)["pages"])
    if usage.pages >= _ENOUGH and lost > _FEWER * usage.pages:
        out.append(
            f"{lost} of {usage.pages} pages fit no template: the site was rebuilt, or they "
            "are of another one"
        )
    for one in templates:
        counts = uses.get(one.name, nothing)
        pages, fallbacks = int(counts["pages"]), int(counts["fallbacks"])
        if pages < _ENOUGH:
            continue
        alike, known, kept = (counts[key] / pages for key in ("likeness", "known", "kept"))
        changes = (
            (
                alike < one.likeness - _FEWER,
                f"pages are built less alike, {alike:.2f} against {one.likeness:.2f}",
            ),
            (
                known < one.known - _FEWER,
                f"{1 - known:.0%} of the text is in new places, against {1 - one.known:.0%}",
            ),
            (
                abs(kept - one.kept) > _FEWER,
                f"{kept:.0%} of the text is kept, against {one.kept:.0%}",
            ),
            (
                fallbacks > _FEWER * pages,
                f"the rules found too little on {fallbacks} of {pages} pages",
            ),
        )
        out += [f"template {one.name}: {what}" for is_so, what in changes if is_so]
    return out


def _idle_findings(
    here: str, rules: Iterable[Rule], uses: Sequence[Mapping[str, float]]
) -> list[str]:
    pages = int(sum(use["pages"] for use in uses))
    return [
        f"{here}: the rule by hand {rule.key} selects nothing on any of {pages} pages"
        for rule in rules
        if rule.by_hand
        and pages * (rule.share or _UNKNOWN_SHARE) >= _ENOUGH
        and sum(use.get(_IDLE + rule.key, 0) for use in uses) == pages
    ]
