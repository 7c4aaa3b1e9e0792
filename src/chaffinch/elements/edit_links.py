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
    from chaffinch.page.arrays import Rows

_TEXTS: Final = frozenset(
    (
        "", "编辑", "編輯", "编辑源代码", "編輯原始碼", "編輯源代碼", "编辑本段", "編輯本段",
        "編集", "ソースを編集", "edit", "edit source", "edit section",
    )
)  # fmt: skip
_BARS: Final = re.compile(r"[\[\]［］【】|｜]")
_AT_END: Final = re.compile(r"[\[［【][^\[\]［］【】]{1,24}+[\]］】]\s?\Z")
_HEADINGS: Final = tags.table(["h1", "h2", "h3", "h4", "h5", "h6"])
_NEAR: Final = tags.table(["h1", "h2", "h3", "h4", "h5", "h6", "span"])
_LONGEST: Final = 40  # characters of all edit links of a heading
_HIGHEST: Final = 3  # elements above a link of which one is a heading or names the link
_CLASS: Final = "editsection"


def edit_links(page: Page, links: Rows) -> list[int]:
    """Return the outermost rows that hold nothing but links to edit a section.

    Args:
        page: the page.
        links: int32[r], `short_links` of the page.
    """
    likely = np.zeros(len(links), dtype=bool)
    above = links
    for _ in range(_HIGHEST):
        above = page.parent.take(above)
        likely |= _NEAR.take(page.tag.take(above))
    rows = (row for link in links[likely].tolist() for row in _around(page, link))
    return list(dict.fromkeys(rows))


def without_edit_links(text: str) -> str:
    """Return the text of a heading without edit links at its end."""
    found = _AT_END.search(text)
    return text[: found.start()].rstrip() if found and _only_links(found[0]) else text


def _around(page: Page, link: int) -> Iterator[int]:
    """Yield the outermost row that a link to edit a section fills, and its brackets; else none.

    Brackets without an element of their own stand beside the link, and are texts of the heading.
    """
    top = link
    text = page.folded(top)
    if not _only_links(text) or not _BARS.sub("", text[: 2 * _LONGEST]).strip():
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
