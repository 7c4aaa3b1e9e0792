"""The elements of a page that hold its title, author, date, price, image and next link."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from chaffinch.elements.dates import day_of, parse_date
from chaffinch.elements.image_sources import ImageSources
from chaffinch.elements.images import content_images, is_decoration
from chaffinch.metadata import read_metadata
from chaffinch.metadata.names import split_names
from chaffinch.metadata.page_fields import picture_key
from chaffinch.metadata.sources import written
from chaffinch.metadata.values import fold
from chaffinch.page import tags
from chaffinch.page.selectors import Selected
from chaffinch.result import Content, RoleRule
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.pagination import turn_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet
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
_MOST_PICTURES: Final = 6
"""Images of a page that may be the one that represents it."""
_DIGIT: Final = re.compile(r"\d")
_WHITE: Final = 2
"""Characters of an element's text to one of its block: the others are white space."""


def role_rules(rules: Iterable[Rule]) -> tuple[RoleRule, ...]:
    """Return the rules for fields, those written by hand before learned ones of the same field."""
    named = (rule for rule in rules if rule.kind in (RECORD, *ROLES))
    by_hand_first = sorted(named, key=lambda rule: not rule.by_hand)
    return tuple(
        RoleRule(one.kind, one.select, one.confidence, one.by_hand) for one in by_hand_first
    )


def role_rows(page: Page, verdict: Verdict) -> dict[str, int]:
    """Return role → row of the element of ``page`` that holds it, of the roles that are found.

    An element holds a field if it is read as the field's value where a rule selects it, and is
    nothing else besides. Which image is the page's, its site's other pages tell: there are several
    candidates, whose roles are ``image``, ``image 2`` and so on; see `role_of`.
    """
    metadata = read_metadata(page, Content(page, verdict))
    found = dict(_named(page, metadata))
    for number, row in enumerate(_pictures(page, verdict, metadata)):
        found[f"image {number + 1}" if number else "image"] = row
    if (turn := turn_row(page)) >= 0:
        found["next"] = turn
    return found


def role_of(candidate: str) -> str:
    """Return the role of a candidate for it, such as ``image`` of ``image 2``."""
    return candidate.partition(" ")[0]


def _pictures(page: Page, verdict: Verdict, metadata: Metadata) -> list[int]:
    """Return rows of images that the page shows of its content: that which it declares, or more."""
    sources = ImageSources(page)
    shown = content_images(Content(page, verdict), sources)
    rows = {*shown, *(page.is_tag("img") & verdict.keep).nonzero()[0].tolist()}
    found = {row: source.url for row in sorted(rows) if (source := sources.of(row)) is not None}
    if (declared := metadata.lead_image) is not None:
        key = picture_key(declared.value)
        if same := [row for row, url in found.items() if picture_key(url) == key]:
            return same[:1]
    likely = (row for row, url in found.items() if not is_decoration(page, row, url))
    return list(islice(likely, _MOST_PICTURES))


def _named(page: Page, metadata: Metadata) -> Iterator[tuple[str, int]]:
    """Yield the roles whose value is an element's whole text; a title in a heading comes last."""
    title, authors, published = metadata.title, metadata.authors, metadata.published
    headline = fold(title.value) if title is not None else ""
    names = {_folded(name) for name in authors.value} if authors is not None else set()
    seen: set[str] = set()
    for row, text in _short_blocks(page):
        if headline and fold(text) == headline:
            role = "title"
        elif names and _names_people(text, names, page, row):
            role = "author"
        elif published is not None and _names_day(text, published.value):
            role = "date"
        else:
            continue
        is_better = role not in seen or (role == "title" and bool(tags.HEADING[page.tag[row]]))
        if is_better and text == _folded(page.folded(row)):
            seen.add(role)
            yield role, row


def _short_blocks(page: Page) -> Iterator[tuple[int, str]]:
    """Yield owner and folded text of each short text block of an owner of little more text."""
    blocks = text_blocks(page)
    of_owner = page.text_at.take(page.end.take(blocks.owner)) - page.text_at.take(blocks.owner)
    longest = max(_LONGEST.values())
    short = (blocks.length <= longest) & (of_owner <= _WHITE * longest)
    for block in short.nonzero()[0].tolist():
        yield int(blocks.owner[block]), _folded(blocks.text(block))


def _names_people(text: str, names: AbstractSet[str], page: Page, row: int) -> bool:
    """Return whether a block names the authors and nobody else; ``names`` are folded."""
    if len(text) > _LONGEST["author"] or not all(name in text for name in names):
        return False
    return {_folded(name) for name in split_names(written(page, Selected(row)))} == names


def _names_day(text: str, published: date) -> bool:
    if len(text) > _LONGEST["date"] or not _DIGIT.search(text):
        return False
    found = parse_date(text)
    return found is not None and day_of(found) == day_of(published)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
