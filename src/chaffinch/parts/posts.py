"""The posts of a discussion: threads of forums, questions and answers, comments under a text.

Each with its author, date, text and place. They are found by structure
(`chaffinch.parts.post_structure`), or by what the page declares in JSON-LD or microdata where that
tells more (`chaffinch.parts.declared_posts`).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.page.urls import absolute
from chaffinch.parts.declared_posts import Declared, declared_posts
from chaffinch.parts.post import Post
from chaffinch.parts.post_dates import LONGEST, date_in
from chaffinch.parts.post_marks import NAME_LENGTH, USER_CLASS, USER_LINK
from chaffinch.parts.post_relations import Relations, with_kinds
from chaffinch.parts.post_structure import Group, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page

MOST_POSTS: Final = 1000
_NAME: Final = re.compile(r"(?=.*[^\W\d_])[\w.@'’ -]{2,30}")
_NAMED: Final = re.compile(r"user-?name|author|nick|\bname\b|\buser\b", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\d+")
_REPLY_TITLE: Final = re.compile(
    r"(?:re|aw|antw|sv|rv|wg)\s?(?:\[\d+\])?\s?[:：].{0,120}$", re.IGNORECASE
)
HALF: Final = 0.5
BODY_SHARE: Final = 0.75
"""Share of its text that a part of the body must hold to be the body itself."""
LINKED: Final = 2.0
"""Weight of a link to a user's page, against class names."""
MOST_WORTH: Final = 1000
"""Characters of one post that count when its body is looked for."""
BUTTON: Final = 30
"""Characters of a line that is taken for a button when most posts have it."""


def posts(page: Page) -> list[Post]:
    """Return the posts that ``page`` shows, in document order; none where it shows no discussion.

    A single post repeats nothing and is told only where JSON-LD declares it.
    """
    structure = Structure(page)
    group = structure.best()
    shown = _Reader(structure, group).read() if group is not None else []
    if 2 * sum(bool(post.text) for post in shown) < len(shown):
        shown = []
    declared = declared_posts(page)
    if len(declared) > len(shown):
        return [_from_declared(page, at, one) for at, one in enumerate(declared)]
    return with_kinds(shown, declared)


def _from_declared(page: Page, at: int, one: Declared) -> Post:
    return Post(
        number=at + 1,
        author=one.author,
        author_url=absolute(one.author_url, page.base),
        date=one.date,
        text=one.text,
        rows=(one.row, int(page.end[one.row])),
        kind=one.kind,
        reply_to=None if one.above is None else one.above + 1,
    )


class _Reader:
    """Reads author, date and text out of ranges of rows."""

    def __init__(self, structure: Structure, group: Group) -> None:
        self.structure = structure
        self.page: Page = structure.page
        self.marks = structure.marks
        self.group = group
        self.ranges = list(zip(group.starts, group.ends, strict=True))[:MOST_POSTS]

    def read(self) -> list[Post]:
        """Return the posts."""
        authors = self._authors()
        dates = self._dates()
        bodies = self._bodies(authors, dates)
        relations = Relations(self.structure, self.group)
        out: list[Post] = []
        for at, rows in enumerate(self.ranges):
            row, name = authors[at]
            lines = self._lines(*bodies[at], heads=(row, dates[at][0]))
            lines = [line for line in lines if self._key(line) not in self._usual]
            if len(lines) > 1 and _REPLY_TITLE.match(lines[0]):
                del lines[0]
            href = self.page.attribute(self._link(row), "href") if row >= 0 else None
            url = absolute(href, self.page.base)
            kind, above = relations.kind(at), relations.reply_to(at)
            text = "\n".join(lines)
            out.append(Post(at + 1, name, url, dates[at][1], text, rows, kind, above))
        return out

    def _link(self, row: int) -> int:
        """Return the link at, in or around an author's row."""
        page = self.page
        around = [row, *page.ancestors(row)][:3]
        inner = [r for r in range(row, int(page.end[row])) if page.name(r) == "a"]
        return next((r for r in [*inner, *around] if page.name(r) == "a"), row)

    # Author

    def _authors(self) -> list[tuple[int, str]]:
        """Return (row, name) of each post's author; (-1, "") where none is shown."""
        kinds: dict[str, dict[int, tuple[int, str, float]]] = defaultdict(dict)
        marks = sorted(self.marks.users, key=lambda mark: mark.row)
        for at, mark in self._by_post([(mark.row, mark.value) for mark in marks]):
            row, name = mark
            if name and len(name) <= NAME_LENGTH and not date_in(name):
                weight = self._weight(row)
                kinds[self.marks.kind(row)].setdefault(at, (row, name, weight))
        scores = {kind: self._score(found) for kind, found in kinds.items()}
        order = sorted(scores, key=scores.__getitem__, reverse=True)
        if sum(any(at in kinds[k] for k in order if scores[k] > 0) for at in self._numbers) < (
            HALF * len(self.ranges)
        ):
            return self._short_elements()
        out = []
        for at in self._numbers:
            chosen = next((kinds[k][at] for k in order if scores[k] > 0 and at in kinds[k]), None)
            out.append((chosen[0], chosen[1]) if chosen else (-1, ""))
        return out

    @property
    def _numbers(self) -> range:
        return range(len(self.ranges))

    def _short_elements(self) -> list[tuple[int, str]]:
        """Return as authors short elements of one kind that most posts have, and that differ."""
        page = self.page
        short = (page.tag != tags.TEXT) & (page.length > 1) & (page.length <= NAME_LENGTH)
        short &= ~page.inside(page.is_tag("p", "button"))
        kinds: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        for at, (start, stop) in enumerate(self.ranges):
            for row in range(start, stop):
                if short[row]:
                    name = page.folded(row)
                    if _NAME.fullmatch(name) and not date_in(name):
                        kinds[self.marks.kind(row)].setdefault(at, (row, name))
        for found in sorted(kinds.values(), key=lambda one: (-len(one), min(one.values()))):
            names = {name for _, name in found.values()}
            if len(found) >= 0.8 * len(self.ranges) and len(names) > max(len(found) / 3, 1):
                return [found.get(at, (-1, "")) for at in self._numbers]
        return [(-1, "")] * len(self.ranges)

    def _score(self, found: dict[int, tuple[int, str, float]]) -> float:
        names = Counter(name for _, name, _ in found.values())
        best = max(weight for _, _, weight in found.values())
        if len(found) > 2 and len(names) == 1 and best < LINKED:  # noqa: PLR2004  a label
            return 0.0
        spread = min(len(names) / len(found) + HALF, 1.0)
        return sum(weight for _, _, weight in found.values()) * spread

    def _weight(self, row: int) -> float:
        page = self.page
        pairs = page.attributes(row)
        weight = 0.0
        if USER_LINK.search(pairs.get("href") or "") and page.length[row]:
            weight += LINKED
        names = f"{pairs.get('class') or ''} {pairs.get('itemprop') or ''} {pairs.get('rel') or ''}"
        if _NAMED.search(names):
            weight += 1.5
        elif USER_CLASS.search(names):
            weight += 0.7
        elif page.name(row) == "cite":
            weight += 0.5
        if any(mark != row and row < mark < page.end[row] for mark in self._user_rows(row)):
            weight -= HALF
        return weight

    def _user_rows(self, row: int) -> list[int]:
        """Return the rows of marks of users just after ``row``."""
        at = bisect(self._users, row)
        return self._users[at : at + 2]

    @cached_property
    def _users(self) -> list[int]:
        return sorted(mark.row for mark in self.marks.users)

    def _by_post(self, spots: list[tuple[int, str]]) -> Iterator[tuple[int, tuple[int, str]]]:
        """Yield (number of the post from 0, spot) of the spots that stand in posts."""
        at = 0
        for spot in spots:
            while at < len(self.ranges) and spot[0] >= self.ranges[at][1]:
                at += 1
            if at < len(self.ranges) and spot[0] >= self.ranges[at][0]:
                yield at, spot

    # Date

    def _dates(self) -> list[tuple[int, str]]:
        """Return (row, date) of each post: its kind is the one that most posts have."""
        kinds: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        spots = [(mark.row, mark.value) for mark in self.marks.dates]
        for at, spot in self._by_post(spots):
            kinds[self.marks.kind(spot[0])].setdefault(at, spot)
        order = sorted(kinds, key=lambda kind: self._date_worth(kinds[kind]), reverse=True)
        nothing = (-1, "")
        return [
            next((kinds[kind][at] for kind in order if at in kinds[kind]), nothing)
            for at in self._numbers
        ]

    def _date_worth(self, found: dict[int, tuple[int, str]]) -> float:
        """Return how much a kind of dates looks like that of the posts.

        Most posts have it, the values differ, tell a time and, as posts are told in their order,
        rise or fall.
        """
        values = [value for _, value in found.values()]
        share = len(values) / len(self.ranges)
        pairs = list(pairwise(values))
        rising = max(sum(a <= b for a, b in pairs), sum(a >= b for a, b in pairs))
        ordered = rising / len(pairs) if pairs else HALF
        timed = sum("T" in value for value in values) / len(values)
        return share + ordered * HALF + (timed + len(set(values)) / len(values)) / 4

    # Text

    def _bodies(
        self, authors: list[tuple[int, str]], dates: list[tuple[int, str]]
    ) -> list[tuple[int, int]]:
        """Return the range of rows of each post's text: its body, or the whole post."""
        page = self.page
        kinds: dict[str, dict[int, int]] = defaultdict(dict)
        several: Counter[str] = Counter()
        for at, (start, stop) in enumerate(self.ranges):
            heads = {authors[at][0], dates[at][0]}
            for row in range(start, stop):
                if page.tag[row] == tags.TEXT or not page.length[row]:
                    continue
                if any(row <= head < page.end[row] for head in heads):
                    continue
                kind = self.marks.kind(row)
                if at in kinds[kind]:
                    several[kind] += 1
                else:
                    kinds[kind][at] = row
        worth = {}
        for kind, found in kinds.items():
            if len(found) >= HALF * len(self.ranges) and several[kind] <= 0.2 * len(found):
                worth[kind] = sum(self._worth(row, int(page.end[row])) for row in found.values())
        best = max(worth, key=worth.__getitem__, default="")
        while best:
            inner = [
                kind
                for kind in worth
                if kind != best
                and worth[kind] >= BODY_SHARE * worth[best]
                and all(
                    row < kinds[kind][at] < page.end[row]
                    for at, row in kinds[best].items()
                    if at in kinds[kind]
                )
            ]
            if not inner:
                break
            best = max(inner, key=worth.__getitem__)
        whole = sum(self._worth(start, stop) for start, stop in self.ranges)
        found = kinds[best] if best and worth[best] >= HALF * whole else {}
        return [
            (found[at], int(page.end[found[at]])) if at in found else rows
            for at, rows in enumerate(self.ranges)
        ]

    def _worth(self, start: int, stop: int) -> int:
        """Return how much text outside links and usual lines a range holds, as far as it counts."""
        first = self.marks.blocks.first
        sums = self._sums
        a, b = int(first.searchsorted(start)), int(first.searchsorted(stop))
        return min(int(sums[b] - sums[a]), MOST_WORTH)

    @cached_property
    def _sums(self) -> NDArray[np.int64]:
        blocks = self.marks.blocks
        own = (blocks.length - blocks.link_length).astype(np.int64)
        for number in np.flatnonzero(blocks.length <= BUTTON).tolist():
            if self._key(blocks.text(number)) in self._usual:
                own[number] = 0
        return np.concatenate([[0], np.cumsum(own)])

    def _lines(self, start: int, stop: int, heads: tuple[int, ...] = ()) -> list[str]:
        """Return the lines of a range, without the short ones that hold author or date."""
        blocks, page = self.marks.blocks, self.page
        first = int(blocks.first.searchsorted(start))
        last = int(blocks.first.searchsorted(stop))
        out = []
        for number in range(first, last):
            at, end = int(blocks.first[number]), int(blocks.last[number])
            head = any(row >= 0 and row < end and at < page.end[row] for row in heads)
            if not (head and blocks.length[number] <= LONGEST):
                out.append(blocks.text(number))
        return out

    @cached_property
    def _usual(self) -> frozenset[str]:
        """Short lines that half of the posts have, numbers aside: buttons and labels."""
        counts: Counter[str] = Counter()
        for start, stop in self.ranges:
            counts.update({self._key(x) for x in self._lines(start, stop) if len(x) <= BUTTON})
        few = len(self.ranges) < 4  # noqa: PLR2004  half of three is no habit
        least = len(self.ranges) if few else HALF * len(self.ranges)
        return frozenset(line for line, count in counts.items() if count >= least)

    @staticmethod
    def _key(line: str) -> str:
        return _NUMBERS.sub("#", line)
