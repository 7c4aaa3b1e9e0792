"""Signs beside a heading or a term that link to the place itself: ``¶``, ``#`` and the like.

Generators of documentation write them for readers who want the address; they are no part of the
text, though they stand in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_SIGN: Final = re.compile("[¶§#🔗⚓∞\ue000-\uf8ff][\ufe0e\ufe0f]?")
_MOST: Final = 2
"""Characters of a sign, the one that selects its form included."""


def permalinks(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that are links to a place of the page by such a sign."""
    links = np.flatnonzero(kept & page.is_tag("a"))
    written = page.written_before[page.end[links]] - page.written_before[links]
    few = links[(written > 0) & (written <= _MOST)].tolist()
    return [row for row in few if _SIGN.fullmatch(page.folded(row)) and stays(page, row)]


def stays(page: Page, link: int) -> bool:
    """Tell whether a link leads to a place of the page it stands on."""
    address, _, name = (page.attribute(link, "href") or "").strip().partition("#")
    return bool(name) and address in ("", (page.url or "").partition("#")[0])
