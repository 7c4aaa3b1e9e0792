"""What stands around a block of code and is none: copy buttons, and the name of the language."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.code.highlighters import COPY, COPY_LABELS
from chaffinch.elements.code.language import LANGUAGES
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.elements.code.highlighters import HighlighterClasses
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_WALL: Final = tags.table("body html li td article".split())
_PROSE: Final = tags.table(["p", "h1", "h2", "h3", "h4"])
_TABLES: Final = tags.table(["table"])
_BUTTONS: Final = tags.table(["button"])
_CODE: Final = tags.table(["code"])
_AROUND: Final = 60  # characters of a block's header: language, file name, buttons
_LEVELS: Final = 32  # elements from a block to what holds its header, at most
_LONG: Final = 30  # characters of a button's text


def read_headers(
    page: Page, blocks: list[int], classes: HighlighterClasses, left_out: Mask
) -> dict[int, str]:
    """Return row of a block → the language that a label in or beside it names.

    Args:
        page: the page.
        blocks: rows of its blocks of code, in order.
        classes: classes of highlighters on it.
        left_out: bool[n], what is no code; copy buttons and labels are marked in it.
    """
    labels: dict[int, str] = {}
    if not blocks:
        return labels
    surroundings = _Surroundings(page)
    written = page.written.nonzero()[0]
    buttons = _BUTTONS.take(page.tag).nonzero()[0]
    clicked = page.rows_where("onclick", lambda own: "cop" in own.lower(), "copy", "copi")
    clicked += page.rows_where("onclick", lambda own: "select" in own.lower(), "select")
    looked_at: set[int] = set()
    for block in checked(blocks, every=16):
        begin = surroundings.of(block)
        if begin not in looked_at:
            looked_at.add(begin)
            inner = begin + 1, int(page.end[begin])
            left_out[_between(buttons, *inner)] = True
            copies = classes.between(COPY, *inner)
            copies += [row for row in clicked if inner[0] <= row < inner[1]]
            copies += _labels(page, written, begin, block)
            left_out[[row for row in copies if page.length[row] <= _LONG]] = True
        for row in _between(written, begin, block).tolist():
            word = page.folded(row).lower()
            if word in LANGUAGES and not page.in_link[row]:
                labels[block] = word
                left_out[row] = True
    return labels


def _labels(page: Page, written: NDArray[np.intp], begin: int, block: int) -> list[int]:
    """Return the texts in ``begin`` that say what a button beside a block does."""
    code = np.flatnonzero(_CODE[page.tag[block : page.end[block]]])[:1]
    within = block + int(code[0]) if len(code) else block
    outside = (
        _between(written, begin, within),
        _between(written, int(page.end[within]), int(page.end[begin])),
    )
    texts = np.concatenate(outside).tolist()
    return [row for row in texts if page.folded(row).lower() in COPY_LABELS]


def _between(rows: NDArray[np.intp], begin: int, stop: int) -> NDArray[np.intp]:
    """Return those of sorted rows from ``begin`` to before ``stop``."""
    return rows[slice(*rows.searchsorted((begin, stop)).tolist())]


class _Surroundings:
    """The elements around blocks of a page that hold little else: their buttons and labels."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._prose = _before(_PROSE.take(page.tag))
        self._tables = _before(_TABLES.take(page.tag))

    def of(self, block: int) -> int:
        """Return the row of the outermost one around a block, or the block itself."""
        page, around = self.page, block
        most = int(page.length[block]) + _AROUND
        own_tables = self._count(self._tables, block)
        for above in islice(page.ancestors(block), _LEVELS):
            if page.length[above] > most or _WALL[page.tag[above]]:
                break
            own_tables += int(_TABLES[page.tag[above]])
            others = self._count(self._tables, above) - own_tables
            if others or self._count(self._prose, above):
                break
            around = above
        return around

    def _count(self, before: NDArray[np.int64], row: int) -> int:
        """Return how many rows of a kind the subtree of ``row`` has."""
        return int(before[self.page.end[row]] - before[row])


def _before(kind: Mask) -> NDArray[np.int64]:
    """Return int64[n + 1]: how many rows of a kind, bool[n], stand before each row."""
    return np.concatenate([[0], kind.cumsum()])
