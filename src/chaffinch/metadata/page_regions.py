"""The region of the page that a row is in: main content, boilerplate, or a reader's reply."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_BOILERPLATE: Final = (
    "comment", "related", "recommend", "reply", "replies", "teaser", "footer", "more-", "popular",
    "latest",
)  # fmt: skip
"""What is in the names of boilerplate, anywhere."""
_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_SIDEBAR_WORDS: Final = ("sidebar", "widget")
"""Every name that `_SIDEBAR` finds has one of these in it; looking for them costs little."""
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


def in_reply(page: Page, row: int) -> bool:
    """Return whether microdata places a row in an answer or a comment."""
    if "itemtype" not in page.attribute_names:
        return False
    if not any(_REPLY.search(kind) for kind in page.values("itemtype").rows):
        return False
    types = (page.attribute(above, "itemtype") for above in page.ancestors(row))
    return any(_REPLY.search(kind) for kind in types if kind)


def _articles(evidence: Evidence) -> Mask:
    page = evidence.page
    return page.inside(page.is_tag("article", "main"))


def _boilerplate(evidence: Evidence) -> Mask:
    rows = _elements(evidence.page, _BOILERPLATE, "aside", "nav", "footer")
    return _within(evidence, _mark(evidence.page, rows, _SIDEBAR, _SIDEBAR_WORDS))


def _boilerplate_of_articles(evidence: Evidence) -> Mask:
    return _within(evidence, _elements(evidence.page, _BOILERPLATE, "nav", "footer"))


def _comments(evidence: Evidence) -> Mask:
    none = np.zeros(len(evidence.page), dtype=bool)
    return _within(evidence, _mark(evidence.page, none, _COMMENTS, ("comment",)))


def _elements(page: Page, words: tuple[str, ...], *names: str) -> Mask:
    """Return bool[n]: elements with some tags, or with one of some words in class or id."""
    rows = page.is_tag(*names)
    for attribute in ("class", "id"):
        rows[page.rows_holding(attribute, *words)] = True
    return rows


def _mark(page: Page, rows: Mask, pattern: re.Pattern[str], words: tuple[str, ...]) -> Mask:
    """Return bool[n]: ``rows``, and elements in whose class or id a pattern is found.

    Args:
        page: the page.
        rows: changed.
        pattern: finds what has one of ``words`` in it.
        words: in lower case.
    """
    for attribute in ("class", "id"):
        found = page.rows_where(attribute, lambda value: pattern.search(value) is not None, *words)
        rows[found] = True
    return rows


def _within(evidence: Evidence, rows: Mask) -> Mask:
    """Return bool[n]: rows in ``rows``, which is changed.

    Elements around the headline, and those with most of the page's text, aren't such.
    """
    page, headline = evidence.page, evidence.headline_row
    rows &= page.length <= int(page.length[0]) // 2
    if headline >= 0:
        rows[: headline + 1] &= page.end[: headline + 1] <= headline
    return page.inside(rows)
