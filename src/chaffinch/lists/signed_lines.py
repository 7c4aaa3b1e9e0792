"""Posts of wikis' talk pages: each ends with a link to who wrote it, and the time with its zone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import unquote

from chaffinch.lists.post_features import PostFeatures, date_in
from chaffinch.page import Page, tags

_SIGNED: Final = re.compile(r"\d:\d\d[^()\n]{0,45}\([A-Z]{3,4}\)")
"""The end of a signature: 10:04, 1 March 2025 (UTC)."""
_PARTS: Final = re.compile("[:/=&]")  # of an address
_MOST_BETWEEN: Final = 4  # characters between the links of a signature, beside spaces
_DASHES: Final = " \t\n-–—"
_INDENTS: Final = tags.table(["dl", "ul", "ol"])


class SignedLines(NamedTuple):
    """A post: its rows, its text, the row with the name of who wrote it, and when.

    ``indent`` is the number of lists that it stands in; ``section`` the block of the heading above,
    -1 for none.
    """

    rows: tuple[int, int]
    text: str
    author: int
    date: str
    indent: int
    section: int


def signed_lines(features: PostFeatures) -> Iterator[SignedLines]:
    """Yield the posts of a page whose lines are signed, in document order."""
    page, blocks = features.page, features.blocks
    behind, section = 0, -1
    for found in _SIGNED.finditer(page.text):
        last = int(page.text_at.searchsorted(found.end())) - 1
        at = int(blocks.first.searchsorted(last, "right")) - 1
        start, stop = int(blocks.first[at]), int(blocks.last[at])
        date, author = date_in(page.folded(last)), _author(page, start, last)
        if author < 0 or not date or page.own_length[last + 1 : stop].any():
            continue
        heads = (one for one in range(at, behind - 1, -1) if tags.HEADING[blocks.owner_tag[one]])
        section = next(heads, section)
        begin = max(behind, section + 1) if section >= 0 else at
        line = " ".join(page.text[page.text_at[start] : page.text_at[author]].split())
        text = "\n".join([*features.texts[begin:at], line.rstrip(_DASHES)]).strip()
        indent = int(_INDENTS[page.tag[[*page.ancestors(start)]]].sum())
        behind = at + 1
        yield SignedLines((int(blocks.first[begin]), stop), text, author, date, indent, section)


def _author(page: Page, start: int, stop: int) -> int:
    """Return the row with the name of who signed a line, -1 for none.

    It is the first of the links at the line's end that lead to a page of their own text.
    """
    written = (row for row in range(stop - 1, start - 1, -1) if page.own_length[row])
    near = takewhile(
        lambda row: page.in_link[row] or len(page.folded(row).strip(_DASHES)) <= _MOST_BETWEEN,
        written,
    )
    author = -1
    for row in near:
        link = next((one for one in page.ancestors(row) if page.name(one) == "a"), -1)
        href = unquote(page.attribute(link, "href") or "") if link >= 0 else ""
        names = _PARTS.split(href.partition("#")[0].replace("_", " ").casefold())
        if (
            ":" in href.removeprefix("https:")
            and page.folded(row).replace("_", " ").casefold() in names
        ):
            author = row
    return author
