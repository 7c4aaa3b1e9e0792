"""Parts of one article, joined in order; the next page distinguished from the next article.

A link leads to the next *page* where its address is the page's own with the part's number one
higher; whatever its text or ``rel`` (`next`), another address is another article. Which pages are
parts of one article is decided by `chaffinch.siblings.further_parts`; here they are put in order
and their content is joined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.page.urls import join_urls
from chaffinch.siblings.further_parts import further_parts, part_address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch.page import Page

_FIRST: Final = 1


def turn_row(page: Page) -> int:
    """Return the row of the link to the next part of the article (or list); -1 for none."""
    if not page.url:
        return -1
    here = part_address(page.url)
    part = _FIRST if here.part is None else here.part
    links, number = page.is_tag("a"), str(part + 1)
    for row, href in page.having("href"):
        if number in href and links[row] and _is_next(_joined(page.base, href), here.whole, part):
            return row
    return -1


def next_page(page: Page) -> str:
    """Return the address of the next part of the article (or list) on ``page``; "" for none."""
    row = turn_row(page)
    return _joined(page.base, page.attribute(row, "href") or "") if row >= 0 else ""


def articles(pages: Sequence[Page]) -> list[list[int]]:
    """Group ``pages`` into articles: the indices of each one's parts, in the order of the parts.

    Articles stand in the order of their first page among those given. Parts whose address has no
    number come first; a part given twice counts once.
    """
    out: list[list[int]] = []
    by_address: dict[str, list[int]] = {}
    for index, page in enumerate(pages):
        whole = part_address(page.url).whole if page.url else f"\0{index}"
        by_address.setdefault(whole, []).append(index)
    for indices in by_address.values():
        left = indices
        while left:
            first, rest = left[0], left[1:]
            same = further_parts(pages[first], [pages[index] for index in rest])
            out.append(_in_order(pages, [first, *_where(rest, same.tolist())]))
            left = _where(rest, (~same).tolist())
    return out


def join_parts(parts: Sequence[Page], text: Callable[[Page], str]) -> str:
    """Return the texts of the parts of one article, one after the other, repeated lines once.

    Args:
        parts: in order, as `articles` gives them.
        text: returns the text of a page, such as ``lambda page: site.extract(page).text``.
    """
    seen: set[str] = set()
    lines: list[str] = []
    for number, page in enumerate(parts):
        own = [line for line in text(page).split("\n") if line.strip()]
        # Headline and byline stand on every part; a refrain within one part is the author's.
        lines += [line for line in own if not number or line not in seen]
        seen.update(own)
    return "\n".join(lines)


def _in_order(pages: Sequence[Page], indices: list[int]) -> list[int]:
    parts: dict[tuple[int, str], int] = {}
    for index in indices:
        url = pages[index].url or ""
        number = part_address(url).part if url else None
        parts.setdefault((_FIRST if number is None else number, "" if number else url), index)
    return [parts[key] for key in sorted(parts)]


def _where(indices: Sequence[int], chosen: Sequence[bool]) -> list[int]:
    return [index for index, one in zip(indices, chosen, strict=True) if one]


def _is_next(url: str, whole: str, part: int) -> bool:
    there = part_address(url)
    return there.part == part + 1 and there.whole == whole


def _joined(base: str, href: str) -> str:
    try:
        return join_urls(base, href.strip()).partition("#")[0]
    except ValueError:
        return ""
