"""Further parts of the same article among candidate pages, which must not be used as siblings.

Two parts of one article share its headline, teaser and byline: compared with each other, methods
that delete what pages have in common delete content. Source: same-layer-similarity, section 5,
whose one false removal came from a second page; it names no remedy. Their recognition by
canonical address, address, title and pagination links is this project's.

``rel=next`` alone is weak: blogs use it for the next *article*. So it counts only with the same
title, as do links whose text is a page number or a word for the next page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np

from chaffinch.page.urls import join_urls

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_PAGE_KEYS: Final = frozenset(
    "page paged pg pageno page_no pagenum page_num pagenumber pageindex page_index curpage"
    " currentpage current_page pn".split()
)
_PAGE_STEP: Final = re.compile(r"/(?:page|seite|pagina|p)[/_-]?(\d{1,3})(?=/?\Z)", re.IGNORECASE)
_PAGE_FILE: Final = re.compile(r"[_-](?:page|p)_?(\d{1,3})(?=(?:\.\w{1,5})?\Z)", re.IGNORECASE)
_BARE: Final = re.compile(r"(?:[_-](\d{1,2})(?=(?:\.\w{1,5})?\Z)|/(\d{1,2})(?=/?\Z))")
_INDEX: Final = re.compile(r"/index(?:\.\w{1,5})?\Z|/\Z", re.IGNORECASE)

_TITLE_MARK: Final = re.compile(
    r"[(（\[【]\s*\d{1,3}\s*(?:/\s*\d{1,3}\s*)?[)）\]】]"
    r"|第\s*[\d一二三四五六七八九十]{1,3}\s*[页頁]"
    r"|\b(?:page|seite|página|pagina|страница|strana|σελίδα)\s*\d{1,3}(?:\s*(?:of|von|de|/)\s*\d+)?"
    r"|(?<!\d)[_-]\s*\d{1,2}(?=\s*(?:\Z|[_|-]))",
    re.IGNORECASE,
)
_EDGES: Final = " \t\n-_|–—:·"
_PAGINATION_TEXT: Final = re.compile(
    r"\W*(?:\d{1,3}|第?\s*\d{1,3}\s*[页頁]?|[下上]一[页頁]|[后前後]一?[页頁]|次へ|次のページ|前へ|다음|이전"
    r"|(?:next|previous|prev)(?:\s+page)?|page\s+\d{1,3}|(?:nächste|vorherige)(?:\s+seite)?|weiter"
    r"|(?:página\s+)?siguiente|(?:page\s+)?suivante?|następna|далее|вперёд|назад|επόμενη)\W*\Z",
    re.IGNORECASE,
)
_MAX_PAGINATION_TEXT: Final = 20
_SHORTEST_TITLE: Final = 6
_FEW: Final = 3  # fewer candidates don't show which title is the site's


@dataclass(frozen=True)
class PartAddress:
    """An address without its part number; ``part`` is None where it has none.

    ``explicit`` is whether the number is named as a page number (``page=2``, ``/page/2``), not bare
    (``_2.html``, ``/2/``).
    """

    whole: str
    part: int | None
    explicit: bool


def further_parts(page: Page, candidates: Sequence[Page]) -> Mask:
    """Return bool[m]: candidates that are ``page`` itself or a further part of its article.

    A candidate is such a part where

    - its address (with the same title, where it is the site's root) or all its text and markup are
      those of the page;
    - both give the same canonical address, other than the site's root;
    - their addresses differ in a number that is named as a page number;
    - their addresses differ in a bare number (``_2.html``) that one of them may lack, and their
      titles are the same, part numbers left out, or both absent (then one of them must lack it);
    - their titles are the same and one leads to the other by ``rel=next`` or ``prev``, or by a link
      whose text is a number or a word for the next page;
    - title and headline are the same, the title contains the headline, which is no link, and not
      more than half of the candidates have that title.

    Addresses count where they are known; lists of several pages are parts of one list, too.
    """
    own = _PartFeatures(page)
    others = [_PartFeatures(candidate) for candidate in candidates]
    titled = sum(bool(own.title) and other.title == own.title for other in others)
    common = len(others) >= _FEW and titled > len(others) / 2
    found = [_is_part(own, other, common_title=common) for other in others]
    return np.array(found, dtype=bool)


@lru_cache(maxsize=1 << 10)
def part_address(url: str) -> PartAddress:
    """Return ``url`` cut into what parts of one article share and the part's number.

    Scheme, fragment, index file and a closing slash don't count.
    """
    try:
        split = urlsplit(url)
    except ValueError:
        return PartAddress(url, None, explicit=False)
    pairs = parse_qsl(split.query, keep_blank_values=True)
    numbers = [value for key, value in pairs if key.lower() in _PAGE_KEYS and value.isdecimal()]
    rest = [pair for pair in pairs if not (pair[0].lower() in _PAGE_KEYS and pair[1].isdecimal())]
    path, part, explicit = split.path, None, False
    if numbers:
        part, explicit = int(numbers[0]), True
    else:
        for pattern in (_PAGE_STEP, _PAGE_FILE, _BARE):
            if mark := pattern.search(path):
                part, explicit = int(mark[1] or mark[2]), pattern is not _BARE
                path = path[: mark.start()] + path[mark.end() :]
                break
    path = _INDEX.sub("", path)
    whole = f"{split.netloc.lower()}{path}?{urlencode(sorted(rest))}"
    return PartAddress(whole, part, explicit)


class _PartFeatures:
    """Features that show whether a page is a part of another's article; computed on first use."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def url(self) -> str:
        return (self.page.url or "").partition("#")[0]

    @cached_property
    def address(self) -> PartAddress:
        return part_address(self.url)

    @cached_property
    def title(self) -> str:
        return _bare_title(self.page.head.title)

    @cached_property
    def canonical(self) -> str:
        """The canonical address; "" where there is none or it is the root of a site."""
        for _, rel, href in self.page.head.links:
            if "canonical" in rel.split() and href.strip():
                return _deep(_joined(self.page.base, href))
        return ""

    @cached_property
    def headline(self) -> str:
        """Text of the first h1, or h2 where there is none, that isn't a link; "" if none."""
        page = self.page
        links = page.total(page.is_tag("a"))
        for name in ("h1", "h2"):
            for row in np.flatnonzero(page.is_tag(name) & page.shown).tolist():
                if page.length[row] and not page.in_link[row] and not links[row]:
                    return _bare_title(page.folded(row))
        return ""

    @cached_property
    def pagination_urls(self) -> frozenset[str]:
        """Targets of links to other parts."""
        return frozenset(_pagination_urls(self.page))


def _is_part(own: _PartFeatures, other: _PartFeatures, *, common_title: bool) -> bool:
    if _same_page(own, other):
        return True
    if own.canonical and own.canonical == other.canonical:
        return True
    same_title = own.title == other.title
    one, two = own.address, other.address
    if own.url and other.url and one.whole == two.whole and one.part != two.part:
        explicit = (one.explicit or one.part is None) and (two.explicit or two.part is None)
        lone = one.part is None or two.part is None
        if explicit or (same_title and (bool(own.title) or lone)):
            return True
    if not same_title or len(own.title) < _SHORTEST_TITLE:
        return False
    if (other.url and other.url in own.pagination_urls) or (
        own.url and own.url in other.pagination_urls
    ):
        return True
    return not common_title and bool(own.headline) and own.headline == other.headline in own.title


def _same_page(own: _PartFeatures, other: _PartFeatures) -> bool:
    one, two = own.page, other.page
    same_address = bool(own.url) and own.url == other.url
    if one is two or (same_address and (own.title == other.title or bool(_deep(own.url)))):
        return True
    return (
        len(one) == len(two)
        and one.text == two.text
        and np.array_equal(one.tag, two.tag)
        and (not len(one) or one.content_hash[0] == two.content_hash[0])
    )


@lru_cache(maxsize=1 << 10)
def _bare_title(title: str) -> str:
    return " ".join(_TITLE_MARK.sub(" ", title).split()).strip(_EDGES).casefold()


def _pagination_urls(page: Page) -> Iterator[str]:
    """Yield the targets of ``rel=next`` and of links with a number or a word for the next page."""
    for _, rel, href in page.head.links:
        if {"next", "prev", "previous"} & set(rel.split()):
            yield _joined(page.base, href)
    link = page.is_tag("a")
    for row, href in page.having("href"):
        if not link[row]:
            continue
        own_rel = (page.attribute(row, "rel") or "").lower().split()
        named = "next" in own_rel or "prev" in own_rel
        if named or (
            page.length[row] <= _MAX_PAGINATION_TEXT and _PAGINATION_TEXT.match(page.folded(row))
        ):
            yield _joined(page.base, href)


def _joined(base: str, href: str) -> str:
    try:
        return join_urls(base, href.strip()).partition("#")[0]
    except ValueError:
        return ""


def _deep(url: str) -> str:
    """Return ``url``, or "" where it is the root of a site."""
    try:
        split = urlsplit(url)
    except ValueError:
        return ""
    return url if split.query or _INDEX.sub("", split.path) else ""
