"""Threads by structure: repeated elements, each with a date or a user and running text.

Own work, after the idea of repeated records (Liu, Grossman, Zhai: Mining Data Records in Web Pages,
KDD 2003), but bylines are compared instead of whole records. Each post has a byline (a date or a
user) in an element of one kind; the post is the largest element around its byline that contains no
other byline of that kind. So nested replies are separated from the posts that they reply to.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.page import tags
from chaffinch.page_work import checked
from chaffinch.posts.post_dates import MAX_DATE_LINE
from chaffinch.posts.post_features import USER_LINK, PostFeatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

MOST_TEXT: Final = 400
"""Characters of one post that count at most: a single long text is no thread."""
LEAST_TEXT: Final = 2.0
"""Least characters of a post outside links and byline, in the median."""
MOST_KINDS: Final = 60
SIBLINGS: Final = 0.8
"""Least share of the posts that have one parent, where posts aren't nested."""
ALIKE: Final = 0.6
"""Least share of the posts that are elements of one kind."""
_POST: Final = re.compile(
    r"(?:^|[^a-z])(?:posts?|posting|comments?|reply|replies|messages?|msg|answers?|responses?|reviews?"
    r"|kommentar|beitrag|antwort|commentaire|reponse|comentario|respuesta)(?=[^a-z]|$)",
    re.IGNORECASE,
)
_POST_WORDS: Final = (
    *("post comment repl messag msg answer respons review kommentar beitrag antwort".split()),
    *("reponse respuesta comentario".split()),
)
"""Each match of `_POST` contains one of these."""
_NAMING: Final = ("class", "id", "itemtype")
_TEASER: Final = re.compile(
    r"(?:…|\.\.\.|\[…\])\s*(?:\(?(?:weiter\w*|read|more|mehr|lire|leer|continue|suite|全文|\[?»|>)"
    r"|$)",
    re.IGNORECASE,
)
"""A text that breaks off, with a link to its continuation."""


@dataclass(frozen=True)
class Thread:
    """Posts with bylines of one kind: half-open ranges of rows, and a score from 0."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    score: float


class ThreadSearch:
    """Search for the thread of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.features = PostFeatures(page)

    def best(self) -> Thread | None:
        """Return the thread of the highest score; None where there is none."""
        best: Thread | None = None
        for same in (
            self._by_kind(self.features.dates, self.features.user_rows)
            if self._may_have_posts
            else ()
        ):
            # So few bylines can't score higher than the best thread so far.
            if best is not None and MOST_TEXT**0.5 * len(same) <= best.score:
                continue
            thread = self._thread(same)
            if thread is not None and (best is None or thread.score > best.score):
                best = thread
        return best

    @property
    def _may_have_posts(self) -> bool:
        """Whether two posts are possible: by dates and users, or one of them and class names."""
        users = self._disjoint_count(self.features.user_rows)
        named = self._disjoint_count(sorted(self._named_rows))
        if max(users, named) < 2:  # noqa: PLR2004  dates needn't be searched for
            return False
        dates = self._disjoint_count(list(self.features.dates))
        return min(dates, users) > 1 or (max(dates, users) > 1 and named > 1)

    @cached_property
    def _named_rows(self) -> set[int]:
        """Rows whose class, id or type is that of a post."""
        rows_where = self.page.rows_where
        rows = (rows_where(name, _names_post, *_POST_WORDS) for name in _NAMING)
        return set(chain.from_iterable(rows))

    def _disjoint_count(self, rows: list[int]) -> int:
        """Return how many of some ordered rows contain no other: an upper bound of the posts."""
        behind = [*rows[1:], len(self.page)]
        return sum(self._end[row] <= other for row, other in zip(rows, behind, strict=False))

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
        above = Counter(parent[boxes[-1]] for _, boxes in chains)
        usual = ""
        for byline, boxes in chains:
            box = boxes[-1]
            if above[parent[box]] < SIBLINGS * len(chains):
                usual = usual or self._usual_kind(chains)
                box = next(
                    (row for row in reversed(boxes) if self.features.kind(row) == usual), box
                )
            if not starts or box >= ends[-1]:
                kept.append(byline)
                starts.append(box)
                ends.append(self._end[box])
        if len(starts) < 2:  # noqa: PLR2004  nothing repeats
            return None
        kinds = Counter(map(self.features.kind, starts))
        most = max(counts.most_common(1)[0][1] for counts in (kinds, above))
        share = min(most / len(starts), 1.0)
        if share < ALIKE:
            return None
        longest = list(zip(starts, [*starts[1:], self._reach(starts, ends)], strict=True))
        if not self._is_discussion(longest):
            return None
        return self._scored(kept, starts, self._with_followers(starts, ends), share)

    def _chains(self, bylines: list[int]) -> list[tuple[int, list[int]]]:
        """Return each byline that contains no other, with its ancestors that contain no other."""
        parent, ends = self._parent, self._end
        chains = []
        rows = list(dict.fromkeys(bylines))
        befores = dict(zip(rows, [-1, *rows], strict=False))
        behinds = dict(zip(rows, [*rows[1:], len(parent)], strict=True))
        for byline in checked(bylines, every=64):
            before, behind = befores[byline], behinds[byline]
            if behind < ends[byline]:
                continue
            boxes, box = [byline], parent[byline]
            while box > 0 and before < box and ends[box] <= behind:
                boxes.append(box)
                box = parent[box]
            chains.append((byline, boxes))
        return chains

    def _scored(
        self, bylines: list[int], starts: list[int], ends: list[int], share: float
    ) -> Thread | None:
        """Return the thread with its score; None where it isn't a discussion."""
        ranges = list(zip(starts, ends, strict=True))
        if not self._is_discussion(ranges):
            return None
        texts = [self.plain(a, b, m) for (a, b), m in zip(ranges, bylines, strict=True)]
        if median(texts) < LEAST_TEXT:
            return None
        if 2 * sum(self._is_teaser(a, b) for a, b in ranges) >= len(ranges):
            return None
        score = sum(min(text, MOST_TEXT) ** 0.5 for text in texts) * share
        return Thread(tuple(starts), tuple(ends), score)

    def _is_teaser(self, start: int, stop: int) -> bool:
        """Return whether a range is a teaser: its text breaks off, or its heading is a link."""
        page = self.page
        written = page.text[page.text_at[start] : page.text_at[stop]]
        text = " ".join(written[-4 * MAX_DATE_LINE :].split())
        if len(text) < MAX_DATE_LINE:  # where much of it was white space
            text = " ".join(written.split())
        if _TEASER.search(text[-MAX_DATE_LINE:]):
            return True
        headings = self._linked_headings
        at = int(np.searchsorted(headings, start))
        return at < len(headings) and int(headings[at]) < stop

    @cached_property
    def _linked_headings(self) -> NDArray[np.intp]:
        """Rows of links to other pages in or around headings, as in teasers, in order."""
        page = self.page
        around = page.inside(tags.HEADING[page.tag]) | page.around(tags.HEADING[page.tag])
        rows = np.flatnonzero(around & page.in_link & (page.length > 0))
        hrefs = ((row, page.attribute(row, "href")) for row in rows.tolist())
        links = [
            row
            for row, href in hrefs
            if href is not None and "#" not in href and not USER_LINK.search(href)
        ]
        return np.array(links, dtype=np.intp)

    def _is_discussion(self, ranges: list[tuple[int, int]]) -> bool:
        """Return whether most ranges have a date and a user, or one and a post's class name."""
        count = len(ranges)
        has = [_holding(own, ranges) / count for own in self._byline_rows]
        if min(has) >= ALIKE or max(has) < ALIKE:
            return min(has) >= ALIKE
        return sum(start in self._named_rows for start, _ in ranges) >= ALIKE * count

    @cached_property
    def _byline_rows(self) -> tuple[list[int], list[int]]:
        """Rows of the dates, and of the users, in order."""
        return list(self.features.dates), self.features.user_rows

    def _usual_kind(self, chains: list[tuple[int, list[int]]]) -> str:
        """Return the kind of ancestor that holds most text over all posts.

        Needed since the largest ancestor of a post without replies is larger than with replies.
        """
        texts: Counter[str] = Counter()
        for byline, above in chains:
            seen = set()
            for row in reversed(above):
                if (kind := self.features.kind(row)) not in seen:
                    seen.add(kind)
                    plain = self.plain(row, self._end[row], byline)
                    texts[kind] += min(plain, MOST_TEXT)
        return texts.most_common(1)[0][0] if texts else ""

    def _with_followers(self, starts: list[int], ends: list[int]) -> list[int]:
        """Return ends extended to the next post, where bylines are followed by the text."""
        parents = {self._parent[start] for start in starts}
        if len(parents) > 1:
            return ends
        bare = [self.plain(a, b, a) for a, b in zip(starts, ends, strict=True)]
        if median(bare) > MAX_DATE_LINE:
            return ends
        stop = self._end[parents.pop()]
        further = [*starts[1:], min(stop, self._reach(starts, ends))]
        gaps = [self.plain(end, more, -1) for end, more in zip(ends, further, strict=True)]
        return further if median(gaps[:-1]) > max(median(bare), LEAST_TEXT) else ends

    @staticmethod
    def _reach(starts: list[int], ends: list[int]) -> int:
        """Return the upper bound of the last post's end: its text may follow its byline."""
        return ends[-1] + 2 * (ends[-1] - starts[0])

    def plain(self, start: int, stop: int, byline: int) -> int:
        """Return the characters in a range outside links and the byline."""
        own = self._plain
        total = own[stop] - own[start]
        if start <= byline < stop:
            total -= own[min(self._end[byline], stop)] - own[byline]
        return total

    # Columns as lists: the walks read single rows, ten times as fast as from arrays.

    @cached_property
    def _parent(self) -> list[int]:
        parents: list[int] = self.page.parent.tolist()
        return parents

    @cached_property
    def _end(self) -> list[int]:
        ends: list[int] = self.page.end.tolist()
        return ends

    @cached_property
    def _plain(self) -> list[int]:
        """Characters outside of links before each of the n + 1 rows."""
        own = np.where(self.page.in_link | ~self._prose, 0, self.page.own_length)
        return [0, *np.cumsum(own).tolist()]

    @cached_property
    def _prose(self) -> Mask:
        page = self.page
        boilerplate = page.is_tag("nav", "footer", "select", "button", "option", "label")
        boilerplate &= page.length * 2 <= page.length[0]  # not an element around the whole page
        prose: Mask = (page.tag == tags.TEXT) & ~page.inside(boilerplate)
        return prose


def _holding(rows: list[int], ranges: list[tuple[int, int]]) -> int:
    """Return how many half-open ranges hold one of some ordered rows."""
    behind = [*rows, sys.maxsize]
    return sum([behind[bisect_left(rows, start)] < stop for start, stop in ranges])


@lru_cache(maxsize=4096)
def _names_post(names: str) -> bool:
    """Return whether a class, id or type is that of a post; cached, since pages repeat them."""
    return _POST.search(names) is not None
