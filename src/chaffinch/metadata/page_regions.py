"""Where on the page a row lies: in its own text, beside it, or in what readers answered to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page

_ELSEWHERE: Final = re.compile(
    r"comment|related|recommend|repl(?:y|ies)|teaser|footer|more-|popular|latest", re.IGNORECASE
)
_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_REPLY: Final = re.compile(r"schema\.org/(?:Answer|Comment|UserComments)\b")


def aside(evidence: Evidence, row: int) -> bool:
    """Tell whether a row lies in comments, related pages, navigation, a sidebar or a footer.

    Elements that hold the anchor, too, or most of the page's text don't count.
    """
    return _lies_in(evidence, row, {"aside", "nav", "footer"}, (_ELSEWHERE, _SIDEBAR))


def elsewhere(evidence: Evidence, row: int) -> bool:
    """Tell the same of a row, sidebars of an article left out: they may be about it."""
    own = evidence.page.is_tag("article", "main")
    if not any(own[above] for above in evidence.page.ancestors(row)):
        return aside(evidence, row)
    return _lies_in(evidence, row, {"nav", "footer"}, (_ELSEWHERE,))


def of_reply(page: Page, row: int) -> bool:
    """Tell whether microdata put a row into an answer or a comment, so that it isn't the page's."""
    if not any(_REPLY.search(kind) for kind in page.values("itemtype").rows):
        return False
    types = (page.attribute(above, "itemtype") for above in page.ancestors(row))
    return any(_REPLY.search(kind) for kind in types if kind)


def _lies_in(
    evidence: Evidence, row: int, names: set[str], marks: tuple[re.Pattern[str], ...]
) -> bool:
    page = evidence.page
    most = int(page.length[0]) // 2
    for above in (row, *page.ancestors(row)):
        if above <= evidence.anchor < page.end[above] or page.length[above] > most:
            return False
        if page.name(above) in names:
            return True
        said = f"{page.attribute(above, 'class')} {page.attribute(above, 'id')}"
        if any(mark.search(said) for mark in marks):
            return True
    return False
