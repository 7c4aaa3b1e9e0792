"""The byline of each post: author and date, in the kind of element that most posts have."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from itertools import islice, pairwise, takewhile
from typing import TYPE_CHECKING, Final

from chaffinch.page import tags
from chaffinch.page_work import checked
from chaffinch.posts.post_dates import MAX_DATE_LINE, date_in
from chaffinch.posts.post_features import NAME_LENGTH, USER_CLASS, USER_LINK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chaffinch.page import Page
    from chaffinch.posts.post_features import PostFeatures

LINKED: Final = 2.0
"""Weight of a link to a user's page; class names weigh less."""
HALF: Final = 0.5
_LEVELS: Final = 4
"""Elements around a name or a date that may hold the whole byline."""
_EDITED: Final = re.compile(
    r"\W{0,3}(?:(?:last |zuletzt )?(?:edited|modified|updated|bearbeitet|geändert)|modifié|édité"
    r"|editad[oa]|modificat[oa]|bewerkt|edytowan|upraven|изменен|отредактирован|редактир|відредагован|düzenle"
    r"|szerkeszt|redigert|redigerad|redigeret|muokattu"
    r"|编辑|編輯|編集|수정|đã sửa|แก้ไข|عدل|تعديل|נערך)",
    re.IGNORECASE,
)
_NOBODY: Final = re.compile(
    r"(?:anon|nobody|guest\b|gast\b|invité|invitad[oa]|匿名|名無し|名無|風吹けば|ななし|아무개|익명|ㅇㅇ|аноним|гость)",
    re.IGNORECASE,
)
"""What boards call those who give no name."""
_NAME: Final = re.compile(r"\A(?=.{0,29}[^\W\d_])[\w.@'’ -]{2,30}")
_NAMED: Final = re.compile(r"user-?name|author|nick|\bname\b|\buser\b", re.IGNORECASE)


class PostBylines:
    """The bylines of posts; posts are half-open ranges of rows in document order."""

    def __init__(self, features: PostFeatures, ranges: Sequence[tuple[int, int]]) -> None:
        self.page: Page = features.page
        self.features = features
        self.ranges = ranges

    def authors(self) -> list[tuple[int, str]]:
        """Return (row, name) of each post's author; (-1, "") where none is shown."""
        kinds: dict[str, dict[int, tuple[int, str, float]]] = defaultdict(dict)
        for at, row in self._by_post(self.features.user_rows):
            name = self.features.user_name(row)
            if name and len(name) <= NAME_LENGTH and not date_in(name):
                known = kinds[self.features.kind(row)]
                if at not in known or self._is_of_edit(known[at][0]):
                    known[at] = (row, name, self._weight(row))
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

    def _is_of_edit(self, row: int) -> bool:
        """Return whether a part of a byline, or the whole of it, begins with a word for edits."""
        page = self.page
        around = (one for _, one in zip(range(_LEVELS), page.ancestors(row), strict=False))
        short = takewhile(lambda one: page.length[one] <= MAX_DATE_LINE, (row, *around))
        return any(_EDITED.match(page.folded(one)) for one in short)

    @property
    def _numbers(self) -> range:
        return range(len(self.ranges))

    def _short_elements(self) -> list[tuple[int, str]]:
        """Return as authors short elements of a kind that most posts have, with varied texts."""
        page = self.page
        short = (page.tag != tags.TEXT) & (page.length > 1) & (page.length <= NAME_LENGTH)
        short &= ~page.inside(page.is_tag("p", "button"))
        kinds: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        for at, (start, stop) in enumerate(checked(self.ranges, every=16)):
            for row in range(start, stop):
                if short[row]:
                    name = page.folded(row)
                    if _NAME.fullmatch(name) and not date_in(name):
                        kinds[self.features.kind(row)].setdefault(at, (row, name))
        for found in sorted(kinds.values(), key=lambda one: (-len(one), min(one.values()))):
            names = {name for _, name in found.values()}
            if len(found) >= 0.8 * len(self.ranges) and len(names) > max(len(found) / 3, 1):
                return [found.get(at, (-1, "")) for at in self._numbers]
        return [(-1, "")] * len(self.ranges)

    def _score(self, found: dict[int, tuple[int, str, float]]) -> float:
        names = Counter(name for _, name, _ in found.values())
        best = max(weight for _, _, weight in found.values())
        if len(found) > 2 and len(names) == 1 and best < LINKED:  # noqa: PLR2004
            (name,) = names
            return max(best, 1.0) if _NOBODY.match(name) else 0.0  # else a label
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
        if any(row < other < page.end[row] for other in self._user_rows(row)):
            weight -= HALF
        return weight

    def _user_rows(self, row: int) -> list[int]:
        """Return the next two user rows after ``row``."""
        users = self.features.user_rows
        at = bisect(users, row)
        return users[at : at + 2]

    def _by_post(self, rows: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield (number of the post from 0, row) of those of the ordered rows that are in posts."""
        at = 0
        for row in rows:
            while at < len(self.ranges) and row >= self.ranges[at][1]:
                at += 1
            if at < len(self.ranges) and row >= self.ranges[at][0]:
                yield at, row

    def dates(self) -> list[tuple[int, str]]:
        """Return (row, date) of each post: of the kind of element that most posts have."""
        kinds: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        dates = self.features.dates
        for at, row in checked(self._by_post(dates), every=64):
            known = kinds[self.features.kind(row)]
            if at not in known or self._is_of_edit(known[at][0]):
                known[at] = (row, dates[row])
        order = sorted(kinds, key=lambda kind: self._date_score(kinds[kind]), reverse=True)
        nothing = (-1, "")
        return [
            next((kinds[kind][at] for kind in order if at in kinds[kind]), nothing)
            for at in self._numbers
        ]

    def _date_score(self, found: dict[int, tuple[int, str]]) -> float:
        """Return a score, from 0, of a kind of element as that of the posts' dates.

        It is high where most posts have one, values differ, include a time and rise or fall in
        the order of the posts.
        """
        values = [value for _, value in found.values()]
        share = len(values) / len(self.ranges)
        pairs = list(pairwise(values))
        rising = max(sum(a <= b for a, b in pairs), sum(a >= b for a, b in pairs))
        ordered = rising / len(pairs) if pairs else HALF
        timed = sum("T" in value for value in values) / len(values)
        return share + ordered * HALF + (timed + len(set(values)) / len(values)) / 4

    def link(self, row: int) -> int:
        """Return the row of the link at, in or around an author's row; the row itself for none."""
        page = self.page
        around = [row, *islice(page.ancestors(row), 2)]
        inner = [r for r in range(row, int(page.end[row])) if page.name(r) == "a"]
        return next((r for r in [*inner, *around] if page.name(r) == "a"), row)
