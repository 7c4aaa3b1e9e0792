"""Threads by structure: repeated elements, each with a date or a user and running text.

Own work, after the idea of repeated records (Liu, Grossman, Zhai: Mining Data Records in Web Pages,
KDD 2003), but bylines are compared instead of whole records. Each post has a byline (a date or a
user) in an element of one kind; the post is the largest element around its byline that contains no
other byline of that kind. So nested replies are separated from the posts that they reply to.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice, pairwise
from statistics import median
from typing import Final

import numpy as np

from chaffinch.caching import cached_property, finds
from chaffinch.kernels.arrays import marked
from chaffinch.lists.post_features import (
    LONGEST_LABEL,
    MAX_DATE_LINE,
    PostFeatures,
    is_comments_label,
    words_of,
)
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.urls import host_name
from chaffinch.page_work import checked

MOST_TEXT: Final = 400  # characters of one post that count at most: a single long text is no thread
LEAST_TEXT: Final = 2.0  # least characters of a post outside links and byline, in the median
MOST_KINDS: Final = 60
SIBLINGS: Final = 0.8  # least share of the posts that have one parent, where posts aren't nested
ALIKE: Final = 0.6  # least share of the posts that are elements of one kind
_POST: Final = re.compile(
    rf"(?:^|[^a-z])(?:{words_of('names of posts')})(?=[^a-z]|$)", re.IGNORECASE
)
_names_post: Final = finds(_POST)
_POSTS: Final = tuple(
    Search(name, *words_of("stems of names of posts").split("|"))
    for name in ("class", "id", "itemtype", "data-key", "data-testid")
)
"""Each match of `_POST` contains one of these words."""
_REPLIES: Final = Search("id", "comment", "reply")
_POST_NAME: Final = re.compile(
    rf"(?<![a-z])(?:{words_of('names of one post')})"
    r"(?:[-_]?(?:item|box|wrap|wrapper|container|node|entry|row|block|single))?\Z",
    re.IGNORECASE,
)
"""The end of a class name, or a type, of the element around a whole post."""
_names_one_post: Final = finds(_POST_NAME)
_ASKED_KEY: Final = "asked"
_MOST_NAMES: Final = 20
MOST_NAMED: Final = 1000
_ASKED: Final = re.compile(
    "question|frage|pregunta|answer|antwort|respuesta|reponse", re.IGNORECASE
)
_MOST_LABELS: Final = 5
_LEVELS: Final = 4  # elements around such a label, one of which holds the comments
_WITHIN: Final = 0.8
"""Least share of posts that stand within those of another thread, to be replies to them."""
_LEAST_TITLE: Final = 10  # characters of a link that may be the title of another page
_LEAST_LISTED: Final = 3  # teasers of one kind that are a list of other pages beside the posts
_BETTER: Final = 1.1
"""Score of a thread by names, of that of the best by bylines, from which it is taken instead."""
_WITHIN_PAGE: Final = re.compile(r"#|/(?:comment|reply|review)/[a-z]{0,3}\d")
"""What is in addresses of parts of a page, and of single posts."""
_RANKS: Final = Search("class", "badge", "rank")
_RANK: Final = re.compile(r"(?<![a-z])rank(?![a-z])|badge", re.IGNORECASE)
"""Names of what says what a user is."""
_LEAST_OPENING: Final = 30  # characters outside links of a line of a post of other markup
_TEASER: Final = re.compile(
    r"(?:…|\.\.\.|\[…\])\s*(?:\(?(?:weiter\w*|read|more|mehr|lire|leer|continue|suite|全文|\[?»|>)"
    r"|$)",
    re.IGNORECASE,
)
"""A text that breaks off, with a link to its continuation."""


@dataclass(frozen=True)
class Thread:
    """Posts of one kind: half-open ranges of rows, in order, and a score from 0.

    ``inner`` are threads within posts of this one, such as comments on answers; the range of a
    post ends where the first post within it begins.
    """

    ranges: list[tuple[int, int]]
    score: float
    inner: tuple[Thread, ...] = ()

    @cached_property
    def starts(self) -> list[int]:
        return [start for start, _ in self.ranges]


class ThreadSearch:
    """Search for the thread of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._parent, self._end = page.parent.item, page.end.item
        self.features = PostFeatures(page)

    def best(self) -> Thread | None:
        """Return the thread of the highest score, with those in its posts; None for none."""
        found: list[Thread] = []
        if self._may_have_posts():
            kinds = self._by_kind(self.features.dates, self.features.user_rows)
            found = [one for one in map(self._thread, kinds) if one is not None]
            named = list(self._named_threads())
            found.sort(key=lambda one: -one.score)
            least = _BETTER * found[0].score if found else 0
            better = (one for one in named if one.score > least and self._are_signed(one))
            found = [*sorted(better, key=lambda one: -one.score), *found, *named]
        if not found:
            return None
        outer = (one for one in found[1:] if self._holds(one, found[0]))
        best = max(outer, key=lambda one: one.score, default=found[0])
        within = next((one for one in found if one is not best and self._holds(best, one)), None)
        best = self._with_leaders(self._with_unsigned(self._without_events(best)))
        return best if within is None else self._joined(best, within)

    def _named_threads(self) -> Iterator[Thread]:
        """Yield the threads whose posts are elements that class names or types call so."""
        groups: dict[str, set[int]] = defaultdict(set)
        for attribute in ("class", "itemtype"):
            for value, rows in self.page.values(attribute).rows.items():
                for name in value.split():
                    if _names_one_post(name):
                        key = f"{_ASKED_KEY} {attribute}" if _ASKED.search(name) else name
                        groups[key].update(rows)
        for key, named in sorted(groups.items(), key=lambda one: -len(one[1]))[:_MOST_NAMES]:
            starts = sorted(named)[:MOST_NAMED]
            if key.startswith(_ASKED_KEY):  # a question holds no other
                reach = [0, *accumulate((self._end(row) for row in starts), max)]
                starts = [row for row, end in zip(starts, reach, strict=False) if row >= end]
            behind = [*starts[1:], sys.maxsize]
            stops = [min(self._end(a), b) for a, b in zip(starts, behind, strict=True)]
            ranges = [one for one in zip(starts, stops, strict=True) if self._is_signed(*one)]
            if len(ranges) > 1 and (thread := self._scored(ranges, share=1.0)) is not None:
                yield thread

    def _is_signed(self, start: int, stop: int) -> bool:
        """Return whether a range holds a date or a user."""
        return any(_holding(own, [(start, stop)]) for own in self.features.byline_rows)

    def _are_signed(self, thread: Thread) -> bool:
        """Return whether each post of a thread has a date and a user."""
        own, bylines = thread.ranges, self.features.byline_rows
        return all(_holding(rows, own) == len(own) for rows in bylines)

    def _holds(self, outer: Thread, inner: Thread) -> bool:
        """Return whether the posts of a thread stand within those of another with a text."""
        within = self._within(outer, inner)
        own = [(outer.starts[number], starts[0]) for number, starts in within.items()]
        if not own or not all(self._is_signed(*one) for one in own):
            return False
        if len({*self.page.tag[outer.starts].tolist()}) == len(outer.starts):
            return False  # columns of a layout
        quoted = self.page.inside(self.page.is_tag("blockquote"))
        ranges = inner.ranges
        some = 2 * len(own) <= len(outer.starts) and inner.starts[0] in self._named_rows
        return (
            (len(own) < len(ranges) or some)
            and not any(quoted[start] for start in inner.starts)
            and min(_holding(rows, ranges) for rows in self.features.byline_rows)
            >= ALIKE * len(ranges)
            and median(self.plain(*one, -1) for one in own) >= LEAST_TEXT
        )

    def _within(self, outer: Thread, inner: Thread) -> dict[int, list[int]]:
        """Return number of the outer post → starts of those in it; {} where most aren't."""
        found: dict[int, list[int]] = defaultdict(list)
        for start in inner.starts:
            number = bisect_right(outer.starts, start) - 1
            if number >= 0 and start < self._end(outer.starts[number]):
                found[number].append(start)
        return found if sum(map(len, found.values())) >= _WITHIN * len(inner.starts) else {}

    @staticmethod
    def _joined(outer: Thread, inner: Thread) -> Thread:
        """Return a thread with another within its posts, whose ranges end where that begins."""
        starts = [*inner.starts, sys.maxsize]
        ranges = [
            (start, max(min(end, starts[bisect_right(starts, start)]), start + 1))
            for start, end in outer.ranges
        ]
        return replace(outer, ranges=ranges, inner=(inner,))

    def _with_unsigned(self, thread: Thread) -> Thread:
        """Return a thread with the elements among its posts that are like them but unsigned."""
        parents = {self._parent(start) for start in thread.starts}
        kinds = Counter(map(self.features.kind, thread.starts))
        usual, count = kinds.most_common(1)[0]
        if len(parents) > 1 or count < len(thread.starts) or "." not in usual.rpartition(">")[2]:
            return thread
        known = set(thread.starts)
        inner = set.intersection(*map(self._inner_kinds, thread.starts))
        spans = [*thread.ranges]
        spans += [
            (row, self._end(row))
            for row in self.page.children(parents.pop())
            if row not in known and self.features.kind(row) == usual
            if self.plain(row, self._end(row), -1) >= LEAST_TEXT
            and not (inner and inner.isdisjoint(self._inner_kinds(row)))
            and all(row >= end or self._end(row) <= start for start, end in spans)
        ]
        return thread if len(spans) > 2 * len(known) else replace(thread, ranges=sorted(spans))

    def _without_events(self, thread: Thread) -> Thread:
        """Return a thread without lines such as "ann closed this on 3 May", and without its head.

        That is of another kind than all posts, and says no more than who wrote the first, and when,
        or what follows it.
        """
        posts = [one for one in thread.ranges if not self._is_event(*one)] or [*thread.ranges]
        kinds = [self.features.kind(start) for start, _ in posts]
        if len(posts) > 2 and kinds[0] not in kinds[1:] and not self.said(*posts[0]):  # noqa: PLR2004
            users = [between(self.features.user_rows, *one)[:1] for one in posts[:2]]
            names = {self.features.user_name(row) for row in chain(*users)}
            if len(names) == 1 or self.said(posts[0][1], posts[1][0]):
                del posts[0]
        return replace(thread, ranges=posts)

    def _is_event(self, start: int, stop: int) -> bool:
        """Return whether a range is one line: a user, what they did in small letters, and when."""
        page, blocks, (dates, users) = self.page, self.features.blocks, self.features.byline_rows
        first, last = blocks.first.searchsorted([start, stop]).tolist()
        who, when = between(users, start, stop)[:1], between(dates, start, stop)[-1:]
        if last - first != 1 or not (who and when):
            return False
        did = page.text[page.text_at[self._end(who[0])] : page.text_at[when[0]]].split()
        behind = page.text[page.text_at[self._end(when[0])] : page.text_at[stop]]
        return bool(did) and did[0].islower() and not behind.strip()

    def _inner_kinds(self, row: int) -> set[str]:
        """Return the kinds of the elements that an element consists of."""
        inner = (one for one in self.page.children(row) if self.page.tag[one] != tags.TEXT)
        return set(map(self.features.kind, inner))

    def _with_leaders(self, thread: Thread) -> Thread:
        """Return a thread whose posts begin with the date or heading right above each of them."""
        page, starts, dates = self.page, thread.starts, self.features.byline_rows[0]
        if len(parents := {self._parent(start) for start in starts}) > 1:
            return thread
        parts = [row for row in page.children(parents.pop()) if page.tag[row] != tags.TEXT]
        before = {row: above for above, row in pairwise(parts)}
        above = [before.get(start, -1) for start in starts]
        spans = [(row, self._end(row)) for row in above if row >= 0]
        alike = len({self.features.kind(row) for row in above if row >= 0}) == 1
        if len(spans) < len(starts) or not alike:
            return thread
        own = [(start, self._end(start)) for start in starts]
        is_dated = _holding(dates, spans) == len(spans) and not _holding(dates, own)
        if not is_dated and not tags.HEADING[page.tag[above]].all():
            return thread
        ends = map(min, (end for _, end in thread.ranges), [*above[1:], sys.maxsize])
        return replace(thread, ranges=list(zip(above, ends, strict=True)))

    def said(self, start: int, stop: int) -> int:
        """Return where the last long line of a range ends; 0 for none.

        It is without user and date, and neither heading nor title.
        """
        blocks, rows = self.features.blocks, sorted(chain(*self.features.byline_rows))
        among = range(*blocks.first.searchsorted([start, stop]).tolist())
        said = (
            int(blocks.last[at])
            for at in among[::-1]
            if blocks.length[at] - blocks.link_length[at] >= _LEAST_OPENING
            and not tags.HEADING[blocks.owner_tag[at]]
            and not between(rows, int(blocks.first[at]), int(blocks.last[at]))
            and not self.features.texts[at].startswith("http")
            and self.features.texts[at] not in self.page.head.title
        )
        return next(said, 0)

    def _may_have_posts(self) -> bool:
        """Return whether two posts are possible: by dates and users, or one and class names."""
        users = self._disjoint_count(self.features.user_rows)
        named = self._disjoint_count(sorted(self._named_rows))
        if users < 2 and named < 2:  # noqa: PLR2004  dates needn't be searched for
            return False
        dates = self._disjoint_count(list(self.features.dates))
        return min(dates, users) > 1 or (max(dates, users) > 1 and named > 1)

    @cached_property
    def _named_rows(self) -> set[int]:
        """Rows whose class, id or type is that of a post."""
        rows = (search.where(self.page, _names_post) for search in _POSTS)
        return {*chain.from_iterable(rows), *self._labelled_rows()}

    def _labelled_rows(self) -> Iterator[int]:
        """Yield the rows below a label such as "Comments (3)", to the end of the box with them.

        The label is a heading or what the box begins with; two dates or more follow it there.
        """
        blocks, texts = self.features.blocks, self.features.texts
        short = np.flatnonzero((blocks.length <= LONGEST_LABEL) & (blocks.link_length == 0))
        labels = (at for at in short.tolist() if is_comments_label(texts[at]))
        labels = (at for at in labels if "".join(filter(str.isdigit, texts[at])) != "0")
        for at in islice(labels, _MOST_LABELS):
            first, last = blocks.first.item(at), blocks.last.item(at)
            is_heading = tags.HEADING[blocks.owner_tag[at]]
            dates = [row for row in self.features.dates if row >= last]
            for box in islice(self.page.ancestors(first), _LEVELS):
                begins = is_heading or blocks.first.searchsorted(box) == at
                if box <= self.page.body or not begins:
                    break
                if bisect_left(dates, self._end(box)) > 1:
                    yield from range(last, self._end(box))
                    break

    def _disjoint_count(self, rows: list[int]) -> int:
        """Return how many of some ordered rows contain no other: an upper bound of the posts."""
        behind = [*rows[1:], len(self.page)]
        return sum(self._end(row) <= other for row, other in zip(rows, behind, strict=False))

    def _by_kind(self, *sorts: Iterable[int]) -> Iterator[list[int]]:
        """Yield the bylines of each kind that occurs at least twice, frequent kinds first."""
        for bylines in sorts:
            kinds: dict[str, list[int]] = defaultdict(list)
            for row in bylines:
                kinds[self.features.kind(row)].append(row)
            usual = sorted(kinds.values(), key=len, reverse=True)[:MOST_KINDS]
            yield from (same for same in usual if len(same) > 1)

    def _thread(self, bylines: list[int]) -> Thread | None:
        parent = self._parent
        chains = self._chains(bylines)
        kept: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        above = Counter(parent(boxes[-1]) for _, boxes in chains)
        usual = ""
        for byline, boxes in chains:
            box = boxes[-1]
            if above[parent(box)] < SIBLINGS * len(chains):
                usual = usual or self._usual_kind(chains)
                box = next((row for row in reversed(boxes) if self.features.kind(row) == usual), -1)
                if box < 0:
                    box = self._around_replies(boxes[-1], usual, kept[-1] if kept else -1)
            if starts and starts[-1] < box < ends[-1]:
                ends[-1] = box
            kept.append(byline)
            starts.append(box)
            ends.append(self._end(box))
        if len(starts) < 2:  # noqa: PLR2004  nothing repeats
            return None
        kinds = Counter(map(self.features.kind, starts))
        most = max(counts.most_common(1)[0][1] for counts in (kinds, above))
        share = min(most / len(starts), 1.0)
        longest = list(zip(starts, [*starts[1:], self._reach(starts, ends)], strict=True))
        if share < ALIKE or not self._is_discussion(longest):
            return None
        return self._scored(self._with_texts(starts, ends), kept, share=share)

    def _around_replies(self, box: int, usual: str, before: int) -> int:
        """Return the post of the usual kind around a byline and the replies to it; else ``box``."""
        if "." in usual.rpartition(">")[2] or usual.endswith("li"):
            above = self._parent(box)
            while above > before and above > 0:
                if self.features.kind(above) == usual:
                    return above
                above = self._parent(above)
        return box

    def _chains(self, bylines: list[int]) -> list[tuple[int, list[int]]]:
        """Return each byline that contains no other, with its ancestors that contain no other."""
        parent, ends = self._parent, self._end
        chains = []
        around = zip([-1, *bylines], bylines, [*bylines[1:], len(self.page)], strict=False)
        for before, byline, behind in checked(around, every=64):
            if behind < ends(byline):
                continue
            boxes, box = [byline], parent(byline)
            while box > 0 and before < box and ends(box) <= behind:
                boxes.append(box)
                box = parent(box)
            chains.append((byline, boxes))
        return chains

    def _scored(
        self, ranges: list[tuple[int, int]], bylines: Sequence[int] = (), *, share: float
    ) -> Thread | None:
        """Return the thread with its score; None where it isn't a discussion."""
        if not self._is_discussion(ranges):
            return None
        rows = bylines or [-1] * len(ranges)
        texts = [self.plain(a, b, m) for (a, b), m in zip(ranges, rows, strict=True)]
        if median(texts) < LEAST_TEXT:
            return None
        teasers = {start for start, stop in ranges if self._is_teaser(start, stop)}
        if 2 * len(teasers) >= len(ranges):
            return None
        kind = self.features.kind
        kinds, listed = Counter(kind(start) for start, _ in ranges), Counter(map(kind, teasers))
        ranges = [
            one
            for one in ranges
            if listed[own := kind(one[0])] < _LEAST_LISTED or 2 * listed[own] <= kinds[own]
        ]
        score = sum(min(text, MOST_TEXT) ** 0.5 for text in texts) * share
        return Thread(ranges, score)

    def _is_teaser(self, start: int, stop: int) -> bool:
        """Return whether a range is a teaser: its text breaks off, or its heading is a link."""
        page = self.page
        written = page.text[page.text_at[start] : page.text_at[stop]]
        may_break_off = "…" in written or "..." in written  # a thirtieth of the pattern's time
        if may_break_off and _TEASER.search(" ".join(written.split())[-MAX_DATE_LINE:]):
            return True
        headings, (first, titles) = self._linked_headings, self._first_texts
        if headings[bisect_left(headings, start)] < stop:
            return True
        row = first[bisect_left(first, start)]
        return row < stop and row in titles

    @cached_property
    def _linked_headings(self) -> list[int]:
        """Rows of links of headings, as of teasers, to no user or comment; and one beyond all."""
        page = self.page
        users = marked(len(page), self.features.user_rows)
        headings = tags.HEADING[page.tag] & ~page.around(users)
        around = (page.inside(headings) | page.around(headings)) & ~page.inside(users)
        around[_REPLIES.rows(page)] = False
        rows = np.flatnonzero(around & page.in_link & (page.length > 0))
        hrefs = ((row, page.attribute(row, "href")) for row in rows.tolist())
        linked = (row for row, href in hrefs if href and not _WITHIN_PAGE.search(href))
        return [*linked, sys.maxsize]

    @cached_property
    def _first_texts(self) -> tuple[list[int], set[int]]:
        """Return the rows of text but for users, dates and quotes, and one beyond all; and titles.

        These are rows in links to other pages of the site, with a text that no other such row has;
        users link to sites of their own.
        """
        page = self.page
        own_hosts = {"", host_name(page.url)}
        left_out = page.is_tag("blockquote")
        for rows in self.features.byline_rows:
            left_out[rows] = True
        told = (page.tag == tags.TEXT) & (page.own_length > 0) & ~page.inside(left_out)
        links = np.zeros(len(page), dtype=bool)
        for row, href in page.having("href", page.length >= _LEAST_TITLE):
            links[row] = host_name(href) in own_hosts and not _WITHIN_PAGE.search(href)
        links[_REPLIES.rows(page)] = False
        links[_RANKS.where(page, lambda own: _RANK.search(own) is not None)] = False
        rows, titles = told.nonzero()[0], (told & page.inside(links)).nonzero()[0].tolist()
        texts = [page.folded(row) for row in titles]
        count = Counter(texts)
        once = {row for row, text in zip(titles, texts, strict=True) if count[text] == 1}
        return [*rows.tolist(), sys.maxsize], once

    def _is_discussion(self, ranges: list[tuple[int, int]]) -> bool:
        """Return whether most ranges have a date and a user, or one and a post's class name."""
        count = len(ranges)
        has = [_holding(own, ranges) / count for own in self.features.byline_rows]
        if min(has) >= ALIKE or max(has) < ALIKE:
            return min(has) >= ALIKE
        return sum(start in self._named_rows for start, _ in ranges) >= ALIKE * count

    def _usual_kind(self, chains: list[tuple[int, list[int]]]) -> str:
        """Return the kind of ancestor that holds most text over all posts.

        Needed since the largest ancestor of a post without replies is larger than with replies.
        """
        texts: Counter[str] = Counter()
        for byline, above in chains:
            outermost = {self.features.kind(row): row for row in above}
            for kind, row in outermost.items():
                texts[kind] += min(self.plain(row, self._end(row), byline), MOST_TEXT)
        return max(reversed(texts), key=texts.__getitem__, default="")  # the outer of equal ones

    def _with_texts(self, starts: list[int], ends: list[int]) -> list[tuple[int, int]]:
        """Return the ranges of posts, with the text that follows, or precedes, the byline alone."""
        alone = list(zip(starts, ends, strict=True))
        parents = {self._parent(start) for start in starts}
        if len(parents) > 1:
            return alone
        bare = [self.plain(a, b, a) for a, b in alone]
        parent = parents.pop()
        further = [*starts[1:], min(self._end(parent), self._reach(starts, ends))]
        gaps = list(zip(ends, further, strict=True))
        texts = [self.plain(*one, -1) for one in gaps[:-1]]
        if median(texts) <= max(median(bare), LEAST_TEXT):
            return alone
        above = self._above_bylines(parent, [(parent, starts[0]), *gaps])
        below = list(zip(starts, further, strict=True))
        return list(zip(above, ends, strict=True)) if above else below

    def _above_bylines(self, parent: int, gaps: list[tuple[int, int]]) -> list[int]:
        """Return where posts begin whose bylines stand below their texts; [] where they don't.

        Elements of the kind that most texts are in stand before the first byline, and none behind
        the last; most of what is between two bylines doesn't begin with a link to another page.
        """
        parts = [row for row in self.page.children(parent) if self.page.tag[row] != tags.TEXT]
        among = [between(parts, *one) for one in gaps]
        longest = [
            max(rows, key=lambda row: self._plain[self._end(row)] - self._plain[row], default=0)
            for rows in among[1:-1]
        ]
        (usual, count), *_ = Counter(map(self.features.kind, longest)).most_common(1)
        before, *texts, behind = (
            [row for row in rows if self.features.kind(row) == usual] for rows in among
        )
        teasers = sum(self._is_teaser(*one) for one in gaps[1:-1])
        is_other = 2 * teasers >= len(longest) or count < ALIKE * len(longest)
        if is_other or not before or behind or not all(texts):
            return []
        return [before[-1], *(rows[0] for rows in texts)]

    @staticmethod
    def _reach(starts: list[int], ends: list[int]) -> int:
        """Return the upper bound of the last post's end: its text may follow its byline."""
        return ends[-1] + 2 * (ends[-1] - starts[0])

    def plain(self, start: int, stop: int, byline: int) -> int:
        """Return the characters in a range outside links and the byline."""
        own = self._plain
        total = own[stop] - own[start]
        if start <= byline < stop:
            total -= own[min(self._end(byline), stop)] - own[byline]
        return total

    @cached_property
    def _plain(self) -> list[int]:
        """Characters outside of links before each of the n + 1 rows."""
        page = self.page
        boilerplate = page.is_tag("nav", "footer", "select", "button", "option", "label")
        boilerplate &= page.length * 2 <= page.length[0]  # not an element around the whole page
        left_out = page.in_link | page.inside(boilerplate) | (page.tag != tags.TEXT)
        return [0, *np.cumsum(np.where(left_out, 0, page.own_length)).tolist()]


def between(rows: list[int], start: int, stop: int) -> list[int]:
    """Return those of some ordered rows that are in a half-open range."""
    return rows[bisect_left(rows, start) : bisect_left(rows, stop)]


def _holding(rows: list[int], ranges: list[tuple[int, int]]) -> int:
    """Return how many half-open ranges hold one of some ordered rows."""
    behind = [*rows, sys.maxsize]
    return sum([behind[bisect_left(rows, start)] < stop for start, stop in ranges])
