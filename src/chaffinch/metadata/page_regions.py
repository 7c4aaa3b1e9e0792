"""The region of the page that a row is in: main content, boilerplate, or a reader's reply."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.metadata.class_words import BOILERPLATE, COMMENTS, SIDEBARS, named_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    return evidence.derived(_boilerplate).hold(row)


def in_boilerplate_except_sidebar(evidence: Evidence, row: int) -> bool:
    """Return the same of a row, except that a sidebar within an article doesn't count.

    Such a sidebar often holds the article's byline and date.
    """
    parent = int(evidence.page.parent[row])
    in_article = parent >= 0 and evidence.derived(_articles).hold(parent)
    return evidence.derived(_boilerplate_of_articles if in_article else _boilerplate).hold(row)


def in_comments(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in an element that is named for readers' comments, and only that."""
    return evidence.derived(_comments).hold(row)


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


class _Regions(NamedTuple):
    """Subtrees of which none is within another, by their first rows and their ends, in order."""

    starts: list[int]
    ends: list[int]

    def hold(self, row: int) -> bool:
        """Return whether a row is in one of them."""
        at = bisect_right(self.starts, row) - 1
        return at >= 0 and row < self.ends[at]


def _articles(evidence: Evidence) -> _Regions:
    page = evidence.page
    rows = page.is_tag("article", "main").nonzero()[0]
    return _outermost(zip(rows.tolist(), page.end[rows].tolist(), strict=True))


def _boilerplate(evidence: Evidence) -> _Regions:
    rows = _elements(evidence, "aside", "nav", "footer")
    return _without_content(evidence, [*rows, *_found(evidence, _SIDEBAR, SIDEBARS)])


def _boilerplate_of_articles(evidence: Evidence) -> _Regions:
    return _without_content(evidence, _elements(evidence, "nav", "footer"))


def _comments(evidence: Evidence) -> _Regions:
    return _without_content(evidence, _found(evidence, _COMMENTS, COMMENTS))


def _elements(evidence: Evidence, *names: str) -> list[int]:
    """Return the elements with some tags, or with a name of boilerplate, in order."""
    named = evidence.derived(named_rows) & np.uint64(BOILERPLATE)
    rows: list[int] = np.logical_or(named, evidence.page.is_tag(*names)).nonzero()[0].tolist()
    return rows


def _found(evidence: Evidence, pattern: re.Pattern[str], bits: int) -> list[int]:
    """Return the rows in whose class or id a pattern is found.

    Args:
        evidence: of the page.
        pattern: finds what has one of some words in it.
        bits: of those words.
    """
    rows = (evidence.derived(named_rows) & np.uint64(bits)).nonzero()[0]
    if not len(rows):
        return []
    names = evidence.page.own_attributes.values_of(rows.astype(np.int32), "class", "id")
    return [
        row
        for row, own in zip(rows.tolist(), names, strict=True)
        if any(pattern.search(name) for name in own if name)
    ]


def _without_content(evidence: Evidence, rows: list[int]) -> _Regions:
    """Return the subtrees of some rows.

    Elements around the headline, and those with most of the page's text, are left out.
    """
    if not rows:
        return _Regions([], [])
    page, headline = evidence.page, evidence.headline_row
    places = np.array(sorted(rows), dtype=np.int32)
    lengths, ends = page.length[places].tolist(), page.end[places].tolist()
    most = int(page.length[0]) // 2
    return _outermost(
        (row, end)
        for row, length, end in zip(places.tolist(), lengths, ends, strict=True)
        if length <= most and not row <= headline < end
    )


def _outermost(subtrees: Iterable[tuple[int, int]]) -> _Regions:
    """Return those (first row, end) of subtrees that are within no other; given in order."""
    found = _Regions([], [])
    last = -1
    for start, end in subtrees:
        if start >= last:
            found.starts.append(start)
            found.ends.append(end)
            last = end
    return found
