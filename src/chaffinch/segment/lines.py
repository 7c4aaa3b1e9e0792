"""The page as lines of text, as a program sees it that knows no tree: tags stripped, breaks kept.

Every start and every end of a block element, every br and every hr ends a line, so that lines
without text show how far the structure jumps between two texts. (`Page.line` numbers the runs of
inline content instead, and counts any number of boundaries between two texts as one.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_WIDE: Final = np.arange(0x3002) >= 0x2E80  # noqa: PLR2004  Han, kana, Hangul and their marks
_WIDE[0x3000] = False  # a space
"""Wide characters, all from U+2E80 on; jamo from U+1100 on are left out."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a page; m lines, empty ones included.

    Attributes:
        line: int32[n], the line in which each row starts.
        length: int64[m], characters of shown text in each line, white space left out.
        wide_share: share (0..1) of Chinese, Japanese and Korean characters in them.
    """

    line: Rows
    length: NDArray[np.int64]
    wide_share: float


def lines(page: Page, rows: Mask | None = None) -> Lines:
    """Cut ``page`` into lines, as if it had the rows ``rows`` alone (bool[n]; all by default)."""
    count = len(page)
    block, br, hr = tags.BLOCK[page.tag], page.is_tag("br"), page.is_tag("hr")
    if rows is not None:
        block, br = block & rows, br & rows
    ends = np.bincount(page.end[block | br], minlength=count + 1)
    ends[:count] += block & ~hr
    line = np.cumsum(ends[:count], dtype=np.int32)
    own = np.diff(page.written_before)
    own[~page.shown if rows is None else ~(page.shown & rows)] = 0
    length = np.bincount(line, weights=own).astype(np.int64)
    return Lines(line, length, _wide_share(page, own))


def _wide_share(page: Page, own: NDArray[np.int64]) -> float:
    total = int(own.sum())
    if total == 0 or page.text.isascii():
        return 0.0
    wide = kernels.characters(page.text, page.text_at, _WIDE)
    return int(wide[own > 0].sum()) / total
