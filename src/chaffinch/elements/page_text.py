"""The text of a page as outputs show it: breaks by inline style, and what is set apart in a line.

Ruby texts and notes within a sentence stand in parentheses; those of ``rp`` are for browsers that
know no ruby, and left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.notes import side_notes
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

BREAK: Final = "\x0e"
"""Stands for a line break that inline style shows; HTML forbids the character, and none is lost."""
_IDEOGRAPHS: Final = "\u2e80"
"""From here on, scripts put no spaces around parentheses."""


def page_text(page: Page, code: Sequence[int], *, ruby: bool = True) -> tuple[str, Rows]:
    """Return the text, and int32[n+1], where in it each row's own starts.

    Args:
        page: the page.
        code: rows of its blocks of code, whose text stays as it is.
        ruby: put ruby texts in parentheses, too; HTML has elements for them.
    """
    apart = _apart(page, ruby=ruby)
    if page.breaks_kept is None and not apart:
        return page.text, page.text_at
    own = _Texts(page, code)
    if page.breaks_kept is not None:
        own.show_breaks(page.breaks_kept)
    for row, spaced in apart:
        own.set_apart(row, spaced=spaced)
    return own.joined()


def _apart(page: Page, *, ruby: bool) -> list[tuple[int, bool]]:
    """Return what stands in parentheses, and whether a space goes before these."""
    found = [(row, True) for row in side_notes(page)]
    if ruby and page.holds("rt"):
        rows = np.flatnonzero(page.is_tag("rt") & page.inside(page.is_tag("ruby"))).tolist()
        found += [(row, False) for row in rows]
    return found


class _Texts:
    """Texts of rows that aren't shown as they are."""

    def __init__(self, page: Page, code: Sequence[int]) -> None:
        self.page = page
        self.changed: dict[int, str] = {}
        verbatim = tags.PREFORMATTED[page.tag]
        verbatim[list(code)] = True
        self.free: Mask = (page.tag == tags.TEXT) & ~page.inside(verbatim)

    def _own(self, row: int) -> str:
        at = self.page.text_at
        return self.changed.get(row, self.page.text[at[row] : at[row + 1]])

    def show_breaks(self, kept: Mask) -> None:
        for row in np.flatnonzero(self.free & kept).tolist():
            if "\n" in (raw := self._own(row)):
                self.changed[row] = raw.replace("\n", BREAK)

    def set_apart(self, row: int, *, spaced: bool) -> None:
        page = self.page
        inner = slice(row, int(page.end[row]))
        written = np.flatnonzero(self.free[inner] & page.written[inner])
        if not len(written):
            return
        first, last = row + int(written[0]), row + int(written[-1])
        before, after = (
            page.text[: page.text_at[row]][-1:],
            page.text[page.text_at[inner.stop] :][:1],
        )
        opening = " (" if spaced and not before.isspace() and before < _IDEOGRAPHS else "("
        self.changed[first] = opening + self._own(first).lstrip()
        closing = ") " if spaced and after.isalnum() and after < _IDEOGRAPHS else ")"
        self.changed[last] = self._own(last).rstrip() + closing

    def joined(self) -> tuple[str, Rows]:
        page = self.page
        if not self.changed:
            return page.text, page.text_at
        parts: list[str] = []
        sizes, done = np.diff(page.text_at), 0
        for row, text in sorted(self.changed.items()):
            parts += page.text[done : page.text_at[row]], text
            done = int(page.text_at[row + 1])
            sizes[row] = len(text)
        text_at = np.append(np.int32(0), np.cumsum(sizes, dtype=np.int32))
        return "".join([*parts, page.text[done:]]), text_at
