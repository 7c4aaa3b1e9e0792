"""What a reader is given of the kept rows: code without line numbers, each formula once, as TeX.

Signs that only link to their own place (`chaffinch.elements.permalinks`) are left out, too.

Renderers and parts share it. A formula is kept when a row of it is; one that is only a script or an
image, of which methods say nothing, when the text before or after it in its block is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.elements.code.code_rows import CodeRows, code_rows
from chaffinch.elements.formulas.tex import Found, formulas
from chaffinch.elements.permalinks import permalinks
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content


@dataclass(frozen=True, eq=False)
class Reading:
    """What is shown of a page.

    Attributes:
        kept: bool[n], kept rows but permalinks, those left out of code and those within formulas;
            of a formula its outermost row is kept, and all rows above.
        formulas: row → formula.
        code: where code stands.
    """

    kept: Mask
    formulas: dict[int, Found]
    code: CodeRows


def reading(content: Content) -> Reading:
    """Return what is shown of the kept rows of ``content``: read once, whoever asks."""
    read: Reading = content.derived("reading", lambda: _read(content))
    return read


def _read(content: Content) -> Reading:
    page, kept = content.page, content.kept
    code = code_rows(page)
    left_out = code.left_out
    if signs := permalinks(page, kept):
        left_out = left_out.copy()
        for sign in signs:
            left_out[sign : int(page.end[sign])] = True
    if left_out.any():
        speaks = kept & ((page.tag == tags.TEXT) | tags.VOID[page.tag]) & ~left_out
        kept = page.around(speaks)
    found = {one.row: one for one in formulas(page) if _is_kept(content, one, kept)}
    if found:
        kept = kept.copy()
        for one in found.values():
            kept[one.row : one.end] = False
        marked = np.zeros(len(page), dtype=bool)
        marked[list(found)] = True
        kept |= page.around(marked)
    return Reading(kept, found, code)


def _is_kept(content: Content, formula: Found, kept: Mask) -> bool:
    page = content.page
    inner = slice(formula.row, formula.end)
    if kept[inner].any():
        return True
    if page.written[inner].any():
        return False
    above = int(page.parent[formula.row])
    while above > 0 and not tags.BLOCK[page.tag[above]]:
        above = int(page.parent[above])
    begin, end = above, int(page.end[above])
    written = page.written & page.shown
    if not written[begin:end].any():
        begin, end = 0, len(page)
    before = np.flatnonzero(written[begin : formula.row])
    after = np.flatnonzero(written[formula.end : end])
    near = [begin + int(before[-1])] if len(before) else []
    near += [formula.end + int(after[0])] if len(after) else []
    return bool(content.verdict.keep[near].any()) if near else False
