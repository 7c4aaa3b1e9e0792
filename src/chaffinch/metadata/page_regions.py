"""The region of the page that a row is in: main content, boilerplate, or a reader's reply."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_BOILERPLATE: Final = re.compile(
    r"comment|related|recommend|repl(?:y|ies)|teaser|footer|more-|popular|latest", re.IGNORECASE
)
_BOILERPLATE_WORDS: Final = (
    "comment", "related", "recommend", "repl", "teaser", "footer", "more-", "popular", "latest",
)  # fmt: skip
"""Every name that `_BOILERPLATE` finds has one of these in it; looking for them costs little."""
_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_SIDEBAR_WORDS: Final = ("sidebar", "widget")
"""The same of `_SIDEBAR`."""
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
    names = (*_BOILERPLATE_WORDS, *_SIDEBAR_WORDS)
    return _within(evidence, ("aside", "nav", "footer"), names, _BOILERPLATE, _SIDEBAR)


def _boilerplate_of_articles(evidence: Evidence) -> Mask:
    return _within(evidence, ("nav", "footer"), _BOILERPLATE_WORDS, _BOILERPLATE)


def _comments(evidence: Evidence) -> Mask:
    return _within(evidence, (), ("comment",), _COMMENTS)


def _within(
    evidence: Evidence, names: tuple[str, ...], words: tuple[str, ...], *patterns: re.Pattern[str]
) -> Mask:
    """Return bool[n]: rows in elements with certain tags, or with patterns in class or id.

    Elements around the headline, and those with most of the page's text, aren't such.

    Args:
        evidence: of the page.
        names: of the tags.
        words: one of them stands in whatever a pattern finds.
        patterns: none finds what goes over white space.
    """
    page, headline = evidence.page, evidence.headline_row

    def matches(value: str) -> bool:
        return any(pattern.search(value) for pattern in patterns)

    rows = page.is_tag(*names) if names else np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id"):
        rows[page.rows_where(attribute, matches, *words)] = True
    rows &= page.length <= int(page.length[0]) // 2
    if headline >= 0:
        rows[: headline + 1] &= page.end[: headline + 1] <= headline
    return page.inside(rows)
