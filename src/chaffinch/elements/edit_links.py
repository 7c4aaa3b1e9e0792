"""Edit links: "[编辑]", "[edit source]", "[править]" beside the headings of a wiki's page.

They stand in the heading, or beside it in an element whose class names them, and are no part of it.
They are known by where they lead (``action=edit``), by the class of the link or of what is around
it, in whatever language; where neither decides, by the words of a few, at the end of a heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows

_LINK: Final = tags.CODES["a"]
_MOST_ROWS: Final = 40
"""Rows of an element that holds nothing but links to edit, or of a heading."""
TEXTS: Final = frozenset(
    (
        "", "编辑", "編輯", "编辑源代码", "編輯原始碼", "編輯源代碼", "编辑本段", "編輯本段",
        "編集", "ソースを編集", "편집", "edit", "edit source", "edit section", "bearbeiten",
        "quelltext bearbeiten", "modifier", "modifier le code", "éditer", "editar", "editar código",
        "modifica", "modifica wikitesto", "bewerken", "edytuj", "edytuj kod", "redigera", "rediger",
        "править", "править код", "редагувати", "editovat", "szerkesztés", "muokkaa", "modificare",
        "değiştir", "kaynağı değiştir", "sửa", "sửa đổi", "sunting", "επεξεργασία", "редактиране",
        "עריכה", "تعديل", "عدل", "ویرایش", "संपादित करें", "แก้ไข",
    )
)  # fmt: skip
_LONGEST_TEXT: Final = max(map(len, TEXTS))
BARS: Final = re.compile(r"[\s\[\]［］【】()（）|｜/·]*+")
_AT_END: Final = re.compile(r"[\[［【][^\[\]［］【】]{1,24}+[\]］】]\s?\Z")
_PARTS: Final = re.compile(r"[\[\]［］【】|｜]")
_ADDRESS: Final = re.compile(r"[?&](?:action|do|mode)=(?:ve)?edit(?=&|$|#)|[?&]veaction=edit")
_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:edit(?:section|links?|icon|btn|button)?|j-edit)(?=[\s_-]|$)|editsection",
    re.IGNORECASE,
)
_HEADINGS: Final = tags.table(["h1", "h2", "h3", "h4", "h5", "h6"])
_ALL: Final = np.zeros(0, dtype=bool)
_NEAR: Final = 24  # rows from the beginning of a heading to a link in or beside it
_LONGEST: Final = 60  # characters of all edit links of a heading
_HIGHEST: Final = 3  # elements above a link of which one is a heading or names the link


def edit_links(page: Page, links: Rows) -> list[int]:
    """Return the outermost rows that hold nothing but links to edit a section.

    Args:
        page: the page.
        links: int32[r], `short_links` of the page.
    """
    headings = kernels.rows_of(page.tag, _HEADINGS, _ALL, 0, len(page))
    if not len(headings):
        return []
    before = headings.take(headings.searchsorted(links) - 1)
    likely = links[(links > before) & (links - before <= _NEAR)]
    if not len(likely) or not _may_edit(page, likely):
        return []
    marks = _Marks.of(page)
    if not marks:
        likely = likely[page.length.take(likely) <= _LONGEST_TEXT]
    rows = (row for link in likely.tolist() for row in _around(page, link, marks))
    return list(dict.fromkeys(rows))


def _may_edit(page: Page, links: Rows) -> bool:
    """Return whether one of some links may be a link to edit, by its text or by a mark near it.

    Marks are sought on the whole page only where this says so.
    """
    rows, parent = set(links.tolist()), page.parent.item
    if any(page.folded(link).lower() in TEXTS for link in rows):
        return True
    around = rows
    for _ in range(_HIGHEST):
        around = {above for row in around if (above := parent(row)) >= 0}
        rows |= around
    near = page.own_attributes.values_of(np.array([*rows], dtype=np.int32), "class", "href")
    return any(
        (names and names_editing(names)) or (address and leads_to_edit(address))
        for names, address in near
    )


def without_edit_links(text: str) -> str:
    """Return the text of a heading without edit links at its end."""
    found = _AT_END.search(text)
    if found is None or not all(part.strip().lower() in TEXTS for part in _PARTS.split(found[0])):
        return text
    return text[: found.start()].rstrip()


@dataclass(frozen=True)
class _Marks:
    """Rows whose class names a link to edit, and links whose address is that of one."""

    named: frozenset[int]
    leading: frozenset[int]

    @classmethod
    def of(cls, page: Page) -> Self:
        """Return the marks on a page."""
        named = page.rows_where("class", names_editing, "edit")
        return cls(frozenset(named), frozenset(page.rows_where("href", leads_to_edit, "edit")))

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.named or self.leading)


def names_editing(names: str) -> bool:
    """Return whether the value of a class attribute names a link to edit."""
    may = "edit" in names.lower() or not names.isascii()
    return may and _CLASS.search(names) is not None


def leads_to_edit(address: str) -> bool:
    """Return whether an address is that of an editor."""
    return "edit" in address and _ADDRESS.search(address) is not None


def _is_text(page: Page, link: int) -> bool:
    """Return whether the text of a link is that of one to edit."""
    return page.length[link] <= _LONGEST_TEXT and page.folded(link).lower() in TEXTS


def _around(page: Page, link: int, marks: _Marks) -> Iterator[int]:
    """Yield the outermost row that links to edit a section fill, and its brackets; else none.

    Brackets without an element of their own stand beside the link, and are texts of the heading.
    """
    is_marked = _is_marked(page, link, marks)
    if not page.length[link] or not (is_marked or _is_text(page, link)):
        return
    top = _outermost(page, link, marks)
    above = int(page.parent[top])
    is_in_heading = bool(_HEADINGS[page.tag[[above, int(page.parent[above])]]].any())
    if is_in_heading:
        if not is_marked and not _ends(page, above, top):
            return
    elif not (is_marked and _is_beside_heading(page, top, marks)):
        return
    yield top
    for beside in (top - 1, int(page.end[top])):
        if beside == len(page) or page.tag[beside] != tags.TEXT or not page.own_length[beside]:
            continue
        if BARS.fullmatch(page.folded(beside)):
            yield beside


def _outermost(page: Page, link: int, marks: _Marks) -> int:
    """Return the outermost row around a link to edit that holds nothing but such links."""
    top = link
    while True:
        above = int(page.parent[top])
        if above < 0 or page.length[above] > _LONGEST or page.end[above] - above > _MOST_ROWS:
            return top
        if not _only_links(page, above, marks):
            return top
        top = above


def _is_marked(page: Page, link: int, marks: _Marks) -> bool:
    """Return whether the address or class of a link is that of an edit link."""
    if link in marks.leading:
        return True
    if not marks.named:
        return False
    rows = (link, *(above for _, above in zip(range(_HIGHEST), page.ancestors(link), strict=False)))
    return any(row in marks.named and page.length[row] <= _LONGEST for row in rows)


def _only_links(page: Page, row: int, marks: _Marks) -> bool:
    """Return whether an element holds links to edit, and brackets and bars, and nothing else."""
    at, stop = row, int(page.end[row])
    while at < stop:
        if page.tag[at] == _LINK:
            if not _is_marked(page, at, marks) and not _is_text(page, at):
                return False
            at = int(page.end[at])
            continue
        if page.tag[at] == tags.TEXT and not BARS.fullmatch(page.folded(at)):
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
        part.strip().lower() in TEXTS for part in _PARTS.split(rest)
    )


def _is_beside_heading(page: Page, row: int, marks: _Marks) -> bool:
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
        if page.length[before] and not (is_small and _only_links(page, before, marks)):
            return False
        row = before
    return False
