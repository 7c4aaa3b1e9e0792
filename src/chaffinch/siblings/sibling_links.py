"""Siblings, pages of the same template: the reference page among some, and links to more.

Source of the reference page: layout-similarity, section 2.2 d: similarity = levels of directories
that agree from the root / larger number of levels, and for queries = equal pairs of key and value /
larger number of pairs. A file name is no level; where neither address has a level (or a pair), they
agree. Path comes before query; among equals, and where addresses are unknown, the candidate with
most tag paths in common with the page is taken, the first of those with as many. The page itself
and further parts of its article are left out.

Source of the links: same-layer-similarity, section 3, takes those with the longest common prefix of
addresses. Here the shape of the address and the link's position count, too, since a page's menu
shares the prefix as well; of many links as good, those chosen are spread over the numbers and dates
in their addresses.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from chaffinch.caching import kept_with_page
from chaffinch.kernels.arrays import Hashes
from chaffinch.page import Page
from chaffinch.page.urls import split_url
from chaffinch.page_work import checked
from chaffinch.siblings.pagination import bare_address, further_parts, part_address
from chaffinch.siblings.url_shapes import (
    MOST_LINKS,
    host_of,
    is_followed,
    plain_url,
    url_key,
    url_numbers,
    url_shape,
)


class UrlSimilarity(NamedTuple):
    """How similar two addresses are: ``path`` and ``query`` in 0..1."""

    path: float
    query: float


@dataclass(frozen=True)
class ReferenceChoice:
    """Which candidate is the reference page, and why."""

    index: int  # its position among the candidates; -1 where none is usable
    reason: str  # why it was chosen, or why none was, in words

    def __bool__(self) -> bool:
        return self.index >= 0


def url_similarity(one: str, other: str) -> UrlSimilarity | None:
    """Return how similar two addresses are; None where their hosts differ."""
    first, second = split_url(one), split_url(other)
    if first is None or second is None or first.hostname != second.hostname:
        return None
    levels, other_levels = _levels(first.path), _levels(second.path)
    common = 0
    for level, other_level in zip(levels, other_levels, strict=False):
        if level != other_level:
            break
        common += 1
    pairs = Counter(parse_qsl(first.query, keep_blank_values=True))
    other_pairs = Counter(parse_qsl(second.query, keep_blank_values=True))
    return UrlSimilarity(
        _ratio(common, max(len(levels), len(other_levels))),
        _ratio((pairs & other_pairs).total(), max(pairs.total(), other_pairs.total())),
    )


def choose_references(
    page: Page, candidates: Sequence[Page], *, most: int
) -> list[ReferenceChoice]:
    """Return up to ``most`` choices among ``candidates``, best first; one of index -1 if none."""
    if not candidates:
        return [ReferenceChoice(-1, "there are no candidates")]
    usable = np.flatnonzero(~further_parts(page, candidates)).tolist()
    if not usable:
        why = "every candidate is the page itself or a further part of its article"
        return [ReferenceChoice(-1, why)]
    groups: dict[UrlSimilarity | None, list[int]] = {}
    for index in checked(usable, every=1):
        url = candidates[index].url
        similarity = url_similarity(page.url, url) if page.url and url else None
        if similarity is not None or not (page.url and url):
            groups.setdefault(similarity, []).append(index)
    choices: list[ReferenceChoice] = []
    # Those of unknown addresses come last.
    order = sorted(groups, key=lambda one: (-1, -1) if one is None else one, reverse=True)
    for similarity in order:
        if len(choices) >= most:
            break
        choices += _ranked(page, candidates, groups[similarity], similarity)
    return choices[:most] or [ReferenceChoice(-1, "no candidate is of the page's host")]


def common_paths(page: Page, other: Page) -> float:
    """Return the share (0..1) of the tag paths of two pages that both have; 1 for empty pages."""
    paths, other_paths = _paths(page), _paths(other)
    common = len(np.intersect1d(paths, other_paths, assume_unique=True))
    return _ratio(common, len(paths) + len(other_paths) - common)


@kept_with_page
def _paths(page: Page) -> Hashes:
    """Return uint64[k]: the distinct hashes of tag paths, in order."""
    return np.unique(page.path_hash)


def _ranked(
    page: Page, candidates: Sequence[Page], group: list[int], similarity: UrlSimilarity | None
) -> list[ReferenceChoice]:
    """Return a choice for each of ``group``, equally similar by address, best paths first."""
    reason = "its address is unknown"
    if similarity is not None:
        reason = f"path {similarity.path:.2f} and query {similarity.query:.2f} in common"
    if len(group) == 1:
        return [ReferenceChoice(group[0], reason)]
    reason += f", as of {len(group)} candidates; layout"
    shares = {index: common_paths(page, candidates[index]) for index in group}
    return [
        ReferenceChoice(index, f"{reason} {shares[index]:.2f} in common")
        for index in sorted(group, key=lambda index: -shares[index])
    ]


def _levels(path: str) -> list[str]:
    """Return the directories of a path; what follows the last slash is a file name."""
    return [level for level in path.split("/")[:-1] if level]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


_SHAPE, _PATH, _QUERY, _LIST, _TITLE = 0.4, 0.2, 0.1, 0.2, 0.1
"""Weights in the score, see `SiblingLink`. Set by hand: the shape first, the rest for ties."""

MIN_SCORE: Final = 0.5
"""Score below which a link is no candidate: without the shape, all the rest is needed."""

_MIN_LIST = 3  # links with one tag path and shape that make a list
_TITLE_LENGTH = 12  # characters of a link's text that make it a title, not a label; CJK counts 3
_TIE = 0.15  # scores that differ by less count as equal when links are spread


@dataclass(frozen=True, kw_only=True)
class SiblingLink:
    """A link and how likely it leads to a sibling."""

    url: str  # plain address
    # 0..1: the shape of the address is that of the page's (0.4), common directories (0.2 times
    # their share), the same keys in the query (0.1), is in a list of links of one shape (0.2), its
    # text is a title (0.1)
    score: float
    reasons: tuple[str, ...]  # which of these hold, in words
    source: str = ""  # address of the page that has the link


@dataclass(frozen=True, kw_only=True)
class SiblingLinks:
    """The links of a page, by what they lead to."""

    links: tuple[SiblingLink, ...]  # candidates, best first
    parts: tuple[str, ...]  # further parts of the same article
    # index pages of directories above this one, the nearest first: they may have more
    lists: tuple[str, ...]


def sibling_links(url: str, pages: Iterable[Page], *, listed: Sequence[str] = ()) -> SiblingLinks:
    """Return the links to siblings of the page at ``url``, and to its parts and index pages.

    ``pages`` are the page itself, and lists that may hold its siblings, with their addresses;
    ``listed`` plain addresses that feeds or site maps list.
    """
    best: dict[str, SiblingLink] = {}
    parts: dict[str, None] = {}
    lists: dict[str, None] = {}
    for page in pages:
        found = _links(url, page)
        linked = {bare_address(link.url) for link in found}
        for link in found:
            if url_key(link.url) == url_key(url):
                continue
            if _is_part(url, link.url, linked):
                parts[link.url] = None
            elif _is_above(link.url, url):
                lists[link.url] = None
            elif link.score >= MIN_SCORE:
                known = best.get(url_key(link.url))
                if known is None or known.score < link.score:
                    best[url_key(link.url)] = link
    for target in listed:
        link = _scored(url, target, source="a feed or site map")
        if link.score >= MIN_SCORE and url_key(target) != url_key(url):
            best.setdefault(url_key(target), link)
    ranked = sorted(best.values(), key=lambda link: -link.score)
    above = sorted(lists, key=lambda one: -len(urlsplit(one).path.split("/")))
    return SiblingLinks(links=tuple(ranked), parts=tuple(parts), lists=tuple(above))


def pagination_links(page: Page) -> list[str]:
    """Return the plain addresses of further parts of a list, in order of their numbers."""
    own = part_address(page.url or "")
    found: dict[str, int] = {}
    link = page.is_tag("a")
    for row, href in page.having("href")[:MOST_LINKS]:
        is_fit = link[row] and is_followed(href) and is_followed(page.base)
        target = plain_url(href, page.base) if is_fit else ""
        address = part_address(target)
        is_other = address.whole == own.whole and address.part not in (own.part, own.part or 1)
        if target and address.explicit and is_other:
            found[target] = address.part or 0
    return sorted(found, key=lambda one: found[one])


def spread(links: Sequence[SiblingLink], count: int) -> list[SiblingLink]:
    """Return up to ``count`` of ``links``, best first; of those about as good, evenly by date."""
    if len(links) <= count:
        return list(links)
    close = [link for link in links if link.score >= links[0].score - _TIE]
    if len(close) <= count:
        return list(links[:count])
    in_time = sorted(close, key=lambda link: (url_numbers(link.url), link.url))
    step = (len(in_time) - 1) / max(count - 1, 1)
    return sorted([in_time[round(k * step)] for k in range(count)], key=lambda link: -link.score)


def _links(url: str, page: Page) -> list[SiblingLink]:
    """Return the links of a page to its own host, scored as candidates for siblings of ``url``."""
    is_link = page.is_tag("a")
    base = page.base if is_followed(page.base) else page.url or ""
    given = ((row, href) for row, href in page.having("href") if is_link[row] and is_followed(href))
    found = [
        (row, target)
        for row, href in islice(given, MOST_LINKS)
        if (target := plain_url(href, base)) and host_of(target) == host_of(url)
    ]
    rows = np.array([row for row, _ in found], dtype=np.int64)
    shapes = [url_shape(target) for _, target in found]
    groups = list(zip(page.path_hash[rows].tolist(), shapes, strict=True))
    count = Counter(groups)
    return [
        _scored(
            url,
            target,
            source=page.url or "",
            in_list=count[group] >= _MIN_LIST,
            is_title=sum(3 if c > "\u2e7f" else 1 for c in page.folded(row)) >= _TITLE_LENGTH,
        )
        for (row, target), group in zip(found, groups, strict=True)
    ]


def _scored(
    url: str, target: str, *, source: str, in_list: bool = False, is_title: bool = False
) -> SiblingLink:
    similarity = url_similarity(url, target)
    path, query = (similarity.path, similarity.query) if similarity else (0.0, 0.0)
    same_keys = _keys(url) == _keys(target)
    same_shape = url_shape(url) == url_shape(target)
    reasons = [f"{path:.0%} of directories in common"] if path else []
    score = _PATH * path + _QUERY * same_keys
    for holds, share, words in (
        (same_shape, _SHAPE, "address of the same shape"),
        (in_list, _LIST, "in a list of such links"),
        (is_title, _TITLE, "its text is a title"),
    ):
        if holds:
            score += share
            reasons.append(words)
    if not same_keys:
        reasons.append("other query keys")
    elif query and urlsplit(url).query:
        reasons.append("same query keys")
    return SiblingLink(url=target, score=round(score, 3), reasons=tuple(reasons), source=source)


def _is_part(url: str, target: str, linked: set[str]) -> bool:
    """Return, by its address, whether ``target`` is a further part of the article at ``url``.

    A bare number (``_2.html``) is a part number only where the address without it is known.
    """
    own, other = part_address(url), part_address(target)
    if other.whole == bare_address(url) or own.whole == bare_address(target):
        return True
    return own.whole == other.whole and ((own.explicit and other.explicit) or own.whole in linked)


def _keys(url: str) -> frozenset[str]:
    return frozenset(pair.partition("=")[0] for pair in urlsplit(url).query.split("&") if pair)


def _is_above(target: str, url: str) -> bool:
    """Return whether ``target`` is a directory, or the index file of one, that holds ``url``."""
    above, own = urlsplit(target).path, urlsplit(url).path
    stem, _, last = above.rpartition("/")
    is_index = last == "" or last.lower().startswith(("index.", "default."))
    return is_index and own.startswith(f"{stem}/") and above != own
