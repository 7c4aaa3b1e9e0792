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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.tables import shows_data
from chaffinch.kernels.arrays import Hashes, Mask
from chaffinch.lists.discussion import posts
from chaffinch.lists.entry_fields import REACHES
from chaffinch.lists.post_features import element_kinds, name_paths
from chaffinch.metadata.product import PRICE
from chaffinch.metadata.sources import OF_LISTS
from chaffinch.page import tags
from chaffinch.page.flattening import mix
from chaffinch.page_work import checked
from chaffinch.verdict import Content

Places = NDArray[np.intp]
Group = tuple[Places, Places]
"""Starts and ends of two half-open ranges of rows or more, in order, apart: what may be a list."""

# Ranges of rows of one page, as entries of a list are measured: text, likeness, links.

COMMON: Final = 0.5  # share of a list's entries that have what is common to them
_OWN: Final = 0.3
"""Weight of the share of an entry's text in common paths: bodies of whole articles differ."""
_APART: Final = tags.table(["nav", "footer", "aside", "menu", "select"])
_NO_PAGE: Final = ("#", "javascript:", *REACHES)


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


FIELD_TEXT: Final = 40
"""Characters that each common place of an entry counts at least, in the share of the content; and
of a text that is a price, at most."""
MOST_FIELDS: Final = 4  # common paths of an entry that count at most
MOST_GROUPS: Final = 40
"""Groups of elements that are compared; lists stand among the few with most text."""
_NEARLY: Final = 0.9
_FEW, _FEW_ALIKE = 3, 0.9
"""Entries below which a list must be so much alike: two columns of a page are no list."""
_LEADERS: Final = tags.HEADING | tags.table(["dt", "tr"])

LEAST_ALIKE: Final = 0.6
"""Least likeness (0..1) of an entry to what most entries of the list have."""
LEAST_SHARE: Final = 0.5
"""Least share that the best list has of its own text and of the content's outside it."""
_FIELDS: Final = 3  # common places of text from which what has no link is an entry, too
_LONG_FIELD: Final = 120  # characters of a text that is a paragraph of an article
_P: Final = tags.CODES["p"]
_TERM: Final = tags.table(["dt"])
_OF_TEXTS: Final = ("article", "forum")  # page types of which what has a price is no entry for that
LEAST_LINKED: Final = 0.7  # least share of a list's entries that have a link, or a price
MOST_TEXT: Final = 200  # characters of one entry that count at most
UNKEPT: Final = 0.5  # weight of an entry without content, beside 1 of others
IN_FRAME: Final = 0.3  # weight of entries in navigation, asides and footers
MOST_BESIDE: Final = 80
"""Characters beside a link in its line beyond which it is one within prose."""
LIKE_POWER: Final = 2.0  # power of the mean likeness in a list's score
LEAST_SCORE: Final = 0.7  # least score of a further list, as a share of the best one's


@dataclass(frozen=True, eq=False)
class EntryList:
    """The entries of one list: intp[k], half-open ranges of rows; and its score from 0.

    ``common`` is the number of places of text that most entries have.
    """

    starts: Places
    ends: Places
    score: float
    common: int

    def __len__(self) -> int:
        return len(self.starts)


class ListSearch:
    """Search for the lists of one page's content."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.page = content.page

    def lists(self) -> list[EntryList]:
        """Return the lists of the content in document order; none overlaps another."""
        found = self._found(self._groups())
        found.sort(key=lambda one: (-one.score, int(one.starts[0])))
        taken = np.zeros(len(self.page), dtype=bool)
        out: list[EntryList] = []
        for one in checked(found, every=8):
            if out and one.score < LEAST_SCORE * out[0].score:
                break
            for chosen in (_around(one, found), one):
                rows = rows_in(chosen.starts, chosen.ends, len(self.page))
                if not (taken & rows).any():
                    taken |= rows
                    out.append(chosen)
                    break
        if not out or not self._is_list(out, found):
            return []
        return sorted(out, key=lambda one: int(one.starts[0]))

    def _is_list(self, chosen: list[EntryList], found: list[EntryList]) -> bool:
        """Return whether a page is a list: whether its lists have most of the content."""
        own = 0.0
        for one in chosen:
            weight = np.where(self.kept_length(one.starts, one.ends) > 0, 1.0, UNKEPT)
            least = FIELD_TEXT * min(one.common, MOST_FIELDS)  # few are long in a shop
            own += (np.maximum(self.length(one.starts, one.ends), least) * weight).sum()
        inside = np.zeros(len(self.page), dtype=bool)
        for one in found:
            inside |= rows_in(one.starts, one.ends, len(self.page))
        others = self.page.own_length[self.content.verdict.keep & ~inside].sum()
        return bool(own >= LEAST_SHARE * (own + others))

    def _groups(self) -> list[Group]:
        """Return groups that may be lists, most text first; behind each what its elements lead."""
        groups: list[Group] = []
        for starts in self._repeated():
            groups.append((starts, self.page.end[starts].astype(np.intp)))
            groups += self._led(*groups[-1])
        return groups

    def _repeated(self) -> list[Places]:
        """Return groups of elements of one tag or kind at one place, those with most text first."""
        page = self.page
        elements = np.flatnonzero((page.tag != tags.TEXT) & (page.length > 0) & (page.parent >= 0))
        above = name_paths(page)[page.parent[elements]]
        weight = self._weights(elements, page.end[elements].astype(np.intp))
        by_tag, by_kind = (
            _heaviest(mix(above + mix(kind[elements])), weight)
            for kind in (page.symbols, element_kinds(self.page))
        )
        # A kind has one tag: of a group by kinds with as many elements as that by tags, all are.
        known = {(own.item(0), len(own)) for own, _ in by_tag}
        new = [one for one in by_kind if (one[0].item(0), len(one[0])) not in known]
        return [elements[own] for own, _ in sorted(by_tag + new, key=lambda one: -one[1])]

    def _led(self, starts: Places, ends: Places) -> list[Group]:
        """Return the group of the siblings that elements of one parent lead; [] for none.

        Each range ends where the next begins; the last has as many siblings as most have. What
        doesn't follow its leaders in most entries, or has little text there, is none.
        """
        page, first, parents = self.page, starts.item(0), self.page.parent[starts]
        leads = element_kinds(page)[first] != page.symbols[first] or _LEADERS[page.tag[first]]
        if not leads or (parents != parents[0]).any():
            return []
        above = parents.item(0)
        siblings = np.flatnonzero(page.parent[above : page.end[above]] == above) + above
        places = siblings.searchsorted(starts)
        usual = int(np.median(np.diff(places)))
        if usual <= 1:  # a leader alone
            return []
        last = siblings[min(places.item(-1) + usual, len(siblings)) - 1]
        led = np.append(starts[1:], page.end[last])
        text, own = self.length(starts, led), self.length(starts, ends)
        follows = (text > own).mean() >= COMMON
        is_long = text.sum() >= (1 + COMMON) * own.sum() or _TERM[page.tag[first]]
        return [(starts, led)] if follows and is_long else []

    def _found(self, groups: list[Group]) -> list[EntryList]:
        """Return the lists that groups make, in their order, without their unlike members."""
        for _ in range(2):
            measured = zip(groups, self.likeness(groups), strict=True)
            every = [
                (starts[like], ends[like], alike[like], common)
                for (starts, ends), (alike, common) in measured
                if np.count_nonzero(like := alike >= LEAST_ALIKE) > 1
            ]
            groups = [(starts, ends) for starts, ends, *_ in every]
        return [one for one in (self._entry_list(*one) for one in every) if one is not None]

    def _entry_list(
        self, starts: Places, ends: Places, alike: NDArray[np.float64], common: int
    ) -> EntryList | None:
        """Return a group as a list, None where it is none; what is alike is of `likeness`."""
        page, first, count = self.page, starts.item(0), len(starts)
        kept = (self.kept_length(starts, ends) > 0).mean() >= COMMON
        is_alike = alike.min() >= _FEW_ALIKE
        if not (count >= _FEW or is_alike):
            return None
        if not kept and (common <= 1 or self.apart[first]):  # as of a menu
            return None
        told = self.linked(starts)
        fields = is_alike and count >= _FEW and kept and page.tag[first] != _P
        fields = fields and (common >= _FIELDS or self._are_two(starts, ends, common))
        before = self._leaves_before
        prose = self._prose_before[before[ends]] > self._prose_before[before[starts]]
        fields = fields and not prose.any()
        if self.content.verdict.page_type not in _OF_TEXTS:
            told |= self.reached(starts, ends)
        elif fields and posts(page):  # which are no list
            fields = False
        if not (fields or told.mean() >= LEAST_LINKED or (kept and self.are_lines(starts, ends))):
            return None
        score = self._weights(starts, ends).sum() * alike.mean() ** LIKE_POWER
        score *= 1 + np.log2(min(max(common, 1), MOST_FIELDS))
        return EntryList(starts, ends, float(score), common)

    def _weights(self, starts: Places, ends: Places) -> NDArray[np.float64]:
        """Return float64[k] from 0: what each range counts as an entry."""
        weight = np.sqrt(np.minimum(self.length(starts, ends), MOST_TEXT))
        weight *= np.where(self.kept_length(starts, ends) > 0, 1.0, UNKEPT)
        return np.where(self.apart[starts], IN_FRAME, 1.0) * weight

    # Of rows, and of half-open ranges of them: starts and ends are intp[k], in order, apart.

    @cached_property
    def _leaves(self) -> Places:
        """intp[m]: rows with text of their own that a browser shows."""
        return np.flatnonzero(self.page.written & self.page.shown)

    @cached_property
    def _leaf_paths(self) -> NDArray[np.int64]:
        """int64[m]: number of each leaf's tag path with the kind of the element around it."""
        around = mix(element_kinds(self.page)[self.page.parent[self._leaves]])
        path = self.page.path_hash[self._leaves] + around
        paths: NDArray[np.int64] = np.unique(path, return_inverse=True)[1]
        return paths

    @cached_property
    def _leaves_before(self) -> NDArray[np.int64]:
        """int64[n+1]: leaves before each row."""
        return _sums(self.page.written & self.page.shown)

    def _are_two(self, starts: Places, ends: Places, common: int) -> bool:
        """Return whether a group of two common places of text may be entries without links.

        These are terms with what they mean, no short value; on a list what has as many texts each.
        """
        if common <= 1:
            return False
        before, is_term = self._leaves_before, _sums(self.page.is_tag("dt"))
        count = before[ends] - before[starts]
        is_list = self.content.verdict.page_type in OF_LISTS
        if is_list and count.min() >= _FIELDS and count.min() == count.max():
            return True
        is_terms = (is_term[ends] - is_term[starts]).mean() == 1
        return bool(is_terms and self.length(starts, ends).mean() >= FIELD_TEXT)

    @cached_property
    def _prose_before(self) -> NDArray[np.int64]:
        """int64[m+1]: leaves before each that are code or, on what is no list, prose.

        That is what is longer than a field, or has an element amid its line.
        """
        page, leaves = self.page, self._leaves
        prose = page.inside(page.is_tag("pre", "code"))[leaves]
        if self.content.verdict.page_type not in OF_LISTS:
            prose |= page.own_length[leaves] > _LONG_FIELD
            above, behind = page.parent[leaves[:-1]], page.parent[leaves[1:]]
            amid = (page.end[above] > leaves[1:]) | (behind < leaves[:-1])
            amid &= (page.line[leaves[1:]] == page.line[leaves[:-1]]) & (above != behind)
            prose[:-1] |= amid
        return _sums(prose)

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
        return _sums(links & (beside[line] <= MOST_BESIDE))

    def linked(self, starts: Places) -> Mask:
        """Return bool[k]: whether the first element of each range is, holds or is in a link.

        Links in what follows a heading are those of an article's section.
        """
        ends = self.page.end[starts]
        found: Mask = (self._links[ends] > self._links[starts]) | self.page.in_link[starts]
        return found

    @cached_property
    def _facts(self) -> NDArray[np.int64]:
        """int64[n+1]: prices and links to addresses of mail and telephones before each row."""
        page, facts = self.page, np.zeros(len(self.page), dtype=bool)
        spans = np.array([one.span() for one in PRICE.finditer(page.text)], dtype=np.int32)
        first, last = page.text_at.searchsorted(spans.reshape(-1, 2).T - [[0], [1]], "right") - 1
        short = page.own_length[first] <= FIELD_TEXT  # not amid prose
        facts[first[short & (page.line[first] == page.line[last])]] = True
        of_links = page.having("href", page.is_tag("a"))
        facts[[row for row, href in of_links if href.lstrip().lower().startswith(REACHES)]] = True
        return _sums(facts & page.shown)

    def reached(self, starts: Places, ends: Places) -> Mask:
        """Return bool[k]: whether each range, of several texts, says a price or whom to reach."""
        several = self._leaves_before[ends] - self._leaves_before[starts] > 1
        found: Mask = several & (self._facts[ends] > self._facts[starts])
        return found

    def likeness(self, groups: list[Group]) -> list[tuple[NDArray[np.float64], int]]:
        """Return how much of each range is what most of its group have, and how many paths that is.

        The first in 0..1, a mean of two shares: of the paths that are common to most ranges those
        that it has, and of its text what stands in them.
        """
        if not groups:
            return []
        starts, ends = map(np.concatenate, zip(*groups, strict=True))
        bounds, before = _sums(np.array([len(own) for own, _ in groups])), self._leaves_before
        shared, here, common = kernels.common_values(
            before[starts],
            before[ends],
            bounds,
            self._leaf_paths,
            self.page.own_length[self._leaves],
            COMMON,
        )
        own = shared / np.maximum(self.length(starts, ends), 1)
        back = here / np.repeat(np.maximum(common, 1), np.diff(bounds))
        alike = np.split((1 - _OWN) * back + _OWN * own, bounds[1:-1])
        return list(zip(alike, common.tolist(), strict=True))

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


def _heaviest(key: Hashes, weight: NDArray[np.float64]) -> list[tuple[Places, float]]:
    """Return groups of two or more elements with one key, `MOST_GROUPS` of the largest sums.

    Of each where its elements stand in ``key``, uint64[k], and the sum of its weights, float64[k]
    from 0.
    """
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(key)])
    sizes = np.diff(begins, append=len(key))
    numbers = np.repeat(np.arange(len(begins)), sizes)
    sums = np.bincount(numbers, weights=weight[order], minlength=len(begins))
    groups = np.flatnonzero((sizes > 1) & (sums > 0))
    by_sum = np.lexsort((order[begins[groups]], -sums[groups]))
    return [
        (order[begins[at] : begins[at] + sizes[at]], float(sums[at]))
        for at in groups[by_sum[:MOST_GROUPS]].tolist()
    ]


def _around(inner: EntryList, found: list[EntryList]) -> EntryList:
    """Return the list whose entries hold those of ``inner``, one each, and score nearly as much."""
    best = inner
    for one in found:
        if len(one) == len(inner) and one.score >= _NEARLY * inner.score:
            holds = (one.starts <= best.starts) & (one.ends >= best.ends)
            best = one if holds.all() else best
    return best
