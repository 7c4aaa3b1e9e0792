"""The rules of a site, how they decide, what else a person writes, and counts of their use."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import RulesError
from chaffinch.kernels.arrays import Reasons
from chaffinch.lists.labelled import OWN
from chaffinch.page import Page
from chaffinch.page.selectors import is_xpath
from chaffinch.verdict import RoleRule


class SiteReason(IntEnum):
    """Codes of the decisions, each with its name."""

    words: str

    def __new__(cls, code: int, words: str) -> Self:
        made = int.__new__(cls, code)
        made._value_, made.words = code, words
        return made

    NO_TEXT = 0, "no text of its own"
    UNLIKELY = 1, "unlikely to be content, as its place is on other pages"
    RETURNS = 2, "returns on other pages of the site"
    LIKELY = 3, "likely to be content, as its place is on other pages"
    BY_SLOT = 4, "doubtful by itself, but its place holds content on other pages"
    BESIDE = 5, "stands beside kept text"
    DROP_RULE = 6, "in what a learned rule drops"
    CONTENT_RULE = 7, "in what a learned rule says is content"
    DROP_BY_HAND = 8, "dropped by a rule written by hand"
    CONTENT_BY_HAND = 9, "kept by a rule written by hand"
    ALONE_DROPPED = (
        10,
        "the site model doesn't apply: unlikely to be content, as the page alone says",
    )
    ALONE_KEPT = 11, "the site model doesn't apply: likely to be content, as the page alone says"


REASONS: Final = tuple(one.words for one in SiteReason)
"""Names of the codes."""

RECORD: Final = "record"
"""Role of the entries of a list."""
ROLES: Final = ("title", "author", "date", "price", "image", "next")
"""Roles besides content and records; rules for a price are written by people, never learned."""

KINDS: Final = ("content", "drop", RECORD, *ROLES)
"""Kinds of rules. ``content`` and ``drop`` decide, of nested elements the innermost; the others
name fields: records of a list, title, author, date, price, image, the link to the next page; also
``field:NAME``, a field of one's own, which is never learned."""


def refused_kind(kind: str) -> str:
    """Return why it is none of `KINDS`, and no field of one's own with a name; "" where it is."""
    if kind in KINDS or (kind.startswith(OWN) and kind.removeprefix(OWN).strip()):
        return ""
    return f"unknown kind of rule {kind!r}; known: {', '.join((*KINDS, f'{OWN}NAME'))}"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule of a template."""

    kind: str  # one of `KINDS`, or ``field:NAME``
    select: str  # a CSS selector or an XPath; for a field also one that computes a text
    support: int = 0  # pages that it was learned from; 0 for a rule written by hand
    # share (0..1) of the selected text that has the rule's label on those pages; for a field, share
    # of those pages on which it selects the field
    confidence: float = 1.0
    by_hand: bool = False  # written or changed by a person; such rules override learned ones
    # the date, ISO 8601, on which a person kept it after it was tried on sample pages; "" for any
    # other rule
    taught: str = ""
    # share (0..1) of those pages on which it selected anything; 0 where nobody knows
    share: float = 0.0
    example: str = ""  # the first words of what a learned rule selects on a page; "" where unknown
    example_page: str = ""  # address of that page

    def __post_init__(self) -> None:
        if why := refused_kind(self.kind):
            raise RulesError(why)

    @property
    def decides(self) -> bool:
        """Whether it says what is content and what is noise, and names no field."""
        return self.kind in {"content", "drop"}

    @property
    def reason(self) -> SiteReason:
        """That of the rows that a rule on content or noise decides."""
        if self.kind == "content":
            return SiteReason.CONTENT_BY_HAND if self.by_hand else SiteReason.CONTENT_RULE
        return SiteReason.DROP_BY_HAND if self.by_hand else SiteReason.DROP_RULE

    @property
    def key(self) -> str:
        """Kind and selector, by which a rule is known among those of one place."""
        return f"{self.kind} {self.select}"

    def rows(self, page: Page) -> list[int]:
        """Return the rows that it selects, in order; text that an XPath computes has none.

        Raises:
            OptionError: its selector is no CSS and no XPath.
        """
        if not is_xpath(self.select):
            rows: list[int] = page.select(self.select).tolist()
            return rows
        return sorted({one.row for one in page.selected(self.select) if one.row >= 0})


Selected: TypeAlias = Sequence[tuple[Rule, Sequence[int]]]
"""Rules on content and noise, each with the rows that it selects."""


def deciders(page: Page, selected: Selected) -> NDArray[np.int16]:
    """Return int16[n]: the number of the rule that decides each row, -1 for none.

    Of nested elements the innermost decides, of one element the last rule; those by hand overrule
    the others.
    """
    out, end = np.full(len(page), -1, dtype=np.int16), page.end.item
    for by_hand in (False, True):
        number_of: dict[int, int] = {}
        for number, (rule, rows) in enumerate(selected):
            if rule.by_hand == by_hand:
                number_of.update(dict.fromkeys(rows, number))
        for row, number in sorted(number_of.items()):
            if out[row] != number:  # else it lies in an element that was given it as a whole
                out[row : end(row)] = number
    return out


def labels(page: Page, selected: Selected) -> Reasons:
    """Return int8[n]: the `SiteReason` that rules give each row, 0 for none."""
    reasons = np.array([*(rule.reason for rule, _ in selected), 0], dtype=np.int8)
    return reasons[deciders(page, selected)]  # -1 is the last


def today() -> str:
    """Return the date of today, ISO 8601."""
    return datetime.now(tz=UTC).date().isoformat()


def selecting(page: Page, rules: Iterable[Rule]) -> list[tuple[Rule, list[int]]]:
    return [(one, one.rows(page)) for one in rules if one.decides]


def role_rules(rules: Iterable[Rule]) -> tuple[RoleRule, ...]:
    """Return the rules for fields, those written by hand before learned ones of the same field."""
    named = (rule for rule in rules if not rule.decides)
    by_hand_first = sorted(named, key=lambda rule: not rule.by_hand)
    return tuple(
        RoleRule(one.kind, one.select, one.confidence, one.by_hand) for one in by_hand_first
    )


# Counts of a model's use, and the drift that they show


_ENOUGH: Final = 5  # least pages from which a change is reported
_UNKNOWN_SHARE: Final = 0.25
"""Share of pages that a rule is expected on where nobody knows on how many it was when written."""
_FEWER: Final = 0.2  # difference of shares beyond which it counts as a change
_SUMS: Final = ("pages", "likeness", "known", "kept")
_IDLE: Final = "idle "


@dataclass
class Usage:
    """Counts of use."""

    # name of the template, "" for pages that fit none → ``pages``; the sums of their ``likeness``,
    # ``known`` and ``kept``, of which a `Template` has the means; and, of each rule by hand that
    # selected nothing on some, on how many, as ``idle kind selector``
    by_template: dict[str, defaultdict[str, float]] = field(default_factory=dict)
    # pages of hosts that aren't the model's
    other_hosts: Counter[str] = field(default_factory=Counter)

    def _of(self, name: str) -> defaultdict[str, float]:
        return self.by_template.setdefault(name, defaultdict(int))

    def add(self, name: str, likeness: float, known: float, kept: float) -> None:
        counts = self._of(name)
        for key, value in zip(_SUMS, (1, likeness, known, kept), strict=True):
            counts[key] += value

    def add_idle(self, name: str, rules: Iterable[Rule]) -> None:
        """Count rules by hand that select nothing on a page of a template."""
        for rule in rules:
            self._of(name)[_IDLE + rule.key] += 1

    @property
    def pages(self) -> int:
        return int(sum(counts["pages"] for counts in self.by_template.values()))

    def to_dict(self) -> dict[str, dict[str, float]]:
        return {name: dict(counts) for name, counts in sorted(self.by_template.items())}


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
        pages = int(counts["pages"])
        if pages < _ENOUGH:
            continue
        alike, known, kept = (counts[key] / pages for key in ("likeness", "known", "kept"))
        new, usual = f"{1 - known:.0%}", f"{1 - one.known:.0%}"
        changes = {
            f"pages are built less alike, {alike:.2f} against {one.likeness:.2f}": (
                alike < one.likeness - _FEWER
            ),
            f"{new} of the text is in new places, against {usual}": known < one.known - _FEWER,
            f"{kept:.0%} of the text is kept, against {one.kept:.0%}": (
                abs(kept - one.kept) > _FEWER
            ),
        }
        out += [f"template {one.name}: {what}" for what, is_so in changes.items() if is_so]
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
