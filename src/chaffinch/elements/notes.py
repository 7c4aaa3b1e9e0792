"""Footnotes and references, and notes within a sentence.

Footnotes are what marks in the text link to within the page.

A mark is a link of a few characters (``3``, ``[a]``, ``*``, ``[note 1]``; no word) within text, to
an element further down; on a page without an address, whatever stands in the link before ``#``. If
that stands in a list, the list is one of notes once half of its items are led to; else the note is
the block that is led to.

A note within a sentence (beside the text or in a bubble on the screen) is an inline element whose
name or role says so, or what stands behind the term in a ``dfn``.
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
_IN_LINE: Final = re.compile(
    r"(?:^|[\s_-])(?:(?:side|margin)-?notes?(?:-?(?:text|content|body))?"
    r"|(?:foot-?note|endnote|fu(?:ss|ß)note|anmerkung|note|fotnot|voetnoot|tooltip)"
    r"[_-]?(?:text|content|body|inner|popup|bubble|box)"
    r"|randnotiz|marginalie|kantnoot|note-de-marge|note-marginale)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_IN_LINE_WORDS: Final = ("note", "noot", "notiz", "tooltip", "anmerkung", "fotnot", "marginalie")
_MARGINS: Final = tags.table("span small em i label q font aside".split())
"""Elements of notes within a sentence; one that shows as a block is none."""
_FEWEST: Final = 6
"""Characters of such a note; a mark is shorter."""
_DFN: Final = tags.CODES["dfn"]
_OPENING: Final = "([（［〔"
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


def side_notes(page: Page) -> list[int]:
    """Return the notes that stand behind a word of their line, and in no parentheses, in order."""
    rows = page.rows_where("class", lambda own: _IN_LINE.search(own) is not None, *_IN_LINE_WORDS)
    rows += page.rows_where("role", lambda own: own.strip().lower() == "tooltip", "tooltip")
    if page.holds("dfn"):
        before = page.written_before
        inner = np.flatnonzero((page.tag[page.parent] == _DFN) & page.is_tag("span", "small"))
        rows += inner[before[inner] > before[page.parent[inner]]].tolist()
    found: list[int] = []
    for row in sorted({row for row in rows if _MARGINS[page.tag[row]]}, reverse=True):
        holds_note = found and found[-1] < page.end[row]
        if not holds_note and _is_glued(page, row):
            found.append(row)
    return found[::-1]


def _is_glued(page: Page, row: int) -> bool:
    """Return whether a note goes on in the line of other text, as if it were a part of it."""
    text = page.folded(row)
    if len(text) < _FEWEST or text[0] in _OPENING:
        return False
    line, before = page.line[row + 1], row - 1
    while before >= 0 and page.line[before] == line and not page.written[before]:
        before -= 1
    return (
        before >= 0
        and bool(page.line[before] == line)
        and page.text_of(before)[-1:] not in _OPENING
    )
