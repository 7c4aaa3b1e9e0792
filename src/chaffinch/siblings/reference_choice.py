"""Choice of the reference page among several: the one of the most similar address.

Source: layout-similarity, section 2.2 d: among pages of one host, similarity = levels of
directories that agree from the root / larger number of levels, and for queries = equal pairs of key
and value / larger number of pairs. A file name is no level.

Departures and readings:

- Path comes first and the query decides among equals: the source names both and no order.
- Where neither address has a level (or a pair), they agree: 1.
- The source excludes a similarity of 1 in order to leave out the page itself. Here the page itself
  and further parts of its article are left out, so that siblings in one directory, or that differ
  in the query alone, count.
- Scheme, user and port don't count.
- Among candidates whose addresses are equally similar, and where addresses are unknown, the one
  with the most tag paths in common with the page is taken; the first of those with as many.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import numpy as np

from chaffinch.page.urls import split_url
from chaffinch.page_work import checked
from chaffinch.siblings.further_parts import further_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page


@dataclass(frozen=True)
class UrlSimilarity:
    """How similar two addresses are: ``path`` and ``query`` in 0..1."""

    path: float
    query: float


@dataclass(frozen=True)
class ReferenceChoice:
    """Which candidate is the reference page, and why.

    Attributes:
        index: its position among the candidates; -1 where none is usable.
        similarity: of the two addresses; None where one of them is unknown.
        path_share: share (0..1) of the tag paths of both pages that they have in common; None where
            the addresses decided and it wasn't computed.
        reason: why it was chosen, or why none was, in words.
    """

    index: int
    similarity: UrlSimilarity | None
    path_share: float | None
    reason: str

    def __bool__(self) -> bool:
        """Return whether a candidate was found."""
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
        return [_none("there are no candidates")]
    usable = np.flatnonzero(~further_parts(page, candidates)).tolist()
    if not usable:
        return [_none("every candidate is the page itself or a further part of its article")]
    groups: dict[tuple[float, float], list[int]] = {}
    found: dict[int, UrlSimilarity | None] = {}
    for index in checked(usable, every=1):
        url = candidates[index].url
        if page.url and url:
            similarity = url_similarity(page.url, url)
            if similarity is None:
                continue
            found[index] = similarity
            groups.setdefault((similarity.path, similarity.query), []).append(index)
        else:
            found[index] = None
            groups.setdefault((-1.0, -1.0), []).append(index)
    choices: list[ReferenceChoice] = []
    for key in sorted(groups, reverse=True):
        if len(choices) >= most:
            break
        choices += _ranked(page, candidates, groups[key], found)
    return choices[:most] or [_none("no candidate is of the page's host")]


def common_paths(page: Page, other: Page) -> float:
    """Return the share (0..1) of the tag paths of two pages that both have; 1 for empty pages."""
    paths, other_paths = _paths(page), _paths(other)
    common = len(np.intersect1d(paths, other_paths, assume_unique=True))
    return _ratio(common, len(paths) + len(other_paths) - common)


def _paths(page: Page) -> NDArray[Any]:
    """Return the distinct hashes of tag paths, in order; kept with the page."""
    return page.derived("different paths", lambda: (np.unique(page.path_hash),))[0]


def _ranked(
    page: Page,
    candidates: Sequence[Page],
    group: list[int],
    found: dict[int, UrlSimilarity | None],
) -> list[ReferenceChoice]:
    """Return a choice for each of ``group``, equally similar by address, best paths first."""
    similarity = found[group[0]]
    reason = "its address is unknown"
    if similarity is not None:
        reason = f"path {similarity.path:.2f} and query {similarity.query:.2f} in common"
    if len(group) == 1:
        return [ReferenceChoice(group[0], similarity, None, reason)]
    reason += f", as of {len(group)} candidates"
    path_shares = {index: common_paths(page, candidates[index]) for index in group}
    return [
        ReferenceChoice(
            index, similarity, path_share, f"{reason}; layout {path_share:.2f} in common"
        )
        for index, path_share in sorted(path_shares.items(), key=lambda item: -item[1])
    ]


def _none(reason: str) -> ReferenceChoice:
    return ReferenceChoice(-1, None, None, reason)


def _levels(path: str) -> list[str]:
    """Return the directories of a path; what follows the last slash is a file name."""
    return [level for level in path.split("/")[:-1] if level]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
