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
_LONGEST: Final = 12
"""Characters of any short link."""


def permalinks(page: Page, links: Rows) -> list[int]:
    """Return those of `short_links`, int32[r], that are such signs."""
    before = page.written_before
    written = before.take(page.end.take(links)) - before.take(links)
    few = links[written <= _MOST].tolist()
    return [row for row in few if _SIGN.fullmatch(page.folded(row)) and stays(page, row)]


def short_links(page: Page, kept: Mask) -> Rows:
    """Return those of ``kept``, bool[n], that are links with a text as short as that of a sign.

    Signs are `permalinks`, and links to edit a section (`chaffinch.elements.edit_links`), which
    hold up to 12 characters.
    """
    return kernels.short_links(page.tag, page.end, kept, page.written_before, _LINK, _LONGEST)


def stays(page: Page, link: int) -> bool:
    """Return whether a link leads to an anchor on its own page."""
    address, _, name = (page.attribute(link, "href") or "").strip().partition("#")
    return bool(name) and address in ("", (page.url or "").partition("#")[0])
