"""Amounts by row that published densities are made of: text outside links, marks, text nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows


def plain_length(page: Page) -> NDArray[np.int64]:
    """Return int64[n]: folded characters outside links, of each subtree."""
    return page.length - page.link_length


def shares(part: NDArray[np.int64], whole: NDArray[np.int64] | int) -> NDArray[np.float64]:
    """Return float64[n]: ``part`` / ``whole``, 0 where ``whole`` is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)


def own_marks(page: Page, marks: str) -> Rows:
    """Return int32[n]: how many characters of each row's own shown text are in ``marks``."""
    if page.text.isascii():
        codes = np.frombuffer(page.text.encode("ascii"), dtype=np.uint8)
        marks = "".join(mark for mark in marks if mark.isascii())
    else:
        wide = page.text.encode("utf-32-le", "surrogatepass")
        codes = np.frombuffer(wide, dtype=np.uint32)
    hit = np.zeros(len(codes), dtype=bool)
    for mark in marks:
        hit |= codes == ord(mark)
    before = np.searchsorted(np.flatnonzero(hit), page.text_at)
    own: Rows = np.diff(before).astype(np.int32)
    own[~page.shown] = 0
    return own


def text_rows(page: Page) -> Mask:
    """Return bool[n]: the shown text rows that hold more than white space."""
    mask: Mask = (page.tag == tags.TEXT) & page.written & page.shown
    return mask
