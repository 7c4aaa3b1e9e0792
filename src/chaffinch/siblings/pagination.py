"""Parts of one article: among candidate pages, and where a part links to the others.

Two parts of one article share its headline, teaser and byline: compared as siblings, methods that
delete what pages have in common delete content (same-layer-similarity, section 5, which names no
remedy). What a link's address, ``rel`` or text promises is a candidate; whether a page is a part is
decided when it is there, by `further_parts`. ``rel=next`` alone is weak: blogs use it for the next
*article*. The forms are those in wide use (``_2.html``, ``/2``, ``?page=2``, «view all»).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page
from chaffinch.page.urls import joined, split_url
from chaffinch.siblings import same_rows
from chaffinch.siblings.url_shapes import LONGEST_LINK, MOST_LINKS
from chaffinch.wording import any_of, fold_words

_PAGE_STEP: Final = re.compile(
    r"/(?:page|seite|pagina|strana|strona|stranica|sayfa|halaman|side|sida|sivu|trang|p)"
    r"[/_-]?(\d{1,3})(?:\.\w{1,5}\Z|(?=/?\Z))",
    re.IGNORECASE,
)
_PAGE_FILE: Final = re.compile(
    r"[._,-](?:page|seite|p)_?(\d{1,3})(?=(?:\.\w{1,5})?\Z)", re.IGNORECASE
)
_BARE: Final = re.compile(
    r"(?:(?:[_,-]|(?<=/index))(\d{1,2})(?=(?:\.\w{1,5})?\Z)|/(\d{1,2})(?=/?\Z))"
)
_WEAK_KEY: Final = "p"  # a page's number, but the number of an article in other systems
_FEW_PARTS: Final = 99
_MOST_DIGITS: Final = 6  # of a page's number
_INDEX: Final = re.compile(r"/index(?:\.\w{1,5})?\Z|/\Z", re.IGNORECASE)

_WORDS: Final[Mapping[str, list[str]]] = json.loads(
    resources.files(__package__).joinpath("part_words.json").read_text(encoding="utf-8")
)
"""Words, in lower case: for a page and a part, before their total (``of``), of links to the
``next`` and the ``previous`` part or page of a list, and ``beside`` these; texts of links to a
``whole`` article, as regular expressions; ``keys`` of a query that number pages."""

_WORD: Final = any_of(_WORDS["page"])
_TOTAL: Final = rf" ?{any_of(_WORDS['of'])} ?\d{{1,3}}"
_SIGNS: Final = "_|｜丨–—:·•»›>~-"
_COUNTED: Final = (
    rf"第 ?[\d一二三四五六七八九十]{{1,3}} ?(?:[页頁]|ページ)"
    rf"(?:\W{{0,3}}[共全] ?\d{{1,3}} ?[页頁][)）]?)?"
    rf"|(?<![^\W_])(?:{_WORD}|{any_of(_WORDS['part'])})\.? ?\d{{1,3}}{_TOTAL}(?!\d)"
)
PART_COUNT: Final = re.compile(rf"(?:{_COUNTED})\Z", re.IGNORECASE)
"""A line that says no more than which part of how many a page is."""
_TITLE_MARK: Final = re.compile(
    rf"[(（\[［【〔] ?(?:{_WORD}\.? ?)?\d{{1,3}}(?:{_TOTAL})? ?\.?(?: ?{_WORD}目?)? ?[)）\]］】〕]"
    rf"|{_COUNTED}|(?<![^\W_]){_WORD}\.? ?\d{{1,3}}(?!\d)"
    rf"|(?<!\d)\d{{1,3}}(?:{_TOTAL})?\.? ?"
    rf"(?:ページ目?|[页頁]目?|페이지|쪽|(?:oldal|sayfa|lapa|lk|puslapis)(?!\w))"
    rf"|(?<!\d)(?:(?<![a-z])-|[{_SIGNS[:-1]}]) ?\d{{1,2}}(?: ?[/／] ?\d{{1,2}})?"
    rf"(?= ?(?:\Z|[{_SIGNS}]))"
    r"|(?<![^ ])\d{1,2} ?[/／] ?\d{1,2}(?= ?(?:\Z|[" + _SIGNS + r"]))"
    rf"|(?:\A|[{_SIGNS}]) ?\d{{1,2}}{_TOTAL} ?(?=\Z|[{_SIGNS}])",
    re.IGNORECASE,
)
_LETTERS: Final = re.compile(r"[^\W_]+")
_COLON: Final = re.compile(r"[:：]")  # between the word for the next part and its heading
_NUMBER_TEXT: Final = re.compile(
    rf"(?:第? ?\d{{1,3}}\.? ?(?:[页頁]|ページ(?:目へ?)?|sayfa|oldal)?"
    rf"|(?:[^\W\d_]{{1,12}}[,:]? ){{0,4}}{_WORD}\.? ?\d{{1,3}}(?:{_TOTAL})?)\Z",
    re.IGNORECASE,
)
_MAX_PAGINATION_TEXT: Final = 60
_PART: Final = re.compile(rf"(?: |\A){any_of(_WORDS['part'])} \d{{1,3}}(?!\w)")
_SHORTEST_TITLE: Final = 6
_FEW: Final = 3  # fewer candidates don't show which title is the site's


@dataclass(frozen=True)
class PartAddress:
    """An address without its part number; ``part`` is None where it has none.

    ``explicit`` is whether the number is named as a page number (``page=2``, ``/page/2``), not bare
    (``_2.html``, ``/2/``, ``?p=2`` below the root, where it is the number of an article).
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
      more than half of the candidates have that title;
    - both titles contain the same headline, and each leads to the other.

    Addresses count where they are known; lists of several pages are parts of one list, too.
    """
    own = _PartFeatures(page)
    others = [_PartFeatures(candidate) for candidate in candidates]
    titled = sum(bool(own.title) and other.title == own.title for other in others)
    common = len(others) >= _FEW and titled > len(others) / 2
    return np.array([_is_part(own, one, common_title=common) for one in others], dtype=bool)


@lru_cache(maxsize=1 << 10)
def part_address(url: str) -> PartAddress:
    """Return ``url`` cut into what parts of one article share and the part's number.

    Scheme, fragment, index file and a closing slash don't count.
    """
    split = split_url(url)
    if split is None:
        return PartAddress(url, None, explicit=False)
    pairs = parse_qsl(split.query, keep_blank_values=True)
    numbers = [value for key, value in pairs if _is_page_number(key, value)]
    rest = [(key, value) for key, value in pairs if not _is_page_number(key, value)]
    path, part, explicit = split.path, None, False
    weak = [value for key, value in rest if key == _WEAK_KEY and value.isdecimal()]
    if numbers:
        part, explicit = int(numbers[0].rpartition(",")[2]), True
    elif len(weak) == 1 and _INDEX.sub("", path) and 0 < int(weak[0][:_MOST_DIGITS]) <= _FEW_PARTS:
        part, rest = int(weak[0]), [pair for pair in rest if pair[0] != _WEAK_KEY]
    else:
        for pattern in (_PAGE_STEP, _PAGE_FILE, _BARE):
            if mark := pattern.search(path):
                part, explicit = int(mark[1] or mark[2]), pattern is not _BARE
                path = path[: mark.start()] + path[mark.end() :]
                break
    path = _INDEX.sub("", path)
    whole = f"{split.netloc.lower()}{path}?{urlencode(sorted(rest))}"
    return PartAddress(whole, part, explicit)


def _is_page_number(key: str, value: str) -> bool:
    value = value.removeprefix("0,")  # of the second pager of a page, as Drupal's
    return key.lower() in _WORDS["keys"] and value.isdecimal() and len(value) <= _MOST_DIGITS


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
        return bare_title(self.page.head.title)

    @cached_property
    def canonical(self) -> str:
        """The canonical address; "" where there is none or it is the root of a site."""
        for _, rel, href in self.page.head.links:
            if "canonical" in rel.split() and href.strip():
                return _deep(joined(self.page.base, href, fragment=False))
        return ""

    @cached_property
    def headline(self) -> str:
        """Text of the first h1, or h2 where there is none, that isn't a link; "" if none."""
        page = self.page
        links = page.total(page.is_tag("a"))
        for name in ("h1", "h2"):
            for row in np.flatnonzero(page.is_tag(name) & page.shown).tolist():
                if page.length[row] and not page.in_link[row] and not links[row]:
                    return bare_title(page.folded(row))
        return ""

    @cached_property
    def pagination_urls(self) -> frozenset[str]:
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
        same_work = _PART.sub("", own.title) == _PART.sub("", other.title)
        if explicit or (same_work and (bool(own.title) or lone)):
            return True
    is_led = [bool(b.url) and b.url in a.pagination_urls for a, b in ((own, other), (other, own))]
    same_headline = bool(own.headline) and own.headline == other.headline in own.title
    if not same_title or len(own.title) < _SHORTEST_TITLE:  # which may name the part
        return all(is_led) and same_headline and own.headline in other.title
    return any(is_led) or (not common_title and same_headline)


def _same_page(own: _PartFeatures, other: _PartFeatures) -> bool:
    one, two = own.page, other.page
    same_address = bool(own.url) and own.url == other.url
    if one is two or (same_address and (own.title == other.title or bool(_deep(own.url)))):
        return True
    return same_rows(one, two) and (not len(one) or one.content_hash[0] == two.content_hash[0])


@lru_cache(maxsize=1 << 10)
def bare_title(title: str) -> str:
    """Return the words of a title, without the mark of a part, in lower case.

    Marks are «page 2 of 4», «(2)», «2/4», «第2页» and the like, anywhere in the title. Separators
    don't count, for a mark leaves its own behind.
    """
    return " ".join(_LETTERS.findall(_TITLE_MARK.sub(" ", " ".join(title.split())).casefold()))


def inner_text(text: str) -> str:
    """Return a text from its first letter or digit to its last, of `fold_words`."""
    marks = "".join(one for one in set(text) if not one.isalnum())
    return fold_words(text.strip(marks))


_NEXT: Final = frozenset(map(inner_text, _WORDS["next"]))
_PREVIOUS: Final = frozenset(map(inner_text, _WORDS["previous"]))
_PAGER_WORDS: Final = frozenset(
    word
    for kind in ("next", "previous", "page", "of")
    for words in _WORDS[kind]
    for word in _LETTERS.findall(words)
).union(_WORDS["beside"])
"""Words of links between parts, and of what stands between these."""


def is_next_text(text: str, words: frozenset[str] = _NEXT) -> bool:
    """Return whether the text of a link means the next part; arrows around it don't count."""
    return inner_text(text) in words or inner_text(_COLON.split(text, 1)[0]) in words


def _pagination_urls(page: Page) -> Iterator[str]:
    """Yield the targets of ``rel=next`` and of links with a number or a word for the next page."""
    for _, rel, href in page.head.links:
        if {"next", "prev", "previous"} & set(rel.split()):
            yield joined(page.base, href, fragment=False)
    link = page.is_tag("a")
    for row, href in page.having("href"):
        if not link[row]:
            continue
        own_rel = (page.attribute(row, "rel") or "").lower().split()
        is_part = "next" in own_rel or "prev" in own_rel
        if not is_part and page.length[row] <= _MAX_PAGINATION_TEXT:
            inner = inner_text(text := page.folded(row))
            is_part = is_next_text(text, _NEXT | _PREVIOUS) or bool(_NUMBER_TEXT.match(inner))
        if is_part:
            yield joined(page.base, href, fragment=False)


def _deep(url: str) -> str:
    """Return ``url``, or "" where it is the root of a site."""
    split = split_url(url)
    return url if split and (split.query or _INDEX.sub("", split.path)) else ""


_WHOLE: Final = re.compile(rf"(?:{'|'.join(_WORDS['whole'])})\Z", re.IGNORECASE)
_WHOLE_ADDRESS: Final = re.compile(
    r"[/_.-](?:all|full|single|singlepage|onepage|view-?all)(?=/?\Z|\.\w{1,5}\Z)"
    r"|[?&](?:all|full|single|singlepage|view|page|p|pagewanted|showall)"
    r"=(?:all|full|single|1|true|yes)(?=&|\Z)",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d{1,3}")
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+")
_ARROWS: Final = frozenset("»›>→")
_LONGEST_TEXT: Final = 40  # characters of a link's text that can be one of these
_OF_COMMENTS: Final = re.compile(r"/comment-page-\d|[?&]cpage=|#(?:comments?|respond)\Z")


@dataclass(frozen=True)
class PartLinks:
    """Addresses that a page links to, without fragments, each once."""

    whole: tuple[str, ...]  # pages that may have all parts, those whose address is declared first
    next: tuple[str, ...]  # pages that may be the next part, the likeliest first
    # further pages whose address is this one's with another part's number, and those that are
    # declared as the previous part
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
        elif is_numbered or address.whole == own.whole or address.whole == bare_address(url):
            others[target] = None
        elif (
            text in _ARROWS
            or is_next_text(text)
            or (_NUMBER_TEXT.match(inner_text(text)) and int(_DIGITS.findall(text)[0]) in following)
        ):
            worded[target] = None
    following_first = {**numbered, **declared, **worded}
    rest = (one for one in others if one not in following_first)
    return PartLinks(tuple(whole), tuple(following_first), tuple(rest))


def shown_next(page: Page, known: frozenset[str] = frozenset()) -> str:
    """Return the address, none of ``known``, of a link to the next part by its text, or ""."""
    url = (page.url or "").partition("#")[0]
    links = _links(page, url)
    return next((to for to, _, text in links if is_next_text(text) and to not in known), "")


def is_pager_text(text: str) -> bool:
    """Return whether a text holds nothing but numbers and words of links between parts."""
    words = _TOKEN.findall(text.casefold())
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
    # The same part may be given under two names.
    texts = [(len(pages[index]), pages[index].text) for index in kept]
    return [one for at, one in enumerate(kept) if not at or texts[at] != texts[at - 1]]


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
        if len(href) > LONGEST_LINK or _OF_COMMENTS.search(href):
            continue
        target = joined(base, href, fragment=False)
        split = split_url(target)
        if split is None:
            continue
        if target != url and split.netloc == host and split.scheme in ("http", "https", "file"):
            yield target, rels, text


def bare_address(url: str) -> str:
    """Return an address as `part_address` gives one without a number."""
    split = urlsplit(url)
    return f"{split.netloc.lower()}{split.path}?{split.query}"
