"""Headings that name something other than the page: its site, a section of it, another page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.metadata.text_cleaning import fold, path_of
from chaffinch.metadata.title_parts import named_like_site, words_of
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence

_MOST_HEADINGS: Final = 8
"""Headings below one that are compared with the title element."""
_MOST_ENTRIES: Final = 4
"""Headings among which another entry of the list is looked for."""
_ROWS_TO_LINK: Final = 4
"""Rows of a heading among which a link that it consists of begins."""
_REPEATED: Final = 0.6
"""Share of a heading's letters that the first part of the title element has."""


def is_banner(evidence: Evidence, row: int, text: str) -> bool:
    """Return whether a heading is the banner of the site or of a section of it.

    Args:
        evidence: of the page.
        row: of the heading.
        text: of the heading.
    """
    if evidence.is_title_boilerplate(text):
        return True
    first, *later = evidence.title_parts or [""]
    if text in later and named_like_site(text):
        return True
    ends_title = bool(later) and fold(text) in fold(later[-1])
    is_doubtful = ends_title or (
        len(first) >= max(map(len, later), default=0)
        and evidence.title_words.isdisjoint(words_of(text))
    )
    if is_doubtful and _is_headed_otherwise(evidence, row, fold(text), fold(first)):
        return True
    link = _address(evidence, row)
    return link is not None and path_of(link) == "/" != path_of(evidence.page.url or "")


def names_other_page(evidence: Evidence, row: int, text: str) -> bool:
    """Return whether a heading is an entry of a list, and is nothing of the title element.

    Like another heading of its level, it is a link to another page.
    """
    if not evidence.page.head.title or not _leads_away(evidence, row):
        return False
    if not evidence.title_words.isdisjoint(words_of(text)):
        return False
    page = evidence.page
    alike = np.flatnonzero(page.tag == page.tag[row])[:_MOST_ENTRIES].tolist()
    return any(other != row and _leads_away(evidence, other) for other in alike)


def _leads_away(evidence: Evidence, row: int) -> bool:
    """Return whether a heading is a link to another page."""
    link = _address(evidence, row)
    if not link or not evidence.address:
        return False
    return link.partition("//")[2].partition("#")[0].rstrip("/") != evidence.address


def _address(evidence: Evidence, row: int) -> str | None:
    """Return the address to which a heading leads, "" for none on the web; None without a link."""
    page = evidence.page
    for child in range(row + 1, min(int(page.end[row]), row + _ROWS_TO_LINK)):
        href = page.attribute(child, "href")
        if href is not None:
            return evidence.absolute(href)
    return None


def _is_headed_otherwise(evidence: Evidence, row: int, key: str, first: str) -> bool:
    """Return whether a heading below ``row`` says the first part of the title element.

    Args:
        evidence: of the page.
        row: of a heading.
        key: its text, folded.
        first: the first part of the title element, folded; where it is longer than the heading, the
            one below may say a little more.
    """
    page, share = evidence.page, _REPEATED if len(first) > len(key) else 1
    below = tags.HEADING.take(page.tag[row + 1 :]).nonzero()[0][:_MOST_HEADINGS] + row + 1
    headings = (fold(page.text_of(other)) for other in below.tolist())
    return any(first in one and len(first) >= share * len(one) for one in headings if one)
