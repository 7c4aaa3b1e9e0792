"""The region of the page that a row is in: main content, boilerplate, or a reader's reply."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page

_BOILERPLATE: Final = re.compile(
    r"comment|related|recommend|repl(?:y|ies)|teaser|footer|more-|popular|latest", re.IGNORECASE
)
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
    return _is_within(evidence, row, {"aside", "nav", "footer"}, (_BOILERPLATE, _SIDEBAR))


def in_boilerplate_except_sidebar(evidence: Evidence, row: int) -> bool:
    """Return the same of a row, except that a sidebar within an article doesn't count.

    Such a sidebar often holds the article's byline and date.
    """
    own = evidence.page.is_tag("article", "main")
    if not any(own[above] for above in evidence.page.ancestors(row)):
        return in_boilerplate(evidence, row)
    return _is_within(evidence, row, {"nav", "footer"}, (_BOILERPLATE,))


def in_comments(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in an element that is named for readers' comments, and only that."""
    return _is_within(evidence, row, set(), (_COMMENTS,))


def in_reply(page: Page, row: int) -> bool:
    """Return whether microdata places a row in an answer or a comment."""
    if not any(_REPLY.search(kind) for kind in page.values("itemtype").rows):
        return False
    types = (page.attribute(above, "itemtype") for above in page.ancestors(row))
    return any(_REPLY.search(kind) for kind in types if kind)


def _is_within(
    evidence: Evidence, row: int, tags: set[str], patterns: tuple[re.Pattern[str], ...]
) -> bool:
    page = evidence.page
    half = int(page.length[0]) // 2
    for above in (row, *page.ancestors(row)):
        if above <= evidence.headline_row < page.end[above] or page.length[above] > half:
            return False
        if page.name(above) in tags:
            return True
        names = f"{page.attribute(above, 'class')} {page.attribute(above, 'id')}"
        if any(pattern.search(names) for pattern in patterns):
            return True
    return False
