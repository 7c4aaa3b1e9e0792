"""Buttons that copy an address or a listing, «Copy», 复制代码, and counters: not for reading.

A counter of remarks or likes hangs on the full stop of a paragraph. Buttons stand in a heading
beside its text, or in the element that holds a listing, before or after it. Those within a listing
are for `chaffinch.elements.code.code_rows`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:copy|clipboard|copy-?(?:btn|button|code|link|to-?clipboard))(?=[\s_-]|$)",
    re.IGNORECASE,
)
_COUNTER: Final = re.compile(
    r"(?:^|[\s_-])(?:counter|(?:[a-z]+[_-]?)?(?:counts?|nums?)|badge|likes?|votes?|claps?)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_LONGEST_COUNT: Final = 6
_ENDS: Final = '.!?…。！？”"»)）'
_BUTTONS: Final = tags.table(["button"])
_PRE: Final = tags.CODES["pre"]
_LONGEST: Final = 24
"""Characters of such a button."""
_AROUND: Final = 3
"""Elements around a button of which one holds the heading or the listing."""
_MOST_ROWS: Final = 400
"""Rows of an element in which a listing is looked for."""


def copy_buttons(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that are such buttons."""
    rows: list[int] = []
    if page.holds("pre"):
        named = page.rows_where("class", _is_copy, "copy", "clipboard")
        rows = [row for row in named if kept[row]]
    if page.holds("button"):
        rows += kernels.rows_of(page.tag, _BUTTONS, kept, 0, len(page)).tolist()
    return [row for row in dict.fromkeys(rows) if _is_button(page, row)]


def _is_copy(names: str) -> bool:
    return _CLASS.search(names) is not None


def _is_button(page: Page, row: int) -> bool:
    """Return whether a short element stands beside the text of a heading, or beside a listing."""
    length = int(page.length[row])
    if not 0 < length <= _LONGEST:
        return False
    is_named = _is_copy(page.attribute(row, "class") or "")
    for above, _ in zip(page.ancestors(row), range(_AROUND), strict=False):
        if tags.HEADING[page.tag[above]]:
            return length < int(page.length[above])
        inner = slice(above, min(int(page.end[above]), above + _MOST_ROWS))
        if is_named and (page.tag[inner] == _PRE).any():
            return True
    return False


def counters(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that are counters: behind a sentence without a space."""
    short = page.text_at[1:] - page.text_at[:-1] <= _LONGEST_COUNT
    found = []
    for row in np.flatnonzero(short & page.written & kept).tolist():
        begin = page.text_at.item(row)
        if begin and page.text[begin - 1] in _ENDS and _is_counter(page, row):
            found.append(row)
    return found


def _is_counter(page: Page, row: int) -> bool:
    """Return whether a text is a number that ends its line, in an element named for counts."""
    after = row + 1
    ends_line = after == len(page) or page.line[after] != page.line[row]
    if not (ends_line and page.text_of(row).strip().isdigit()):
        return False
    return _COUNTER.search(page.attribute(int(page.parent[row]), "class") or "") is not None
