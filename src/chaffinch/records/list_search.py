"""Lists of a page by their structure: near-equal subtrees at one place, and how alike they are.

After MDR (B. Liu, R. Grossman, Y. Zhai: Mining Data Records in Web Pages, KDD 2003, section 3),
which compares neighbouring subtrees below one parent, and tag-path clustering (G. Miao,
J. Tatemura, W.-P. Hsiung, A. Sawires, L. E. Moser: Extracting Data Records from the Web Using Tag
Path Clustering, WWW 2009, section 3), which groups elements by their path from the root. Here:

- Elements are grouped by the path of kinds to their parent and by their tag, or kind: so a list may
  stand in several containers, such as the rows of a grid or the years of an archive.
- Entries that aren't elements, as in a heading with what follows it, are ranges of siblings from
  one leader to the next (the generalized nodes of MDR).
- Instead of edit distances, which take the product of two sizes, the entries of a group are
  compared with what most of them have: the tag paths of their texts. That is linear.
- Which groups are lists of the page's content is scored with the method's verdict on its text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import hashing, tags
from chaffinch.page_work import checked
from chaffinch.records.element_kinds import name_paths
from chaffinch.records.row_ranges import COMMON, RangeGroups, RowRanges, rows_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Hashes
    from chaffinch.result import Content

    Places = NDArray[np.intp]

FIELD_TEXT: Final = 40
"""Characters that each common place of an entry counts at least, in the share of the content."""
MOST_FIELDS: Final = 4
"""Common paths of an entry that count at most."""
MOST_GROUPS: Final = 40
"""Groups of elements that are compared; lists stand among the few with most text."""
_NEARLY: Final = 0.9
_FEW, _FEW_ALIKE = 3, 0.9
"""Entries below which a list must be so much alike: two columns of a page are no list."""
_LEADERS: Final = tags.HEADING | tags.table(["dt", "tr"])


@dataclass(frozen=True, kw_only=True)
class ListRules:
    """What makes a group of elements a list; ``bench.quality.records --sweep`` tries others.

    Attributes:
        least_alike: least likeness (0..1) of an entry to what most entries of the list have.
        least_share: least share (0..1) that the best list has of its own text and of the content's
            outside it: a page with more besides is no list.
        least_linked: least share (0..1) of a list's entries that have a link.
        most_text: characters of one entry that count at most.
        unkept: weight (0..1) of an entry without content, beside 1 of others.
        apart: weight (0..1) of entries in navigation, asides and footers.
        most_beside: characters beside a link in its line beyond which it is one within prose.
        like_power: power of the mean likeness in a list's score.
        least_score: least score of a further list, as a share (0..1) of the best one's.
    """

    least_alike: float = 0.6
    least_share: float = 0.5
    least_linked: float = 0.7
    most_text: int = 200
    unkept: float = 0.5
    apart: float = 0.3
    most_beside: int = 80
    like_power: float = 2.0
    least_score: float = 0.7


@dataclass(frozen=True, eq=False)
class EntryList:
    """The entries of one list: intp[k], half-open ranges of rows; and its score from 0.

    ``common`` is the number of places of text that most entries have.
    """

    starts: Places
    ends: Places
    score: float
    common: int

    @property
    def least_text(self) -> int:
        """Characters that an entry counts at least beside the content: few are long in a shop."""
        return FIELD_TEXT * min(self.common, MOST_FIELDS)

    def __len__(self) -> int:
        return len(self.starts)


class ListSearch:
    """Search for the lists of one page's content."""

    def __init__(self, content: Content, rules: ListRules) -> None:
        self.content = content
        self.page = content.page
        self.rules = rules
        self.ranges = RowRanges(content, rules.most_beside)

    def lists(self) -> list[EntryList]:
        """Return the lists of the content in document order; none overlaps another."""
        found = self._found(self._groups())
        found.sort(key=lambda one: (-one.score, int(one.starts[0])))
        taken = np.zeros(len(self.page), dtype=bool)
        out: list[EntryList] = []
        for one in checked(found, every=8):
            if out and one.score < self.rules.least_score * out[0].score:
                break
            for chosen in (_around(one, found), one):
                rows = rows_in(chosen.starts, chosen.ends, len(self.page))
                if not (taken & rows).any():
                    taken |= rows
                    out.append(chosen)
                    break
        return sorted(out, key=lambda one: int(one.starts[0])) if self._is_list(out, found) else []

    def _is_list(self, chosen: list[EntryList], found: list[EntryList]) -> bool:
        """Return whether a page is a list: whether its lists have most of the content."""
        own = 0.0
        for one in chosen:
            weight = np.where(
                self.ranges.kept_length(one.starts, one.ends) > 0, 1.0, self.rules.unkept
            )
            own += (
                np.maximum(self.ranges.length(one.starts, one.ends), one.least_text) * weight
            ).sum()
        every = RangeGroups.of([(one.starts, one.ends) for one in found])
        inside = rows_in(every.starts, every.ends, len(self.page))
        others = self.page.own_length[self.content.verdict.keep & ~inside].sum()
        return bool(own >= self.rules.least_share * (own + others))

    def _groups(self) -> RangeGroups:
        """Return groups that may be lists, those with most text first, each before those it leads.

        What doesn't follow its leaders in most entries, or has little text there, is left out.
        """
        starts, sizes = self._repeated()
        groups = RangeGroups(starts, self.page.end[starts].astype(np.intp), sizes)
        if not len(groups):
            return groups
        led, leaders = self._led(groups)
        if not len(led):
            return groups
        text = self.ranges.length(led.starts, led.ends)
        own = self.ranges.length(led.starts, self.page.end[led.starts].astype(np.intp))
        follows = led.means(text > own) >= COMMON
        follows &= led.sums(text) >= (1 + COMMON) * led.sums(own)
        led, _ = led.only(np.repeat(follows, led.sizes))
        return groups.followed_by(led, leaders[follows])

    def _repeated(self) -> tuple[Places, Places]:
        """Return elements by group, intp[k], groups with most text first; intp[g], their sizes."""
        page = self.page
        elements = np.flatnonzero((page.tag != tags.TEXT) & (page.length > 0) & (page.parent >= 0))
        above = name_paths(page)[page.parent[elements]]
        weight = self._weights(elements, page.end[elements].astype(np.intp))
        by_tag, by_kind = (
            _heaviest(hashing.mix(above + hashing.mix(kind[elements])), weight)
            for kind in (page.symbols, self.ranges.kinds)
        )
        # A kind has one tag: of a group by kinds with as many elements as that by tags, all are.
        known = set(zip(by_tag.firsts, by_tag.sizes.tolist(), strict=True))
        of_kind = zip(by_kind.firsts, by_kind.sizes.tolist(), strict=True)
        new = np.array([one not in known for one in of_kind], dtype=bool)
        order = np.concatenate([by_tag.order, by_kind.order])
        begins = np.concatenate([by_tag.begins, len(by_tag.order) + by_kind.begins[new]])
        sizes = np.concatenate([by_tag.sizes, by_kind.sizes[new]])
        most = np.argsort(-np.concatenate([by_tag.sums, by_kind.sums[new]]), kind="stable")
        begins, sizes = begins[most], sizes[most]
        behind = np.cumsum(sizes)
        places = np.repeat(begins - behind + sizes, sizes) + np.arange(sizes.sum())
        return elements[order[places]], sizes

    def _led(self, groups: RangeGroups) -> tuple[RangeGroups, Places]:
        """Return groups of the siblings that elements of one parent lead; and intp[l], the leaders.

        Each range ends where the next begins; the last has as many siblings as most have.
        """
        page, first = self.page, groups.starts[groups.bounds[:-1]]
        leads = self.ranges.kinds[first] != page.symbols[first]
        leads |= _LEADERS[page.tag[first]]
        leads &= groups.least(page.parent[groups.starts]) == groups.most(page.parent[groups.starts])
        led, _ = groups.only(np.repeat(leads, groups.sizes))
        if not len(led):
            return led, np.zeros(0, dtype=np.intp)
        siblings = np.argsort(page.parent, kind="stable")  # those of one parent side by side
        place = np.empty(len(page), dtype=np.intp)
        place[siblings] = np.arange(len(page))
        last = led.starts[led.bounds[1:] - 1]
        usual = led.usual_step(place[led.starts])
        behind = np.searchsorted(page.parent[siblings], page.parent[last], side="right")
        ends = np.append(led.starts[1:], 0)
        ends[led.bounds[1:] - 1] = page.end[siblings[np.minimum(place[last] + usual, behind) - 1]]
        led = RangeGroups(led.starts, ends, led.sizes)
        follow = usual > 1  # no leader alone
        return led.only(np.repeat(follow, led.sizes))[0], np.flatnonzero(leads)[follow]

    def _found(self, groups: RangeGroups) -> list[EntryList]:
        """Return the lists that groups make, in their order, without their unlike members."""
        rules, ranges = self.rules, self.ranges
        for _ in range(2):
            alike, common = ranges.likeness(groups)
            number = np.repeat(np.arange(len(groups)), groups.sizes)
            groups, like = groups.only(alike >= rules.least_alike)
            alike, common = alike[like], common[np.unique(number[like])]
        if not len(groups):
            return []
        first = groups.starts[groups.bounds[:-1]]
        weights = self._weights(groups.starts, groups.ends)
        score = groups.sums(weights) * (1 + np.log2(np.clip(common, 1, MOST_FIELDS)))
        score *= groups.means(alike) ** rules.like_power
        kept = groups.means(ranges.kept_length(groups.starts, groups.ends) > 0) >= COMMON
        is_list = (groups.sizes >= _FEW) | (groups.least(alike) >= _FEW_ALIKE)
        is_list &= kept | ((common > 1) & ~ranges.apart[first])  # as a menu isn't
        linked = groups.means(ranges.linked(groups.starts)) >= rules.least_linked
        out: list[EntryList] = []
        for one in np.flatnonzero(is_list & (kept | linked)).tolist():
            own = slice(*groups.bounds[one : one + 2].tolist())
            starts, ends = groups.starts[own], groups.ends[own]
            if linked[one] or ranges.are_lines(starts, ends):
                out.append(EntryList(starts, ends, float(score[one]), int(common[one])))
        return out

    def _weights(self, starts: Places, ends: Places) -> NDArray[np.float64]:
        """Return float64[k] from 0: what each range counts as an entry."""
        rules = self.rules
        weight = np.sqrt(np.minimum(self.ranges.length(starts, ends), rules.most_text))
        weight *= np.where(self.ranges.kept_length(starts, ends) > 0, 1.0, rules.unkept)
        return np.where(self.ranges.apart[starts], rules.apart, 1.0) * weight


@dataclass(frozen=True, eq=False)
class _Heaviest:
    """Groups of two or more elements with one key, those of the largest sums first.

    Attributes:
        order: intp[k], all elements by key, in order.
        begins, sizes: intp[g], where in ``order`` each group is.
        sums: float64[g], of the weights of each.
    """

    order: Places
    begins: Places
    sizes: Places
    sums: NDArray[np.float64]

    @property
    def firsts(self) -> list[int]:
        """The first element of each group."""
        firsts: list[int] = self.order[self.begins].tolist()
        return firsts


def _heaviest(key: Hashes, weight: NDArray[np.float64]) -> _Heaviest:
    """Return `MOST_GROUPS` groups at most of elements by key, uint64[k], and weight, [k] from 0."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(key)])
    sizes = np.diff(begins, append=len(key))
    numbers = np.repeat(np.arange(len(begins)), sizes)
    summed = np.bincount(numbers, weights=weight[order], minlength=len(begins))
    sums = np.asarray(summed, dtype=np.float64)
    groups = np.flatnonzero((sizes > 1) & (sums > 0))
    by_sum = np.lexsort((order[begins[groups]], -sums[groups]))
    groups = groups[by_sum[:MOST_GROUPS]]
    return _Heaviest(order, begins[groups], sizes[groups], sums[groups])


def _around(inner: EntryList, found: list[EntryList]) -> EntryList:
    """Return the list whose entries hold those of ``inner``, one each, and score nearly as much."""
    best = inner
    for one in found:
        if len(one) == len(inner) and one.score >= _NEARLY * inner.score:
            holds = (one.starts <= best.starts) & (one.ends >= best.ends)
            best = one if holds.all() else best
    return best
