"""Controls behind headings: edit links, permalinks, buttons that copy an address or share it.

They stand beside a heading, in an element around both or none, and are no content of any kind. So
they are no part of text blocks (`chaffinch.segment.text_blocks`): a block of their own between a
heading and its text would part the two. Those within a heading are left out by outputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.edit_links import BARS, TEXTS, leads_to_edit, names_editing
from chaffinch.elements.permalinks import CLASS
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_ALL: Final = np.zeros(0, dtype=bool)
_CONTROLS: Final = tags.table(["a", "button"])
_BUTTON: Final = tags.CODES["button"]
_NEAR: Final = 60
"""Characters from the end of a heading to that of its last control, white space left out."""
_BETWEEN: Final = 3
"""Characters, brackets and bars, between a heading and its control, or two controls."""
_SHORT: Final = 24
"""Characters of a button, white space left out."""
_SHORTEST: Final = 12
"""Characters of a link that leads nowhere and shares an element with the heading alone."""
_NOWHERE: Final = ("", "#")
_SCRIPT: Final = "javascript:"
_QUESTION: Final = ("?", "？", "؟")


def heading_controls(page: Page) -> Mask | None:
    """Return bool[n]: texts of controls, brackets and bars around them included; None for none."""
    heads = kernels.rows_of(page.tag, tags.HEADING, _ALL, 0, len(page))
    links = kernels.rows_of(page.tag, _CONTROLS, _ALL, 0, len(page)) if len(heads) else heads
    if not len(links):
        return None
    before, end = page.written_before, page.end
    head = heads.take(heads.searchsorted(links) - 1)
    begin = before.take(end.take(head))
    stop = before.take(end.take(links))
    start = before.take(links)
    near = (stop > start) & (stop - begin <= _NEAR) & (stop > begin) & (begin > before.take(head))
    near &= (links > head) & (links >= end.take(head))
    first = near & (start - begin <= _BETWEEN)  # the others of its heading stand behind it
    if 1 not in first.tobytes():
        return None
    begins = np.zeros(len(page), dtype=bool)
    begins[head[first]] = True
    near &= begins.take(head)
    found = _controls(page, links[near], head[near])
    if not found:
        return None
    mask = np.zeros(len(page), dtype=bool)
    for above, controls in found.items():
        _mark(page, int(end[above]), controls, mask)
    return mask


def _controls(page: Page, links: Rows, heads: Rows) -> dict[int, list[int]]:
    """Return the controls of each heading that has some; heads, int32[r], are those of links."""
    found: dict[int, list[int]] = {}
    values = page.own_attributes.values_of(links, "class", "href")
    end, before = page.end.item, page.written_before.item
    for link, head, (names, address) in zip(links.tolist(), heads.tolist(), values, strict=True):
        last = found[head][-1] if head in found else head
        is_next = link >= end(last) and before(link) - before(end(last)) <= _BETWEEN
        if is_next and _is_control(page, link, head, names or "", address or ""):
            found.setdefault(head, []).append(link)
    return found


def _is_control(page: Page, link: int, head: int, names: str, address: str) -> bool:
    written = page.written_before.item(page.end.item(link)) - page.written_before.item(link)
    if page.tag.item(link) == _BUTTON:
        opens = any(page.attribute(link, f"aria-{one}") for one in ("expanded", "controls"))
        is_short = written <= _SHORT and not page.folded(link).endswith(_QUESTION)
        return is_short and not opens and _is_around_both(page, link, head)
    if names_editing(names) or leads_to_edit(address):
        return True
    leads_nowhere = address.strip() in _NOWHERE or address.lstrip().startswith(_SCRIPT)
    path, _, target = address.partition("#")
    stays = leads_nowhere or (not path and bool(target))
    if stays and target in _ids(page, head):
        return True
    if stays and CLASS.search(names) and _is_around_both(page, link, head):
        return True
    if written <= _SHORT and page.folded(link).strip("[]").lower() in TEXTS:
        return True
    return leads_nowhere and written <= _SHORTEST and _is_around_both(page, link, head)


def _ids(page: Page, head: int) -> set[str]:
    """Return the ids of a heading and of the element around it."""
    ids = (page.attribute(row, "id") for row in (head, int(page.parent[head])) if row >= 0)
    return {one.strip() for one in ids if one and one.strip()}


def _is_around_both(page: Page, link: int, head: int) -> bool:
    """Return whether a heading and a control are siblings, or all that an element holds."""
    above = int(page.parent[head])
    if page.parent[link] == above:
        return True
    holds = above >= 0 and page.end[above] > link
    return bool(holds and page.length[above] - page.length[head] <= _NEAR)


def _mark(page: Page, start: int, controls: list[int], mask: Mask) -> None:
    """Mark the texts of the controls behind a heading, and the brackets and bars around them."""
    for row in controls:
        mask[row : page.end[row]] = True
    last = int(page.end[controls[-1]])
    parent = int(page.parent[controls[-1]])
    stop = min(int(page.end[parent]), last + 4)
    for row in range(start, stop):
        is_text = not mask[row] and page.tag[row] == tags.TEXT and page.own_length[row]
        if is_text and BARS.fullmatch(page.folded(row)):
            mask[row] = True
