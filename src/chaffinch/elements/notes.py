"""Footnotes and references: what marks in the text link to within the page.

A mark is a link of a few characters (``3``, ``[a]``, ``*``, ``[note 1]``; no word) within text, to
an element further down; on a page without an address, whatever stands in the link before ``#``. If
that stands in a list, the list is one of notes once half of its items are led to; else the note is
the block that is led to.
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

_MARK: Final = re.compile(
    r"\[[^\W\d_]{1,5}\s?\d+\]|(?=.{1,6}$)[^\w\s]*(?:\d+[a-z]?|[^\W\d_])?[^\w\s]*"
)
_LONGEST_NOTE: Final = 1500
"""Characters of a note in no list; sections are longer."""
_LISTS: Final = tags.table("ul ol dl".split())
_ITEMS: Final = tags.table("li dt dd".split())
_NOTES: Final = tags.table("p div aside section tr".split())


def notes(page: Page, text: Mask) -> Mask:
    """Return bool[n]: rows of notes with all that is in them.

    Args:
        page: the page.
        text: bool[n], the text rows in which marks count.
    """
    mask = np.zeros(len(page), dtype=bool)
    led_to: dict[int, int] = {}
    for target in _targets(page, text):
        around = _note(page, target)
        if around >= 0:
            led_to[around] = led_to.get(around, 0) + 1
    for row, count in led_to.items():
        items = int(_ITEMS[page.tag[row : page.end[row]]].sum())
        if 2 * count >= items:
            mask[row : page.end[row]] = True
    return mask


def _targets(page: Page, text: Mask) -> Iterator[int]:
    """Yield the rows further down that marks lead to, each once."""
    links = [(row, href) for row, href in page.having("href") if "#" in href]
    if not links:
        return
    own = (page.url or "").partition("#")[0]
    ids = {value: row for row, value in reversed([*page.having("id"), *page.having("name")])}
    seen = set()
    for row, href in links:
        address, _, name = href.strip().partition("#")
        target = ids.get(name, -1)
        if target <= row or target in seen or (own and address not in ("", own)):
            continue
        if _MARK.fullmatch(page.folded(row)) and text[row : page.end[row]].any():
            line = next((above for above in page.ancestors(row) if tags.BLOCK[page.tag[above]]), 0)
            if 2 * page.link_length[line] <= page.length[line]:
                seen.add(target)
                yield target


def _note(page: Page, target: int) -> int:
    """Return the outermost list around a target, or the block it stands in; -1 for none."""
    around = [target, *page.ancestors(target)]
    lists = [row for row in around if _LISTS[page.tag[row]]]
    if lists:
        return lists[-1]
    note = next((row for row in around if _NOTES[page.tag[row]]), -1)
    return note if note >= 0 and page.length[note] <= _LONGEST_NOTE else -1
