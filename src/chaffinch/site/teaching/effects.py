"""What one more rule would change on a sample page, and what of that isn't meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.reasons import SiteReason
from chaffinch.site.rules import decided_by_hand
from chaffinch.site.teaching.field_values import field_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page.arrays import Mask, Reasons
    from chaffinch.site.rules import Rule
    from chaffinch.site.teaching.sample import SamplePage

_KEEPS: Final = {"content": SiteReason.CONTENT_BY_HAND, "drop": SiteReason.DROP_BY_HAND}


@dataclass(frozen=True, eq=False)
class PageEffect:
    """What a rule changes on one page; n rows.

    Attributes:
        elements: rows that it selects.
        gained, lost: bool[n], texts that it adds to the content, and takes away.
        collateral: bool[n], texts among them that no mark speaks for; of a rule for a field, the
            elements that aren't one.
        against: bool[n], texts or elements that a person marked otherwise.
        values: of a rule for a field, what is read of the elements.
    """

    elements: Sequence[int]
    gained: Mask
    lost: Mask
    collateral: Mask
    against: Mask
    values: tuple[str, ...] = field(default=())


def content_effect(
    page: SamplePage, rule: Rule, rows: Sequence[int], meant: Mask, wanted: Reasons
) -> PageEffect:
    """Return what a rule for content or noise changes.

    Collateral is, outside of what is ``meant``, text that a rule for noise takes away and any mode
    of the model keeps, or a rule for content adds and mode ``full`` drops.

    Args:
        page: the page.
        rule: the rule.
        rows: what it selects.
        meant: bool[n], what marks speak for.
        wanted: int8[n], `SiteReason` that marks want of each row, 0 for none.
    """
    code = _KEEPS[rule.kind]
    before = decided_by_hand(page.page, page.by_hand)
    after = decided_by_hand(page.page, [*page.by_hand, (rule, rows)])
    turned = (after != before) & (after == code) & page.text
    keep = page.verdict.keep
    gained = turned & ~keep if rule.kind == "content" else np.zeros_like(turned)
    lost = turned & keep if rule.kind == "drop" else np.zeros_like(turned)
    firm = page.dropped if rule.kind == "content" else page.kept
    firm = firm | (page.text & (before != 0))  # what a person decided by an earlier rule
    against = turned & (wanted != 0) & (wanted != code)
    return PageEffect(rows, gained, lost, (gained | lost) & firm & ~meant, against)


def field_effect(
    page: SamplePage, kind: str, rows: Sequence[int], *, in_entries: bool, other: Iterable[int]
) -> PageEffect:
    """Return what a rule for a field selects.

    Collateral are elements of which no value of the field can be read, those beyond the first with
    another value on a page or in an entry, and those outside of entries where one in them is meant.

    Args:
        page: the page.
        kind: the field.
        rows: what it selects.
        in_entries: whether a field of entries of a list is meant, and not the page's own.
        other: elements that a person marked otherwise.
    """
    table = page.page
    none = np.zeros(len(table), dtype=bool)
    against, collateral = none.copy(), none.copy()
    against[[row for row in rows if row in set(other)]] = True
    starts = np.flatnonzero(page.entries)
    values: dict[int, str] = {}
    read: list[str] = []
    for row in rows:
        value = field_value(table, kind, row)
        at = int(starts.searchsorted(row, "right")) - 1
        holder = int(starts[at]) if at >= 0 and row < table.end[starts[at]] else -1
        if not value or (holder >= 0) != in_entries or values.setdefault(holder, value) != value:
            collateral[row] = True
        read += [value] if value else []
    return PageEffect(rows, none, none, collateral, against, tuple(dict.fromkeys(read)))


@dataclass(frozen=True)
class PlaceOfEntries:
    """The place of the entries of a list.

    Attributes:
        up: slot of the element around them.
        tag: their tag.
        classes: class names of the one that was marked.
    """

    up: int
    tag: int
    classes: frozenset[str]

    @classmethod
    def of(cls, page: SamplePage, row: int) -> PlaceOfEntries:
        """Return the place of an entry."""
        table = page.page
        around = max(int(table.parent[row]), 0)
        return cls(int(page.slots[around]), int(table.tag[row]), _classes(page, row))

    def holds(self, page: SamplePage, row: int) -> bool:
        """Return whether an element is another entry of the place."""
        here = PlaceOfEntries.of(page, row)
        alike = bool(self.classes & here.classes) or not (self.classes or here.classes)
        return alike and (here.up, here.tag) == (self.up, self.tag)


def _classes(page: SamplePage, row: int) -> frozenset[str]:
    return frozenset((page.page.attribute(row, "class") or "").split())


def record_effect(
    page: SamplePage, rows: Sequence[int], like: PlaceOfEntries, other: Iterable[int]
) -> PageEffect:
    """Return what a rule for entries of a list selects.

    Collateral are elements that stand in another place than the one that was marked or share no
    class name with it, such as an advertisement among entries, and those in one another.

    Args:
        page: the page.
        rows: what it selects.
        like: where entries stand, and what they are called.
        other: elements that a person marked otherwise.
    """
    table = page.page
    none = np.zeros(len(table), dtype=bool)
    against, collateral = none.copy(), none.copy()
    against[[row for row in rows if row in set(other)]] = True
    end = -1
    values: list[str] = []
    for row in rows:
        collateral[row] = row < end or not like.holds(page, row)
        end = max(end, int(table.end[row]))
        values.append(table.folded(row))
    return PageEffect(rows, none, none, collateral, against, tuple(values))
