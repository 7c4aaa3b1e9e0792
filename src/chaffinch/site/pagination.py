"""Parts of one article, put in order; the next page distinguished from the next article.

A link leads to the next *page* where its address is the page's own with the part's number one
higher; whatever its text or ``rel`` (`next`), another address is another article. Which pages are
parts of one article is decided by `chaffinch.siblings.further_parts`; here pages are grouped into
articles. `chaffinch.extract_parts` joins the content of the parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.fetch.url_parts import host_name, joined
from chaffinch.metadata.sources import selected_rows
from chaffinch.siblings.article_links import in_order, part_links
from chaffinch.siblings.further_parts import further_parts, part_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chaffinch.page import Page
    from chaffinch.result import RoleRule

_FIRST: Final = 1


def turn_row(page: Page) -> int:
    """Return the row of the link to the next part of the article (or list); -1 for none."""
    if not page.url:
        return -1
    here = part_address(page.url)
    part = _FIRST if here.part is None else here.part
    links, number = page.is_tag("a"), str(part + 1)
    for row, href in page.having("href"):
        if number in href and links[row]:
            there = part_address(joined(page.base, href, fragment=False))
            if there.part == part + 1 and there.whole == here.whole:
                return row
    return -1


def next_page(page: Page) -> str:
    """Return the address of the next part of the article (or list) on ``page``; "" for none."""
    row = turn_row(page)
    href = (page.attribute(row, "href") or "") if row >= 0 else ""
    return joined(page.base, href, fragment=False) if row >= 0 else ""


def single_by_rule(page: Page, roles: tuple[RoleRule, ...]) -> str:
    """Return the address of the version of an article on one page, by a rule for ``single``.

    The link that is selected, or the first in the element; else the address that the XPath selects
    or computes. "" for none, for the page itself, and for one of another site: the host must be the
    page's own, or one of the two within the other.
    """
    found = next_by_rule(page, roles, role="single")
    if not found:
        values = (
            one.value
            for rule in roles
            if rule.role == "single"
            for one in page.selected(rule.select)
        )
        written = next((one.strip() for one in values if one and one.strip()), "")
        found = joined(page.base, written, fragment=False) if written else ""
    own, other = _bare_host(page.url), _bare_host(found)
    is_near = own == other or own.endswith(f".{other}") or other.endswith(f".{own}")
    is_other = found.partition("#")[0] != (page.url or "").partition("#")[0]
    return found if own and other and is_near and is_other else ""


def _bare_host(url: str | None) -> str:
    """Return the host of a web address, without ``www.``; "" for none."""
    is_web = (url or "").lower().startswith(("http://", "https://"))
    return ((host_name(url) if is_web else None) or "").removeprefix("www.")


def next_by_rule(page: Page, roles: tuple[RoleRule, ...], *, role: str = "next") -> str:
    """Return the absolute address of the link that a rule for ``role`` selects; "" for none.

    The link itself, or the first in the element that is selected.
    """
    links = page.is_tag("a", "link", "area") & page.has("href")
    for row in selected_rows(page, roles, role):
        inside = np.flatnonzero(links[row : page.end[row]])
        if len(inside):
            href = page.attribute(row + int(inside[0]), "href") or ""
            if url := joined(page.base, href, fragment=False):
                return url
    return ""


def articles(
    pages: Sequence[Page], *, next_of: Callable[[Page], str] | None = None
) -> list[list[int]]:
    """Group ``pages`` into articles: the indices of each one's parts, in the order of the parts.

    Articles stand in the order of their first page among those given. The order of parts is that of
    `chaffinch.siblings.article_links.in_order`; a part given twice counts once. Where ``next_of``
    returns an address for a page, by the rules of its site, the page there is the next part without
    further proof.
    """
    before = list(range(len(pages)))  # of a page of the same article; itself, of the first

    def first_of(index: int) -> int:
        while before[index] != index:
            before[index] = index = before[before[index]]
        return index

    following = _following(pages, next_of) if next_of is not None else {}
    for one, other in (*following.items(), *_pairs(pages)):
        first, second = sorted((first_of(one), first_of(other)))
        if following.get(one) == other:
            before[second] = first
        if first != second and further_parts(pages[one], [pages[other]])[0]:
            before[second] = first
    groups: dict[int, list[int]] = {}
    for index in range(len(pages)):
        groups.setdefault(first_of(index), []).append(index)
    return [
        [group[place] for place in in_order([pages[index] for index in group], next_of)]
        for group in groups.values()
    ]


def _following(pages: Sequence[Page], next_of: Callable[[Page], str]) -> dict[int, int]:
    """Return page → the page that ``next_of`` leads to, by their indices."""
    place = {page.url.partition("#")[0]: index for index, page in enumerate(pages) if page.url}
    found = ((index, place.get(next_of(page))) for index, page in enumerate(pages))
    return {one: other for one, other in found if other is not None and other != one}


def _pairs(pages: Sequence[Page]) -> Iterator[tuple[int, int]]:
    """Yield pairs of pages that may be parts of one article: by their addresses or their links."""
    first: dict[str, int] = {}
    place = {page.url.partition("#")[0]: index for index, page in enumerate(pages) if page.url}
    for index, page in enumerate(pages):
        if page.url:
            known = first.setdefault(part_address(page.url.partition("#")[0]).whole, index)
            if known != index:
                yield known, index
    for index, page in enumerate(pages):
        if page.url:
            links = part_links(page)
            for url in (*links.next, *links.others):
                if (other := place.get(url, index)) != index:
                    yield index, other
