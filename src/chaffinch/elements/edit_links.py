"""Edit links: "[编辑]", "[edit source]", "[править]" beside the headings of a wiki's page.

They stand in the heading, or beside it in an element whose class names them, and are no part of it.
They are known by where they lead (``action=edit``), by the class of the link or of what is around
it, in whatever language; where neither tells, by the words of a few, at the end of a heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows

_LINK: Final = tags.CODES["a"]
_MOST_ROWS: Final = 40
"""Rows of an element that holds nothing but links to edit, or of a heading."""
_TEXTS: Final = frozenset(
    (
        "", "编辑", "編輯", "编辑源代码", "編輯原始碼", "編輯源代碼", "编辑本段", "編輯本段",
        "編集", "ソースを編集", "edit", "edit source", "edit section",
    )
)  # fmt: skip
_BARS: Final = re.compile(r"[\s\[\]［］【】()（）|｜/·]*+")
_AT_END: Final = re.compile(r"[\[［【][^\[\]［］【】]{1,24}+[\]］】]\s?\Z")
_PARTS: Final = re.compile(r"[\[\]［］【】|｜]")
_ADDRESS: Final = re.compile(r"[?&](?:action|do|mode)=(?:ve)?edit(?=&|$|#)|[?&]veaction=edit")
_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:edit(?:section|links?|icon|btn|button)?|j-edit)(?=[\s_-]|$)|editsection",
    re.IGNORECASE,
)
_HEADINGS: Final = tags.table(["h1", "h2", "h3", "h4", "h5", "h6"])
_NEAR: Final = 24  # rows from the beginning of a heading to a link in or beside it
_LONGEST: Final = 60  # characters of all edit links of a heading
_HIGHEST: Final = 3  # elements above a link of which one is a heading or names the link


def edit_links(page: Page, links: Rows) -> list[int]:
    """Return the outermost rows that hold nothing but links to edit a section.

    Args:
        page: the page.
        links: int32[r], `short_links` of the page.
    """
    headings = np.flatnonzero(_HEADINGS.take(page.tag))
    if not len(headings):
        return []
    before = headings.take(np.searchsorted(headings, links) - 1)
    likely = links[(links > before) & (links - before <= _NEAR)].tolist()
    rows = (row for link in likely for row in _around(page, link))
    return list(dict.fromkeys(rows))


def without_edit_links(text: str) -> str:
    """Return the text of a heading without edit links at its end."""
    found = _AT_END.search(text)
    if found is None or not all(part.strip().lower() in _TEXTS for part in _PARTS.split(found[0])):
        return text
    return text[: found.start()].rstrip()


def _around(page: Page, link: int) -> Iterator[int]:
    """Yield the outermost row that links to edit a section fill, and its brackets; else none.

    Brackets without an element of their own stand beside the link, and are texts of the heading.
    """
    is_marked = _is_marked(page, link)
    if not (is_marked or page.folded(link).lower() in _TEXTS) or not page.length[link]:
        return
    top = _outermost(page, link)
    above = int(page.parent[top])
    is_in_heading = bool(_HEADINGS[page.tag[[above, int(page.parent[above])]]].any())
    if is_in_heading:
        if not is_marked and not _ends(page, above, top):
            return
    elif not (is_marked and _is_beside_heading(page, top)):
        return
    yield top
    for beside in (top - 1, int(page.end[top])):
        if beside == len(page) or page.tag[beside] != tags.TEXT or not page.own_length[beside]:
            continue
        if _BARS.fullmatch(page.folded(beside)):
            yield beside


def _outermost(page: Page, link: int) -> int:
    """Return the outermost row around a link to edit that holds nothing but such links."""
    top = link
    while True:
        above = int(page.parent[top])
        if above < 0 or page.length[above] > _LONGEST or page.end[above] - above > _MOST_ROWS:
            return top
        if not _only_links(page, above):
            return top
        top = above


def _is_marked(page: Page, link: int) -> bool:
    """Return whether address or class say that a link is for editing."""
    if _ADDRESS.search(page.attribute(link, "href") or ""):
        return True
    rows = (link, *(above for _, above in zip(range(_HIGHEST), page.ancestors(link), strict=False)))
    return any(
        _CLASS.search(page.attribute(row, "class") or "") and page.length[row] <= _LONGEST
        for row in rows
    )


def _only_links(page: Page, row: int) -> bool:
    """Return whether an element holds links to edit, and brackets and bars, and nothing else."""
    at, stop = row, int(page.end[row])
    while at < stop:
        if page.tag[at] == _LINK:
            if not _is_marked(page, at) and page.folded(at).lower() not in _TEXTS:
                return False
            at = int(page.end[at])
            continue
        if page.tag[at] == tags.TEXT and not _BARS.fullmatch(page.folded(at)):
            return False
        at += 1
    return True


def _ends(page: Page, heading: int, top: int) -> bool:
    """Return whether text precedes in the heading, and only edit links and brackets follow."""
    if page.written_before[top] == page.written_before[heading]:
        return False
    at, stop = int(page.end[top]), int(page.end[heading])
    rest = page.text[page.text_at[at] : page.text_at[stop]]
    return len(rest) <= _LONGEST and all(
        part.strip().lower() in _TEXTS for part in _PARTS.split(rest)
    )


def _is_beside_heading(page: Page, row: int) -> bool:
    """Return whether a heading is, or is in, what stands before ``row`` in the same element.

    Other links to edit may stand between.
    """
    above = int(page.parent[row])
    for _ in range(_HIGHEST):
        before = row - 1
        while before > above and page.parent[before] != above:
            before = int(page.parent[before])
        if before <= above:
            return False
        inner = slice(before, min(int(page.end[before]), before + _MOST_ROWS))
        if _HEADINGS[page.tag[inner]].any():
            return True
        is_small = page.end[before] - before <= _MOST_ROWS and page.length[before] <= _LONGEST
        if page.length[before] and not (is_small and _only_links(page, before)):
            return False
        row = before
    return False
