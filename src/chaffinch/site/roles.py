"""The elements of a page that hold its title, author, date, price, image and next link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.dates import day_of, parse_date
from chaffinch.metadata import read_metadata
from chaffinch.page import tags
from chaffinch.result import Content, RoleRule
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.pagination import turn_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from chaffinch.metadata import Metadata
    from chaffinch.page import Page
    from chaffinch.result import Verdict
    from chaffinch.site.rules import Rule

RECORD: Final = "record"
"""Role of the entries of a list."""
ROLES: Final = ("title", "author", "date", "price", "image", "next", "single")
"""Roles besides content and records. A person writes the rules for a price, and for ``single``, the
link to the version of an article that has all of its parts on one page; neither is learned."""
_LONGEST: Final = {"title": 300, "author": 80, "date": 60}
"""Most characters of a block that holds one; a longer block only mentions it in passing."""


def role_rules(rules: Iterable[Rule]) -> tuple[RoleRule, ...]:
    """Return the rules for fields, those written by hand before learned ones of the same field."""
    named = (rule for rule in rules if rule.kind in (RECORD, *ROLES))
    by_hand_first = sorted(named, key=lambda rule: not rule.by_hand)
    return tuple(
        RoleRule(one.kind, one.select, one.confidence, one.by_hand) for one in by_hand_first
    )


def role_rows(page: Page, verdict: Verdict) -> dict[str, int]:
    """Return role → row of the element of ``page`` that holds it, of the roles that are found."""
    found = dict(_named(page, read_metadata(page, Content(page, verdict))))
    pictures = np.flatnonzero(page.is_tag("img") & verdict.keep)
    if len(pictures):
        found["image"] = int(pictures[0])
    if (turn := turn_row(page)) >= 0:
        found["next"] = turn
    return found


def _named(page: Page, metadata: Metadata) -> Iterator[tuple[str, int]]:
    """Yield the roles whose value is a block of its own; a title in a heading is yielded last."""
    title, authors, published = metadata.title, metadata.authors, metadata.published
    headline = _folded(title.value) if title is not None else None
    name = _folded(authors.value[0]) if authors is not None and authors.value else None
    seen: set[str] = set()
    for row, text in _short_blocks(page):
        if text == headline:
            role = "title"
        elif name and name in text and len(text) <= _LONGEST["author"]:
            role = "author"
        elif published is not None and _names_day(text, published.value):
            role = "date"
        else:
            continue
        if role not in seen or (role == "title" and bool(tags.HEADING[page.tag[row]])):
            seen.add(role)
            yield role, row


def _short_blocks(page: Page) -> Iterator[tuple[int, str]]:
    """Yield owner and folded text of each short text block."""
    blocks = text_blocks(page)
    short = np.flatnonzero(blocks.length <= max(_LONGEST.values()))
    for block in short.tolist():
        yield int(blocks.owner[block]), _folded(blocks.text(block))


def _names_day(text: str, published: date) -> bool:
    if len(text) > _LONGEST["date"] or not any(character.isdigit() for character in text):
        return False
    found = parse_date(text)
    return found is not None and day_of(found) == day_of(published)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
