"""Permalinks: signs beside a heading or a term that link to it: ``¶``, ``#`` and the like.

Generators of documentation write them for readers who want the address; they are no part of the
text, though they stand in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_SIGN: Final = re.compile("[¶§#🔗⚓∞\ue000-\uf8ff][\ufe0e\ufe0f]?")
_LINK: Final = tags.CODES["a"]
_MOST: Final = 2
"""Characters of a sign, the one that selects its form included."""


def permalinks(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that are such signs."""
    few = _short_links(page, kept).tolist()
    return [row for row in few if _SIGN.fullmatch(page.folded(row)) and stays(page, row)]


def _short_links(page: Page, kept: Mask) -> Rows:
    """Return those of ``kept`` that are links that hold no more text than a sign."""
    return kernels.short_links(page.tag, page.end, kept, page.written_before, _LINK, _MOST)


def stays(page: Page, link: int) -> bool:
    """Return whether a link leads to an anchor on its own page."""
    address, _, name = (page.attribute(link, "href") or "").strip().partition("#")
    return bool(name) and address in ("", (page.url or "").partition("#")[0])
