"""Links of one part of an article to its other parts, or to a page that has them all.

What a link's address, ``rel`` or text promises is a candidate; whether a page is a part is decided
when it is there, by `chaffinch.siblings.further_parts`. No source: the forms are those in wide use
(``_2.html``, ``/2``, ``?p=2``, ``?page=2``, ``index_1.html`` behind ``index.html``, ``rel=next``,
«view all»).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from chaffinch.page.urls import joined, split_url
from chaffinch.siblings.further_parts import PAGER_WORDS, inner_text, is_next_text, part_address
from chaffinch.siblings.url_shapes import LONGEST_LINK, MOST_LINKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chaffinch.page import Page

_WHOLE: Final = re.compile(
    r"(?:view all|(?:view )?(?:as|on) (?:a |one )?(?:single )?page|single page|one page"
    r"|(?:read|show|view) (?:the )?(?:full|whole|entire) (?:article|story|text)"
    r"|full (?:article|text)|all pages|show all|全文|(?:显示|顯示|阅读|閱讀|查看|浏览)全文|余下全文"
    r"|单页(?:阅读|浏览|显示)|單頁(?:閱讀|瀏覽)|在本页(?:阅读|浏览)全文|alles auf einer seite"
    r"|(?:artikel )?auf einer seite(?: lesen)?|tout afficher|ver todo)\Z",
    re.IGNORECASE,
)
_WHOLE_ADDRESS: Final = re.compile(
    r"[/_.-](?:all|full|single|singlepage|onepage|view-?all)(?=/?\Z|\.\w{1,5}\Z)"
    r"|[?&](?:all|full|single|singlepage|view|page|p|pagewanted|showall)"
    r"=(?:all|full|single|1|true|yes)(?=&|\Z)",
    re.IGNORECASE,
)
_PAGER_WORDS: Final = PAGER_WORDS | frozenset(
    "to back first last view all single full article one 第 共 首页 尾页 末页 全文"
    " 单页阅读 余下全文 显示全文 阅读全文 单页 共页".split()
)
_DIGITS: Final = re.compile(r"\d{1,3}")
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_ARROWS: Final = frozenset("»›>→")
_LONGEST_TEXT: Final = 40  # characters of a link's text that can be one of these


@dataclass(frozen=True)
class PartLinks:
    """Addresses that a page links to, without fragments, each once.

    Attributes:
        whole: pages that may have all parts, those whose address is declared first.
        next: pages that may be the next part, the likeliest first.
        others: further pages whose address is this one's with another part's number, and those
            that are declared as the previous part.
    """

    whole: tuple[str, ...]
    next: tuple[str, ...]
    others: tuple[str, ...]


def part_links(page: Page) -> PartLinks:
    """Return the links of ``page`` that may lead to other parts of its article."""
    url = (page.url or "").partition("#")[0]
    own = part_address(url)
    following = {(own.part or 0) + 1, (own.part or 1) + 1}
    declared, numbered, worded = dict[str, None](), dict[str, None](), dict[str, None]()
    whole, others = dict[str, None](), dict[str, None]()
    for target, rels, text in _links(page, url):
        address = part_address(target)
        is_numbered = address.whole == own.whole and address.part not in (own.part, None)
        if "next" in rels:
            declared[target] = None
        elif {"prev", "previous"} & rels:
            others[target] = None
        if "canonical" in rels and _WHOLE_ADDRESS.search(target):
            whole = {target: None, **whole}
        elif _WHOLE.match(text):
            whole[target] = None
        elif is_numbered and address.part in following:
            numbered[target] = None
        elif is_numbered or address.whole == own.whole or address.whole == _bare(url):
            others[target] = None
        elif text in _ARROWS or is_next_text(text) or (text.isdecimal() and int(text) in following):
            worded[target] = None
    following_first = {**numbered, **declared, **worded}
    return PartLinks(
        tuple(whole),
        tuple(following_first),
        tuple(one for one in others if one not in following_first),
    )


def shown_next(page: Page, known: frozenset[str] = frozenset()) -> str:
    """Return the address, none of ``known``, of a link to the next part by its text, or ""."""
    url = (page.url or "").partition("#")[0]
    links = _links(page, url)
    return next((to for to, _, text in links if is_next_text(text) and to not in known), "")


def is_pager_text(text: str) -> bool:
    """Return whether a text holds nothing but numbers and words of links between parts."""
    words = _WORD.findall(text.casefold())
    return bool(words) and all(_DIGITS.fullmatch(one) or one in _PAGER_WORDS for one in words)


def in_order(pages: Sequence[Page], next_of: Callable[[Page], str] | None = None) -> list[int]:
    """Return the indices of the parts of one article, in the order of the article.

    By the numbers in their addresses, where all have one but the first, which may have none
    (``index.html`` before ``index_1.html``); else each behind the one that leads to it. A part that
    is given twice counts once. Where ``next_of`` returns the address behind a page, that decides.
    """
    addresses = [part_address((page.url or "").partition("#")[0]) for page in pages]
    first: dict[object, int] = {}
    for index, (page, address) in enumerate(zip(pages, addresses, strict=True)):
        key = (address.whole, address.part) if page.url else index
        first.setdefault(key, index)
    kept = list(first.values())
    led = {index: url for index in kept if next_of is not None and (url := next_of(pages[index]))}
    if not led and len({addresses[index].whole for index in kept}) == 1:
        kept.sort(key=lambda index: -1 if (part := addresses[index].part) is None else part)
    else:
        kept = _by_chain(pages, kept, led)
    return [
        index
        for place, index in enumerate(kept)
        if not any(
            _same_text(pages[index], pages[before]) for before in kept[max(place - 1, 0) : place]
        )
    ]


def _by_chain(pages: Sequence[Page], kept: Sequence[int], known: Mapping[int, str]) -> list[int]:
    """Return indices so that each part stands behind the one that leads to it.

    Of some the address behind them is ``known``; of the others their links tell it.
    """
    place = {(pages[index].url or "").partition("#")[0]: index for index in kept}
    after: dict[int, int] = {}
    led: set[int] = set()
    for index in kept:
        targets = (known[index],) if index in known else part_links(pages[index]).next
        for target in targets:
            follower = place.get(target, index)
            if follower != index and follower not in led:
                after[index] = follower
                led.add(follower)
                break
    out: dict[int, None] = {}
    for index in (*(one for one in kept if one not in led), *kept):
        here: int | None = index
        while here is not None and here not in out:
            out[here] = None
            here = after.get(here)
    return list(out)


def _same_text(one: Page, other: Page) -> bool:
    """Return whether two pages show the same text outside links: the same part under two names."""
    return one is other or (len(one) == len(other) and one.text == other.text)


def _links(page: Page, url: str) -> Iterator[tuple[str, frozenset[str], str]]:
    """Yield (address, rels, text) of links within the page's own host, its own address left out."""
    base = page.base if len(page.base) <= LONGEST_LINK else url
    host = urlsplit(url).netloc
    found = [(href, frozenset(rel.split()), "") for _, rel, href in page.head.links]
    is_link = page.is_tag("a")
    for row, href in page.having("href", is_link)[:MOST_LINKS]:
        rels = frozenset((page.attribute(row, "rel") or "").lower().split())
        text = page.folded(row) if page.length[row] <= _LONGEST_TEXT else ""
        found.append((href, rels, text if text in _ARROWS else inner_text(text)))
    for href, rels, text in found:
        if len(href) > LONGEST_LINK:
            continue
        target = joined(base, href, fragment=False)
        split = split_url(target)
        if split is None:
            continue
        if target != url and split.netloc == host and split.scheme in ("http", "https", "file"):
            yield target, rels, text


def _bare(url: str) -> str:
    """Return an address as `part_address` gives one without a number."""
    split = urlsplit(url)
    return f"{split.netloc.lower()}{split.path}?{split.query}"
