"""The rules of a site: what is content, noise or a field on the pages of a template, or on all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.errors import RulesError
from chaffinch.site.reasons import SiteReason
from chaffinch.site.roles import RECORD, ROLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Reasons

KINDS: Final = ("content", "drop", RECORD, *ROLES)
"""Kinds of rules. ``content`` and ``drop`` decide, of nested elements the innermost; the others
name fields: records of a list, title, author, date, price, image, the link to the next page."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule of a template.

    Attributes:
        kind: one of `KINDS`.
        select: a CSS selector or an XPath; for a field also one that computes a text.
        support: pages that it was learned from; 0 for a rule written by hand.
        confidence: share (0..1) of the selected text that has the rule's label on those pages; for
            a field, share of those pages on which it selects the field.
        by_hand: written or changed by a person; such rules override learned ones.
        taught: the date, ISO 8601, on which a person kept it after it was tried on sample pages;
            "" for any other rule.
        share: share (0..1) of those pages on which it selected anything; 0 where nobody knows.
        example: the first words of what a learned rule selects on a page; "" where unknown.
        example_page: address of that page.
    """

    kind: str
    select: str
    support: int = 0
    confidence: float = 1.0
    by_hand: bool = False
    taught: str = ""
    share: float = 0.0
    example: str = ""
    example_page: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise RulesError(f"unknown kind of rule {self.kind!r}; known: {', '.join(KINDS)}")

    @property
    def decides(self) -> bool:
        """Whether it says what is content and what is noise, and names no field."""
        return self.kind in {"content", "drop"}

    @property
    def key(self) -> str:
        """Kind and selector, by which a rule is known among those of one place."""
        return f"{self.kind} {self.select}"

    def rows(self, page: Page) -> list[int]:
        """Return the rows that it selects, in order; text that an XPath computes has none.

        Raises:
            OptionError: its selector is no CSS and no XPath.
        """
        return sorted({one.row for one in page.selected(self.select) if one.row >= 0})


def labels_by_hand(page: Page, rules: Sequence[Rule]) -> Reasons:
    """Return int8[n]: the `SiteReason` that rules written by hand give each row, 0 for none."""
    return decided_by_hand(page, selected_by_hand(page, rules))


def selected_by_hand(page: Page, rules: Sequence[Rule]) -> list[tuple[Rule, list[int]]]:
    """Return the rules written by hand for content and noise, each with the rows it selects."""
    return [(one, one.rows(page)) for one in rules if one.by_hand and one.decides]


def decided_by_hand(page: Page, selected: Sequence[tuple[Rule, Sequence[int]]]) -> Reasons:
    """Return int8[n] as `labels_by_hand`, of rules whose rows are known, by precedence."""
    out = np.zeros(len(page), dtype=np.int8)
    every = [(row, order) for order, (_, rows) in enumerate(selected) for row in rows]
    for row, order in sorted(every):
        is_content = selected[order][0].kind == "content"
        out[row : page.end[row]] = (
            SiteReason.CONTENT_BY_HAND if is_content else SiteReason.DROP_BY_HAND
        )
    return out


def idle_fields(page: Page, rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules written by hand for fields that select nothing on ``page``."""
    own = (one for one in rules if one.by_hand and not one.decides)
    return [one for one in own if not page.selected(one.select)]
