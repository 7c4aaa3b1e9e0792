"""Edit links: "[编辑]", "[edit source]" beside the headings of a wiki's page.

They stand in the heading, or beside it in an element whose class names them, and are no part of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_WORDS: Final = ("编辑", "編輯", "編集", "[edit")
"""What a page with such links has in its text."""
_TEXTS: Final = frozenset(
    (
        "", "编辑", "編輯", "编辑源代码", "編輯原始碼", "編輯源代碼", "编辑本段", "編輯本段",
        "編集", "ソースを編集", "edit", "edit source", "edit section",
    )
)  # fmt: skip
_BARS: Final = re.compile(r"[\[\]［］【】|｜]")
_AT_END: Final = re.compile(r"[\[［【][^\[\]［］【】]{1,24}+[\]］】]\s?\Z")
_HEADINGS: Final = tags.table(["h1", "h2", "h3", "h4", "h5", "h6"])
_LINK: Final = tags.CODES["a"]
_LONGEST: Final = 40  # characters of all edit links of a heading
_HIGHEST: Final = 3  # elements between a text and its link
_CLASS: Final = "editsection"
MOST: Final = 1_000  # occurrences of a word that are examined


def edit_links(page: Page, kept: Mask) -> list[int]:
    """Return the outermost of ``kept``, bool[n], that hold nothing but links to edit a section."""
    rows: dict[int, None] = {}
    for word in _WORDS:
        for row in _rows_with(page, word):
            if kept[row]:
                rows |= dict.fromkeys(_around(page, row))
    return list(rows)


def without_edit_links(text: str) -> str:
    """Return the text of a heading without edit links at its end."""
    found = _AT_END.search(text)
    return text[: found.start()].rstrip() if found and _only_links(found[0]) else text


def _rows_with(page: Page, word: str) -> Iterator[int]:
    """Yield the text rows in which a word ends, at most `MOST`."""
    at = page.text.find(word)
    for _ in range(MOST):
        if at < 0:
            return
        yield int(np.searchsorted(page.text_at, at + len(word) - 1, "right")) - 1
        at = page.text.find(word, at + len(word))


def _around(page: Page, row: int) -> Iterator[int]:
    """Yield the rows of the link that a text is in, with its brackets; none if it is no such link.

    Brackets without an element of their own stand beside the link, and are texts of the heading.
    """
    top = row
    for _ in range(_HIGHEST):
        top = int(page.parent[top])
        if top < 0 or page.tag[top] == _LINK:
            break
    if top < 0 or page.tag[top] != _LINK or not _only_links(page.folded(top)):
        return
    while True:
        above = int(page.parent[top])
        if above < 0 or page.length[above] > _LONGEST or not _only_links(page.folded(above)):
            break
        top = above
    above = int(page.parent[top])
    is_named = _CLASS in (page.attribute(top, "class") or "").lower()
    if not is_named and not _HEADINGS[page.tag[[above, int(page.parent[above])]]].any():
        return
    yield top
    for beside in (top - 1, int(page.end[top])):
        if (
            beside < len(page)
            and page.tag[beside] == tags.TEXT
            and _only_links(page.folded(beside))
        ):
            yield beside


def _only_links(text: str) -> bool:
    """Return whether a text is that of edit links, with their brackets and bars."""
    return all(part.strip().lower() in _TEXTS for part in _BARS.split(text[: 2 * _LONGEST]))
