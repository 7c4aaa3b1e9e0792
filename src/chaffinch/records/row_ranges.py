"""Ranges of rows of one page, as entries of a list are measured: text, likeness, links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.tables.data_tables import shows_data
from chaffinch.page import hashing, tags
from chaffinch.records.element_kinds import element_kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes, Mask
    from chaffinch.result import Content

    Places = NDArray[np.intp]

COMMON: Final = 0.5
"""Share of a list's entries that have what is common to them."""
_OWN: Final = 0.3
"""Weight of the share of an entry's text in common paths: bodies of whole articles differ."""
_APART: Final = tags.table(["nav", "footer", "aside", "menu", "select"])
_NO_PAGE: Final = ("#", "javascript:", "mailto:", "tel:")


@dataclass(frozen=True, eq=False)
class RowRanges:
    """Measures of half-open ranges of rows: starts and ends are intp[k], in order, apart.

    Attributes:
        content: the page with a verdict.
        most_beside: characters beside a link in its line beyond which it is one within prose.
    """

    content: Content
    most_beside: int

    @property
    def page(self) -> Page:
        """The page."""
        return self.content.page

    @cached_property
    def kinds(self) -> Hashes:
        """uint64[n]: the kind of each element."""
        return element_kinds(self.page)

    @cached_property
    def _leaves(self) -> Places:
        """intp[m]: rows with text of their own that a browser shows."""
        return np.flatnonzero(self.page.written & self.page.shown)

    @cached_property
    def _leaf_paths(self) -> NDArray[np.intp]:
        """intp[m]: number of each leaf's tag path with the kind of the element around it."""
        around = hashing.mix(self.kinds[self.page.parent[self._leaves]])
        path = self.page.path_hash[self._leaves] + around
        paths: NDArray[np.intp] = np.unique(path, return_inverse=True)[1]
        return paths

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        """int64[m+1]: characters of text before each leaf."""
        return _sums(self.page.own_length[self._leaves])

    @cached_property
    def _kept(self) -> NDArray[np.int64]:
        """int64[m+1]: characters of kept text before each leaf."""
        kept = self.content.verdict.keep[self._leaves]
        return _sums(np.where(kept, self.page.own_length[self._leaves], 0))

    @cached_property
    def _data_tables(self) -> Mask:
        """bool[n]: tables that show data, not code or layout."""
        return shows_data(self.page)

    @cached_property
    def apart(self) -> Mask:
        """bool[n]: rows in navigation, asides and footers."""
        return self.page.inside(_APART[self.page.tag])

    @cached_property
    def _links(self) -> NDArray[np.int64]:
        """int64[n+1]: links to other pages before each row, those within prose left out."""
        page = self.page
        links = np.zeros(len(page), dtype=bool)
        own = page.url.partition("#")[0] if page.url else None
        for row, href in page.having("href", page.is_tag("a")):
            links[row] = not href.lstrip().startswith(_NO_PAGE) and href.partition("#")[0] != own
        beside = np.bincount(page.line, np.where(page.in_link, 0, page.own_length))
        first = np.searchsorted(self._leaves, np.arange(len(page)))
        line = page.line[self._leaves[np.minimum(first, len(self._leaves) - 1)]]
        return _sums(links & (beside[line] <= self.most_beside))

    def linked(self, starts: Places) -> Mask:
        """Return bool[k]: whether the first element of each range is, holds or is in a link.

        Links in what follows a heading are those of an article's section.
        """
        ends = self.page.end[starts]
        found: Mask = (self._links[ends] > self._links[starts]) | self.page.in_link[starts]
        return found

    def likeness(self, starts: Places, ends: Places) -> tuple[NDArray[np.float64], int]:
        """Return how much of each range is what most ranges have, and how many paths these have.

        float64[k] in 0..1, a mean of two shares: of the paths that are common to most ranges those
        that it has, and of its text what stands in them.
        """
        first, last = np.searchsorted(self._leaves, starts), np.searchsorted(self._leaves, ends)
        size = last - first
        entry = np.repeat(np.arange(len(starts)), size)
        leaf = np.arange(len(entry)) + np.repeat(first - (np.cumsum(size) - size), size)
        path = self._leaf_paths[leaf]
        paths = int(self._leaf_paths.max(initial=0)) + 1
        pair = np.unique(entry.astype(np.int64) * paths + path)
        path_of, entry_of = pair % paths, pair // paths
        common = np.bincount(path_of, minlength=paths) >= max(COMMON * len(starts), 2)
        length = self.page.own_length[self._leaves[leaf]].astype(np.float64)
        shared = np.bincount(entry, length * common[path], minlength=len(starts))
        all_of = np.bincount(entry, length, minlength=len(starts))
        here = np.bincount(entry_of, common[path_of], minlength=len(starts))
        own = shared / np.maximum(all_of, 1)
        back = here / max(int(common.sum()), 1)
        return (1 - _OWN) * back + _OWN * own, int(common.sum())

    def are_lines(self, starts: Places, ends: Places) -> bool:
        """Return whether ranges are lines of a data table with several texts each."""
        if not self.page.is_tag("tr")[starts].all():
            return False
        tables = kernels.nearest(self.page.parent, self.page.is_tag("table"))[starts]
        if (tables < 0).any() or not self._data_tables[tables].all():
            return False
        first, last = np.searchsorted(self._leaves, starts), np.searchsorted(self._leaves, ends)
        return bool(np.median(last - first) > 1)

    def length(self, starts: Places, ends: Places) -> NDArray[np.int64]:
        """Return int64[k]: characters of text in each range."""
        first, last = np.searchsorted(self._leaves, starts), np.searchsorted(self._leaves, ends)
        return self._lengths[last] - self._lengths[first]

    def kept_length(self, starts: Places, ends: Places) -> NDArray[np.int64]:
        """Return int64[k]: characters of kept text in each range."""
        first, last = np.searchsorted(self._leaves, starts), np.searchsorted(self._leaves, ends)
        return self._kept[last] - self._kept[first]


def _sums(own: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return int64[k+1]: the sum of what stands before each place."""
    sums = np.zeros(len(own) + 1, dtype=np.int64)
    np.cumsum(own, out=sums[1:])
    return sums


def rows_in(starts: Places, ends: Places, count: int) -> Mask:
    """Return bool[count]: rows within any of the ranges."""
    steps = np.zeros(count + 1, dtype=np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, ends, -1)
    inside: Mask = np.cumsum(steps[:-1]) > 0
    return inside
