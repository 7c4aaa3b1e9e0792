"""Posts by structure: what a page repeats, each time with a date or a user and running text.

Own work, after the idea of repeated records (Liu, Grossman, Zhai: Mining Data Records in Web Pages,
KDD 2003), turned round: not the records are compared but their marks. Every post bears a date or
a user in an element of one kind; a post is then the largest element around its mark that holds no
other mark of that kind. So replies that stand within what they reply to are told apart, too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.posts.dates import LONGEST
from chaffinch.posts.post_features import USER_LINK, Marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

MOST_TEXT: Final = 400
"""Characters of one post that count: a single long text is no thread."""
LEAST_TEXT: Final = 2.0
"""Characters a post holds outside links, mark and user, in the median."""
MOST_KINDS: Final = 60
SIBLINGS: Final = 0.8
"""Share of the posts that are siblings, where no post stands within another."""
ALIKE: Final = 0.6
"""Share of the posts that are elements of one kind."""
_POST: Final = re.compile(
    r"(?:^|[^a-z])(?:posts?|posting|comments?|reply|replies|messages?|msg|answers?|responses?|reviews?"
    r"|kommentar|beitrag|antwort|commentaire|reponse|comentario|respuesta)(?=[^a-z]|$)",
    re.IGNORECASE,
)
_POST_WORDS: Final = (
    *("post comment repl messag msg answer respons review kommentar beitrag antwort".split()),
    *("reponse respuesta comentario".split()),
)
"""What each match of `_POST` holds."""
_NAMING: Final = ("class", "id", "itemtype")
_TEASER: Final = re.compile(
    r"(?:…|\.\.\.|\[…\])\s*(?:\(?(?:weiter\w*|read|more|mehr|lire|leer|continue|suite|全文|\[?»|>)"
    r"|$)",
    re.IGNORECASE,
)
"""A text that breaks off, with a link to the rest of it."""


@dataclass(frozen=True)
class Group:
    """Posts that marks of one kind tell: half-open ranges of rows."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    score: float


class Structure:
    """What a page repeats."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.marks = Marks(page)

    def best(self) -> Group | None:
        """Return the posts of the kind of mark that tells most text; None where none does."""
        best: Group | None = None
        for same in self._alike(self.marks.dates, self.marks.users) if self._may_discuss else ():
            # No group of so few marks can score higher than one that is known.
            if best is not None and MOST_TEXT**0.5 * len(same) <= best.score:
                continue
            group = self._group(same)
            if group is not None and (best is None or group.score > best.score):
                best = group
        return best

    @property
    def _may_discuss(self) -> bool:
        """Tell whether there is what two posts must have: dates and users, or one and names."""
        users = self._apart(self.marks.users)
        rows = chain.from_iterable(
            self.page.rows_where(name, _names_post, *_POST_WORDS) for name in _NAMING
        )
        named = self._apart(sorted(set(rows)))
        if max(users, named) < 2:  # noqa: PLR2004  so that no date need be looked for
            return False
        dates = self._apart(list(self.marks.dates))
        return min(dates, users) > 1 or (max(dates, users) > 1 and named > 1)

    def _apart(self, rows: list[int]) -> int:
        """Return how many of some rows, in order, hold no other: no more of them can be posts."""
        behind = [*rows[1:], len(self.page)]
        return sum(self._end[row] <= other for row, other in zip(rows, behind, strict=False))

    def _alike(self, *sorts: Iterable[int]) -> Iterator[list[int]]:
        """Yield the marks of each kind that stand there at least twice, the usual kinds first."""
        for marks in sorts:
            kinds: dict[str, list[int]] = defaultdict(list)
            for row in marks:
                kinds[self.marks.kind(row)].append(row)
            usual = sorted(kinds.values(), key=len, reverse=True)[:MOST_KINDS]
            yield from (same for same in usual if len(same) > 1)

    def _group(self, marks: list[int]) -> Group | None:
        parent = self._parent
        chains = self._chains(marks)
        kept: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        above = Counter(parent[boxes[-1]] for _, boxes in chains)
        usual = ""
        for mark, boxes in chains:
            box = boxes[-1]
            if above[parent[box]] < SIBLINGS * len(chains):
                usual = usual or self._usual(chains)
                box = next((row for row in reversed(boxes) if self.marks.kind(row) == usual), box)
            if not starts or box >= ends[-1]:
                kept.append(mark)
                starts.append(box)
                ends.append(self._end[box])
        if len(starts) < 2:  # noqa: PLR2004  nothing repeats
            return None
        kinds = Counter(map(self.marks.kind, starts))
        most = max(counts.most_common(1)[0][1] for counts in (kinds, above))
        share = min(most / len(starts), 1.0)
        if share < ALIKE:
            return None
        longest = list(zip(starts, [*starts[1:], self._reach(starts, ends)], strict=True))
        if not self._is_discussion(longest):
            return None
        return self._judged(kept, starts, self._with_followers(starts, ends), share)

    def _chains(self, marks: list[int]) -> list[tuple[int, list[int]]]:
        """Return each mark that holds no other, and the elements around it that hold no other."""
        parent, ends = self._parent, self._end
        chains = []
        rows = list(dict.fromkeys(marks))
        befores = dict(zip(rows, [-1, *rows], strict=False))
        behinds = dict(zip(rows, [*rows[1:], len(parent)], strict=True))
        for mark in marks:
            before, behind = befores[mark], behinds[mark]
            if behind < ends[mark]:
                continue
            boxes, box = [mark], parent[mark]
            while box > 0 and before < box and ends[box] <= behind:
                boxes.append(box)
                box = parent[box]
            chains.append((mark, boxes))
        return chains

    def _judged(
        self, marks: list[int], starts: list[int], ends: list[int], share: float
    ) -> Group | None:
        """Return the group with its score; None where it isn't that of a discussion."""
        ranges = list(zip(starts, ends, strict=True))
        if not self._is_discussion(ranges):
            return None
        texts = [self.plain(a, b, m) for (a, b), m in zip(ranges, marks, strict=True)]
        if median(texts) < LEAST_TEXT:
            return None
        if 2 * sum(self._teases(a, b) for a, b in ranges) >= len(ranges):
            return None
        score = sum(min(text, MOST_TEXT) ** 0.5 for text in texts) * share
        return Group(tuple(starts), tuple(ends), score)

    def _teases(self, start: int, stop: int) -> bool:
        """Tell whether a text breaks off, with no more than a link to the rest of it."""
        page = self.page
        written = page.text[page.text_at[start] : page.text_at[stop]]
        text = " ".join(written[-4 * LONGEST :].split())
        if len(text) < LONGEST:  # of much white space
            text = " ".join(written.split())
        if _TEASER.search(text[-LONGEST:]):
            return True
        headings = self._linked_headings
        at = int(np.searchsorted(headings, start))
        return at < len(headings) and int(headings[at]) < stop

    @cached_property
    def _linked_headings(self) -> NDArray[np.intp]:
        """Links in headings, or around them, that lead to another page, as titles of teasers do."""
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
        """Tell whether most of the ranges have a date and a user, or one and the name of a post."""
        count = len(ranges)
        has = [
            np.count_nonzero(np.diff(own.searchsorted(ranges)) > 0) / count if len(own) else 0.0
            for own in self._spots
        ]
        if min(has) >= ALIKE or max(has) < ALIKE:
            return min(has) >= ALIKE
        return sum(self._named(start) for start, _ in ranges) >= ALIKE * count

    @cached_property
    def _spots(self) -> list[NDArray[np.intp]]:
        """Rows of the dates, and of the users."""
        marks = (self.marks.dates, self.marks.users)
        return [np.array(list(own), dtype=np.intp) for own in marks]

    def _named(self, start: int) -> bool:
        pairs = self.page.attributes(start)
        return any(_names_post(pairs.get(name) or "") for name in _NAMING)

    def _usual(self, chains: list[tuple[int, list[int]]]) -> str:
        """Return the kind of box that holds most text of most posts.

        The largest box of a post without replies reaches further than that of one with replies.
        """
        texts: Counter[str] = Counter()
        for mark, above in chains:
            seen = set()
            for row in reversed(above):
                if (kind := self.marks.kind(row)) not in seen:
                    seen.add(kind)
                    plain = self.plain(row, self._end[row], mark)
                    texts[kind] += min(plain, MOST_TEXT)
        return texts.most_common(1)[0][0] if texts else ""

    def _with_followers(self, starts: list[int], ends: list[int]) -> list[int]:
        """Return ends that reach to the next post, where posts are heads followed by text."""
        parents = {self._parent[start] for start in starts}
        if len(parents) > 1:
            return ends
        bare = [self.plain(a, b, a) for a, b in zip(starts, ends, strict=True)]
        if median(bare) > LONGEST:
            return ends
        stop = self._end[parents.pop()]
        further = [*starts[1:], min(stop, self._reach(starts, ends))]
        gaps = [self.plain(end, more, -1) for end, more in zip(ends, further, strict=True)]
        return further if median(gaps[:-1]) > max(median(bare), LEAST_TEXT) else ends

    @staticmethod
    def _reach(starts: list[int], ends: list[int]) -> int:
        """Return how far the last post may reach at most: its text may follow it."""
        return ends[-1] + 2 * (ends[-1] - starts[0])

    def plain(self, start: int, stop: int, mark: int) -> int:
        """Return the characters in a range outside of links and of the mark's line."""
        own = self._plain
        total = own[stop] - own[start]
        if start <= mark < stop:
            total -= own[min(self._end[mark], stop)] - own[mark]
        return total

    # Columns as lists: the walks along them read single rows, ten times as fast as from arrays.

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
        unlike = page.is_tag("nav", "footer", "select", "button", "option", "label")
        unlike &= page.length * 2 <= page.length[0]  # not a form around all
        prose: Mask = (page.tag == tags.TEXT) & ~page.inside(unlike)
        return prose


@lru_cache(maxsize=4096)
def _names_post(said: str) -> bool:
    """Tell whether a class, id or type is that of a post; pages repeat the same ones."""
    return _POST.search(said) is not None
