"""Posts of wikis' talk pages: each ends with a link to who wrote it, and the time with its zone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import unquote

from chaffinch.lists.post_features import PostFeatures, date_in
from chaffinch.page import tags

_SIGNED: Final = re.compile(r"\d:\d\d[^()\n]{0,45}\([A-Z]{3,4}\)")
"""The end of a signature: 10:04, 1 March 2025 (UTC)."""
_PARTS: Final = re.compile("[:/=&]")  # of an address
_MOST_BETWEEN: Final = 4  # characters between the links of a signature, beside spaces
_DASHES: Final = " \t\n-–—"
_INDENTS: Final = tags.table(["dl", "ul", "ol"])


class SignedLines(NamedTuple):
    """A post: its rows, its text, the row of the link to who wrote it, when, and its indent."""

    rows: tuple[int, int]
    text: str
    author: int
    date: str
    indent: int
    section: int  # block of the heading above, -1 for none


def signed_lines(features: PostFeatures) -> Iterator[SignedLines]:
    """Yield the posts of a page whose lines are signed, in document order."""
    page, blocks = features.page, features.blocks
    behind, section = 0, -1
    for found in _SIGNED.finditer(page.text):
        last = int(page.text_at.searchsorted(found.end())) - 1
        at = int(blocks.first.searchsorted(last, "right")) - 1
        written = [r for r in range(int(blocks.first[at]), last + 1) if page.own_length[r]]
        date, author = date_in(page.folded(last)), _author(features, written[:-1])
        if author < 0 or not date or page.own_length[last + 1 : blocks.last[at]].any():
            continue
        heads = (one for one in range(at, behind - 1, -1) if tags.HEADING[blocks.owner_tag[one]])
        section = next(heads, section)
        begin = max(behind, section + 1) if section >= 0 else at
        start = int(blocks.first[at])
        line = " ".join(page.text[page.text_at[start] : page.text_at[author]].split())
        text = "\n".join([*features.texts[begin:at], line.rstrip(_DASHES)]).strip()
        indent = sum(map(bool, _INDENTS[page.tag[list(page.ancestors(start))]].tolist()))
        behind = at + 1
        rows = int(blocks.first[begin]), int(blocks.last[at])
        yield SignedLines(rows, text, author, date, indent, section)


def _author(features: PostFeatures, written: list[int]) -> int:
    """Return the row with the name of who signed a line, of its written rows; -1 for none.

    It is in the first of the links at the end of the line that lead to a page of that name.
    """
    page = features.page
    near = takewhile(
        lambda row: page.in_link[row] or len(page.folded(row).strip(_DASHES)) <= _MOST_BETWEEN,
        reversed(written),
    )
    links = [row for row in near if page.in_link[row]][::-1]
    named = (row for row in links if _leads_to_name(features, row))
    return next(named, -1)


def _leads_to_name(features: PostFeatures, row: int) -> bool:
    page = features.page
    link = next((one for one in page.ancestors(row) if page.name(one) == "a"), -1)
    href = unquote(page.attribute(link, "href") or "").partition("#")[0]
    names = _PARTS.split(href.replace("_", " ").casefold())
    return ":" in href and page.folded(row).replace("_", " ").casefold() in names
