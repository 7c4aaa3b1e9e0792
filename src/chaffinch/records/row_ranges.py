"""Ranges of rows of one page, as entries of a list are measured: text, likeness, links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.tables.data_tables import shows_data
from chaffinch.page import hashing, tags
from chaffinch.records.element_kinds import element_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

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
class RangeGroups:
    """Groups of half-open ranges of rows, one after the other: what may be a list, each.

    Attributes:
        starts, ends: intp[k], of the ranges; those of a group in order, apart.
        sizes: intp[g], the number of ranges in each group, from 2.
    """

    starts: Places
    ends: Places
    sizes: Places

    @classmethod
    def of(cls, groups: Sequence[tuple[Places, Places]]) -> Self:
        """Return groups of starts and ends."""
        starts, ends = (
            np.concatenate([own[side] for own in groups] or [np.zeros(0, np.intp)])
            for side in (0, 1)
        )
        return cls(starts, ends, np.array([len(own) for own, _ in groups], dtype=np.intp))

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def bounds(self) -> NDArray[np.int64]:
        """int64[g+1]: the first range of each group, and the number of all."""
        return _sums(self.sizes)

    def only(self, wanted: Mask) -> tuple[Self, Mask]:
        """Return the groups of the wanted ranges, bool[k], that still have two; and bool[k]."""
        sizes = self.sums(wanted)
        wanted = wanted & np.repeat(sizes > 1, self.sizes)
        own = type(self)(self.starts[wanted], self.ends[wanted], sizes[sizes > 1].astype(np.intp))
        return own, wanted

    def followed_by(self, others: Self, places: Places) -> Self:
        """Return these groups, and behind the one of each number in ``places`` one of ``others``.

        ``places``: intp[h], ascending.
        """
        numbers = np.arange(len(self)).repeat(self.sizes), places.repeat(others.sizes)
        order = np.argsort(np.concatenate(numbers), kind="stable")
        starts, ends = (
            np.concatenate(own)[order]
            for own in ((self.starts, others.starts), (self.ends, others.ends))
        )
        return type(self)(starts, ends, np.insert(self.sizes, places + 1, others.sizes))

    def usual_step(self, values: Places) -> Places:
        """Return intp[g]: the median, rounded down, of the steps between values, [k], of a group.

        Values ascend within each.
        """
        number = np.arange(len(self)).repeat(self.sizes - 1)
        steps = np.delete(np.diff(values), self.bounds[1:-1] - 1)
        steps = steps[np.lexsort((steps, number))]
        first = self.bounds[:-1] - np.arange(len(self))
        count = self.sizes - 1
        usual: Places = (steps[first + (count - 1) // 2] + steps[first + count // 2]) // 2
        return usual

    def sums(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return float64[g]: the sum of values, [k], over each group."""
        if not len(self):
            return np.zeros(0)
        sums: NDArray[np.float64] = np.add.reduceat(values.astype(np.float64), self.bounds[:-1])
        return sums

    def means(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return float64[g]: the mean of values, [k], over each group."""
        return self.sums(values) / self.sizes

    def least(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return [g]: the least of values, [k], in each group; there is one at least."""
        least: NDArray[Any] = np.minimum.reduceat(values, self.bounds[:-1])
        return least

    def most(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return [g]: the most of values, [k], in each group; there is one at least."""
        most: NDArray[Any] = np.maximum.reduceat(values, self.bounds[:-1])
        return most


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
    def _leaf_paths(self) -> NDArray[np.int64]:
        """int64[m]: number of each leaf's tag path with the kind of the element around it."""
        around = hashing.mix(self.kinds[self.page.parent[self._leaves]])
        path = self.page.path_hash[self._leaves] + around
        paths: NDArray[np.int64] = np.unique(path, return_inverse=True)[1]
        return paths

    @cached_property
    def _leaves_before(self) -> NDArray[np.int64]:
        """int64[n+1]: leaves before each row."""
        return _sums(self.page.written & self.page.shown)

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        """int64[n+1]: characters of the leaves before each row."""
        return _sums(np.where(self.page.written & self.page.shown, self.page.own_length, 0))

    @cached_property
    def _kept(self) -> NDArray[np.int64]:
        """int64[n+1]: characters of the kept leaves before each row."""
        return _sums(np.where(self.content.verdict.keep, np.diff(self._lengths), 0))

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
        first = self._leaves_before[:-1]
        line = page.line[self._leaves[np.minimum(first, len(self._leaves) - 1)]]
        return _sums(links & (beside[line] <= self.most_beside))

    def linked(self, starts: Places) -> Mask:
        """Return bool[k]: whether the first element of each range is, holds or is in a link.

        Links in what follows a heading are those of an article's section.
        """
        ends = self.page.end[starts]
        found: Mask = (self._links[ends] > self._links[starts]) | self.page.in_link[starts]
        return found

    def likeness(self, groups: RangeGroups) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return how much of each range is what most of its group have, and how many paths that is.

        float64[k] in 0..1, a mean of two shares: of the paths that are common to most ranges those
        that it has, and of its text what stands in them. int64[g] are the common paths of a group.
        """
        before = self._leaves_before
        shared, here, common = kernels.common_values(
            before[groups.starts],
            before[groups.ends],
            groups.bounds,
            self._leaf_paths,
            self.page.own_length[self._leaves],
            COMMON,
        )
        own = shared / np.maximum(self.length(groups.starts, groups.ends), 1)
        back = here / np.repeat(np.maximum(common, 1), groups.sizes)
        return (1 - _OWN) * back + _OWN * own, common

    def are_lines(self, starts: Places, ends: Places) -> bool:
        """Return whether ranges are lines of a data table with several texts each."""
        if not self.page.is_tag("tr")[starts].all():
            return False
        tables = kernels.nearest(self.page.parent, self.page.is_tag("table"))[starts]
        if (tables < 0).any() or not self._data_tables[tables].all():
            return False
        return bool(np.median(self._leaves_before[ends] - self._leaves_before[starts]) > 1)

    def length(self, starts: Places, ends: Places) -> NDArray[np.int64]:
        """Return int64[k]: characters of text in each range."""
        return self._lengths[ends] - self._lengths[starts]

    def kept_length(self, starts: Places, ends: Places) -> NDArray[np.int64]:
        """Return int64[k]: characters of kept text in each range."""
        return self._kept[ends] - self._kept[starts]


def _sums(own: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return int64[k+1]: the sum of what stands before each place."""
    sums = np.zeros(len(own) + 1, dtype=np.int64)
    np.cumsum(own, out=sums[1:])
    return sums


def rows_in(starts: Places, ends: Places, count: int) -> Mask:
    """Return bool[count]: rows within any of the ranges."""
    steps = np.bincount(starts, minlength=count + 1) - np.bincount(ends, minlength=count + 1)
    inside: Mask = np.cumsum(steps[:-1]) > 0
    return inside
