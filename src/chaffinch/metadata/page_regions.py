"""The region of the page that a row is in: main content, boilerplate, or a reader's reply."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.metadata.class_words import BOILERPLATE, COMMENTS, SIDEBARS, named_rows

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page.arrays import Mask

_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_COMMENTS: Final = re.compile(
    r"(?:^|\s)comments?(?:[-_]?(?:list|area|section|body|content|item|thread))?(?=\s|$)",
    re.IGNORECASE,
)
_REPLY: Final = re.compile(r"schema\.org/(?:Answer|Comment|UserComments)\b")


def in_boilerplate(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in comments, teasers, navigation, a sidebar or a footer.

    Elements that also contain the headline, or most of the page's text, don't count.
    """
    return bool(evidence.derived(_boilerplate)[row])


def in_boilerplate_except_sidebar(evidence: Evidence, row: int) -> bool:
    """Return the same of a row, except that a sidebar within an article doesn't count.

    Such a sidebar often holds the article's byline and date.
    """
    parent = evidence.page.parent[row]
    in_article = parent >= 0 and evidence.derived(_articles)[parent]
    return bool(evidence.derived(_boilerplate_of_articles if in_article else _boilerplate)[row])


def in_comments(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in an element that is named for readers' comments, and only that."""
    return bool(evidence.derived(_comments)[row])


def in_reply(evidence: Evidence, row: int) -> bool:
    """Return whether microdata places a row in an answer or a comment."""
    replies = evidence.derived(_replies)
    return replies is not None and row > 0 and bool(replies[evidence.page.parent[row]])


def _replies(evidence: Evidence) -> Mask | None:
    """Return bool[n]: the rows of answers and comments by microdata; None where there are none."""
    page = evidence.page
    if "itemtype" not in page.attribute_names:
        return None
    types = page.values("itemtype")
    rows = types.rows_of(kind for kind in types.rows if _REPLY.search(kind))
    if not rows:
        return None
    named = np.zeros(len(page), dtype=bool)
    named[rows] = True
    return page.inside(named)


def _articles(evidence: Evidence) -> Mask:
    page = evidence.page
    return page.inside(page.is_tag("article", "main"))


def _boilerplate(evidence: Evidence) -> Mask:
    rows = _elements(evidence, "aside", "nav", "footer")
    rows[_found(evidence, _SIDEBAR, SIDEBARS)] = True
    return _within(evidence, rows)


def _boilerplate_of_articles(evidence: Evidence) -> Mask:
    return _within(evidence, _elements(evidence, "nav", "footer"))


def _comments(evidence: Evidence) -> Mask:
    rows = np.zeros(len(evidence.page), dtype=bool)
    rows[_found(evidence, _COMMENTS, COMMENTS)] = True
    return _within(evidence, rows)


def _elements(evidence: Evidence, *names: str) -> Mask:
    """Return bool[n]: elements with some tags, or with a name of boilerplate."""
    named: Mask = (evidence.derived(named_rows) & np.uint64(BOILERPLATE)) != 0
    return named | evidence.page.is_tag(*names)


def _found(evidence: Evidence, pattern: re.Pattern[str], bits: int) -> list[int]:
    """Return the rows in whose class or id a pattern is found.

    Args:
        evidence: of the page.
        pattern: finds what has one of some words in it.
        bits: of those words.
    """
    rows = ((evidence.derived(named_rows) & np.uint64(bits)) != 0).nonzero()[0].astype(np.int32)
    if not len(rows):
        return []
    names = evidence.page.own_attributes.values_of(rows, "class", "id")
    return [
        row
        for row, own in zip(rows.tolist(), names, strict=True)
        if any(pattern.search(name) for name in own if name)
    ]


def _within(evidence: Evidence, rows: Mask) -> Mask:
    """Return bool[n]: rows in ``rows``, which is changed.

    Elements around the headline, and those with most of the page's text, aren't such.
    """
    page, headline = evidence.page, evidence.headline_row
    rows &= page.length <= int(page.length[0]) // 2
    if headline >= 0:
        rows[: headline + 1] &= page.end[: headline + 1] <= headline
    return page.inside(rows)
