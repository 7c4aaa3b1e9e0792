"""The elements of a page that hold its fields, and its next page.

A link leads to the next *page* where its address is the page's own with the part's number one
higher; whatever its text or ``rel`` (`next`), another address is another article. Which pages are
parts of one article is decided by `chaffinch.siblings.pagination`.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import date
from itertools import islice
from typing import Final

import numpy as np

from chaffinch.elements.dates_in_text import day_of, parse_date
from chaffinch.elements.image_sources import ImageSources
from chaffinch.elements.images import content_images, is_decoration
from chaffinch.metadata import Metadata, read_metadata
from chaffinch.metadata.names import split_names
from chaffinch.metadata.page_fields import picture_key
from chaffinch.metadata.sources import selected_rows, written
from chaffinch.metadata.values import fold
from chaffinch.page import Page, tags
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import joined
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings.pagination import part_address
from chaffinch.verdict import Content, RoleRule, Verdict


def turn_row(page: Page) -> int:
    """Return the row of the link to the next part of the article (or list); -1 for none."""
    if not page.url:
        return -1
    here = part_address(page.url)
    part = 1 if here.part is None else here.part
    links, number = page.is_tag("a"), str(part + 1)
    for row, href in page.having("href"):
        if number in href and links[row]:
            there = part_address(joined(page.base, href, fragment=False))
            if there.part == part + 1 and there.whole == here.whole:
                return row
    return -1


def next_page(page: Page) -> str:
    """Return the address of the next part of the article (or list) on ``page``; "" for none."""
    row = turn_row(page)
    href = page.attribute(row, "href") if row >= 0 else None
    return joined(page.base, href, fragment=False) if href is not None else ""


def next_by_rule(page: Page, roles: tuple[RoleRule, ...]) -> str:
    """Return the absolute address of the link that a rule for ``next`` selects; "" for none.

    The link itself, or the first in the element that is selected.
    """
    hrefs = (first_link(page, row) for row in selected_rows(page, roles, "next"))
    urls = (joined(page.base, href, fragment=False) for href in hrefs if href)
    return next(filter(None, urls), "")


def first_link(page: Page, row: int) -> str:
    """Return where the first link leads that an element is or holds, as written; "" for none."""
    links = page.is_tag("a", "link", "area") & page.has("href")
    inside = np.flatnonzero(links[row : page.end[row]])
    return (page.attribute(row + int(inside[0]), "href") or "") if len(inside) else ""


_LONGEST: Final = {"title": 300, "author": 80, "date": 60}
"""Most characters of a block that holds one; a longer block only mentions it in passing."""
_MOST_PICTURES: Final = 6  # images of a page that may be the one that represents it
_DIGIT: Final = re.compile(r"\d")
_WHITE: Final = 2  # characters of an element's text to one of its block: the others are white space


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
