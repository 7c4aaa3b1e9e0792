"""Permalinks: signs beside a heading or a term that link to it: ``¶``, ``#`` and the like.

In a heading they may be words, too («Link to this heading», 复制链接): a short link beside the
text, to the heading's own id or named by its class as an anchor.

Generators of documentation write them for readers who want the address; they are no part of the
text, though they stand in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch import kernels
from chaffinch.elements.invisible_lines import INVISIBLE
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_SIGN: Final = re.compile("[¶§#🔗⚓∞\ue000-\uf8ff][\ufe0e\ufe0f]?")
_LINK: Final = tags.CODES["a"]
_MOST: Final = 2
"""Characters of a sign, the one that selects its form included."""
CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:anchor(?:js)?|permalink|header-?link|hash-?link|heading-?link|deep-?link|copy|share)"
    r"(?=[\s_-]|$)",
    re.IGNORECASE,
)
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]+")
_LONGEST: Final = 24
"""Characters of any short link."""


def permalinks(page: Page, links: Rows) -> list[int]:
    """Return those of `short_links`, int32[r], that are such signs."""
    before = page.written_before
    written = before.take(page.end.take(links)) - before.take(links)
    few = links[written <= _MOST].tolist()
    found = [row for row in few if _is_sign(page.folded(row)) and stays(page, row)]
    above = page.parent.take(links)
    beside = tags.HEADING.take(page.tag.take(above)) | tags.HEADING.take(
        page.tag.take(page.parent.take(above))
    )
    found += [row for row in links[beside].tolist() if _links_to_heading(page, row)]
    return found


def _is_sign(text: str) -> bool:
    return bool(_SIGN.fullmatch(text) or _INVISIBLE.fullmatch(text))


def _links_to_heading(page: Page, link: int) -> bool:
    """Return whether a link in a heading is for the address of the heading, and no part of it."""
    heading = int(page.parent[link])
    if not tags.HEADING[page.tag[heading]]:
        heading = int(page.parent[heading])
    if page.length[link] >= page.length[heading] or not stays(page, link):
        return False
    if CLASS.search(page.attribute(link, "class") or ""):
        return True
    target = (page.attribute(link, "href") or "").partition("#")[2].strip()
    return target == page.attribute(heading, "id")


def short_links(page: Page, kept: Mask) -> Rows:
    """Return those of ``kept``, bool[n], that are links with a text as short as that of a sign.

    Signs are `permalinks`, and links to edit a section (`chaffinch.elements.edit_links`), which
    hold up to 24 characters.
    """
    return kernels.short_links(page.tag, page.end, kept, page.written_before, _LINK, _LONGEST)


def stays(page: Page, link: int) -> bool:
    """Return whether a link leads to an anchor on its own page."""
    address, _, name = (page.attribute(link, "href") or "").strip().partition("#")
    return bool(name) and address in ("", (page.url or "").partition("#")[0])
